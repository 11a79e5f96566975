//! Claims: what a test asserts about the run of a statement.

use super::clauses::is_iterator;
use super::elements::items;
use super::streams::{Stream, streams};
use super::untaken_exits::not_seen;
use super::verbatim_givens::is_formatter;
use crate::generate::extract::find::locate::{InsertionPoint, TailRole};
use crate::generate::mocks::Mock;
use crate::generate::refusal::Refusal;
use crate::record::plan::{Phase, Position, SlotKey};
use crate::record::read::RecordedSite;
use crate::values::capture_loss::{CaptureLoss, shown, why_lost};
use situ_recorder::recording::{Exit, ValueSet, Way};
use situ_recorder::value::{SeqKind, Value};
use std::collections::BTreeSet;
use syn::punctuated::Punctuated;
use syn::{GenericArgument, PathArguments, ReturnType, Signature, Token, Type, TypeParamBound};

/// One assertion about a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Claim {
    /// This place has this value at the end.
    Place(String, Value),
    /// The fragment returns this.
    Returns(Value),
    /// This is the value of the block.
    BlockValue(Value),
    /// The condition has this value.
    Condition(bool),
    /// The loop iterates over these elements.
    Items(Vec<Value>),
    /// The loop iterates over these elements first.
    FirstItems(Vec<Value>),
    /// An operand of the condition, counted from one, has this value.
    Operand(usize, bool),
    /// The scrutinee of the `match` has this value.
    Scrutinee(Value),
    /// The `Debug` output of this place, as an oracle names it; nothing else is known of its value.
    Shows(String, String),
    /// This place, as an oracle names it, is an iterator that yields these elements first.
    Yields(String, Value),
    /// It breaks out of the loop with this label, or the innermost one.
    Breaks(String),
    /// It continues the loop with this label, or the innermost one.
    Continues(String),
    /// It panics with this message.
    Panics(String),
    /// A mocked call of this pattern happens so many times.
    Called(String, usize),
}

impl Claim {
    /// Returns the value for the claim's column in a row.
    pub(crate) fn value(&self) -> Option<Value> {
        match self {
            Claim::Place(_, value) | Claim::Returns(value) | Claim::BlockValue(value) => {
                Some(value.clone())
            }
            Claim::Scrutinee(value) | Claim::Yields(_, value) => Some(value.clone()),
            Claim::Condition(value) | Claim::Operand(_, value) => Some(Value::Bool(*value)),
            Claim::Items(items) | Claim::FirstItems(items) => Some(listed(items)),
            Claim::Shows(_, text) => Some(Value::Ref {
                mutable: false,
                inner: Box::new(Value::Str(text.clone())),
            }),
            Claim::Breaks(_) | Claim::Continues(_) | Claim::Panics(_) | Claim::Called(..) => None,
        }
    }
}

/// How iterators are claimed of which only the `Debug` output was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Iterators {
    /// By their `Debug` output.
    Shown,
    /// By their elements, which have to be recorded first.
    GoneThrough,
}

impl Iterators {
    fn are_asked(self, value: &Value, spot: &InsertionPoint) -> bool {
        self == Iterators::GoneThrough && is_unknown_iterator(value, spot)
    }
}

/// Returns whether a value is an iterator of which nothing else is known, by its type or the
/// signature around.
fn is_unknown_iterator(value: &Value, spot: &InsertionPoint) -> bool {
    let type_name = match value {
        Value::Debug { type_name, .. } | Value::Opaque { type_name, .. } => type_name,
        Value::Built {
            type_name, args, ..
        } if type_name.starts_with(BOX) && args.len() == 1 => {
            return is_unknown_iterator(&args[0], spot);
        }
        _ => return false,
    };
    let inner = type_name.strip_prefix(BOX).unwrap_or(type_name);
    is_iterator(inner)
        || inner.starts_with("dyn core::iter::")
        || spot.signatures.last().is_some_and(gives_iterator)
}

const BOX: &str = "alloc::boxed::Box<";

/// Returns whether a function says `-> impl Iterator` or `-> Box<dyn Iterator>`.
fn gives_iterator(signature: &Signature) -> bool {
    let ReturnType::Type(_, of_type) = &signature.output else {
        return false;
    };
    let is_iterator = |bounds: &Punctuated<TypeParamBound, Token![+]>| {
        bounds.iter().any(|bound| match bound {
            TypeParamBound::Trait(bound) => bound
                .path
                .segments
                .last()
                .is_some_and(|name| name.ident.to_string().ends_with("Iterator")),
            _ => false,
        })
    };
    match &**of_type {
        Type::ImplTrait(given) => is_iterator(&given.bounds),
        Type::Path(path) => path.path.segments.last().is_some_and(|last| match &last.arguments {
            PathArguments::AngleBracketed(inner) if last.ident == "Box" => inner.args.iter().any(
                |argument| matches!(argument, GenericArgument::Type(Type::TraitObject(of)) if is_iterator(&of.bounds)),
            ),
            _ => false,
        }),
        _ => false,
    }
}

