//! Mocks of outgoing calls: those that interact with the outside world, and those whose receiver or
//! arguments cannot be constructed.

pub(crate) mod field_mentions;
pub(crate) mod found_calls;
pub(crate) mod shapes;

use super::impure_calls::reaches_out;
use crate::generate::refusal::Refusal;
use crate::record::plan::{Site, SlotKey};
use crate::record::read::RecordedCall;
use crate::source::{byte_range, lex};
use crate::values::capture_loss::{CaptureLoss, why_lost};
use crate::values::is_copied;
use crate::values::repeated::is_known_as_clone;
use found_calls::{Calls, is_inside};
use proc_macro2::{TokenStream, TokenTree};
use shapes::{open_shape, shape, shape_with_arguments, without_spaces};
use situ_recorder::recording::Exit;
use situ_recorder::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The maximum number of different calls in one test whose arguments are written: each would be a
/// clause.
const MAX_ARGUMENTS: usize = 5;

/// The maximum number of mocks of a test: with more it says more about them than about the code.
pub(crate) const MAX_MOCKS: usize = 10;

/// A pattern of calls with their return values, in order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mock {
    /// The pattern as the clause writes it.
    pub call: String,
    pub values: Vec<Value>,
    /// Whether its only value may differ between the rows of a test.
    pub may_vary: bool,
}

impl Mock {
    /// Returns the value that may differ between the rows of a test.
    pub(crate) fn varying(&self) -> Option<&Value> {
        self.values.first().filter(|_| self.may_vary)
    }

    /// Returns whether it has a single value, which could differ between the rows of a test.
    pub(crate) fn can_vary(&self) -> bool {
        let first = self
            .values
            .first()
            .filter(|first| **first != Value::Unit && is_known_as_clone(first));
        first.is_some_and(|first| self.values.iter().all(|value| value == first))
    }

    /// Returns whether it returns the same value each time.
    pub(crate) fn is_constant(&self) -> bool {
        self.values.windows(2).all(|two| two[0] == two[1])
    }

    /// Returns whether it mocks calls that do not happen, and fails if one does.
    pub(crate) fn is_never(&self) -> bool {
        self.values.iter().any(|value| *value == never())
    }

    /// Returns the value as the clause writes it if this variable contains it.
    pub(crate) fn value_in(&self, variable: &str) -> String {
        let is_copied = self.values.first().is_none_or(is_copied);
        if is_copied {
            variable.to_owned()
        } else {
            format!("{variable}.clone()")
        }
    }
}

/// A mock with the ranges of the calls that it matches.
#[derive(Clone, Debug)]
pub(crate) struct PlacedMock {
    pub mock: Mock,
    /// Whether the call is one of the program's own: whether it happens is part of a fragment's
    /// behaviour.
    pub is_own: bool,
    /// Whether the call happened in the run; otherwise the mock is there for the compiler only.
    pub happens: bool,
    /// Its pattern with plain arguments left open.
    pub open: String,
    /// The ranges of the calls that it matches.
    pub ranges: Vec<Range<usize>>,
    /// The ranges of compared arguments, which are still evaluated.
    pub evaluated: Vec<Range<usize>>,
}

impl PlacedMock {
    /// Creates a mock of the program's own calls without ranges.
    pub(crate) fn of(mock: Mock) -> PlacedMock {
        let open = mock.call.clone();
        PlacedMock {
            mock,
            is_own: true,
            happens: true,
            open,
            ranges: Vec::new(),
            evaluated: Vec::new(),
        }
    }

    /// Returns whether a call that it matches has exactly this range.
    pub(crate) fn stands_at(&self, bytes: &Range<usize>) -> bool {
        self.ranges.contains(bytes)
    }

    /// Returns whether all calls that it matches are inside those of another.
    pub(crate) fn is_within(&self, other: &PlacedMock) -> bool {
        self.ranges
            .iter()
            .all(|range| other.ranges.iter().any(|outer| is_inside(range, outer)))
    }
}

