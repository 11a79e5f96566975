//! Why a source file cannot be used.

use proc_macro2::Span;
use std::fmt;
use std::io;

/// Why a source file, or a piece of code, cannot be used. Lines and columns are counted from one.
#[derive(Debug)]
pub enum SourceError {
    /// The file cannot be read.
    Io(io::Error),
    /// The file is not UTF-8.
    NotUtf8 {
        /// Where the first byte is that is none.
        line: usize,
    },
    /// Brackets nest, or operators chain, deeper than Situ parses.
    TooDeep {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// The text is no Rust, or newer Rust than Situ knows.
    Syntax {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// What the parser says.
        message: String,
    },
}

impl SourceError {
    pub(super) fn too_deep(span: Span) -> SourceError {
        let (line, column) = place(span);
        SourceError::TooDeep { line, column }
    }

    /// Returns the line and column that the error is about, or zero where it is about the whole file.
    pub fn place(&self) -> (usize, usize) {
        match self {
            SourceError::Io(_) => (0, 0),
            SourceError::NotUtf8 { line } => (*line, 1),
            SourceError::TooDeep { line, column } | SourceError::Syntax { line, column, .. } => {
                (*line, *column)
            }
        }
    }
}

fn place(span: Span) -> (usize, usize) {
    let start = span.start();
    (start.line, start.column + 1)
}

impl From<syn::Error> for SourceError {
    fn from(error: syn::Error) -> SourceError {
        let (line, column) = place(error.span());
        SourceError::Syntax {
            line,
            column,
            message: error.to_string(),
        }
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceError::Io(error) => write!(formatter, "{error}"),
            SourceError::NotUtf8 { .. } => write!(formatter, "this is not UTF-8"),
            SourceError::TooDeep { .. } => write!(formatter, "this is nested too deeply for Situ"),
            SourceError::Syntax { message, .. } => {
                write!(formatter, "{message}; `cargo check` tells more")
            }
        }
    }
}

impl std::error::Error for SourceError {}
