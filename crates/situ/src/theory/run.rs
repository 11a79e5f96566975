//! Execution of a theory: determines the values of its parameters, judges every assignment, and
//! ends the test accordingly.

use std::panic::{Location, resume_unwind};

use super::assignments::{Assignments, product};
use super::parameter::{Ask, Parameter, Theory};
use super::report::{self, Argument, SHOWN, Tally, Told, say};
use super::shape::Points;
use super::source::Source;
use super::stub;
use super::trial::{self, Fate};

/// The theory's body for one assignment. With a place for them, it only formats its arguments.
pub type Body<'a> =
    dyn FnMut(&[usize], Option<&mut Vec<Option<String>>>) -> Result<(), String> + 'a;

/// One theory under test.
pub struct Run {
    theory: &'static Theory,
    verbose: bool,
    /// The number in `SITU_THEORY_ONLY`, if it names this theory; counts down.
    only: Option<u128>,
    types: &'static str,
    /// Assignments of the types before this one.
    counted: u128,
    has_stubs: bool,
    needs_no_points: bool,
    problems: Vec<String>,
    vacuous: Vec<(&'static str, Tally)>,
    notes: Vec<String>,
    tally: Tally,
    violations: Vec<(Told, String)>,
}

/// An assignment that has been judged.
struct Judged {
    at: Vec<usize>,
    ordinal: u128,
    fate: Fate,
    answers: Vec<String>,
}

impl Run {
    /// Starts a run.
    pub fn new(theory: &'static Theory) -> Self {
        trial::note_panics();
        stub::begin_theory(theory);
        Self {
            theory,
            verbose: std::env::var_os("SITU_THEORY_VERBOSE")
                .is_some_and(|value| value != "0" && !value.is_empty()),
            only: only(&report::path(theory)),
            types: "",
            counted: 0,
            has_stubs: false,
            needs_no_points: false,
            problems: Vec::new(),
            vacuous: Vec::new(),
            notes: Vec::new(),
            tally: Tally::default(),
            violations: Vec::new(),
        }
    }

    /// Sets the generic arguments of the assignments that follow.
    pub fn types(&mut self, types: &'static str) {
        self.types = types;
    }

    /// Notes that a parameter is a stub.
    pub fn stubs(&mut self) {
        self.has_stubs = true;
    }

    /// Notes that the theory passes if there is no data point for it, because something else checks
    /// it as well.
    pub fn needs_no_points(&mut self) {
        self.needs_no_points = true;
    }

    /// Returns the request for a parameter's values.
    pub fn ask(&self, parameter: &'static Parameter) -> Ask {
        Ask {
            theory: self.theory,
            parameter,
        }
    }

    /// Returns the values of a parameter. If there are none, the reason is kept for the report.
    pub fn settle<T: 'static>(&mut self, points: Points<T>) -> Source<T> {
        points.unwrap_or_else(|problems| {
            for problem in problems {
                // Two parameters of one type have one problem.
                if !self.problems.contains(&problem) {
                    self.problems.push(problem);
                }
            }
            Source::empty()
        })
    }

