//! For tests of this module: test programs whose tests are shell functions. What one of them sets stays set until its process ends.

use super::harness::Harness;
use super::program::Program;
use crate::base::process::{self, sandbox};
use std::path::Path;
use std::process::Command;

/// Speaks as a test program does, and notes the tests that it runs in the file `log`.
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

/// A program in this folder with these tests, each with its body. In a body `$mutant` is the number of the mutant that is on, and
/// `$folder` this folder.
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
    // A program that this process has open for writing could not be started while another test starts one.
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

/// How often a test of the program in this folder has been run.
pub(crate) fn runs_of(test: &str, folder: &Path) -> usize {
    let log = std::fs::read_to_string(folder.join("log")).unwrap_or_default();
    log.lines().filter(|line| *line == test).count()
}