/// Returns the mocks that a test needs: for calls that interact with the outside world, and for
/// those with lost inputs. `tokens` is the tested code.
pub(crate) fn mocks(
    calls: &[RecordedCall<'_>],
    lost: &[(&str, CaptureLoss)],
    tokens: &TokenStream,
) -> Result<Vec<PlacedMock>, Refusal> {
    let needs = |call: &&RecordedCall<'_>| reaches_out(call.site) || mentions_any(call.site, lost);
    placed(
        &calls.iter().filter(needs).collect::<Vec<_>>(),
        lost,
        tokens,
        MAX_ARGUMENTS,
    )
}

/// Builds mocks for these calls. Arguments are written if there are at most `most_with_arguments`
/// different calls.
fn placed(
    needed: &[&RecordedCall<'_>],
    lost: &[(&str, CaptureLoss)],
    tokens: &TokenStream,
    most_with_arguments: usize,
) -> Result<Vec<PlacedMock>, Refusal> {
    let told = told(needed, lost, tokens, &[])?;
    let with_arguments =
        |told: &Told<'_>| shape_with_arguments(told.call, lost).unwrap_or_default();
    let different: BTreeSet<String> = told
        .iter()
        .filter(|told| !told.is_torn)
        .map(with_arguments)
        .collect();
    let mut mocks: Vec<PlacedMock> = Vec::new();
    for told in &told {
        let is_own = !reaches_out(told.call.site);
        let shape = match is_own && !told.is_torn && different.len() <= most_with_arguments {
            true => with_arguments(told),
            false => told.open.clone(),
        };
        let range = told.call.site.range();
        match mocks.iter_mut().find(|known| known.mock.call == shape) {
            Some(known) => {
                known.mock.values.push(told.value.clone());
                known.ranges.push(range);
            }
            None => {
                let mock = Mock {
                    call: shape,
                    values: vec![told.value.clone()],
                    may_vary: false,
                };
                let (open, ranges) = (told.open.clone(), vec![range]);
                mocks.push(PlacedMock {
                    is_own,
                    open,
                    ranges,
                    ..PlacedMock::of(mock)
                });
            }
        }
    }
    add_equal_shapes(&mut mocks, tokens);
    Ok(mocks)
}

/// A call that a mock replaces.
pub(crate) struct Told<'t> {
    pub call: &'t RecordedCall<'t>,
    /// Its pattern with plain arguments left open.
    pub open: String,
    /// Whether none of its arguments may be compared.
    pub is_torn: bool,
    /// Its return value.
    pub value: Value,
}

/// Returns the calls to mock, with their return values: the innermost with a known value. Calls
/// inside them are left out, except in arguments that are still evaluated.
pub(crate) fn told<'t>(
    needed: &[&'t RecordedCall<'t>],
    lost: &[(&str, CaptureLoss)],
    tokens: &TokenStream,
    evaluated: &[Range<usize>],
) -> Result<Vec<Told<'t>>, Refusal> {
    if needed.is_empty() {
        return Ok(Vec::new());
    }
    let found = Calls::of(tokens).unwrap_or_default();
    let mentioned: Vec<Range<usize>> = lost
        .iter()
        .flat_map(|(name, _)| mentions_of(name, tokens))
        .collect();
    let standing = standing(needed, &mentioned, evaluated)?;
    let mut all = Vec::new();
    for &call in needed
        .iter()
        .filter(|call| standing.contains(&Place::of(call)))
    {
        let shape = shape(&call.site.text)?;
        let open = open_shape(&shape).filter(|open| found.are_torn(open, &mentioned));
        let (is_torn, open) = (open.is_some(), open.unwrap_or(shape));
        all.push(Told {
            call,
            open,
            is_torn,
            value: answer(call)?,
        });
    }
    Ok(all)
}

/// The range of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place(usize, usize);

impl Place {
    fn of(call: &RecordedCall<'_>) -> Place {
        let range = call.site.range();
        Place(range.start, range.end)
    }

    fn is_inside(self, other: Place) -> bool {
        self != other && other.0 <= self.0 && self.1 <= other.1
    }
}

