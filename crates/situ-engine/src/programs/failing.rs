//! Tests that fail without any change by Situ.

use crate::base::output_lines::bounded;
use std::collections::BTreeMap;
use std::fmt;

/// Maximum number of bytes shown of a test's output.
const LONGEST_SHOWN: usize = 4 << 10;

/// Test that fails without any change by Situ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailingTest {
    /// Name of the test program.
    pub program: String,
    pub name: String,
    pub failure: Failure,
    /// Captured output of the test.
    pub output: String,
}

/// How a test fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The test runner reports the failure.
    Fails,
    /// The program fails as a whole, because it has no test functions.
    WholeProgram,
    /// The test ends its process, with this exit code if there is one.
    EndsProcess(Option<i32>),
}

impl fmt::Display for FailingTest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FailingTest { program, name, .. } = self;
        match self.failure {
            Failure::Fails => write!(
                formatter,
                "the test `{name}` of `{program}` fails before anything is changed"
            )?,
            Failure::WholeProgram => write!(
                formatter,
                "the test program `{program}` fails before anything is changed"
            )?,
            Failure::EndsProcess(code) => {
                let code = code
                    .map(|code| format!(" with exit code {code}"))
                    .unwrap_or_default();
                write!(
                    formatter,
                    "the test `{name}` of `{program}` ends its process{code}, so that it has no outcome"
                )?;
            }
        }
        formatter.write_str(&below(&self.output))
    }
}

/// Formats a test's output to follow a sentence about the test: a colon and indented lines, or
/// nothing if there is no output.
pub(crate) fn below(output: &str) -> String {
    let output = bounded(output.trim_matches('\n').to_owned(), LONGEST_SHOWN);
    let lines: String = output
        .lines()
        .map(|line| format!("\n    {line}").trim_end_matches(' ').to_owned())
        .collect();
    if lines.is_empty() {
        lines
    } else {
        format!(":{lines}")
    }
}

/// Tests that fail without any change by Situ.
#[derive(Clone, Debug)]
pub(crate) struct FailingTests(pub Vec<FailingTest>);

impl fmt::Display for FailingTests {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tests: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        formatter.write_str(&tests.join("\n"))
    }
}

impl std::error::Error for FailingTests {}

/// Parses the output of failed tests, by test name. The runner prints it after all tests.
pub(crate) fn outputs(stdout: &str) -> BTreeMap<String, String> {
    let mut outputs: BTreeMap<String, String> = BTreeMap::new();
    let mut current: Option<&str> = None;
    for line in stdout.lines() {
        let head = line
            .strip_prefix("---- ")
            .and_then(|rest| rest.strip_suffix(" stdout ----"));
        match (head, current) {
            (Some(name), _) => current = Some(name.strip_suffix(" - should panic").unwrap_or(name)),
            (None, Some(_)) if line == "failures:" || line.starts_with("test result: ") => {
                current = None
            }
            (None, Some(name)) => {
                let output = outputs.entry(name.to_owned()).or_default();
                output.push_str(line);
                output.push('\n');
            }
            (None, None) => {}
        }
    }
    outputs
        .into_iter()
        .map(|(name, output)| (name, format!("{}\n", output.trim_matches('\n'))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failed_test_gets_its_own_output() {
        let stdout = "running 2 tests\ntest a ... FAILED\ntest b ... FAILED\n\nfailures:\n\n---- a stdout ----\none\n\n\
                      ---- b stdout ----\ntwo\nthree\n\n\nfailures:\n    a\n    b\n\ntest result: FAILED. 0 passed; 2 failed\n";
        let found = outputs(stdout);
        assert_eq!(
            (found["a"].as_str(), found["b"].as_str()),
            ("one\n", "two\nthree\n")
        );
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn what_a_test_said_stands_below_its_name_and_is_bounded() {
        let test = |failure, output: &str| {
            let (program, name, output) =
                ("lib p".to_owned(), "a::b".to_owned(), output.to_owned());
            FailingTest {
                program,
                name,
                failure,
                output,
            }
            .to_string()
        };
        let fails = "the test `a::b` of `lib p` fails before anything is changed";
        assert_eq!(test(Failure::Fails, ""), fails);
        assert_eq!(
            test(Failure::Fails, "one\n\ntwo\n"),
            format!("{fails}:\n    one\n\n    two")
        );
        let ended = test(Failure::EndsProcess(Some(3)), "");
        assert_eq!(
            ended,
            "the test `a::b` of `lib p` ends its process with exit code 3, so that it has no outcome"
        );
        let long = test(Failure::WholeProgram, &"word ".repeat(10_000));
        assert!(
            long.len() < LONGEST_SHOWN + 200 && long.contains("bytes omitted"),
            "{}",
            long.len()
        );
    }
}
