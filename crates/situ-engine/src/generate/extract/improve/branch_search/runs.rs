//! Execution of fragments with holes, many runs in few processes: fillings and outcomes are
//! exchanged through files.

use super::holes::Fillings;
use crate::base::process::{self, Limit, Next, Scratch, own_files};
use crate::programs::outcomes::{TestProgram, command};
use crate::source::row_name::ROWS_NAME;
use anyhow::{Context as _, Result};
use situ_recorder::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The environment variable with the folder of the files.
const FOLDER_VARIABLE: &str = "SITU_SEEK";

/// The time without output after which a test counts as hanging; it stops by itself long before.
const SILENCE: Duration = Duration::from_secs(8);

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    /// The message of a panic in the code.
    pub panic: Option<String>,
    /// The branches that were taken.
    pub taken: BTreeSet<u32>,
}

/// The outcomes of one test's runs, possibly fewer than requested.
#[derive(Clone, Debug, Default)]
pub(super) struct Journal {
    /// In the order of the plan.
    pub outcomes: Vec<Outcome>,
    /// Whether the test finished.
    pub has_ended: bool,
}

/// Runs the tests with these numbers, once for each of their fillings. A process that hangs or dies
/// uses up patience; without any left, nothing is run.
pub(super) fn run(
    programs: &[TestProgram],
    folder: &Path,
    plans: &BTreeMap<usize, Vec<Fillings>>,
    patience: &mut usize,
) -> Result<BTreeMap<usize, Journal>> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).context("making the folder of the search")?;
    for (number, runs) in plans {
        let text: String = runs.iter().map(|fillings| line(fillings) + "\n").collect();
        own_files::write(&folder.join(format!("{number}.plan")), text)
            .context("writing what to try")?;
    }
    let scratch = Scratch::new(folder)?;
    for program in programs {
        while *patience > 0 {
            let mut command = command(program);
            command
                .args([ROWS_NAME, "--ignored"])
                .env(FOLDER_VARIABLE, folder);
            scratch.prepare(&mut command);
            let finished = process::stream_confined(
                &mut command,
                &scratch,
                Limit::Silent(SILENCE),
                |_, _| Next::Continue,
            )?;
            if !finished.timed_out && finished.status.code().is_some() {
                break;
            }
            *patience -= 1;
        }
    }
    let journal = |number: &usize| {
        let text = own_files::read(&folder.join(format!("{number}.journal"))).unwrap_or_default();
        (*number, read(&String::from_utf8_lossy(&text)))
    };
    Ok(plans.keys().map(journal).collect())
}

fn read(text: &str) -> Journal {
    // The last line of a process that died may be incomplete.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let outcome = |line: &str| {
        let mut words = line.split(' ');
        let panic = match words.next()? {
            "r" => None,
            said => Some(text_of(said.strip_prefix('p')?)?),
        };
        Some(Outcome {
            panic,
            taken: words.filter_map(|word| word.parse().ok()).collect(),
        })
    };
    Journal {
        outcomes: whole.lines().map_while(outcome).collect(),
        has_ended: whole.lines().next_back() == Some("e"),
    }
}

/// Returns a text by the digits of its bytes.
fn text_of(digits: &str) -> Option<String> {
    let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..digits.len()).step_by(2).map(byte).collect();
    String::from_utf8(bytes?).ok()
}

/// Returns a run in a plan.
pub(super) fn line(fillings: &Fillings) -> String {
    let words: Vec<String> = fillings
        .iter()
        .map(|(number, value)| {
            let mut text = format!("{number}=");
            push(value, &mut text);
            text
        })
        .collect();
    words.join(" ")
}

fn push(value: &Value, text: &mut String) {
    // Writing to a text never fails.
    let _ = match value {
        Value::Bool(flag) => write!(text, "{}", u8::from(*flag)),
        Value::Int { bits, .. } => write!(text, "{bits}"),
        Value::Float { bits, .. } => write!(text, "{bits}"),
        Value::Char(letter) => write!(text, "{}", u32::from(*letter)),
        Value::Ref { inner, .. } => return push(inner, text),
        Value::Str(letters) => {
            text.push('"');
            letters
                .bytes()
                .try_for_each(|byte| write!(text, "{byte:02x}"))
        }
        Value::Seq { items, .. } => {
            text.push('[');
            for item in items {
                push(item, text);
                text.push(' ');
            }
            text.push(']');
            return;
        }
        _ => Ok(()),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use situ_recorder::value::SeqKind;

    #[test]
    fn fillings_are_written_as_tests_read_them() {
        let number = |bits: i128| Value::Int {
            type_name: "i8",
            bits: bits as u128,
        };
        let text = Value::Ref {
            mutable: false,
            inner: Box::new(Value::Str("ab".to_owned())),
        };
        let list = Value::Seq {
            kind: SeqKind::Vec,
            type_name: String::new(),
            items: vec![number(1), text.clone()],
        };
        let fillings = Fillings::from([
            (0, number(-1)),
            (3, text),
            (4, list),
            (5, Value::Bool(true)),
        ]);
        assert_eq!(
            line(&fillings),
            format!("0={} 3=\"6162 4=[1 \"6162 ] 5=1", u128::MAX)
        );
    }

    #[test]
    fn a_journal_tells_what_came_of_each_run() {
        let journal = read("r 1 2\np6162 4\nr 3\ne\n");
        assert!(journal.has_ended);
        assert_eq!(journal.outcomes.len(), 3);
        assert_eq!(journal.outcomes[0].taken, BTreeSet::from([1, 2]));
        assert_eq!(journal.outcomes[1].panic.as_deref(), Some("ab"));
        let torn = read("r 1 2\nr 12");
        assert!(!torn.has_ended && torn.outcomes.len() == 1);
    }
}
