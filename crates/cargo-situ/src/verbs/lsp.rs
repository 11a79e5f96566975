//! `cargo situ lsp`: the language server.

use crate::exit::Exit;
use crate::lsp::serve;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

const EXAMPLE: &str = "Example:
  cargo situ lsp    # started by an editor, which talks to it on standard input and output

The book's page on editors shows the settings for VS Code, Neovim, Helix and Emacs.";

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub struct Options {
    /// Path to the Cargo.toml of the workspace; by default that of the folder open in the editor
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
    /// Local checkout of Situ for the dependency that extracted tests need
    #[arg(long, value_name = "DIR")]
    situ_path: Option<PathBuf>,
    /// Use stdio (accepted for compatibility; there is no other transport)
    #[arg(long, hide = true)]
    stdio: bool,
}

pub fn run(options: &Options) -> Result<Exit> {
    serve(options.manifest_path.clone(), options.situ_path.clone())
}
