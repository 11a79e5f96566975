//! The JSON messages of cargo and rustc, reduced to what the engine reads.

use serde::Deserialize;
use std::path::PathBuf;

/// Diagnostic of rustc, as `--error-format=json` prints it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Diagnostic {
    pub message: String,
    /// Error code or lint name, if the diagnostic has one.
    pub code: Option<Code>,
    /// `error`, `warning`, `note`, `help` or `error: internal compiler error`.
    pub level: String,
    /// Source ranges that the diagnostic points at.
    #[serde(default)]
    pub spans: Vec<Span>,
    /// Notes and suggestions attached to this diagnostic.
    #[serde(default)]
    pub children: Vec<Diagnostic>,
    /// Human-readable form, as rustc prints it on a terminal.
    #[serde(default)]
    pub rendered: Option<String>,
}

/// Code of a diagnostic: `E0382`, or a lint's name.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Code {
    pub code: String,
}

/// Source range that a diagnostic points at.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Span {
    /// Path of the file, after `--remap-path-prefix`.
    pub file_name: String,
    /// Byte offset of the start, from the start of the file.
    pub byte_start: usize,
    /// Byte offset of the end, exclusive.
    pub byte_end: usize,
    /// Line of the start, counted from one.
    pub line_start: usize,
    /// Whether this is the range of the error itself, not of a label beside it.
    pub is_primary: bool,
    /// Replacement that rustc suggests for this range.
    #[serde(default)]
    pub suggested_replacement: Option<String>,
    /// Macro call that this range was expanded from, if it is inside an expansion.
    #[serde(default)]
    pub expansion: Option<Box<Expansion>>,
}

/// Macro call that a span was expanded from.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Expansion {
    /// Range of the macro call.
    pub span: Span,
}

impl Diagnostic {
    /// Returns whether the crate does not compile because of this diagnostic.
    pub(crate) fn is_error(&self) -> bool {
        self.level.starts_with("error")
    }

    /// Returns the error code or lint name, or `""` if there is none.
    pub(crate) fn code(&self) -> &str {
        self.code.as_ref().map_or("", |code| &code.code)
    }

    /// Returns all spans of the diagnostic, then those of its children. Each span is followed by
    /// the macro calls that it was expanded from, innermost first.
    pub(crate) fn all_spans(&self) -> Vec<&Span> {
        let mut all = Vec::new();
        for span in &self.spans {
            let mut outwards = Some(span);
            while let Some(span) = outwards {
                all.push(span);
                outwards = span.expansion.as_ref().map(|expansion| &expansion.span);
            }
        }
        all.extend(self.children.iter().flat_map(Diagnostic::all_spans));
        all
    }
}

/// Parses rustc's standard error under `--error-format=json`. Skips lines that are no diagnostics.
pub(crate) fn parse_rustc(output: &str) -> Vec<Diagnostic> {
    let lines = output.lines().filter(|line| line.starts_with('{'));
    lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// One line of `cargo … --message-format=json`.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub(crate) enum CargoMessage {
    /// Cargo built an artifact, or found it up to date.
    CompilerArtifact(Artifact),
    /// rustc printed a diagnostic.
    CompilerMessage { message: Diagnostic },
    /// Cargo has finished.
    BuildFinished {
        /// Whether all targets were built.
        success: bool,
    },
    /// Any other message, such as the output of a build script.
    #[serde(other)]
    Other,
}

/// Artifact that cargo built or found up to date.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Artifact {
    pub target: ArtifactTarget,
    pub profile: ArtifactProfile,
    /// Files that the compiler wrote.
    #[serde(default)]
    pub filenames: Vec<PathBuf>,
    /// The program, if the artifact can be executed.
    #[serde(default)]
    pub executable: Option<PathBuf>,
}

/// Cargo target of an artifact.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ArtifactTarget {
    /// `lib`, `bin`, `test`, `proc-macro`, …
    pub kind: Vec<String>,
    /// Name, as the manifest spells it.
    pub name: String,
    /// Absolute path of the root file.
    pub src_path: PathBuf,
}

/// Profile that an artifact was built with.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ArtifactProfile {
    /// Whether the artifact is a test program (`--test`).
    pub test: bool,
}

/// Parses cargo's standard output under `--message-format=json`. Skips lines that are no messages.
pub(crate) fn parse_cargo(output: &str) -> Vec<CargoMessage> {
    let lines = output.lines().filter(|line| line.starts_with('{'));
    lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}
