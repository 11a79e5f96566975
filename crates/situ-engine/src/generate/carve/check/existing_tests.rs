//! Existing carved tests in the sources. A new test that differs from one only in values of clocks,
//! random numbers or addresses is redundant.

use super::attempt::Attempt;
use super::attempts::Attempts;
use crate::generate::carve::find::scenario::Scenario;
use crate::generate::carve::write::place::ExistingTest;
use crate::generate::mocks::shapes::without_spaces;
use crate::source::lex;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use situ_recorder::value::Value;
use situ_syntax::without_observed;
use std::collections::BTreeSet;

/// Words in calls that return something else each time.
const UNSTEADY: [&str; 18] = [
    "Instant",
    "Local",
    "SystemTime",
    "TempDir",
    "Utc",
    "Uuid",
    "elapsed",
    "fastrand",
    "getrandom",
    "new_v4",
    "now",
    "now_local",
    "now_utc",
    "process::id",
    "rand",
    "random",
    "temp_dir",
    "tempfile",
];

/// The number from which on an integer counts as a time or an address.
const LARGE: u128 = 100_000_000;
/// The length from which on a word of letters and digits counts as random.
const LONG_WORD: usize = 6;

fn is_unsteady(call: &str) -> bool {
    let call = without_spaces(call);
    let callee = call.split('(').next().unwrap_or_default();
    let is_word = |word: &&str| {
        let ends =
            |text: &str| !text.starts_with(|char: char| char.is_alphanumeric() || char == '_');
        let starts =
            |text: &str| !text.ends_with(|char: char| char.is_alphanumeric() || char == '_');
        callee
            .match_indices(*word)
            .any(|(at, _)| starts(&callee[..at]) && ends(&callee[at + word.len()..]))
    };
    UNSTEADY.iter().any(is_word)
}

/// Values of clocks, random numbers and the like during the run: numbers and strings.
#[derive(Debug, Default)]
pub(crate) struct UnsteadyValues(BTreeSet<String>);

impl UnsteadyValues {
    /// Collects the values of all recorded calls.
    pub(crate) fn of(scenario: &Scenario<'_, '_>) -> UnsteadyValues {
        let mut values = UnsteadyValues::default();
        for set in scenario.all.iter().flat_map(|seen| &seen.recorded.sets) {
            for call in scenario
                .recording
                .calls(set)
                .iter()
                .filter(|call| is_unsteady(&call.site.text))
            {
                call.result()
                    .into_iter()
                    .for_each(|value| values.add(value));
            }
        }
        values
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::Int { bits, .. } => {
                self.0.insert(bits.to_string());
            }
            Value::Str(text) | Value::Parsed { text, .. } if !text.is_empty() => {
                self.0.insert(text.clone());
            }
            other => other.children().for_each(|child| self.add(child)),
        }
    }

    /// Returns whether a literal is one of them, or a string that contains one.
    fn hold(&self, literal: &str) -> bool {
        let plain = literal.trim_matches('"');
        self.0.contains(plain)
            || self
                .0
                .iter()
                .any(|value| value.len() >= SHORTEST_PART && plain.contains(value))
    }
}

/// The minimum length of a value that is searched for in strings; shorter ones occur by accident.
const SHORTEST_PART: usize = 4;

/// The role of a literal in a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// A result of a clock or the like.
    Unsteady,
    /// An input.
    Input,
    /// An expected value.
    Output,
}

/// A test without its name, its layout and the values of its literals; and these literals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    words: Vec<String>,
    literals: Vec<(String, Role)>,
}

impl Shape {
    /// Returns the shape of a test's source, or `None` if it cannot be parsed.
    pub(crate) fn of(test: &str) -> Option<Shape> {
        lex(test).ok().map(Shape::of_tokens)
    }

