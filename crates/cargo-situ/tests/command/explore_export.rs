//! `cargo situ explore --export fuzz` and `--import`: a theory as a fuzzer's target, and a crash as a data point.

use crate::project::Project;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Stands in for a fuzzer: its programs read one input from a file, as libFuzzer's do when they are given one.
const STAND_IN: &str = r#"
#[macro_export]
macro_rules! fuzz_target {
    (|$bytes:ident: &[u8]| $body:expr) => {
        #[unsafe(no_mangle)]
        pub extern "C" fn main(_: i32, _: *const *const u8) -> i32 {
            let path = std::env::var("INPUT").unwrap();
            let read = std::fs::read(path).unwrap();
            let $bytes: &[u8] = &read;
            $body;
            0
        }
    };
}
"#;

/// Theories of programs have targets too.
const PROGRAM: &str = r#"//! A program with a theory.
#![deny(warnings)]

fn third(number: u32) -> u32 {
    if number == 0xDEAD_BEEF { 0 } else { number / 3 }
}

fn main() {
    println!("{}", third(9));
}

#[cfg(test)]
mod tests {
    use situ::prelude::*;

    #[theory]
    fn thirds_are_thirds(number: u32) {
        assert_eq!(crate::third(number), number / 3);
    }
}
"#;

/// In-situ tests that take any value as well.
const IN_SITU: &str = r#"
mod doubles {
    use situ::prelude::*;

    #[situ]
    pub fn doubled(number: u32) -> u64 {
        let twice = 2 * u64::from(number);
        itest!("all but one", each(number, any::<u32>()), check(twice != 2 * 0xDEAD_BEEF));
        twice
    }
}
pub use doubles::doubled;
"#;

/// The fixture, in the folder that another test keeps its builds in: programs of tests run one after the other.
fn fixture() -> Project {
    let project = Project::copy_with_builds("explore", "explore");
    // Theories of integration tests have targets too.
    let test = "use situ::prelude::*;\n\n#[theory]\nfn halves_are_less(number: u32) {\n    \
                assert!(explored::halve(number) >= number / 2);\n}\n";
    project.write("tests/outside.rs", test);
    project.write("src/bin/tool.rs", PROGRAM);
    project.write("src/lib.rs", &(project.read("src/lib.rs") + IN_SITU));
    project
}

/// Targets of a library's theory, an integration test's, a program's, and of an in-situ test.
const TARGETS: [&str; 4] = [
    "a_half_is_half",
    "halves_are_less",
    "thirds_are_thirds",
    "doubles_situ_doubled_all_but_one",
];

/// Puts stand-ins in the place of what fuzzers need, so that nothing of them has to be there.
fn with_stand_ins(project: &Project) {
    for name in ["libfuzzer-sys", "afl"] {
        let version = if name == "afl" { "0.18.99" } else { "0.4.99" };
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2024\"\n[workspace]\n"
        );
        project.write(&format!("target/stand-in/{name}/Cargo.toml"), &manifest);
        project.write(&format!("target/stand-in/{name}/src/lib.rs"), STAND_IN);
    }
    let patch = "\n[patch.crates-io]\nlibfuzzer-sys = { path = \"../target/stand-in/libfuzzer-sys\" }\n\
                 afl = { path = \"../target/stand-in/afl\" }\n";
    project.write(
        "fuzz/Cargo.toml",
        &(project.read("fuzz/Cargo.toml") + patch),
    );
}

fn build_targets(project: &Project) {
    let mut command = Command::new("cargo");
    command
        .arg("build")
        .args(TARGETS.iter().flat_map(|target| ["--bin", target]));
    command
        .current_dir(project.path().join("fuzz"))
        .env("CARGO_TARGET_DIR", project.path().join("target/fuzzers"));
    let built = command.output().unwrap();
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
}

/// What a target says of an input, if it does not like it.
fn complaint(project: &Project, target: &str, input: &Path) -> Option<String> {
    let program = project.path().join("target/fuzzers/debug").join(target);
    let ran = Command::new(program).env("INPUT", input).output().unwrap();
    (!ran.status.success()).then(|| String::from_utf8_lossy(&ran.stderr).into_owned())
}

#[test]
fn a_theory_is_fuzzed_and_its_crash_becomes_a_data_point() {
    let project = fixture();
    let before = project.snapshot();
    let apart = project.situ(&["explore", "--export", "fuzz", "--json"]);
    assert_eq!(apart.code, 0, "{}", apart.stderr);
    assert_eq!(
        project.snapshot(),
        before,
        "nothing is written without being asked for"
    );
    assert!(
        project
            .path()
            .join("target/situ/fuzz/fuzz_targets/a_half_is_half.rs")
            .exists()
    );

    let written = project.situ(&["explore", "--export", "fuzz", "--write"]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    assert!(
        written.stderr.contains("10 targets in "),
        "{}",
        written.stderr
    );
    with_stand_ins(&project);
    build_targets(&project);
    let crash = project
        .path()
        .join("target/artifacts/a_half_is_half/crash-1");
    fs::create_dir_all(crash.parent().unwrap()).unwrap();
    fs::write(&crash, 0xDEAD_BEEF_u32.to_le_bytes()).unwrap();
    let harmless = project
        .path()
        .join("target/artifacts/a_half_is_half/harmless");
    fs::write(&harmless, 7_u32.to_le_bytes()).unwrap();
    for target in TARGETS {
        assert_eq!(complaint(&project, target, &harmless), None);
        let said = complaint(&project, target, &crash)
            .unwrap_or_else(|| panic!("{target} does not see it"));
        assert!(said.contains("violated by (3735928559)"), "{said}");
    }

    let folder = project.path().join("target/artifacts");
    let imported = project.situ(&[
        "explore",
        "--import",
        folder.to_str().unwrap(),
        "--write",
        "--json",
    ]);
    assert_eq!(imported.code, 1, "{}{}", imported.stdout, imported.stderr);
    assert_eq!(imported.lines.len(), 1, "{}", imported.stdout);
    assert_eq!(imported.lines[0]["call"], "a_half_is_half(3735928559)");
    assert!(
        project
            .read("src/lib.rs")
            .contains("#[datapoint]\n    const NUMBER_3735928559: u32 = 3735928559;")
    );
    let nowhere = project.situ(&["explore", "--import", "no-such-file"]);
    assert_eq!(nowhere.code, 2, "{}", nowhere.stderr);
}