/// Returns the ranges of the calls to mock. If a call takes the result of another one, only the
/// other is mocked, unless its result is unknown.
fn standing(
    needed: &[&RecordedCall<'_>],
    mentioned: &[Range<usize>],
    evaluated: &[Range<usize>],
) -> Result<BTreeSet<Place>, Refusal> {
    // A call may have happened several times.
    let mut unknown: BTreeMap<Place, Option<Refusal>> = BTreeMap::new();
    for call in needed {
        let loss = shape(&call.site.text).and_then(|_| answer(call)).err();
        let known = unknown.entry(Place::of(call)).or_default();
        *known = known.take().or(loss);
    }
    let needs_itself = |place: Place| {
        let is_in = |at: &Range<usize>, place: Place| place.0 <= at.start && at.end <= place.1;
        let mut own = mentioned.iter().filter(|at| is_in(at, place)).peekable();
        let is_around = |at: &Range<usize>| {
            unknown
                .keys()
                .any(|inner| inner.is_inside(place) && is_in(at, *inner))
        };
        own.peek().is_none() || own.any(|at| !is_around(at))
    };
    let mut chosen = BTreeSet::new();
    for (place, loss) in unknown.iter().filter(|(place, _)| needs_itself(**place)) {
        let around = unknown
            .iter()
            .filter(|(other, loss)| loss.is_none() && place.is_inside(**other));
        let next = || {
            around
                .min_by_key(|(other, _)| other.1 - other.0)
                .map(|(other, _)| *other)
        };
        match loss {
            None => chosen.insert(*place),
            Some(loss) => chosen.insert(next().ok_or_else(|| loss.clone())?),
        };
    }
    let is_evaluated = |place: &Place, other: &Place| {
        let is_between = |at: &Range<usize>| {
            other.0 <= at.start && at.start <= place.0 && place.1 <= at.end && at.end <= other.1
        };
        evaluated.iter().any(is_between)
    };
    let outermost = |place: &Place| {
        !chosen
            .iter()
            .any(|other| place.is_inside(*other) && !is_evaluated(place, other))
    };
    Ok(chosen.iter().copied().filter(outermost).collect())
}

/// Returns the results of calls by their patterns without spaces: a call that did not happen would
/// have returned a similar value.
pub(crate) fn answers(calls: &[RecordedCall<'_>]) -> BTreeMap<String, Value> {
    let of_call = |call: &RecordedCall<'_>| {
        let shape = shape(&call.site.text).ok()?;
        Some((without_spaces(&shape), answer(call).ok()?))
    };
    calls.iter().filter_map(of_call).collect()
}

/// Returns the value of a mock that is never called.
fn never() -> Value {
    let tail = "unreachable!()".to_owned();
    Value::Built {
        type_name: String::new(),
        head: String::new(),
        args: Vec::new(),
        tail,
    }
}

/// Adds mocks for calls that did not happen and mention lost inputs, so that the code compiles.
pub(crate) fn add_idle(
    mocks: &mut Vec<PlacedMock>,
    mentioned: &[Range<usize>],
    answers: &BTreeMap<String, Value>,
    tokens: &TokenStream,
) {
    let Some(calls) = Calls::of(tokens) else {
        return;
    };
    for at in mentioned {
        if is_mocked(at, mocks) {
            continue;
        }
        let around = calls
            .found
            .iter()
            .filter(|call| call.bytes.start <= at.start && at.end <= call.bytes.end);
        let Some(call) = around.min_by_key(|call| call.bytes.len()) else {
            continue;
        };
        let shape = without_spaces(&call.shape);
        let value = answers.get(&shape).cloned().unwrap_or_else(never);
        let mock = Mock {
            call: call.shape.clone(),
            values: vec![value],
            may_vary: false,
        };
        mocks.push(PlacedMock {
            happens: false,
            ..PlacedMock::of(mock)
        });
        let last = mocks.len() - 1;
        calls.place(&mut mocks[last..]);
    }
}

/// Adds the ranges of all calls that match a mock, including those that did not happen.
pub(crate) fn add_equal_shapes(mocks: &mut [PlacedMock], tokens: &TokenStream) {
    if let (false, Some(calls)) = (mocks.is_empty(), Calls::of(tokens)) {
        calls.place(mocks);
    }
}

/// Returns whether a byte range is entirely inside mocked calls.
pub(crate) fn is_mocked(at: &Range<usize>, mocks: &[PlacedMock]) -> bool {
    let is_in = |range: &Range<usize>| is_inside(at, range);
    mocks
        .iter()
        .any(|mock| mock.ranges.iter().any(is_in) && !mock.evaluated.iter().any(is_in))
}

/// Returns whether the place is mentioned only inside mocked calls.
pub(crate) fn is_only_in_mocks(place: &str, mocks: &[PlacedMock], tokens: &TokenStream) -> bool {
    let mentioned = mentions_of(place, tokens);
    !mentioned.is_empty() && mentioned.iter().all(|at| is_mocked(at, mocks))
}

fn mentions_of(place: &str, tokens: &TokenStream) -> Vec<Range<usize>> {
    let mut mentioned = Vec::new();
    find_mentions(
        tokens.clone(),
        &place.split('.').collect::<Vec<_>>(),
        &mut mentioned,
    );
    mentioned
}

/// Returns whether the variable of a place is mentioned inside a mocked call.
pub(crate) fn is_in_mocks(place: &str, mocks: &[PlacedMock], tokens: &TokenStream) -> bool {
    let mut mentioned = Vec::new();
    let root = place.split(['.', '[']).next().unwrap_or(place);
    find_mentions(tokens.clone(), &[root], &mut mentioned);
    mentioned.iter().any(|at| is_mocked(at, mocks))
}

/// Returns whether tokens name the place of these words: `a.b` for the words `a` and `b`.
pub(crate) fn is_place_at(trees: &[TokenTree], at: usize, words: &[&str]) -> bool {
    let is_word = |(number, word): (usize, &&str)| {
        trees
            .get(at + 2 * number)
            .is_some_and(|tree| tree.to_string() == *word)
    };
    words.iter().enumerate().all(is_word)
}

/// Collects the byte ranges of every `a.b`, for the words `a` and `b`; a format string with `{a}`
/// mentions `a`.
pub(crate) fn find_mentions(tokens: TokenStream, words: &[&str], found: &mut Vec<Range<usize>>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        if let TokenTree::Group(group) = tree {
            find_mentions(group.stream(), words, found);
        }
        let is_field =
            at > 0 && matches!(&trees[at - 1], TokenTree::Punct(dot) if dot.as_char() == '.');
        let matches = is_place_at(&trees, at, words);
        if (matches && !is_field) || is_shown_in(tree, words) {
            found.push(byte_range(tree));
        }
    }
}

