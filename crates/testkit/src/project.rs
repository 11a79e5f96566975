//! A cargo project made for one test, as a user would have it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::repository;

/// A project in a folder of its own.
///
/// It depends on what this repository's lock file has, so that no network is needed, and it is built in a target folder
/// that all such projects share, so that their dependencies are compiled once.
pub struct Project {
    folder: PathBuf,
    target: PathBuf,
}

/// What a command did.
#[derive(Debug)]
pub struct Outcome {
    /// Whether it ended with success.
    pub success: bool,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

impl Outcome {
    /// The same outcome, where it was a success; else a panic with what the command said.
    #[track_caller]
    pub fn expect_success(self) -> Self {
        assert!(
            self.success,
            "the command failed:\n{}\n{}",
            self.stdout, self.stderr
        );
        self
    }
}

impl Project {
    /// An empty project below `scratch`, which is `env!("CARGO_TARGET_TMPDIR")` in an integration test.
    pub fn new(scratch: &str, name: &str) -> Self {
        let folder = Path::new(scratch).join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("an old project can be removed");
        }
        let project = Project {
            folder,
            target: Path::new(scratch).join("projects-target"),
        };
        project.write("Cargo.lock", &repository::text("Cargo.lock"));
        project
    }

    /// The same project, built in another target folder: for a test that looks at what the build left there.
    pub fn with_target(mut self, name: &str) -> Self {
        self.target = self.folder.with_file_name(name);
        self
    }

    /// Writes one file, with the folders it needs.
    pub fn write(&self, path: &str, text: &str) {
        let full = self.folder.join(path);
        fs::create_dir_all(full.parent().expect("a file stands in a folder"))
            .expect("folders can be made");
        fs::write(full, text).expect("files can be written");
    }

    /// Writes the manifest of a package of this name; `dependencies` are the tables that follow.
    ///
    /// `SITU` in them becomes the path of the crate `situ`.
    pub fn write_manifest(&self, name: &str, dependencies: &str) {
        let situ = repository::root()
            .join("crates/situ")
            .display()
            .to_string()
            .replace('\\', "/");
        let dependencies = dependencies.replace("SITU", &format!("\"{situ}\""));
        let package = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n"
        );
        self.write(
            "Cargo.toml",
            &format!("{package}\n{dependencies}\n[workspace]\n"),
        );
    }

    /// Where the project stands.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where its build leaves things.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Runs cargo in the project.
    pub fn cargo(&self, arguments: &[&str]) -> Outcome {
        run_cargo(&self.folder, &self.target, arguments)
    }
}

/// Runs cargo in this repository, for questions that build nothing.
pub fn cargo_here(arguments: &[&str]) -> Outcome {
    let root = repository::root();
    run_cargo(&root, &root.join("target"), arguments)
}

fn run_cargo(folder: &Path, target: &Path, arguments: &[&str]) -> Outcome {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_NET_OFFLINE", "true");
    command
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_TERM_COLOR", "never")
        .env("RUST_BACKTRACE", "0");
    // Flags of the build around us (a coverage run, say) are not those of the user whose project this is.
    for inherited in [
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
    ] {
        command.env_remove(inherited);
    }
    let output = command.output().expect("cargo can be started");
    Outcome {
        success: output.status.success(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
