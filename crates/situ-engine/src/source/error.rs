//! Errors of source files that cannot be read or parsed.

use proc_macro2::Span;
use std::fmt;
use std::io;

/// Reason why a source file, or a piece of code, cannot be used. Lines and columns are counted from
/// one.
#[derive(Debug)]
pub enum SourceError {
    Io(io::Error),
    NotUtf8 {
        /// Line of the first invalid byte.
        line: usize,
    },
    /// Brackets nest, or operators chain, deeper than Situ parses.
    TooDeep {
        line: usize,
        column: usize,
    },
    /// The text is not Rust, or newer Rust than Situ knows.
    Syntax {
        line: usize,
        column: usize,
        /// Message of the parser.
        message: String,
    },
}

impl SourceError {
    pub(super) fn too_deep(span: Span) -> SourceError {
        let (line, column) = place(span);
        SourceError::TooDeep { line, column }
    }

    /// Returns line and column of the error, or zeros if it concerns the whole file.
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
                write!(formatter, "{message}; run `cargo check` for details")
            }
        }
    }
}

impl std::error::Error for SourceError {}