fn yields(place: &str) -> Claim {
    Claim::Yields(place.to_owned(), not_seen())
}

fn listed(items: &[Value]) -> Value {
    // Only an empty list needs its type name, and nothing else determines it.
    Value::Seq {
        kind: SeqKind::Vec,
        type_name: String::new(),
        items: items.to_vec(),
    }
}

/// Returns the claims of a value set, or why there are none.
pub(crate) fn claims(
    recorded: &RecordedSite,
    set: &ValueSet,
    spot: &InsertionPoint,
    watched: &BTreeSet<String>,
    iterators: Iterators,
) -> Result<Vec<Claim>, Refusal> {
    match &set.exit {
        Exit::Panic(text) if text.is_empty() => return Ok(vec![Claim::Panics(String::new())]),
        Exit::Panic(text) => {
            return Ok(vec![Claim::Panics(
                text.lines().next().unwrap_or_default().to_owned(),
            )]);
        }
        Exit::Left => {
            let mut claims = leaving(recorded, set, spot, iterators)?;
            claims.extend(changed(recorded, set, watched, &mut None));
            claims.extend(passed(recorded, set)?);
            return Ok(claims);
        }
        Exit::Through => {}
    }
    let mut claims = Vec::new();
    let (mut weak, mut lost) = (Vec::new(), None);
    let mut claim =
        |claims: &mut Vec<Claim>, value: &Value, claim: &dyn Fn(Value) -> Claim| match why_lost(
            value,
        ) {
            Some(reason) => match (claim(value.clone()), shown(value)) {
                (Claim::Returns(_), _) if iterators.are_asked(value, spot) => {
                    claims.push(yields("returned()"))
                }
                (Claim::BlockValue(_), _) if iterators.are_asked(value, spot) => {
                    claims.push(yields("value()"))
                }
                (Claim::Returns(_), Some(text)) => {
                    claims.push(Claim::Shows("returned()".to_owned(), text))
                }
                (Claim::BlockValue(_), Some(text)) => {
                    claims.push(Claim::Shows("value()".to_owned(), text))
                }
                (Claim::Place(name, _), Some(text)) => weak.push(Claim::Shows(name, text)),
                (Claim::Scrutinee(_), Some(text)) => {
                    weak.push(Claim::Shows("scrutinee()".to_owned(), text))
                }
                (claim, None) if is_partly_known(value) => weak.push(claim),
                _ => lost = Some(reason),
            },
            None => claims.push(claim(value.clone())),
        };
    let is_fragment = matches!(
        recorded.site.position,
        Position::Fragment | Position::Closure
    );
    for (name, value) in recorded
        .values(set, Phase::Made)
        .into_iter()
        .filter(|_| !is_fragment)
    {
        claim(&mut claims, value, &|value| {
            Claim::Place(name.to_owned(), value)
        });
    }
    // `()` is no value, unless there is nothing else to claim.
    let results = recorded.values(set, Phase::Result).into_iter();
    for (_, value) in results.filter(|(_, value)| !is_fragment || **value != Value::Unit) {
        claim(
            &mut claims,
            value,
            &|value| match (recorded.site.position, &value) {
                (Position::Condition, Value::Bool(value)) => Claim::Condition(*value),
                (Position::Scrutinee, _) => Claim::Scrutinee(value),
                (Position::Tail | Position::Fragment, _) if spot.tail == TailRole::OfBlock => {
                    Claim::BlockValue(value)
                }
                _ => Claim::Returns(value),
            },
        );
    }
    let operands = recorded.keyed_values(set, Phase::Operand);
    let operands = if operands_say_more(recorded, set) {
        operands
    } else {
        Vec::new()
    };
    for (key, value) in operands {
        if let (SlotKey::Operand(number), Value::Bool(value)) = (key, value) {
            claims.push(Claim::Operand(*number, *value));
        }
    }
    claims.extend(changed(recorded, set, watched, &mut lost));
    claims.extend(passed(recorded, set)?);
    if is_fragment && claims.is_empty() {
        claims.extend(made(recorded, set));
    }
    if recorded.site.position == Position::Iterable {
        let items = items(recorded, set, spot)?;
        claims.push(Claim::Items(items));
    }
    // `Debug` output, or a part of a value, may differ in the next run: it is used only if nothing
    // else can be claimed.
    if claims.is_empty() {
        claims = weak;
    }
    // A statement that could change places but changed none in any run is claimed to leave them
    // unchanged.
    if claims.is_empty() && lost.is_none() {
        let all = recorded
            .values(set, Phase::After)
            .into_iter()
            .map(|(name, _)| name.to_owned())
            .collect();
        claims.extend(changed(recorded, set, &all, &mut lost));
    }
    match (claims.is_empty(), lost) {
        (false, _) => Ok(claims),
        (true, Some(reason)) => Err(Refusal::Output(reason)),
        (true, None) => Err(Refusal::NoOutput),
    }
}

