//! Candidates: value sets of a statement that a test could be made of.

use super::locate::{Spot, TailRole, Target};
use super::mocks::{Mock, is_only_in_mocks, mocks};
use crate::record::plan::{Phase, Position};
use crate::record::read::{RecordedCall, RecordedSite, Recording};
use situ_rt::probe::ITEMS_CUT;
use situ_rt::recording::{Exit, ValueSet, Way};
use situ_rt::value::{SeqKind, Value};
use std::collections::{BTreeMap, BTreeSet};
use syn::Pat;

/// Panics with many different texts are one behaviour.
const MOST_PANIC_TEXTS: usize = 3;

/// What a test of one value set says.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The places that are given, with their values.
    pub givens: Vec<(String, Value)>,
    /// What a closure is called with.
    pub arguments: Vec<Value>,
    /// The calls that values stand for.
    pub mocks: Vec<Mock>,
    /// What is claimed.
    pub claims: Vec<Claim>,
    /// What the generic parameters around were: types by their names, constants by their values.
    pub generics: Vec<(String, Value)>,
    /// Branches taken in the statement.
    pub target: BTreeSet<u32>,
    /// Branches taken in the statement and the rest of its block.
    pub context: BTreeSet<u32>,
}

impl Candidate {
    /// How much there is to read.
    pub fn size(&self) -> usize {
        format!("{:?}{:?}{:?}{:?}", self.givens, self.arguments, self.mocks, self.claims).len()
    }
}

/// One thing that is claimed of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    /// This place has this value at the end.
    Place(String, Value),
    /// This is returned.
    Returns(Value),
    /// This is the value of the block.
    BlockValue(Value),
    /// The condition has this value.
    Condition(bool),
    /// The loop goes over these.
    Items(Vec<Value>),
    /// The loop goes over these first.
    FirstItems(Vec<Value>),
    /// An operand of the condition, counted from one, has this value.
    Operand(usize, bool),
    /// What the `match` is about.
    Scrutinee(Value),
    /// This place, as an oracle names it, shows itself so: nothing else is known of its value.
    Shows(String, String),
    /// It leaves the loop with this label, or the innermost one.
    Breaks(String),
    /// It goes on with the next pass of the loop with this label, or of the innermost one.
    Continues(String),
    /// It panics with this text.
    Panics(String),
    /// A mocked call of this shape happens so many times.
    Called(String, usize),
}

impl Claim {
    /// The value that a row has a column for.
    pub fn value(&self) -> Option<Value> {
        match self {
            Claim::Place(_, value) | Claim::Returns(value) | Claim::BlockValue(value) => Some(value.clone()),
            Claim::Scrutinee(value) => Some(value.clone()),
            Claim::Condition(value) | Claim::Operand(_, value) => Some(Value::Bool(*value)),
            Claim::Items(items) | Claim::FirstItems(items) => Some(listed(items)),
            Claim::Shows(_, text) => Some(Value::Ref { mutable: false, inner: Box::new(Value::Str(text.clone())) }),
            Claim::Breaks(_) | Claim::Continues(_) | Claim::Panics(_) | Claim::Called(..) => None,
        }
    }
}

fn listed(items: &[Value]) -> Value {
    // Only an empty list needs the name, and nothing says it.
    Value::Seq { kind: SeqKind::Vec, type_name: String::new(), items: items.to_vec() }
}

/// The candidates of a statement, each once, and why value sets gave none.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// The candidates.
    pub all: Vec<Candidate>,
    /// Reason → how many value sets.
    pub refused: BTreeMap<String, usize>,
}

/// What a test could be made of.
pub fn candidates(recording: &Recording, recorded: &RecordedSite, spot: &Spot) -> Candidates {
    let mut candidates = Candidates::default();
    let mut panics: BTreeSet<String> = BTreeSet::new();
    let watched = changed_places(recorded);
    for set in in_order(&recorded.sets) {
        match candidate(recorded, set, spot, &watched, &recording.calls(set)) {
            Ok(candidate) => {
                candidates.extend_by_first_items(&candidate, spot);
                let text = candidate.claims.iter().find_map(|claim| match claim {
                    Claim::Panics(text) => Some(text.clone()),
                    _ => None,
                });
                let known = text.is_none_or(|text| {
                    panics.contains(&text) || panics.len() < MOST_PANIC_TEXTS && panics.insert(text)
                });
                if !known {
                    *candidates.refused.entry("panics with yet another text".to_owned()).or_default() += 1;
                } else {
                    candidates.add(candidate);
                }
            }
            Err(reason) => *candidates.refused.entry(reason).or_default() += 1,
        }
    }
    candidates
}

