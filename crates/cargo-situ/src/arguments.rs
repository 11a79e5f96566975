//! The command-line arguments of `cargo situ`.

use crate::changing;
use crate::verbs::Verb;
use anyhow::Result;
use clap::{Args, Parser};
use situ_engine::base::process::sandbox::{self, Limits};
use situ_engine::base::user_error;
use situ_engine::cargo::workspace::{SecretNames, Selection, Workspace};
use situ_engine::generate::worth::Budget;
use std::path::PathBuf;

/// The arguments of the program. Cargo calls a subcommand with its own name as the first argument,
/// so the outer level has one variant.
#[derive(Parser)]
#[command(bin_name = "cargo", styles = clap_styles())]
pub enum Arguments {
    /// Tests that live in the code they check
    Situ(Situ),
}

#[derive(Args)]
#[command(version, display_name = "cargo-situ", about, long_about = None)]
pub struct Situ {
    #[command(subcommand)]
    pub verb: Verb,
}

/// Options that every verb takes.
#[derive(Args, Clone)]
pub struct Common {
    /// Path to the Cargo.toml of the package or workspace
    #[arg(long, value_name = "PATH", global = true)]
    manifest_path: Option<PathBuf>,
    /// Package of the workspace to work on; may be repeated
    #[arg(short, long = "package", value_name = "NAME", global = true)]
    packages: Vec<String>,
    /// Print nothing but JSON on standard output
    #[arg(long, global = true)]
    pub json: bool,
}

impl Common {
    pub fn selection(&self) -> Selection {
        Selection {
            manifest_path: self.manifest_path.clone(),
            packages: self.packages.clone(),
        }
    }

    /// Loads the workspace, after rolling back what an interrupted command left half changed in it.
    pub fn workspace(&self) -> Result<Workspace> {
        let workspace = Workspace::load(&self.selection())?;
        changing::recover(&workspace)?;
        Ok(workspace)
    }
}

/// The help heading over the sandbox options.
const SANDBOX: &str = "Sandbox";

/// Options that decide what programs may do when they run with mutants, instrumentation or
/// generated inputs.
#[derive(Args, Clone)]
pub struct SandboxOptions {
    /// Run tests without confinement, also with mutants and generated inputs
    #[arg(long, help_heading = SANDBOX)]
    no_sandbox: bool,
    /// Also let the tests write to this file or folder; may be repeated
    #[arg(long, value_name = "PATH", conflicts_with = "no_sandbox", help_heading = SANDBOX)]
    allow_write: Vec<PathBuf>,
    /// Memory limit of each process that runs with mutants or generated inputs: megabytes, or 512M,
    /// 4G
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = bytes_of, help_heading = SANDBOX)]
    memory: u64,
}

impl SandboxOptions {
    /// Returns the memory limit of one process, in bytes.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// Configures the sandbox of every program that this process starts.
    pub fn apply(&self) -> Result<()> {
        if let Some(path) = self.allow_write.iter().find(|path| !path.exists()) {
            let path = path.display();
            return Err(user_error::input(format!(
                "--allow-write {path}: there is no such file or folder; create it first"
            )));
        }
        let limits = Limits {
            memory: self.memory,
            ..Limits::default()
        };
        sandbox::configure(!self.no_sandbox, &self.allow_write, limits);
        Ok(())
    }
}

/// Parses a size: a plain number is megabytes, `K`, `M` and `G` are powers of 1024. Returns bytes.
fn bytes_of(text: &str) -> Result<u64, &'static str> {
    const EXPECTED: &str = "expected megabytes, or a number with K, M or G, such as 4G";
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let shift = match &text[digits.len()..] {
        "" | "M" | "MB" | "MiB" => 20,
        "K" | "KB" | "KiB" => 10,
        "G" | "GB" | "GiB" => 30,
        _ => return Err(EXPECTED),
    };
    let number: u64 = digits.parse().map_err(|_| EXPECTED)?;
    number
        .checked_mul(1 << shift)
        .filter(|bytes| *bytes > 0)
        .ok_or(EXPECTED)
}

/// Options with the names of secrets, for every verb that records.
#[derive(Args, Clone)]
pub struct Secrets {
    /// Also never write values of this name; may be repeated
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,
    /// A name that is no secret here, such as `token` in a lexer; may be repeated
    #[arg(long, value_name = "NAME")]
    not_secret: Vec<String>,
}

impl Secrets {
    /// Returns the names from the command line together with those that the workspace's manifest
    /// lists.
    pub fn names(&self, workspace: &Workspace) -> SecretNames {
        let own = SecretNames {
            names: self.secret.clone(),
            not_secret: self.not_secret.clone(),
        };
        workspace.config().secrets.with(&own)
    }
}

/// How much a reader is asked to read, for every verb that proposes tests.
#[derive(Args, Clone)]
pub struct WorthOptions {
    /// Show everything that holds, also tests that kill no mutant which the suite leaves alive
    #[arg(long, conflicts_with = "budget")]
    all: bool,
    /// At most so many new lines [default: a tenth of the lines of the files concerned, 40 at least]
    #[arg(long, value_name = "LINES")]
    budget: Option<usize>,
}

impl WorthOptions {
    pub fn budget(&self) -> Budget {
        match self.budget {
            _ if self.all => Budget::All,
            Some(lines) => Budget::Lines(lines),
            None => Budget::Tenth,
        }
    }
}

fn clap_styles() -> clap::builder::Styles {
    clap::builder::Styles::plain()
}

#[cfg(test)]
mod tests {
    use super::bytes_of;

    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes_of("2G"), Ok(2 << 30));
        assert_eq!(bytes_of("512MiB"), Ok(512 << 20));
        assert_eq!(bytes_of("2048"), Ok(2 << 30));
        for wrong in ["", "G", "-1G", "2X", "0", "99999999999G"] {
            assert!(bytes_of(wrong).is_err(), "{wrong}");
        }
    }
}
