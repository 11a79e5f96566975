//! The messages of a theory.

use std::fmt::Write as _;
use std::io::Write as _;

use super::assumption::Site;
use super::parameter::{Parameter, Theory};

/// Prints on standard error, bypassing the capture of the test runner, which hides the output of
/// passing tests.
pub(crate) fn say(words: &str) {
    // In one write, because other tests write to the same stream.
    let _ = std::io::stderr().write_all(format!("{words}\n").as_bytes());
}

/// The number of violated assignments that are shown in full.
pub(crate) const SHOWN: usize = 5;

/// One assignment, formatted.
pub(crate) struct Told {
    pub(crate) ordinal: u128,
    /// `T = u8`, for generic theories.
    pub(crate) types: &'static str,
    pub(crate) arguments: Vec<Argument>,
    /// The answers of stubs.
    pub(crate) answers: Vec<String>,
}

/// A parameter's value in an assignment.
pub(crate) struct Argument {
    pub(crate) parameter: &'static Parameter,
    /// The expression, if the type has one.
    pub(crate) expression: Option<String>,
    /// The data point that it came from.
    pub(crate) origin: String,
}

impl Told {
    /// Formats the assignment as `T = u8, n = 3, s = "a"`.
    pub(crate) fn line(&self) -> String {
        let arguments = self.arguments.iter().map(|argument| {
            let value = argument.expression.as_deref().unwrap_or(&argument.origin);
            format!("{} = {value}", argument.parameter.name)
        });
        let types = (!self.types.is_empty()).then(|| String::from(self.types));
        types
            .into_iter()
            .chain(arguments)
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// The numbers of assignments by outcome.
#[derive(Clone, Default)]
pub(crate) struct Tally {
    pub(crate) held: usize,
    pub(crate) violated: usize,
    pub(crate) rejected: Vec<(&'static Site, usize)>,
}

impl Tally {
    pub(crate) fn reject(&mut self, site: &'static Site, times: usize) {
        match self
            .rejected
            .iter_mut()
            .find(|(known, _)| std::ptr::eq(*known, site) || *known == site)
        {
            Some((_, count)) => *count += times,
            None => self.rejected.push((site, times)),
        }
    }

    pub(crate) fn rejections(&self) -> usize {
        self.rejected.iter().map(|(_, count)| count).sum()
    }

    pub(crate) fn total(&self) -> usize {
        self.held + self.violated + self.rejections()
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.held += other.held;
        self.violated += other.violated;
        other
            .rejected
            .iter()
            .for_each(|&(site, count)| self.reject(site, count));
    }

    fn by_assumption(&self) -> String {
        let mut rejected = self.rejected.clone();
        rejected.sort_by_key(|&(site, count)| (usize::MAX - count, site.file, site.line));
        rejected
            .iter()
            .fold(String::new(), |mut lines, (site, count)| {
                let _ = write!(lines, "\n  {count:>6} by {site}");
                lines
            })
    }
}

pub(crate) fn path(theory: &Theory) -> String {
    format!("{}::{}", theory.module, theory.name)
}

pub(crate) fn cannot_run(theory: &Theory, problems: &[String]) -> String {
    let mut words = format!("theory `{}` cannot run", theory.name);
    for problem in problems {
        let _ = write!(words, "\n  {problem}");
    }
    words
}

pub(crate) fn vacuous(theory: &Theory, types: &str, tally: &Tally) -> String {
    let with = if types.is_empty() {
        String::new()
    } else {
        format!(" with {types}")
    };
    let total = tally.total();
    let all = if total == 1 {
        String::from("its only assignment was")
    } else {
        format!("all {total} assignments were")
    };
    let rejected = tally.by_assumption();
    format!(
        "theory `{}` is vacuous{with}: {all} rejected{rejected}\nadd data points that the assumptions let through",
        theory.name
    )
}

pub(crate) fn violated(theory: &Theory, tally: &Tally, first: &[(Told, String)]) -> String {
    let mut words = format!(
        "theory `{}` is violated by {} of {} ({} held, {} rejected)",
        theory.name,
        tally.violated,
        assignments(tally.total()),
        tally.held,
        tally.rejections()
    );
    for (told, failure) in first {
        tell_violation(&mut words, theory, told, failure);
    }
    let more = tally.violated - first.len();
    if more > 0 {
        let _ = write!(
            words,
            "\n\n  and {more} more; SITU_THEORY_VERBOSE=1 lists them"
        );
    }
    words
}

fn tell_violation(words: &mut String, theory: &Theory, told: &Told, failure: &str) {
    words.push_str("\n\n");
    if !told.types.is_empty() {
        let _ = writeln!(words, "  {}", told.types);
    }
    for argument in &told.arguments {
        let value = argument
            .expression
            .as_ref()
            .map(|expression| format!(" = {expression}"))
            .unwrap_or_default();
        let _ = writeln!(
            words,
            "  {}{value}    <from {}>",
            argument.parameter.name, argument.origin
        );
    }
    for answer in &told.answers {
        let _ = writeln!(words, "  stub {answer}");
    }
    for line in failure.lines() {
        let _ = writeln!(words, "      {line}");
    }
    let _ = write!(
        words,
        "      alone: SITU_THEORY_ONLY='{}#{}'",
        path(theory),
        told.ordinal
    );
}

pub(crate) fn no_such_number(theory: &Theory, number: u128, count: u128) -> String {
    format!(
        "theory `{}` has {count} assignments, and SITU_THEORY_ONLY asks for number {number}",
        theory.name
    )
}

pub(crate) fn holds(theory: &Theory, tally: &Tally) -> String {
    format!(
        "theory `{}` holds on {} of {} ({} rejected)",
        path(theory),
        tally.held,
        assignments(tally.total()),
        tally.rejections()
    )
}

fn assignments(count: usize) -> String {
    if count == 1 {
        String::from("1 assignment")
    } else {
        format!("{count} assignments")
    }
}
