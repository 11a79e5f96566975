//! `cargo situ lsp`: the language server.

use crate::exit::Exit;
use crate::lsp::serve;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

const EXAMPLE: &str = "Example:
  cargo situ lsp    # started by an editor, which speaks to it on standard input and output

The book's page on editors says what to write into the settings of VS Code, Neovim, Helix and Emacs.";

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub struct Options {
    /// The manifest of the workspace; that of the folder which the editor has open if nothing is said
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
    /// Take `situ` from this checkout where tests are extracted
    #[arg(long, value_name = "DIR")]
    situ_path: Option<PathBuf>,
    /// For editors that say so; there is no other way
    #[arg(long, hide = true)]
    stdio: bool,
}

pub fn run(options: &Options) -> Result<Exit> {
    serve(options.manifest_path.clone(), options.situ_path.clone())
}
