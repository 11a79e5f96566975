//! Test programs for unit tests of this layer, whose tests are shell functions. Variables that one
//! test sets stay set until the process ends.

use super::harness::Harness;
use super::program::Program;
use crate::base::process::{self, sandbox};
use std::path::Path;
use std::process::Command;

/// Script that behaves like libtest, and writes the names of executed tests to the file `log`.
const HARNESS: &str = r#"
mutant=$SITU_MUTANT
names=''
skipped=''
is_skipped=''
for argument in "$@"; do
    case $is_skipped$argument in
        yes*) skipped="$skipped $argument"; is_skipped='' ;;
        --list) for test in $all; do echo "$test: test"; done; echo; echo "some tests, 0 benchmarks"; exit ;;
        --skip) is_skipped=yes ;;
        --*) ;;
        *) names="$names $argument" ;;
    esac
done
chosen=''
count=0
for test in $all; do
    case "$skipped " in *" $test "*) continue ;; esac
    case "${names:- $all} " in *" $test "*) chosen="$chosen $test"; count=$((count + 1)) ;; esac
done
echo "running $count tests"
passed=0
failed=0
for test in $chosen; do
    echo "$test" >> "$folder/log"
    printf 'test %s ... ' "$test"
    if "test_$test"; then
        echo ok
        passed=$((passed + 1))
    else
        echo FAILED
        failed=$((failed + 1))
    fi
done
[ $failed = 0 ] || { echo "test result: FAILED. $passed passed; $failed failed;"; exit 101; }
echo "test result: ok. $passed passed; 0 failed;"
"#;

/// Creates a program in `folder` with these tests, given by name and body. In a body, `$mutant` is
/// the id of the active mutant, and `$folder` is `folder`.
pub(crate) fn shell_program(folder: &Path, tests: &[(&str, &str)]) -> Program {
    sandbox::allow_in_tests(folder);
    let path = folder.join("program");
    let all: Vec<&str> = tests.iter().map(|(name, _)| *name).collect();
    let mut script = format!(
        "#!/bin/sh\nfolder={}\nall='{}'\n",
        folder.display(),
        all.join(" ")
    );
    script.extend(
        tests
            .iter()
            .map(|(name, body)| format!("test_{name}() {{ {body}; }}\n")),
    );
    // While this process has the file open for writing, a fork of another test would inherit the
    // descriptor and the program could not be executed.
    let mut write = Command::new("sh");
    write
        .args(["-c", "cat > \"$0\" && chmod +x \"$0\""])
        .arg(&path);
    assert!(
        process::run_with_input(&mut write, &(script + HARNESS), None)
            .unwrap()
            .status
            .success()
    );
    Program {
        name: "program".to_owned(),
        root: path.clone(),
        path,
        launcher: Default::default(),
        folder: folder.to_path_buf(),
        package: Default::default(),
        libraries: Default::default(),
        harness: Harness::Tests,
        left_out: Vec::new(),
    }
}

/// Returns how often a test of the program in this folder was executed.
pub(crate) fn runs_of(test: &str, folder: &Path) -> usize {
    let log = std::fs::read_to_string(folder.join("log")).unwrap_or_default();
    log.lines().filter(|line| *line == test).count()
}