    /// Returns the shape of a test.
    pub(crate) fn of_tokens(tokens: TokenStream) -> Shape {
        let mut shape = Shape::default();
        let mut trees: Vec<TokenTree> = tokens.into_iter().collect();
        name_nothing(&mut trees);
        shape.add(trees, Role::Input);
        shape
    }

    fn add(&mut self, trees: Vec<TokenTree>, role: Role) {
        for (at, tree) in trees.iter().enumerate() {
            match tree {
                TokenTree::Ident(word) => self.words.push(word.to_string()),
                TokenTree::Group(group) => {
                    let before = at.checked_sub(1).map(|before| trees[before].to_string());
                    let (open, close) = brackets(group.delimiter());
                    self.words.push(open.to_owned());
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    match before.as_deref() {
                        Some("given" | "each" | "setup") => self.add(inner, Role::Input),
                        Some("mock" | "mock_seq") => self.mock(inner),
                        // The arguments of an assertion or an attribute.
                        Some("!" | "#") => self.add(inner, Role::Output),
                        Some(word) if word.strip_prefix("on_").is_some_and(is_unsteady) => {
                            self.add(inner, Role::Unsteady);
                        }
                        _ => self.add(inner, role),
                    }
                    self.words.push(close.to_owned());
                }
                TokenTree::Literal(literal) => {
                    self.words.push("literal".to_owned());
                    self.literals.push((literal.to_string(), role));
                }
                TokenTree::Punct(sign) => {
                    let is_last = at + 1 == trees.len();
                    let is_minus = sign.as_char() == '-'
                        && matches!(trees.get(at + 1), Some(TokenTree::Literal(_)));
                    if !(is_minus || is_last && sign.as_char() == ',') {
                        self.words.push(sign.as_char().to_string());
                    }
                }
            }
        }
    }

    /// Adds a mocked call: its arguments are outputs, its result is an input.
    fn mock(&mut self, trees: Vec<TokenTree>) {
        let is_comma =
            |tree: &TokenTree| matches!(tree, TokenTree::Punct(own) if own.as_char() == ',');
        let end = trees.iter().position(is_comma).unwrap_or(trees.len());
        let (call, answers) = trees.split_at(end);
        let text: TokenStream = call.iter().cloned().collect();
        self.add(call.to_vec(), Role::Output);
        self.add(
            answers.to_vec(),
            if is_unsteady(&text.to_string()) {
                Role::Unsteady
            } else {
                Role::Input
            },
        );
    }

    /// Returns whether a test of this shape differs from an existing one only in unstable values.
    pub(crate) fn is_like(&self, there: &Shape, unsteady: &UnsteadyValues) -> bool {
        if self.words != there.words || self.literals.len() != there.literals.len() {
            return false;
        }
        let pairs = self.literals.iter().zip(&there.literals);
        let differing: Vec<_> = pairs.filter(|(own, other)| own.0 != other.0).collect();
        let is_unsteady = |own: &str, other: &str| unsteady.hold(own) || both_made_up(own, other);
        let is_led = self
            .literals
            .iter()
            .any(|(_, role)| *role == Role::Unsteady)
            || differing
                .iter()
                .any(|(own, other)| is_unsteady(&own.0, &other.0));
        differing.iter().all(|(own, other)| match own.1 {
            Role::Unsteady => true,
            Role::Input => is_unsteady(&own.0, &other.0),
            Role::Output => is_led,
        })
    }
}

/// Removes the names of tests, and the mark of a generated test.
fn name_nothing(trees: &mut Vec<TokenTree>) {
    let is_function =
        |two: &[TokenTree]| two[0].to_string() == "fn" && matches!(two[1], TokenTree::Ident(_));
    if let Some(at) = trees.windows(2).position(is_function) {
        trees.remove(at + 1);
    }
    let call = trees
        .iter()
        .position(|tree| matches!(tree, TokenTree::Ident(word) if word == "blocktest"));
    let call = call.and_then(|at| trees.get_mut(at + 2));
    if let Some(TokenTree::Group(group)) = call {
        let inner = without_observed(&group.stream())
            .into_iter()
            .skip_while(|tree| matches!(tree, TokenTree::Literal(_)));
        *group = proc_macro2::Group::new(group.delimiter(), inner.collect());
    }
}

