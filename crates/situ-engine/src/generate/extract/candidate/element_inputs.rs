//! Elements as inputs instead of values that cannot be constructed: `cap[1]`, if a statement reads
//! nothing else of `cap`.

use super::clauses::Writing;
use super::fields::is_assigned_first;
use crate::generate::mocks::{find_mentions, is_place_at};
use crate::record::plan::{Phase, Position};
use crate::record::read::RecordedSite;
use crate::source::{byte_range, lex};
use crate::values::Style;
use crate::values::capture_loss::{CaptureLoss, why_lost};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use situ_recorder::recording::ValueSet;
use situ_recorder::value::{SeqKind, Value};
use std::ops::Range;

/// The givens and the lost inputs of one value set.
pub(crate) struct Inputs<'i> {
    /// The places that are given, with their values.
    pub givens: Vec<(String, Value)>,
    /// The inputs that cannot be given, with the reasons.
    pub lost: Vec<(&'i str, CaptureLoss)>,
}

impl<'i> Inputs<'i> {
    /// Collects the inputs of a value set.
    pub(crate) fn of(
        recorded: &'i RecordedSite,
        set: &'i ValueSet,
        writing: &Writing<'_>,
    ) -> Inputs<'i> {
        let mut inputs = Inputs {
            givens: Vec::new(),
            lost: Vec::new(),
        };
        let is_fragment = recorded.site.position == Position::Fragment;
        // Mocks and fields may replace what has no expression.
        let why_unwritable = |name: &str, value: &Value| {
            writing
                .given(name, value, Style::default())
                .is_none()
                .then_some(CaptureLoss::Unwritable)
        };
        for (name, value) in recorded.values(set, Phase::Before) {
            match why_lost(value).or_else(|| why_unwritable(name, value)) {
                Some(loss) => inputs.lost.push((name, loss)),
                None => inputs.givens.push((name.to_owned(), value.clone())),
            }
        }
        if is_fragment {
            inputs.add_unseen(recorded, writing);
        }
        if !inputs.lost.is_empty() {
            inputs.stand_in(recorded, set);
        }
        inputs
    }

    /// Adds inputs that are read and were not captured, for example because they were moved before.
    fn add_unseen(&mut self, recorded: &'i RecordedSite, writing: &Writing<'_>) {
        for slot in recorded
            .site
            .slots
            .iter()
            .filter(|slot| slot.phase == Phase::Before)
        {
            let Some(name) = slot.key.source() else {
                continue;
            };
            let is_known = self.givens.iter().any(|(given, _)| given == name)
                || self.lost.iter().any(|(lost, _)| *lost == name);
            let words: Vec<&str> = name.split('.').collect();
            if !is_known && is_assigned_first(&writing.spot.tokens, &words) == Some(false) {
                self.lost.push((name, CaptureLoss::Unseen));
            }
        }
    }

    /// Replaces lost inputs by their elements, if a statement reads nothing else of them.
    fn stand_in(&mut self, recorded: &RecordedSite, set: &ValueSet) {
        let elements: Vec<(&str, &Value)> = recorded
            .values(set, Phase::Element)
            .into_iter()
            .filter(|(_, value)| why_lost(value).is_none())
            .collect();
        let is_whole =
            !recorded.site.text.ends_with('…') && recorded.site.position != Position::Fragment;
        let tokens: TokenStream = match recorded.site.text.parse() {
            Ok(tokens) if is_whole && !elements.is_empty() => tokens,
            _ => return,
        };
        let mut standing = Vec::new();
        self.lost.retain(|(base, _)| {
            let found = elements_of(base, &elements, &tokens);
            let is_read_otherwise =
                found.is_empty() || mentions(base, &tokens).iter().any(|at| !is_in(at, &found));
            if !is_read_otherwise {
                standing.extend(found);
            }
            is_read_otherwise
        });
        // A variable that is only an index is not read any more.
        self.givens.retain(|(name, _)| {
            let found = mentions(name, &tokens);
            found.is_empty() || found.iter().any(|at| !is_in(at, &standing))
        });
        for (element, value) in elements {
            if standing.iter().any(|found| found.element == element) {
                self.givens
                    .push((element.to_owned(), behind_a_reference(value)));
            }
        }
    }
}

/// A mention of an element.
struct Found<'f> {
    element: &'f str,
    bytes: Range<usize>,
}

fn is_in(at: &Range<usize>, found: &[Found<'_>]) -> bool {
    found
        .iter()
        .any(|found| found.bytes.start <= at.start && at.end <= found.bytes.end)
}

fn mentions(place: &str, tokens: &TokenStream) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    find_mentions(
        tokens.clone(),
        &place.split('.').collect::<Vec<_>>(),
        &mut found,
    );
    found
}

/// Returns where the elements of a place are mentioned.
fn elements_of<'e>(
    base: &str,
    elements: &[(&'e str, &Value)],
    tokens: &TokenStream,
) -> Vec<Found<'e>> {
    let mut found = Vec::new();
    for (element, _) in elements {
        let index = element
            .strip_prefix(base)
            .and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']'));
        if let Some(index) = index.and_then(|index| lex(index).ok()) {
            let words: Vec<&str> = base.split('.').collect();
            find_elements(tokens.clone(), &words, &index.to_string(), &mut |bytes| {
                found.push(Found { element, bytes });
            });
        }
    }
    found
}

fn find_elements(
    tokens: TokenStream,
    words: &[&str],
    index: &str,
    found: &mut dyn FnMut(Range<usize>),
) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        if let TokenTree::Group(group) = tree {
            find_elements(group.stream(), words, index, found);
        }
        let is_base = is_place_at(&trees, at, words);
        if let (true, Some(TokenTree::Group(group))) =
            (is_base, trees.get(at + 2 * words.len() - 1))
            && group.delimiter() == Delimiter::Bracket
            && group.stream().to_string() == index
        {
            found(byte_range(tree).start..byte_range(group).end);
        }
    }
}

/// Wraps an unsized value in a reference.
fn behind_a_reference(value: &Value) -> Value {
    match value {
        Value::Str(_)
        | Value::Seq {
            kind: SeqKind::Slice,
            ..
        } => Value::Ref {
            mutable: false,
            inner: Box::new(value.clone()),
        },
        sized => sized.clone(),
    }
}
