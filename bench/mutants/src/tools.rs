//! Both tools, and how they are run.

use crate::Side;
use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

pub struct Tools {
    /// Where everything is made.
    pub folder: PathBuf,
    /// The repository.
    pub root: PathBuf,
    /// The peer's version.
    pub peer_version: String,
    situ: PathBuf,
    peer: PathBuf,
}

/// What a tool made of a crate.
pub struct Judged {
    pub side: Side,
    /// One object for each mutant, in the tool's own words.
    pub mutants: Vec<Value>,
    /// How many seconds each step took, where the tool tells.
    pub steps: Value,
}

impl Tools {
    /// Builds Situ, and installs the newest cargo-mutants unless it is there.
    pub fn prepare() -> Result<Tools> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .canonicalize()?;
        let folder = root.join("bench/mutants/target/work");
        fs::create_dir_all(&folder)?;
        run(Command::new("cargo")
            .args(["build", "--release", "-p", "cargo-situ"])
            .current_dir(&root))?;
        let installed = folder.join("tools");
        let peer = installed.join("bin/cargo-mutants");
        if !peer.exists() {
            run(Command::new("cargo")
                .args(["install", "--locked", "cargo-mutants", "--root"])
                .arg(&installed))?;
        }
        let version = run(Command::new(&peer).args(["mutants", "--version"]))?;
        let peer_version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
        let situ = root.join("target/release/cargo-situ");
        Ok(Tools {
            folder,
            root,
            peer_version,
            situ,
            peer,
        })
    }

    /// Situ on a crate that nothing was built in, with further arguments.
    pub fn situ(&self, copy: &Path, arguments: &[&OsStr]) -> Result<Judged> {
        let started = Instant::now();
        let mut command = Command::new(&self.situ);
        let output = run(command
            .args(["situ", "mutants", "--json"])
            .args(arguments)
            .current_dir(copy))?;
        let seconds = started.elapsed().as_secs_f64();
        let text = String::from_utf8(output.stdout).context("reading Situ's report")?;
        let mut mutants: Vec<Value> = text
            .lines()
            .map(serde_json::from_str)
            .collect::<Result<_, _>>()?;
        let last = mutants.pop().context("reading Situ's summary")?;
        let count = |key: &str| last["summary"][key].as_u64().unwrap_or(0) as usize;
        let side = Side {
            mutants: count("mutants"),
            seconds,
            killed: count("killed") + count("timed_out"),
            survived: count("survived") + count("unreached"),
        };
        Ok(Judged {
            side,
            mutants,
            steps: last["summary"]["steps"].clone(),
        })
    }

    /// How long Situ takes, from nothing, for these of its mutants alone.
    pub fn situ_again(&self, copy: &Path, mutants: &[Value]) -> Result<f64> {
        let report = self.folder.join("common.jsonl");
        let lines: String = mutants.iter().map(|mutant| format!("{mutant}\n")).collect();
        fs::write(&report, lines)?;
        Ok(self
            .situ(copy, &["--again".as_ref(), report.as_os_str()])?
            .side
            .seconds)
    }

    pub fn peer(&self, copy: &Path, share: usize) -> Result<Judged> {
        let cores = std::thread::available_parallelism()
            .map_or(1, usize::from)
            .to_string();
        let started = Instant::now();
        let mut command = Command::new(&self.peer);
        command
            .args(["mutants", "--no-shuffle", "--colors=never", "-j", &cores])
            .current_dir(copy);
        if share > 1 {
            command.args([
                "--shard",
                &format!("0/{share}"),
                "--sharding",
                "round-robin",
            ]);
        }
        let output = command.output().context("starting cargo-mutants")?;
        let seconds = started.elapsed().as_secs_f64();
        let text = fs::read_to_string(copy.join("mutants.out/outcomes.json"));
        let text = text.with_context(|| String::from_utf8_lossy(&output.stdout).into_owned())?;
        let report: Value = serde_json::from_str(&text)?;
        let mutants: Vec<Value> = report["outcomes"].as_array().cloned().unwrap_or_default();
        let count = |key: &str| report[key].as_u64().unwrap_or(0) as usize;
        let (caught, missed, timeout) = (count("caught"), count("missed"), count("timeout"));
        let side = Side {
            mutants: caught + missed + timeout,
            seconds,
            killed: caught + timeout,
            survived: missed,
        };
        Ok(Judged {
            side,
            mutants,
            steps: Value::Null,
        })
    }
}

pub fn run(command: &mut Command) -> Result<Output> {
    let output = command
        .output()
        .with_context(|| format!("starting {command:?}"))?;
    if !output.status.success() {
        bail!(
            "{command:?} failed:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(output)
}