    /// Runs every assignment.
    pub fn all(&mut self, parameters: &[(&'static Parameter, Vec<String>)], body: &mut Body<'_>) {
        if !self.problems.is_empty() {
            return;
        }
        let counts: Vec<usize> = parameters
            .iter()
            .map(|(_, origins)| origins.len())
            .collect();
        let chosen = self.chosen(&counts);
        let counted_before = self.counted;
        self.counted = self.counted.saturating_add(product(&counts));
        let Some(assignments) = chosen else { return };
        self.notes.extend(assignments.left_out());
        let mut tally = Tally::default();
        let mut told = Vec::new();
        assignments.each(&mut |at| {
            let (fate, answers) = self.judge(at, body);
            match &fate {
                Fate::Held => tally.held += 1,
                Fate::Rejected(site) => tally.reject(site, 1),
                Fate::Violated(_) => tally.violated += 1,
            }
            if self.verbose || matches!(fate, Fate::Violated(_)) {
                let ordinal = counted_before.saturating_add(assignments.ordinal(at));
                told.push(Judged {
                    at: at.to_vec(),
                    ordinal,
                    fate,
                    answers,
                });
                if !self.verbose && told.len() > 4 * SHOWN {
                    keep_first(&mut told);
                }
            }
        });
        self.tell(parameters, told, body);
        if tally.total() > 0 && tally.total() == tally.rejections() {
            self.vacuous.push((self.types, tally.clone()));
        }
        self.tally.add(&tally);
    }

    fn chosen(&mut self, counts: &[usize]) -> Option<Assignments> {
        match self.only {
            Some(ordinal) => Assignments::one(counts, ordinal.checked_sub(self.counted)?),
            None => Some(Assignments::within_bound(counts, self.theory.full)),
        }
    }

    fn judge(&self, at: &[usize], body: &mut Body<'_>) -> (Fate, Vec<String>) {
        if self.has_stubs {
            stub::search(&mut || trial::run(|| body(at, None)))
        } else {
            (trial::run(|| body(at, None)), Vec::new())
        }
    }

    /// Constructs the arguments once more to format them.
    fn tell(
        &mut self,
        parameters: &[(&'static Parameter, Vec<String>)],
        mut judged: Vec<Judged>,
        body: &mut Body<'_>,
    ) {
        judged.sort_by_key(|judged| judged.ordinal);
        for Judged {
            at,
            ordinal,
            fate,
            answers,
        } in judged
        {
            let mut shown = Vec::new();
            let _ = trial::quietly(|| body(&at, Some(&mut shown)));
            shown.resize(parameters.len(), None);
            let arguments = parameters.iter().zip(&at).zip(shown).map(
                |(((parameter, origins), &index), expression)| Argument {
                    parameter,
                    expression,
                    origin: origins[index].clone(),
                },
            );
            let arguments = arguments.collect();
            let told = Told {
                ordinal,
                types: self.types,
                arguments,
                answers,
            };
            if self.verbose {
                say(&format!(
                    "{}#{ordinal}: {} {}",
                    report::path(self.theory),
                    told.line(),
                    in_a_word(&fate)
                ));
            }
            if let (Fate::Violated(failure), true) = (fate, self.violations.len() < SHOWN) {
                self.violations.push((told, failure));
            }
        }
    }

    /// Ends the test.
    #[track_caller]
    pub fn conclude(self) {
        if !self.problems.is_empty() && self.needs_no_points {
            return;
        }
        if !self.problems.is_empty() {
            fail(report::cannot_run(self.theory, &self.problems));
        }
        let notes = self.notes.join("\n");
        if self.tally.violated > 0 {
            let violated = report::violated(self.theory, &self.tally, &self.violations);
            fail(String::from([violated, notes].join("\n").trim_end()));
        }
        if let Some((types, tally)) = self.vacuous.first() {
            fail(report::vacuous(self.theory, types, tally));
        }
        if let (Some(ordinal), 0) = (self.only, self.tally.total()) {
            fail(report::no_such_number(self.theory, ordinal, self.counted));
        }
        if !notes.is_empty() {
            say(&format!("theory `{}`: {notes}", report::path(self.theory)));
        }
        if self.verbose {
            say(&report::holds(self.theory, &self.tally));
        }
    }
}

/// Fails the test as a panic would, without a backtrace through Situ.
#[track_caller]
fn fail(words: String) -> ! {
    let place = Location::caller();
    let thread = std::thread::current();
    eprintln!(
        "\nthread '{}' panicked at {place}:\n{words}",
        thread.name().unwrap_or("<unnamed>")
    );
    resume_unwind(Box::new(words))
}

fn keep_first(judged: &mut Vec<Judged>) {
    judged.sort_by_key(|judged| judged.ordinal);
    judged.truncate(SHOWN);
}

fn in_a_word(fate: &Fate) -> String {
    match fate {
        Fate::Held => String::from("holds"),
        Fate::Rejected(site) => format!("rejected by {site}"),
        Fate::Violated(failure) => format!("VIOLATED: {}", failure.replace('\n', " ")),
    }
}

/// Returns the number in `SITU_THEORY_ONLY=path#number`, if the path is a suffix of this theory's.
fn only(path: &str) -> Option<u128> {
    let wanted = std::env::var("SITU_THEORY_ONLY").ok()?;
    let (theory, number) = wanted.rsplit_once('#')?;
    let named = path == theory
        || path
            .strip_suffix(theory)
            .is_some_and(|before| before.ends_with("::"));
    named.then(|| number.trim().parse().ok())?
}
