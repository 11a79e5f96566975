//! Test results as JUnit XML for build servers.

use crate::base::shortened::shortened;
use crate::suite::event::{Ended, Outcome};
use crate::suite::run::Report;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Maximum number of chars of a failure's message, taken from the start of the output.
const LONGEST_MESSAGE: usize = 300;

/// Returns the report as one XML document, with a suite for each test program.
pub fn junit(report: &Report) -> String {
    let mut suites: BTreeMap<(&str, &str), Vec<&Ended>> = BTreeMap::new();
    for test in &report.tests {
        suites
            .entry((&test.package, &test.target))
            .or_default()
            .push(test);
    }
    let summary = &report.summary;
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        text,
        "<testsuites name=\"situ\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{:.3}\">",
        summary.tests,
        summary.failed,
        summary.ignored + summary.skipped,
        summary.seconds
    );
    for ((package, target), tests) in suites {
        let count = |outcome| tests.iter().filter(|test| test.outcome == outcome).count();
        let _ = writeln!(
            text,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">",
            escaped(&format!("{package} {target}")),
            tests.len(),
            count(Outcome::Failed),
            count(Outcome::Ignored) + count(Outcome::Skipped)
        );
        tests.iter().for_each(|test| text.push_str(&case(test)));
        text.push_str("  </testsuite>\n");
    }
    text + "</testsuites>\n"
}

fn case(test: &Ended) -> String {
    let (class, name) = test
        .name
        .rsplit_once("::")
        .unwrap_or((&test.package, &test.name));
    let mut head = format!(
        "    <testcase classname=\"{}\" name=\"{}\"",
        escaped(class),
        escaped(name)
    );
    if let (Some(file), Some(line)) = (&test.file, test.line) {
        let _ = write!(
            head,
            " file=\"{}\" line=\"{line}\"",
            escaped(&file.to_string_lossy())
        );
    }
    if let Some(seconds) = test.seconds {
        let _ = write!(head, " time=\"{seconds:.3}\"");
    }
    let body = match test.outcome {
        Outcome::Passed => return head + "/>\n",
        Outcome::Ignored => "<skipped/>".to_owned(),
        Outcome::Skipped => format!(
            "<skipped message=\"{}\"/>",
            escaped(&shortened(&test.output, LONGEST_MESSAGE))
        ),
        Outcome::Failed => {
            let first = test
                .output
                .lines()
                .find(|line| !line.trim().is_empty())
                .unwrap_or("failed");
            let first = &shortened(first, LONGEST_MESSAGE);
            format!(
                "<failure message=\"{}\">{}</failure>",
                escaped(first),
                escaped(&test.output)
            )
        }
    };
    format!("{head}>{body}</testcase>\n")
}

/// Escapes text for XML. Replaces chars that XML does not allow.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(character),
            character if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') => {
                out.push('\u{fffd}')
            }
            character => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_replaced() {
        assert_eq!(
            escaped("a<b>&\"\u{1b}[31m\n"),
            "a&lt;b&gt;&amp;&quot;\u{fffd}[31m\n"
        );
    }
}
