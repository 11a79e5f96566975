//! The results of one theory, merged from its processes.

use super::child::{Found, Message, Passed};
use std::collections::BTreeMap;
use std::time::Duration;

/// What became of one theory.
#[derive(Debug, Default)]
pub(super) struct Explored {
    /// Violations, by the class of their failures.
    pub found: BTreeMap<String, Found>,
    /// Inputs that pass on new paths.
    pub passing: Vec<Passed>,
    /// Assumptions by source and place: the number of rejected inputs, and one of them.
    pub rejected: BTreeMap<(String, String), (u64, Example)>,
    pub executions: u64,
    /// Those that the theory holds for.
    pub held: u64,
    /// Edges taken.
    pub edges: u64,
    /// How long its processes ran.
    pub seconds: f64,
    /// The reason why it was not explored, if so.
    pub problem: Option<String>,
}

/// An input with its instance of the generic parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Example {
    /// The arguments as expressions.
    pub arguments: Vec<String>,
    /// The choice.
    pub types: String,
}

impl Explored {
    /// Adds the messages of a process that started so long after the first.
    pub(super) fn take(&mut self, messages: Vec<Message>, before: Duration) {
        for message in messages {
            match message {
                Message::Violated(mut found) => {
                    found.micros += before.as_micros() as u64;
                    found.executions += self.executions;
                    self.found.entry(found.class.clone()).or_insert(found);
                }
                Message::Rejected {
                    text,
                    place,
                    count,
                    example,
                    types,
                } => {
                    let example = Example {
                        arguments: example,
                        types,
                    };
                    self.rejected.entry((text, place)).or_insert((0, example)).0 += count;
                }
                Message::Passing(passed) => self.add_passing(passed),
                Message::Ended {
                    executions,
                    held,
                    edges,
                    ..
                } => {
                    self.executions += executions;
                    self.held += held;
                    self.edges = self.edges.max(edges);
                }
                Message::Cannot(name, types) => {
                    let with = if types.is_empty() {
                        String::new()
                    } else {
                        format!(" with {types}")
                    };
                    let why = format!(
                        "no value can be constructed for `{name}`{with}; add a data point or a supplier"
                    );
                    self.problem = Some(why);
                }
                Message::Alive(..)
                | Message::Arguments(..)
                | Message::Failed(_)
                | Message::Kill(_)
                | Message::Tried(_)
                | Message::Outcome(_) => {}
            }
        }
    }

    /// Adds a passing input, unless another process found the same.
    fn add_passing(&mut self, passed: Passed) {
        let is_same = |known: &&mut Passed| {
            (&known.arguments, &known.types) == (&passed.arguments, &passed.types)
        };
        match self.passing.iter_mut().find(is_same) {
            Some(known) => known.edges = known.edges.max(passed.edges),
            None => self.passing.push(passed),
        }
    }

    /// Merges the results. Of two inputs with one failure the smaller is kept, with the earlier
    /// time.
    pub(super) fn merge(&mut self, other: Explored) {
        for (class, mut found) in other.found {
            match self.found.get_mut(&class) {
                Some(known) => {
                    let size =
                        |found: &Found| (found.arguments.concat().len(), found.arguments.clone());
                    if found.micros < known.micros {
                        std::mem::swap(&mut known.micros, &mut found.micros);
                        std::mem::swap(&mut known.executions, &mut found.executions);
                    }
                    if size(&found) < size(known) {
                        known.arguments = found.arguments;
                        known.message = found.message;
                        known.tree = found.tree;
                    }
                }
                None => drop(self.found.insert(class, found)),
            }
        }
        other
            .passing
            .into_iter()
            .for_each(|passed| self.add_passing(passed));
        for (key, (count, example)) in other.rejected {
            self.rejected.entry(key).or_insert((0, example)).0 += count;
        }
        self.executions += other.executions;
        self.held += other.held;
        self.edges = self.edges.max(other.edges);
        self.seconds += other.seconds;
        self.problem = self.problem.take().or(other.problem);
    }
}