/// Returns whether a literal is a format string that mentions a variable.
fn is_shown_in(tree: &TokenTree, words: &[&str]) -> bool {
    let (TokenTree::Literal(text), [word]) = (tree, words) else {
        return false;
    };
    let text = text.to_string();
    text.contains('"')
        && [format!("{{{word}}}"), format!("{{{word}:")]
            .iter()
            .any(|shown| text.contains(shown))
}

/// Returns whether a call mentions a lost input.
pub(crate) fn mentions_any(site: &Site, lost: &[(&str, CaptureLoss)]) -> bool {
    lost.iter().any(|(name, _)| mentions(site, name))
}

fn mentions(site: &Site, place: &str) -> bool {
    let Ok(tokens) = lex(&site.text) else {
        return false;
    };
    let mut found = Vec::new();
    find_mentions(tokens, &place.split('.').collect::<Vec<_>>(), &mut found);
    !found.is_empty()
}

/// Returns the result of the call.
pub(crate) fn answer(call: &RecordedCall<'_>) -> Result<Value, Refusal> {
    if matches!(call.call.exit, Exit::Panic(_)) {
        return Err(Refusal::CallPanics);
    }
    if call
        .changes()
        .iter()
        .any(|(operand, _)| **operand != SlotKey::Receiver)
    {
        return Err(Refusal::CallChangesArguments);
    }
    let result = call.result().ok_or(Refusal::CallUnrecorded)?;
    match why_lost(result) {
        Some(loss) => Err(Refusal::CallResult(loss)),
        None => Ok(result.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mock_stands_for_calls_that_did_not_happen() {
        let tokens: TokenStream = "if a { w.put(b, 1)?; } else { w.put(c, 2)?; w.put( d, 1 )?; }"
            .parse()
            .unwrap();
        let mock = Mock {
            call: "w.put(_, 1)".to_owned(),
            values: Vec::new(),
            may_vary: false,
        };
        let mut mocks = [PlacedMock::of(mock)];
        add_equal_shapes(&mut mocks, &tokens);
        assert_eq!(mocks[0].ranges.len(), 2);
        assert!(
            !is_only_in_mocks("w", &mocks, &tokens),
            "the second is another call"
        );
        assert!(is_only_in_mocks("d", &mocks, &tokens));
    }

    #[test]
    fn a_place_is_found_where_it_is_mentioned_and_not_inside_others() {
        let tokens: TokenStream = "self.http.get(http); other.http; f(self.http)"
            .parse()
            .unwrap();
        let mut found = Vec::new();
        find_mentions(tokens.clone(), &["self", "http"], &mut found);
        assert_eq!(found.len(), 2);
        found.clear();
        find_mentions(tokens, &["http"], &mut found);
        assert_eq!(found.len(), 1);
        found.clear();
        find_mentions(
            "format!(\"{http:?} of {other}\")".parse().unwrap(),
            &["http"],
            &mut found,
        );
        assert_eq!(found.len(), 1, "what a text shows is mentioned");
    }
}
