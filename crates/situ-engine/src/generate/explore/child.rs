//! A process that explores one theory: its start, and its messages.

use super::build::Program;
use crate::base::output_lines::Lines;
use crate::base::process::{self, Limit, Next, Scratch, own_files, signal_of};
use anyhow::{Context as _, Result};
use situ_recorder::explore::read_journal;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The prefix of each line that is a message.
const MARK: &str = "\u{1}situ-explore";

/// A message of a process.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Message {
    /// A sign of life: executions, edges.
    Alive(u64, u64),
    /// The theory is violated.
    Violated(Found),
    /// An assumption rejected inputs.
    Rejected {
        /// The source of the assumption.
        text: String,
        /// Its file and line.
        place: String,
        /// The number of rejected inputs.
        count: u64,
        /// One of the rejected inputs.
        example: Vec<String>,
        /// The instance of the generic parameters.
        types: String,
    },
    /// An input that passes on a new path.
    Passing(Passed),
    /// The end of the exploration of one instance of the generic parameters.
    Ended {
        /// Whether it was the last one.
        is_last: bool,
        executions: u64,
        /// Those that the theory holds for.
        held: u64,
        /// Executions whose values could not be constructed.
        not_built: u64,
        /// Edges taken.
        edges: u64,
    },
    /// No value can be constructed for this parameter, with this instance of the generic
    /// parameters.
    Cannot(String, String),
    /// The arguments of an input, and its instance of the generic parameters.
    Arguments(Vec<String>, String),
    /// The failure of a single input.
    Failed(String),
    /// A call for which a mutant differs.
    Kill(Kill),
    /// How many executions each mutant has had so far.
    Tried(Vec<(u32, u64)>),
    /// What a single call gives.
    Outcome(Vec<u8>),
}

/// A call for which a mutant differs, as a process tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kill {
    /// The mutant.
    pub mutant: u32,
    /// How good the difference is to show: less is better.
    pub rank: u8,
    /// The values as expressions, the receiver first.
    pub arguments: Vec<String>,
    /// What the original gives.
    pub original: Vec<u8>,
    /// What the mutant gives.
    pub mutated: Vec<u8>,
}

/// A violation, as a process reports it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    /// The class of its failure.
    pub class: String,
    /// The message of the failure.
    pub message: String,
    /// The arguments as expressions.
    pub arguments: Vec<String>,
    /// The time of discovery in microseconds.
    pub micros: u64,
    /// The number of executions before.
    pub executions: u64,
    /// The input, as bytes.
    pub tree: Vec<u8>,
    /// The instance of the generic parameters: `T = u8`.
    pub types: String,
}

/// An input that passes on a new path, as a process reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Passed {
    /// The arguments as expressions.
    pub arguments: Vec<String>,
    /// The number of new edges.
    pub edges: u64,
    /// The instance of the generic parameters.
    pub types: String,
}

/// The end of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It ended by itself.
    Regular,
    /// It died while it executed this input, for this reason.
    Broken(Vec<u8>, String),
    /// It was ended because this input took too long.
    Stuck(Vec<u8>),
    /// It ended before the first input.
    Unexplained(String),
}

/// A process to start.
#[derive(Clone)]
pub(crate) struct Child<'c> {
    /// The test program.
    pub program: &'c Program,
    /// The theory's test.
    pub test: String,
    /// The folder of its files.
    pub folder: PathBuf,
    /// The folder of inputs kept for later explorations of the theory.
    pub corpus: Option<PathBuf>,
    /// The job, one `key value` per line.
    pub job: String,
    /// The time limit of one input.
    pub patience: Duration,
}

impl Child<'_> {
    /// Runs the process to its end. `watch` receives each message.
    pub(crate) fn run(&self, watch: &mut dyn FnMut(&Message)) -> Result<(Vec<Message>, End)> {
        fs::create_dir_all(&self.folder).context("making a folder for an exploration")?;
        let (journal, errors, job) = (
            self.folder.join("journal"),
            self.folder.join("errors"),
            self.folder.join("job"),
        );
        let text = format!(
            "{}journal {}\nerrors {}\n",
            self.job,
            journal.display(),
            errors.display()
        );
        own_files::write(&job, text).context("writing what to explore")?;
        let _ = fs::remove_file(&journal);
        let mut command = self.program.launcher.command(&self.program.path);
        command.args([
            "--exact",
            &self.test,
            "--nocapture",
            "--include-ignored",
            "--test-threads=2",
        ]);
        command
            .current_dir(&self.program.folder)
            .env("CARGO_MANIFEST_DIR", &self.program.folder);
        command
            .env("SITU_EXPLORE", &job)
            .env("RUST_BACKTRACE", "0")
            .stderr(std::process::Stdio::piped());
        let scratch = match &self.corpus {
            Some(corpus) => Scratch::new(&self.folder)?.with(corpus)?,
            None => Scratch::new(&self.folder)?,
        };
        scratch.prepare(&mut command);
        let mut lines = Lines::whole();
        let finished = process::stream_confined(
            &mut command,
            &scratch,
            Limit::Silent(self.patience),
            |piece, _| {
                lines.read(piece, &mut |line| parse(line).iter().for_each(&mut *watch));
                Next::Continue
            },
        )?;
        let messages: Vec<Message> = finished.stdout.lines().filter_map(parse).collect();
        let is_over = messages
            .iter()
            .any(|message| matches!(message, Message::Ended { is_last: true, .. }));
        if is_over {
            return Ok((messages, End::Regular));
        }
        let said = format!(
            "{}{}",
            String::from_utf8_lossy(&own_files::read(&errors).unwrap_or_default()),
            finished.stderr
        );
        let end = match noted(&journal) {
            Some(tree) if finished.timed_out => End::Stuck(tree),
            Some(tree) => End::Broken(
                tree,
                cause(&said, signal_of(finished.status), finished.status.code()),
            ),
            None => End::Unexplained(said),
        };
        Ok((messages, end))
    }
}