fn brackets(delimiter: Delimiter) -> (&'static str, &'static str) {
    match delimiter {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None => ("", ""),
    }
}

/// Returns whether both literals are large numbers, or strings that differ only in times and random
/// words.
fn both_made_up(own: &str, other: &str) -> bool {
    let number = |text: &str| {
        let digits: String = text
            .chars()
            .take_while(|char| char.is_ascii_digit() || *char == '_')
            .collect();
        digits.replace('_', "").parse::<u128>().ok()
    };
    match (number(own), number(other)) {
        (Some(own), Some(other)) => own >= LARGE && other >= LARGE,
        _ => own.contains('"') && without_made_up(own) == without_made_up(other),
    }
}

/// Replaces each time, date, address and random word by a placeholder.
fn without_made_up(text: &str) -> String {
    let mut plain = String::new();
    let mut word = String::new();
    let is_date = has_date(text);
    for char in text.chars().chain(['\0']) {
        if char.is_ascii_alphanumeric() {
            word.push(char);
            continue;
        }
        let has_digit = word.contains(|char: char| char.is_ascii_digit());
        let is_made_up = has_digit && (is_date || word.len() >= LONG_WORD);
        plain.push_str(if is_made_up { "#" } else { &word });
        word.clear();
        plain.push(char);
    }
    plain
}

/// Returns whether a string contains a date or time such as `2026-11-18` or `09:15`.
fn has_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_form = |form: &[u8]| {
        bytes.windows(form.len()).any(|window| {
            window.iter().zip(form).all(|(own, sign)| {
                if *sign == b'0' {
                    own.is_ascii_digit()
                } else {
                    own == sign
                }
            })
        })
    };
    is_form(b"0000-00-00") || is_form(b"00:00")
}

/// Whether an attempt, by its number, is like a test.
type Way<'w> = &'w dyn Fn(usize, &ExistingTest) -> bool;

