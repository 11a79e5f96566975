//! What can be typed after `cargo`.

use crate::verbs::Verb;
use clap::{Args, Parser};
use situ_engine::workspace::{SecretNames, Selection, Workspace};
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
}

/// Names of secrets, for every verb that records.
#[derive(Args, Clone)]
pub struct Secrets {
    /// Another name whose values are never written; may be repeated
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,
    /// A name that means no secret here, as `token` in a lexer; may be repeated
    #[arg(long, value_name = "NAME")]
    not_secret: Vec<String>,
}

impl Secrets {
    /// These names, and those that the workspace lists.
    pub fn names(&self, workspace: &Workspace) -> SecretNames {
        let own = SecretNames { names: self.secret.clone(), not_secret: self.not_secret.clone() };
        workspace.config().secrets.with(&own)
    }
}

fn clap_styles() -> clap::builder::Styles {
    clap::builder::Styles::plain()
}