/// The sets in an order that does not depend on which test ran first: of two that are worth the same, the same one is
/// taken in every run.
fn in_order(sets: &[ValueSet]) -> Vec<&ValueSet> {
    let mut ordered: Vec<&ValueSet> = sets.iter().collect();
    ordered.sort_by_cached_key(|set| format!("{:?}{:?}{:?}{:?}", set.exit, set.left, set.slots, set.calls));
    ordered
}

impl Candidates {
    /// A loop that was left early went over the first elements only, and nobody knows which loops were.
    fn extend_by_first_items(&mut self, candidate: &Candidate, spot: &Spot) {
        let first = |claim: &Claim| match claim {
            Claim::Items(items) => Claim::FirstItems(items.clone()),
            other => other.clone(),
        };
        if spot.leaves_loop {
            self.add(Candidate { claims: candidate.claims.iter().map(first).collect(), ..candidate.clone() });
        }
    }

    /// Sets that differ only in what no test says are one candidate, with the branches of all of them.
    fn add(&mut self, candidate: Candidate) {
        let same = |known: &&mut Candidate| {
            known.givens == candidate.givens
                && known.arguments == candidate.arguments
                && known.mocks == candidate.mocks
                && known.claims == candidate.claims
                && known.generics == candidate.generics
        };
        match self.all.iter_mut().find(same) {
            Some(known) => {
                known.target.extend(candidate.target);
                known.context.extend(candidate.context);
            }
            None => self.all.push(candidate),
        }
    }
}

/// The places that any set of the statement changes: each candidate says what they are, changed or not.
fn changed_places(recorded: &RecordedSite) -> BTreeSet<String> {
    let sets = recorded.sets.iter().flat_map(|set| recorded.changes(set));
    sets.map(|(name, _)| name.to_owned()).collect()
}

