//! What can be typed after `cargo`.

use crate::changing;
use crate::verbs::Verb;
use anyhow::Result;
use clap::{Args, Parser};
use situ_engine::workspace::{Selection, Workspace};
use std::path::PathBuf;

/// Cargo calls a subcommand with its own name as the first argument.
#[derive(Parser)]
#[command(bin_name = "cargo", styles = clap_styles())]
pub enum Arguments {
    /// Tests that live in the code they check
    Situ(Situ),
}

#[derive(Args)]
#[command(version, about, long_about = None)]
pub struct Situ {
    #[command(subcommand)]
    pub verb: Verb,
}

/// The options that every verb takes.
#[derive(Args, Clone)]
pub struct Common {
    /// The manifest of the package or workspace
    #[arg(long, value_name = "PATH", global = true)]
    manifest_path: Option<PathBuf>,
    /// A package of the workspace; may be repeated
    #[arg(short, long = "package", value_name = "NAME", global = true)]
    packages: Vec<String>,
    /// Print nothing but JSON on standard output
    #[arg(long, global = true)]
    pub json: bool,
}

impl Common {
    pub fn selection(&self) -> Selection {
        Selection { manifest_path: self.manifest_path.clone(), packages: self.packages.clone() }
    }

    /// The workspace, without anything half done in it.
    pub fn workspace(&self) -> Result<Workspace> {
        let workspace = Workspace::load(&self.selection())?;
        changing::recover(&workspace)?;
        Ok(workspace)
    }
}

fn clap_styles() -> clap::builder::Styles {
    clap::builder::Styles::plain()
}