/// Returns whether a test could assert something about a value that is not known completely.
pub(crate) fn is_partly_known(value: &Value) -> bool {
    match value.behind_references() {
        Value::Struct {
            variant: Some(_), ..
        } => true,
        Value::Struct { fields, .. } => fields.iter().any(|(_, field)| is_told(field)),
        Value::Tuple(parts) => parts.iter().any(is_told),
        _ => false,
    }
}

/// Returns whether a part of a value can be compared at least in part.
fn is_told(value: &Value) -> bool {
    value.is_exact() || shown(value).is_some() || is_partly_known(value)
}

/// Returns how often each mocked call happens.
pub(crate) fn called(mocks: &[Mock]) -> Vec<Claim> {
    mocks
        .iter()
        .map(|mock| Claim::Called(mock.call.clone(), mock.values.len()))
        .collect()
}

/// Returns the values after the statement of the places that may change.
fn changed(
    recorded: &RecordedSite,
    set: &ValueSet,
    watched: &BTreeSet<String>,
    lost: &mut Option<CaptureLoss>,
) -> Vec<Claim> {
    let mut claims: Vec<Claim> = Vec::new();
    for (name, value) in recorded
        .values(set, Phase::After)
        .into_iter()
        .filter(|(name, _)| watched.contains(*name))
    {
        match why_lost(value) {
            Some(reason) => *lost = Some(reason),
            None => claims.push(Claim::Place(name.to_owned(), value.clone())),
        }
    }
    claims
}

/// Returns the final states of the streams.
fn passed(recorded: &RecordedSite, set: &ValueSet) -> Result<Vec<Claim>, Refusal> {
    let mut streams = streams(recorded, set)?;
    // A formatter whose options are only read is no output.
    streams.retain(|stream| !is_formatter(&stream.given) || is_written_to(recorded, stream.place));
    let left =
        |stream: Stream<'_>| Some(Claim::Place(stream.place.to_owned(), stream.left?.clone()));
    Ok(streams.into_iter().filter_map(left).collect())
}

/// Returns whether anything was ever written to a formatter.
fn is_written_to(recorded: &RecordedSite, place: &str) -> bool {
    let is_text = |stream: &Stream<'_>| {
        stream.place == place
            && stream.left.is_some_and(
                |left| !matches!(left.behind_references(), Value::Str(text) if text.is_empty()),
            )
    };
    recorded
        .sets
        .iter()
        .any(|set| streams(recorded, set).is_ok_and(|streams| streams.iter().any(is_text)))
}

/// Returns the variables of a fragment at its end, if nothing else shows its behaviour.
fn made(recorded: &RecordedSite, set: &ValueSet) -> Vec<Claim> {
    let made = recorded
        .values(set, Phase::Made)
        .into_iter()
        .filter(|(_, value)| why_lost(value).is_none());
    made.map(|(name, value)| Claim::Place(name.to_owned(), value.clone()))
        .collect()
}

/// Returns whether the operands add something: if all were evaluated and equal the whole, they do
/// not.
fn operands_say_more(recorded: &RecordedSite, set: &ValueSet) -> bool {
    let existing = recorded
        .site
        .slots
        .iter()
        .filter(|slot| slot.phase == Phase::Operand)
        .count();
    let operands = recorded.keyed_values(set, Phase::Operand);
    let whole = recorded.values(set, Phase::Result);
    let same = |(_, value): &(&SlotKey, &Value)| whole.iter().all(|(_, result)| result == value);
    existing > 1 && !(operands.len() == existing && operands.iter().all(same))
}

/// Returns the claims of an early exit.
fn leaving(
    recorded: &RecordedSite,
    set: &ValueSet,
    spot: &InsertionPoint,
    iterators: Iterators,
) -> Result<Vec<Claim>, Refusal> {
    let way = set.left.as_ref().ok_or(Refusal::UnknownExit)?;
    match way.way {
        Way::Return | Way::Question => match recorded.left_value(set) {
            Some(value) => match (why_lost(value), shown(value)) {
                (None, _) => Ok(vec![Claim::Returns(value.clone())]),
                _ if iterators.are_asked(value, spot) => Ok(vec![yields("returned()")]),
                (Some(_), Some(text)) => Ok(vec![Claim::Shows("returned()".to_owned(), text)]),
                // An exit with an error is worth a claim even if little is known of the error.
                (Some(_), None) if is_partly_known(value) => {
                    Ok(vec![Claim::Returns(value.clone())])
                }
                (Some(reason), None) => Err(Refusal::Returned(reason)),
            },
            // `return;` has nothing to record.
            None if way.way == Way::Return && gives_nothing(spot) => {
                Ok(vec![Claim::Returns(Value::Unit)])
            }
            None => Err(Refusal::ReturnedUnrecorded),
        },
        Way::Break => Ok(vec![Claim::Breaks(way.label.clone())]),
        Way::Continue => Ok(vec![Claim::Continues(way.label.clone())]),
    }
}

/// Returns whether the function around returns `()`.
fn gives_nothing(spot: &InsertionPoint) -> bool {
    spot.signatures
        .last()
        .is_some_and(|signature| matches!(signature.output, ReturnType::Default))
}