fn candidate(
    recorded: &RecordedSite,
    set: &ValueSet,
    spot: &Spot,
    watched: &BTreeSet<String>,
    calls: &[RecordedCall<'_>],
) -> Result<Candidate, String> {
    if set.slots.iter().any(|(slot, _)| *slot == ITEMS_CUT) {
        return Err("the loop is too long".to_owned());
    }
    let (mut givens, mut lost) = (Vec::new(), Vec::new());
    for (name, value) in recorded.values(set, Phase::Before) {
        match why_lost(value) {
            Some(loss) => lost.push((name, loss)),
            None => givens.push((name.to_owned(), value.clone())),
        }
    }
    let mocks = mocks(calls, &lost, &spot.tokens)?;
    givens.retain(|(name, _)| !is_only_in_mocks(name, &mocks, &spot.tokens));
    let mocks: Vec<Mock> = mocks.into_iter().map(|placed| placed.mock).collect();
    if recorded.site.slots.iter().any(|slot| slot.secret) {
        return Err("it touches a secret".to_owned());
    }
    let claims = match claims(recorded, set, spot, watched) {
        // What goes to calls that values stand for is seen by these calls alone.
        Err(_) if set.exit == Exit::Through && !mocks.is_empty() => called(&mocks),
        claims => claims?,
    };
    let generics = recorded.values(set, Phase::Generic).into_iter();
    let generics = generics.map(|(name, value)| (name.to_owned(), value.clone())).collect();
    let (target, context) = (set.target.iter().copied().collect(), set.context.iter().copied().collect());
    let arguments = arguments(recorded, set, spot)?;
    Ok(Candidate { givens, arguments, mocks, claims, generics, target, context })
}

fn claims(
    recorded: &RecordedSite,
    set: &ValueSet,
    spot: &Spot,
    watched: &BTreeSet<String>,
) -> Result<Vec<Claim>, String> {
    match &set.exit {
        Exit::Panic(text) if text.is_empty() => return Ok(vec![Claim::Panics(String::new())]),
        Exit::Panic(text) => return Ok(vec![Claim::Panics(text.lines().next().unwrap_or_default().to_owned())]),
        Exit::Left => {
            let mut claims = leaving(recorded, set)?;
            claims.extend(changed(recorded, set, watched, &mut None));
            return Ok(claims);
        }
        Exit::Through => {}
    }
    let mut claims = Vec::new();
    let mut lost = None;
    let mut claim = |claims: &mut Vec<Claim>, value: &Value, claim: &dyn Fn(Value) -> Claim| match why_lost(value) {
        Some(reason) => match (claim(value.clone()), shown(value)) {
            (Claim::Returns(_), Some(text)) => claims.push(Claim::Shows("returned()".to_owned(), text)),
            (Claim::BlockValue(_), Some(text)) => claims.push(Claim::Shows("value()".to_owned(), text)),
            _ => lost = Some(reason),
        },
        None => claims.push(claim(value.clone())),
    };
    let is_fragment = matches!(recorded.site.position, Position::Fragment | Position::Closure);
    for (name, value) in recorded.values(set, Phase::Made).into_iter().filter(|_| !is_fragment) {
        claim(&mut claims, value, &|value| Claim::Place(name.to_owned(), value));
    }
    // What gives nothing is no value, unless that is all there is to say.
    let results = recorded.values(set, Phase::Result).into_iter();
    for (_, value) in results.filter(|(_, value)| !is_fragment || **value != Value::Unit) {
        claim(&mut claims, value, &|value| match (recorded.site.position, &value) {
            (Position::Condition, Value::Bool(value)) => Claim::Condition(*value),
            (Position::Scrutinee, _) => Claim::Scrutinee(value),
            (Position::Tail | Position::Fragment, _) if spot.tail == TailRole::OfBlock => Claim::BlockValue(value),
            _ => Claim::Returns(value),
        });
    }
    let operands = recorded.values(set, Phase::Operand);
    let operands = if operands_say_more(recorded, set) { operands } else { Vec::new() };
    for (name, value) in operands {
        let number = name.strip_prefix("cond(").and_then(|rest| rest.strip_suffix(')')?.parse().ok());
        if let (Some(number), Value::Bool(value)) = (number, value) {
            claims.push(Claim::Operand(number, *value));
        }
    }
    claims.extend(changed(recorded, set, watched, &mut lost));
    if is_fragment && claims.is_empty() {
        claims.extend(made(recorded, set));
    }
    if recorded.site.position == Position::Iterable {
        let items = items(recorded, set, spot)?;
        claims.push(Claim::Items(items));
    }
    match (claims.is_empty(), lost) {
        (false, _) => Ok(claims),
        (true, Some(reason)) => Err(format!("an output cannot be compared: {reason}")),
        (true, None) => Err("nothing that it changes is seen".to_owned()),
    }
}

/// How often each mocked call happens.
fn called(mocks: &[Mock]) -> Vec<Claim> {
    mocks.iter().map(|mock| Claim::Called(mock.call.clone(), mock.values.len())).collect()
}

/// What the places that may change are after the statement.
fn changed(
    recorded: &RecordedSite,
    set: &ValueSet,
    watched: &BTreeSet<String>,
    lost: &mut Option<String>,
) -> Vec<Claim> {
    let mut claims: Vec<Claim> = Vec::new();
    for (name, value) in recorded.values(set, Phase::After).into_iter().filter(|(name, _)| watched.contains(*name)) {
        match why_lost(value) {
            Some(reason) => *lost = Some(reason),
            None => claims.push(Claim::Place(name.to_owned(), value.clone())),
        }
    }
    claims
}

/// The variables of a fragment at its end, where nothing else tells what it did.
fn made(recorded: &RecordedSite, set: &ValueSet) -> Vec<Claim> {
    let made = recorded.values(set, Phase::Made).into_iter().filter(|(_, value)| why_lost(value).is_none());
    made.map(|(name, value)| Claim::Place(name.to_owned(), value.clone())).collect()
}

/// What a closure was called with, put together from what its parameters bound.
fn arguments(recorded: &RecordedSite, set: &ValueSet, spot: &Spot) -> Result<Vec<Value>, String> {
    let Target::Closure { inputs, .. } = &spot.target else { return Ok(Vec::new()) };
    let bound = recorded.values(set, Phase::Argument);
    let of = |name: &str| bound.iter().find(|(bound, _)| *bound == name).map(|(_, value)| (*value).clone());
    // Whatever `_` is, nobody looks at it.
    let arguments = inputs.iter().map(|input| {
        let argument = element(input, &of, Some(&Value::Unit));
        argument.ok_or_else(|| "its arguments cannot be put together from its parameters".to_owned())
    });
    let arguments: Vec<Value> = arguments.collect::<Result<_, _>>()?;
    match arguments.iter().find_map(why_lost) {
        Some(loss) => Err(format!("an argument cannot be rebuilt: {loss}")),
        None => Ok(arguments),
    }
}

/// Where all operands were evaluated and have the value of the whole, the whole says it all.
fn operands_say_more(recorded: &RecordedSite, set: &ValueSet) -> bool {
    let existing = recorded.site.slots.iter().filter(|slot| slot.phase == Phase::Operand).count();
    let operands = recorded.values(set, Phase::Operand);
    let whole = recorded.values(set, Phase::Result);
    let same = |(_, value): &(&str, &Value)| whole.iter().all(|(_, result)| result == value);
    existing > 1 && !(operands.len() == existing && operands.iter().all(same))
}

/// How a statement leaves that does not run to its end.
fn leaving(recorded: &RecordedSite, set: &ValueSet) -> Result<Vec<Claim>, String> {
    let way = set.left.as_ref().ok_or("it leaves early, and it was not seen how")?;
    match way.way {
        Way::Return | Way::Question => match recorded.left_value(set) {
            Some(value) => match (why_lost(value), shown(value)) {
                (None, _) => Ok(vec![Claim::Returns(value.clone())]),
                (Some(_), Some(text)) => Ok(vec![Claim::Shows("returned()".to_owned(), text)]),
                (Some(reason), None) => Err(format!("what it returns cannot be compared: {reason}")),
            },
            None => Err("it leaves early with a value that was not recorded".to_owned()),
        },
        Way::Break => Ok(vec![Claim::Breaks(way.label.clone())]),
        Way::Continue => Ok(vec![Claim::Continues(way.label.clone())]),
    }
}

/// The elements that the loop went over, put together from what its pattern bound.
fn items(recorded: &RecordedSite, set: &ValueSet, spot: &Spot) -> Result<Vec<Value>, String> {
    let bound: Vec<&str> =
        recorded.site.slots.iter().filter(|slot| slot.phase == Phase::Item).map(|slot| slot.name.as_str()).collect();
    let values = recorded.values(set, Phase::Item);
    let pattern = spot.pattern.as_ref().ok_or("the loop has no pattern")?;
    if bound.is_empty() {
        return Err("the loop variable is not bound".to_owned());
    }
    let passes = values.chunks(bound.len());
    let items = passes.map(|pass| {
        let of = |name: &str| pass.iter().find(|(bound, _)| *bound == name).map(|(_, value)| (*value).clone());
        element(pattern, &of, None)
            .ok_or_else(|| "its elements cannot be put together from the loop's pattern".to_owned())
    });
    let items: Vec<Value> = items.collect::<Result<_, _>>()?;
    if let Some(reason) = items.iter().find_map(why_lost) {
        return Err(format!("an element cannot be compared: {reason}"));
    }
    if items.is_empty() {
        return Err("the loop went over nothing".to_owned());
    }
    Ok(items)
}

/// The value that a pattern was matched with, from the values that it bound; `ignored` stands for what it does not bind.
pub fn element(pattern: &Pat, of: &dyn Fn(&str) -> Option<Value>, ignored: Option<&Value>) -> Option<Value> {
    match pattern {
        Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => of(&name.ident.to_string()),
        Pat::Wild(_) => ignored.cloned(),
        Pat::Paren(inner) => element(&inner.pat, of, ignored),
        Pat::Type(typed) => element(&typed.pat, of, ignored),
        Pat::Tuple(tuple) => {
            let parts: Option<Vec<Value>> = tuple.elems.iter().map(|part| element(part, of, ignored)).collect();
            parts.map(Value::Tuple)
        }
        Pat::Reference(reference) => {
            let inner = Box::new(element(&reference.pat, of, ignored)?);
            Some(Value::Ref { mutable: reference.mutability.is_some(), inner })
        }
        _ => None,
    }
}

/// How a value shows itself, where that is all that is known of it.
pub fn shown(value: &Value) -> Option<String> {
    match value.behind_references() {
        Value::Debug { text, .. } => Some(text.clone()),
        _ => None,
    }
}

/// Why a value cannot be written in a test, if it cannot.
pub fn why_lost(value: &Value) -> Option<String> {
    if value.is_exact() {
        return None;
    }
    Some(match value.behind_references() {
        Value::Debug { .. } => "only its Debug text is known".to_owned(),
        Value::Opaque { reason, .. } | Value::Cut { reason } => reason.clone(),
        Value::Withheld => "a secret".to_owned(),
        _ => "a part of it is not known".to_owned(),
    })
}
