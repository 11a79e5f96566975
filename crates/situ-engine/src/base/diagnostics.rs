//! The JSON messages of cargo and rustc, reduced to what the engine reads.

use serde::Deserialize;
use std::path::PathBuf;

/// A diagnostic of the compiler, as `--error-format=json` prints it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Diagnostic {
    /// The headline.
    pub message: String,
    /// The error's code, where it has one.
    pub code: Option<Code>,
    /// `error`, `warning`, `note`, …
    pub level: String,
    /// The places it points at.
    #[serde(default)]
    pub spans: Vec<Span>,
    /// Notes and helps that belong to it.
    #[serde(default)]
    pub children: Vec<Diagnostic>,
    /// How rustc would print it.
    #[serde(default)]
    pub rendered: Option<String>,
}

/// The code of a diagnostic: `E0382`, or a lint's name.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Code {
    /// The code itself.
    pub code: String,
}

/// A place that a diagnostic points at.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Span {
    /// The file, with the compiler's path mapping applied.
    pub file_name: String,
    /// The first byte.
    pub byte_start: usize,
    /// The byte after the last.
    pub byte_end: usize,
    /// The first line, counted from one.
    pub line_start: usize,
    /// Whether this is the place of the error itself.
    pub is_primary: bool,
    /// What the compiler would write there.
    #[serde(default)]
    pub suggested_replacement: Option<String>,
    /// Set where the place stands inside a macro's expansion.
    #[serde(default)]
    pub expansion: Option<Box<Expansion>>,
}

/// The macro call that a span comes from.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Expansion {
    /// Where the macro is called.
    pub span: Span,
}

impl Diagnostic {
    /// Whether the crate does not compile because of it.
    pub(crate) fn is_error(&self) -> bool {
        self.level.starts_with("error")
    }

    /// Its code, or nothing.
    pub(crate) fn code(&self) -> &str {
        self.code.as_ref().map_or("", |code| &code.code)
    }

    /// All places it points at, its children's last, each followed by the macro calls that it stands in.
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

/// The diagnostics in what rustc wrote to standard error under `--error-format=json`.
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
    /// Something was built, or was there already.
    CompilerArtifact(Artifact),
    /// rustc said something.
    CompilerMessage {
        /// What it said.
        message: Diagnostic,
    },
    /// Cargo is done.
    BuildFinished {
        /// Whether everything was built.
        success: bool,
    },
    /// Anything else.
    #[serde(other)]
    Other,
}

/// What cargo built.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Artifact {
    /// Which of its targets.
    pub target: ArtifactTarget,
    /// How it was built.
    pub profile: ArtifactProfile,
    /// Its files.
    #[serde(default)]
    pub filenames: Vec<PathBuf>,
    /// The program, where it is one.
    #[serde(default)]
    pub executable: Option<PathBuf>,
}

/// The target of an artifact.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ArtifactTarget {
    /// `lib`, `bin`, `test`, …
    pub kind: Vec<String>,
    /// Its name, as the manifest has it.
    pub name: String,
    /// Its root file.
    pub src_path: PathBuf,
}

/// The profile of an artifact.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ArtifactProfile {
    /// Whether it is a test program.
    pub test: bool,
}

/// The messages in what cargo wrote to standard output under `--message-format=json`.
pub(crate) fn parse_cargo(output: &str) -> Vec<CargoMessage> {
    let lines = output.lines().filter(|line| line.starts_with('{'));
    lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}
