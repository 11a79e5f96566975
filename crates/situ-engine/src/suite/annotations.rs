//! Failed tests as annotations of a GitHub workflow: they show up beside the changed lines.

use super::event::Outcome;
use super::run::Report;

/// One line for each failed test.
pub fn annotations(report: &Report) -> String {
    let failed = report.tests.iter().filter(|test| test.outcome == Outcome::Failed);
    let lines = failed.map(|test| {
        let place = match (&test.file, test.line) {
            (Some(file), Some(line)) => format!("file={},line={line},", property(&file.to_string_lossy())),
            _ => String::new(),
        };
        format!("::error {place}title={}::{}\n", property(&test.name), data(test.output.trim_end()))
    });
    lines.collect()
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