/// Moves attempts aside that are like an existing test; each existing test matches one attempt at
/// most. Returns their number.
pub(crate) fn leave_out(
    attempts: &mut Attempts<'_>,
    there: &[ExistingTest],
    unsteady: &UnsteadyValues,
) -> usize {
    let nothing = UnsteadyValues::default();
    let shapes = shapes(attempts, there);
    let is_same = |at: usize, test: &ExistingTest| {
        let is_equal = |shape: &Shape| {
            shape.is_like(&test.shape, &nothing) && shape.literals == test.shape.literals
        };
        shapes[at].iter().any(is_equal)
    };
    let has_name = |at: usize, test: &ExistingTest| {
        let attempt = &attempts.standing[at];
        attempt.name == test.name && attempt.means.is_in_situ() == test.is_in_situ()
    };
    let is_like = |at: usize, test: &ExistingTest| {
        shapes[at]
            .iter()
            .any(|shape| shape.is_like(&test.shape, unsteady))
    };
    let ways: [Way<'_>; 3] = [&is_same, &has_name, &is_like];
    let mut taken = vec![false; there.len()];
    let mut found: Vec<Option<usize>> = vec![None; attempts.standing.len()];
    for way in ways {
        for at in (0..found.len())
            .filter(|at| found[*at].is_none())
            .collect::<Vec<_>>()
        {
            let subject = attempts.standing[at].call().subject;
            let is_it = |number: &usize| {
                !taken[*number] && there[*number].may_be_of(subject) && way(at, &there[*number])
            };
            found[at] = (0..there.len()).find(is_it);
            found[at]
                .into_iter()
                .for_each(|number| taken[number] = true);
        }
    }
    let found: Vec<Option<&ExistingTest>> = found
        .into_iter()
        .map(|number| Some(&there[number?]))
        .collect();
    attempts.are_there(&found, there);
    found.iter().flatten().count()
}

/// Returns the shapes that the tests of attempts may have, for functions that have tests.
fn shapes(attempts: &Attempts<'_>, there: &[ExistingTest]) -> Vec<Vec<Shape>> {
    let of_attempt = |(at, attempt): (usize, &Attempt<'_>)| -> Vec<Shape> {
        match there
            .iter()
            .any(|test| test.may_be_of(attempt.call().subject))
        {
            true => attempts
                .all_texts(at)
                .iter()
                .filter_map(|text| Shape::of(text))
                .collect(),
            false => Vec::new(),
        }
    };
    attempts
        .standing
        .iter()
        .enumerate()
        .map(of_attempt)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_like(own: &str, there: &str, unsteady: &[&str]) -> bool {
        let unsteady = UnsteadyValues(unsteady.iter().map(|value| (*value).to_owned()).collect());
        Shape::of(own)
            .unwrap()
            .is_like(&Shape::of(there).unwrap(), &unsteady)
    }

    #[test]
    fn what_a_clock_gives_may_differ_and_what_follows_from_it() {
        let test = |name: &str, who: &str, now: u32, said: &str| {
            format!(
                "blocktest!(\"{name}\", given(who = {who:?}), mock(Clock::now(), {now}), check_return({said:?}));"
            )
        };
        let there = test("at 5", "ann", 5, "ann at 5");
        assert!(is_like(&test("at 7", "ann", 7, "ann at 7"), &there, &[]));
        assert!(
            !is_like(&test("at 7", "bob", 7, "bob at 7"), &there, &[]),
            "another call"
        );
        let marked = there.replace("\"));", "\"), observed(\"7k2m\"));");
        assert!(
            is_like(&test("at 7", "ann", 7, "ann at 7"), &marked, &[]),
            "{marked}"
        );
        let layout = there.replace("), ", "),\n    ").replace("));", "),\n);");
        assert!(is_like(&there, &layout, &[]), "{layout}");
    }

    #[test]
    fn what_was_brought_may_differ_where_it_came_from_a_clock() {
        let test = |number: u64| {
            format!(
                "#[test] fn f_returning_{number}() {{ let n = {number}; let result = f(n); assert_eq!(result, {}); }}",
                number + 1
            )
        };
        assert!(
            is_like(&test(1_794_978_668), &test(1_694_978_668), &[]),
            "both are times"
        );
        assert!(!is_like(&test(7), &test(5), &[]));
        assert!(is_like(&test(7), &test(5), &["7"]), "seven was rolled");
        let asked = |now: u8| {
            format!(
                "fn f() {{ let c = ClockDouble::new().on_now(|| {now}); assert_eq!(f(c), {now}); }}"
            )
        };
        assert!(is_like(&asked(7), &asked(5), &[]), "a double is a clock");
    }

    #[test]
    fn texts_differ_in_times_addresses_and_made_up_words_only() {
        for (own, other, expected) in [
            (
                "\"at 2026-11-18T05:09:01Z\"",
                "\"at 2027-01-02T15:19:31Z\"",
                true,
            ),
            ("\"0x7ffd1a2b\"", "\"0x7ffc9e8d\"", true),
            ("\"job-a1b2c3d4\"", "\"job-e5f60718\"", true),
            ("\"job 12\"", "\"job 13\"", false),
            ("\"ann\"", "\"bob\"", false),
        ] {
            assert_eq!(both_made_up(own, other), expected, "{own} {other}");
        }
    }

    #[test]
    fn calls_that_give_something_else_each_time_are_known_by_words() {
        assert!(
            is_unsteady("SystemTime :: now()")
                && is_unsteady("std::process::id()")
                && is_unsteady("rand(1, 6)")
        );
        assert!(
            !is_unsteady("fs::read(now)") && !is_unsteady("brand(1)") && !is_unsteady("self.id()")
        );
    }
}