/// Returns the input that was being executed.
fn noted(journal: &Path) -> Option<Vec<u8>> {
    read_journal(&own_files::read(journal).ok()?).map(<[u8]>::to_vec)
}

/// Describes how a process died.
fn cause(said: &str, signal: Option<i32>, code: Option<i32>) -> String {
    if said.contains("has overflowed its stack") {
        return "the stack overflows".to_owned();
    }
    if let Some(line) = said
        .lines()
        .find(|line| line.contains("memory allocation of"))
    {
        return format!(
            "it runs out of memory: {} (`--memory` bounds it)",
            line.trim()
        );
    }
    match (signal, code) {
        (Some(6), _) => "the process aborts".to_owned(),
        (Some(11), _) => "the process is ended for a memory access that is not allowed".to_owned(),
        (Some(signal), _) => format!("the process is ended by signal {signal}"),
        (None, Some(code)) => format!("the process exits with {code}"),
        (None, None) => "the process ends".to_owned(),
    }
}

/// Parses a line that is a message.
fn parse(line: &str) -> Option<Message> {
    let at = line.find(MARK)?;
    let fields: Vec<String> = line[at + MARK.len()..]
        .split('\t')
        .skip(1)
        .map(unescaped)
        .collect();
    let text = |at: usize| fields.get(at).cloned().unwrap_or_default();
    let number = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok());
    let list = |at: usize| -> Vec<String> {
        let joined = text(at);
        if joined.is_empty() {
            Vec::new()
        } else {
            joined.split('\u{1f}').map(str::to_owned).collect()
        }
    };
    Some(match fields.first()?.as_str() {
        "alive" => Message::Alive(number(1)?, number(2)?),
        "violated" => Message::Violated(Found {
            class: text(1),
            message: text(2),
            arguments: list(3),
            micros: number(4)?,
            executions: number(5)?,
            tree: bytes_of(&text(6))?,
            types: text(7),
        }),
        "rejected" => Message::Rejected {
            text: text(1),
            place: format!("{}:{}", text(2), text(3)),
            count: number(4)?,
            example: list(5),
            types: text(6),
        },
        "passing" => Message::Passing(Passed {
            arguments: list(1),
            edges: number(2)?,
            types: text(4),
        }),
        what @ ("part" | "done") => Message::Ended {
            is_last: what == "done",
            executions: number(1)?,
            held: number(2)?,
            not_built: number(3)?,
            edges: number(4)?,
        },
        "cannot" => Message::Cannot(text(1), text(2)),
        "arguments" => Message::Arguments(list(1), text(2)),
        "failed" => Message::Failed(text(1)),
        "kill" => Message::Kill(Kill {
            mutant: u32::try_from(number(1)?).ok()?,
            rank: u8::try_from(number(2)?).ok()?,
            arguments: list(3),
            original: bytes_of(&text(4))?,
            mutated: bytes_of(&text(5))?,
        }),
        "tried" => Message::Tried(
            text(1)
                .split(' ')
                .filter_map(|pair| {
                    let (mutant, count) = pair.split_once('=')?;
                    Some((mutant.parse().ok()?, count.parse().ok()?))
                })
                .collect(),
        ),
        "outcome" => Message::Outcome(bytes_of(&text(1))?),
        _ => return None,
    })
}

fn unescaped(field: &str) -> String {
    let mut out = String::new();
    let mut characters = field.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('t') => out.push('\t'),
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                Some(other) => out.push(other),
                None => out.push('\\'),
            },
            other => out.push(other),
        }
    }
    out
}

fn bytes_of(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    digits
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Message, cause, parse};

    #[test]
    fn lines_for_us_are_read_and_others_are_not() {
        let line =
            "test x ... \u{1}situ-explore\tviolated\tclass\ta\\nb\t1\u{1f}\"\\\\t\"\t5\t6\t0aff";
        let Some(Message::Violated(found)) = parse(line) else {
            panic!("no violation")
        };
        assert_eq!(
            (found.message.as_str(), found.micros, found.executions),
            ("a\nb", 5, 6)
        );
        assert_eq!(found.arguments, ["1", "\"\\t\""]);
        assert_eq!(found.tree, [0x0a, 0xff]);
        assert_eq!(parse("running 1 test"), None);
        assert_eq!(
            parse("\u{1}situ-explore\talive\t1\t2"),
            Some(Message::Alive(1, 2))
        );
    }

    #[test]
    fn the_end_of_a_process_is_told_in_words() {
        assert_eq!(
            cause("thread 'x' has overflowed its stack", Some(6), None),
            "the stack overflows"
        );
        assert!(cause("memory allocation of 99 bytes failed", Some(6), None).contains("99 bytes"));
        assert_eq!(cause("", Some(6), None), "the process aborts");
        assert_eq!(cause("", None, Some(3)), "the process exits with 3");
    }
}
