//! Asks the running test binary which tests it holds, so that a test that was lost on the way is noticed.

use std::process::Command;

/// Full paths of all tests of the running binary that stand in a `situ_…` module, sorted.
pub fn in_situ_tests() -> Vec<String> {
    let program = std::env::current_exe().expect("a running test has a program");
    let output = Command::new(program)
        .args(["--list", "--format", "terse"])
        .output()
        .expect("libtest can list");
    let listing = String::from_utf8(output.stdout).expect("test names are text");
    let mut names: Vec<String> = listing
        .lines()
        .filter_map(|line| line.strip_suffix(": test"))
        .filter(|path| path.contains("situ_"))
        .map(str::to_string)
        .collect();
    names.sort();
    names
}

/// Fails unless there are as many collected tests in a module as test macros in its source: `module_path!()` and the file
/// of the caller.
#[allow(
    dead_code,
    reason = "not every file that lists its tests also counts them"
)]
pub fn assert_all_collected(module: &str, source: &str) {
    let written = source
        .lines()
        .map(str::trim_start)
        .filter(|line| {
            ["itest!(", "blocktest!(", "closuretest!("]
                .iter()
                .any(|start| line.starts_with(start))
        })
        .count();
    // The names of tests begin after that of the program.
    let below = module
        .split_once("::")
        .map_or(String::new(), |(_, module)| format!("{module}::"));
    let mut collected = in_situ_tests();
    collected.retain(|name| name.starts_with(&below));
    assert_eq!(
        written,
        collected.len(),
        "tests written and tests collected differ; collected: {collected:#?}"
    );
}
