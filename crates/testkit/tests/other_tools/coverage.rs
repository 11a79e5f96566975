//! Which lines the compiler's own coverage credits, as cargo-llvm-cov shows it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::Message;
use testkit::project::Project;

use crate::skipped;

const LIBRARY: &str = "\
use situ::prelude::*;

#[situ]
pub fn parse(line: &str, limit: usize) -> Result<usize, std::num::ParseIntError> {
    let text = line.trim_start_matches('#');
    itest!(\"plain\", given(line = \"#7\"), check_eq(text, \"7\"));
    let untested = text.len() * 2;
    let number: usize = text
        .parse()?;
    itest!(\"a number\", given(text = \"7\"), check_eq(number, 7));
    itest!(\"no number\", given(text = \"x\"), check_err(returned()));
    blocktest!(\"clamps\", given(number = 9, limit = 5), check_eq(clamped, 5), check_flow(If.Then));
    let mut clamped = number;
    if clamped > limit {
        clamped = limit;
    } else {
        clamped += 0;
    }
    blocktest!(\"in a macro that may leave\", given(clamped = 1), next(1), check_runs());
    crate::log!(clamped);
    Ok(clamped + untested)
}

#[situ]
pub fn letters(words: &[&str]) -> usize {
    let mut total: usize = 0;
    for word in words {
        total += word.len();
        itest!(\"adds\", given(total = 1, word = &\"ab\"), check_eq(total, 3));
    }
    total
}

#[macro_export]
macro_rules! log {
    ($value:expr) => {
        assert!($value < 100)
    };
}
";

/// Lines that the tests run, and lines that they do not.
const RUN: &[usize] = &[5, 8, 9, 13, 14, 15, 20, 28];
const NOT_RUN: &[usize] = &[7, 17, 21, 26, 27, 31];

struct Tools {
    profdata: PathBuf,
    cov: PathBuf,
}

impl Tools {
    /// The tools of rustup's component, or others of the same version.
    fn find() -> Option<Tools> {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let says = |argument: &[&str]| {
            let output = Command::new(&rustc)
                .args(argument)
                .output()
                .expect("rustc can be started");
            String::from_utf8_lossy(&output.stdout).trim().to_string()
        };
        let folder = Path::new(&says(&["--print", "target-libdir"])).with_file_name("bin");
        let about = says(&["-vV"]);
        let version = about
            .lines()
            .find_map(|line| line.strip_prefix("LLVM version: "))?
            .split('.')
            .next()?;
        let tool = |name: &str| {
            let own = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
            [own, PathBuf::from(name)]
                .into_iter()
                .find(|tool| is_of_version(tool, version))
        };
        Some(Tools {
            profdata: tool("llvm-profdata")?,
            cov: tool("llvm-cov")?,
        })
    }

    /// How often each line of the library was run.
    fn lines(&self, program: &Path, folder: &Path) -> BTreeMap<usize, usize> {
        let (raw, merged) = (folder.join("raw.profraw"), folder.join("merged.profdata"));
        succeeds(
            Command::new(program)
                .arg("situ_")
                .env("LLVM_PROFILE_FILE", &raw),
        );
        succeeds(
            Command::new(&self.profdata)
                .arg("merge")
                .arg("-sparse")
                .arg(raw)
                .arg("-o")
                .arg(&merged),
        );
        let mut export = Command::new(&self.cov);
        export
            .args(["export", "-format=lcov", "-instr-profile"])
            .arg(merged)
            .arg(program);
        let report = succeeds(&mut export);
        let of_library = report
            .split("end_of_record")
            .find(|file| file.contains("lib.rs"))
            .expect("the library is there");
        let line = |line: &str| {
            let (number, count) = line.strip_prefix("DA:")?.split_once(',')?;
            Some((number.parse().ok()?, count.parse().ok()?))
        };
        of_library.lines().filter_map(line).collect()
    }
}

fn is_of_version(tool: &Path, version: &str) -> bool {
    let Ok(output) = Command::new(tool).arg("--version").output() else {
        return false;
    };
    String::from_utf8_lossy(&output.stdout).contains(&format!("LLVM version {version}."))
}

fn succeeds(command: &mut Command) -> String {
    let output = command.output().expect("the tool can be started");
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The test program of a project, its own code alone instrumented.
fn instrumented(project: &Project) -> PathBuf {
    let arguments = [
        "rustc",
        "--lib",
        "--profile",
        "test",
        "--message-format=json",
        "--",
        "-Cinstrument-coverage",
    ];
    let outcome = project.cargo(&arguments).expect_success();
    let program =
        Message::parse_stream(outcome.stdout.as_bytes()).find_map(|message| match message {
            Ok(Message::CompilerArtifact(artifact)) => artifact.executable,
            _ => None,
        });
    program
        .expect("a test program was built")
        .into_std_path_buf()
}

#[test]
fn the_lines_of_a_target_are_credited_when_only_its_in_situ_tests_run() {
    let Some(tools) = Tools::find() else {
        return skipped(
            "no llvm-profdata and llvm-cov of the compiler's LLVM; `rustup component add llvm-tools`",
        );
    };
    let project = Project::new(env!("CARGO_TARGET_TMPDIR"), "coverage");
    project.write_manifest(
        "coverage",
        "[dependencies]\nsitu = { path = SITU, features = [\"test\"] }\n",
    );
    project.write("src/lib.rs", LIBRARY);
    let lines = tools.lines(&instrumented(&project), project.folder());
    let count = |line: &usize| lines.get(line).copied().unwrap_or_default();
    for line in RUN {
        assert!(count(line) > 0, "line {line} was run: {lines:?}");
    }
    for line in NOT_RUN {
        assert_eq!(count(line), 0, "line {line} was not run: {lines:?}");
    }
}
