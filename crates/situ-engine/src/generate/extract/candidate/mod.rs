//! Candidates: value sets of a statement that a test could be made of.

pub(crate) mod claims;
pub(crate) mod clauses;
pub(crate) mod element_inputs;
pub(crate) mod elements;
pub(crate) mod embedded_streams;
pub(crate) mod fields;
pub(crate) mod inline_mocks;
pub(crate) mod parts;
pub(crate) mod reach;
pub(crate) mod sample;
pub(crate) mod statement;
pub(crate) mod streams;
pub(crate) mod untaken_exits;
pub(crate) mod verbatim_givens;

pub(crate) use claims::Claim;

use super::find::locate::InsertionPoint;
use crate::base::idx::Idx;
use crate::generate::mocks::field_mentions::whole_mentions;
use crate::generate::mocks::{
    MAX_MOCKS, Mock, PlacedMock, add_idle, is_in_mocks, is_only_in_mocks, mocks,
};
use crate::generate::refusal::Refusal;
use crate::record::plan::{Phase, Position};
use crate::record::read::{RecordedCall, RecordedSite, Recording};
use claims::{Iterators, called, claims};
use clauses::Writing;
use element_inputs::Inputs;
use elements::arguments;
use embedded_streams::give_holders;
use fields::{Fields, claim_changed_fields, is_assigned};
use proc_macro2::TokenStream;
use situ_recorder::probe::ITEMS_CUT;
use situ_recorder::recording::{Exit, ValueSet};
use situ_recorder::value::Value;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::{self, Write as _};
use std::hash::Hasher as _;
use streams::streams;
use untaken_exits::is_open;
use verbatim_givens::closure;

/// The number of panic messages from which on they count as one behaviour.
const MAX_PANIC_TEXTS: usize = 3;

/// Place of a candidate in the list of its statement.
pub(crate) type CandidateIdx = Idx<Candidate>;

/// Place of a claim in the list of its candidate.
pub(crate) type ClaimIdx = Idx<Claim>;

/// The content of a test of one value set.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidate {
    /// The places that are given, with their values.
    pub givens: Vec<(String, Value)>,
    /// The arguments of a closure.
    pub arguments: Vec<Value>,
    /// The mocked calls.
    pub mocks: Vec<Mock>,
    /// What is claimed.
    pub claims: Vec<Claim>,
    /// The generic arguments around: types by their names, constants by their values.
    pub generics: Vec<(String, Value)>,
    /// Branches taken in the statement.
    pub target: BTreeSet<u32>,
    /// Branches taken in the statement and the rest of its block.
    pub context: BTreeSet<u32>,
    /// Whether no recorded run had these inputs.
    pub is_near: bool,
    /// Whether it claims less than another of the same value set: calls do not change anything if
    /// they are mocked.
    pub is_weaker: bool,
    /// Whether its mocks match any arguments and may return another value in another row, because
    /// with other inputs they are called with other arguments.
    pub is_open_to_calls: bool,
}

impl Candidate {
    /// Returns the length for a reader, in chars.
    pub(crate) fn size(&self) -> usize {
        let mut length = Length(0);
        // Writing here never fails.
        let _ = write!(
            length,
            "{:?}{:?}{:?}{:?}",
            self.givens, self.arguments, self.mocks, self.claims
        );
        length.0
    }

    /// Returns a hash of everything that the test text depends on.
    fn hash_of_text(&self) -> u64 {
        let mut hash = Hash(DefaultHasher::new());
        let Candidate {
            givens,
            arguments,
            mocks,
            claims,
            generics,
            ..
        } = self;
        let _ = write!(
            hash,
            "{givens:?}{arguments:?}{mocks:?}{claims:?}{generics:?}"
        );
        hash.0.finish()
    }
}

/// A writer that only counts chars.
struct Length(usize);

impl fmt::Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

/// A writer that only hashes.
struct Hash(DefaultHasher);

impl fmt::Write for Hash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}

/// The candidates of a statement, each once, and why value sets have none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    /// The candidates.
    pub all: Vec<Candidate>,
    /// The number of refused value sets by reason.
    pub refused: BTreeMap<Refusal, usize>,
    /// The candidates by the hash of their text; comparing each with all others is slow if they are
    /// long.
    places: HashMap<u64, Vec<usize>>,
}

/// Returns the candidates of a statement.
pub(crate) fn candidates(
    recording: &Recording,
    recorded: &RecordedSite,
    writing: &Writing<'_>,
) -> Candidates {
    let mut candidates = Candidates::default();
    let mut panics: BTreeSet<String> = BTreeSet::new();
    let mut watched = changed_places(recorded);
    if recorded.site.position == Position::Fragment {
        let places = recorded
            .site
            .slots
            .iter()
            .filter(|slot| slot.phase == Phase::After)
            .filter_map(|slot| slot.key.source());
        watched.extend(
            places
                .filter(|place| is_assigned(place, &writing.spot.tokens))
                .map(str::to_owned),
        );
    }
    let mut answers: BTreeMap<String, Value> = recorded
        .sets
        .iter()
        .flat_map(|set| crate::generate::mocks::answers(&recording.calls(set)))
        .collect();
    let sets = in_order(&recorded.sets);
    let with_source = inline_mocks::source_of(recorded).map(|tokens| InsertionPoint {
        tokens,
        ..writing.spot.clone()
    });
    if with_source.is_some() {
        answers = inline_mocks::known(recorded, sets.iter().copied());
    }
    let writing = &Writing {
        spot: with_source.as_ref().unwrap_or(writing.spot),
        ..*writing
    };
    for set in sets {
        let seen = Seen {
            recorded,
            set,
            writing,
            watched: &watched,
            calls: &recording.calls(set),
            answers: &answers,
        };
        match made(&seen) {
            Ok(Made {
                whole: candidate,
                weaker,
            }) => {
                candidates.extend_by_first_items(&candidate, writing.spot);
                let text = candidate.claims.iter().find_map(|claim| match claim {
                    Claim::Panics(text) => Some(text.clone()),
                    _ => None,
                });
                let known = text.is_none_or(|text| {
                    panics.contains(&text) || panics.len() < MAX_PANIC_TEXTS && panics.insert(text)
                });
                if !known {
                    *candidates
                        .refused
                        .entry(Refusal::AnotherPanicMessage)
                        .or_default() += 1;
                } else {
                    candidates.add(candidate);
                    weaker.into_iter().for_each(|weaker| candidates.add(weaker));
                }
            }
            Err(reason) => *candidates.refused.entry(reason).or_default() += 1,
        }
    }
    candidates
}

/// Returns the sets in an order that does not depend on the order of the tests, so that of equally
/// good ones every run chooses the same.
fn in_order(sets: &[ValueSet]) -> Vec<&ValueSet> {
    let mut ordered: Vec<&ValueSet> = sets.iter().collect();
    ordered.sort_by_cached_key(|set| {
        format!("{:?}{:?}{:?}{:?}", set.exit, set.left, set.slots, set.calls)
    });
    ordered
}

impl Candidates {
    /// Adds candidates about the first elements of a loop, because the recording does not show
    /// whether the loop was left early.
    fn extend_by_first_items(&mut self, candidate: &Candidate, spot: &InsertionPoint) {
        let first = |claim: &Claim| match claim {
            Claim::Items(items) => Claim::FirstItems(items.clone()),
            other => other.clone(),
        };
        if spot.leaves_loop {
            self.add(Candidate {
                claims: candidate.claims.iter().map(first).collect(),
                ..candidate.clone()
            });
        }
    }

    /// Adds a candidate. Sets with the same test text are one candidate, with the branches of all
    /// of them.
    fn add(&mut self, candidate: Candidate) {
        let places = self.places.entry(candidate.hash_of_text()).or_default();
        let same = |known: &Candidate| {
            known.givens == candidate.givens
                && known.arguments == candidate.arguments
                && known.mocks == candidate.mocks
                && known.claims == candidate.claims
                && known.generics == candidate.generics
                && known.is_weaker == candidate.is_weaker
        };
        match places.iter().copied().find(|at| same(&self.all[*at])) {
            Some(at) => {
                let known = &mut self.all[at];
                known.target.extend(candidate.target);
                known.context.extend(candidate.context);
            }
            None => {
                places.push(self.all.len());
                self.all.push(candidate);
            }
        }
    }
}

/// Returns the places that any set of the statement changes: each candidate claims their values.
fn changed_places(recorded: &RecordedSite) -> BTreeSet<String> {
    let sets = recorded.sets.iter().flat_map(|set| recorded.changes(set));
    sets.map(|(name, _)| name.to_owned()).collect()
}

/// A value set with its context.
struct Seen<'s> {
    recorded: &'s RecordedSite,
    set: &'s ValueSet,
    writing: &'s Writing<'s>,
    /// The places with claims.
    watched: &'s BTreeSet<String>,
    /// The calls made during the execution.
    calls: &'s [RecordedCall<'s>],
    /// The results of calls in other executions, by pattern.
    answers: &'s BTreeMap<String, Value>,
}

/// The candidate of a value set, and weaker ones.
struct Made {
    whole: Candidate,
    weaker: Vec<Candidate>,
}

/// Returns the candidates of a value set. An iterator is claimed by its elements, or by its `Debug`
/// output.
fn made(seen: &Seen<'_>) -> Result<Made, Refusal> {
    let through = candidate(seen, Iterators::GoneThrough)?;
    if !is_open(&through.whole) {
        return Ok(through);
    }
    let shown = candidate(seen, Iterators::Shown).map(|shown| Candidate {
        is_weaker: true,
        ..shown.whole
    });
    Ok(Made {
        weaker: through.weaker.into_iter().chain(shown).collect(),
        ..through
    })
}

/// Returns the candidates of a value set with this kind of claim about iterators.
fn candidate(seen: &Seen<'_>, iterators: Iterators) -> Result<Made, Refusal> {
    let Seen {
        recorded,
        set,
        writing,
        watched,
        calls,
        answers,
    } = *seen;
    if set.slots.iter().any(|(slot, _)| *slot == ITEMS_CUT) {
        return Err(Refusal::LongLoop);
    }
    let tokens = &writing.spot.tokens;
    let mut inputs = Inputs::of(recorded, set, writing);
    let stood_for = give_holders(&mut inputs, recorded, set, writing);
    let Inputs {
        mut givens,
        mut lost,
    } = inputs;
    lost.retain(|(name, _)| {
        let is_given = |held: &String| givens.iter().any(|(given, _)| given == held);
        // The variables that it captures must be given.
        let known = writing
            .spot
            .closures
            .get(*name)
            .filter(|closure| closure.held.iter().all(is_given));
        givens.extend(known.map(|known| ((*name).to_owned(), closure(&known.source))));
        known.is_none()
    });
    let streams = streams(recorded, set)?.into_iter();
    givens.extend(streams.map(|stream| (stream.place.to_owned(), stream.given)));
    let is_statement = !matches!(
        recorded.site.position,
        Position::Fragment | Position::Closure
    );
    let mut placed = mocks(calls, &lost, tokens)?;
    match is_statement && !lost.is_empty() {
        true => placed.extend(inline_mocks::mocks(recorded, set, &lost, answers, writing)?),
        false => add_idle(&mut placed, &whole_mentions(&lost, tokens), answers, tokens),
    }
    if placed.len() > MAX_MOCKS {
        return Err(Refusal::TooManyMocks);
    }
    givens.retain(|(name, _)| !is_only_in_mocks(name, &placed, tokens));
    let fields = Fields::of(recorded, set, &lost, &placed, writing)?;
    givens.extend(fields.givens());
    let mocks: Vec<Mock> = placed.iter().map(|placed| placed.mock.clone()).collect();
    if recorded.site.slots.iter().any(|slot| slot.secret) {
        return Err(Refusal::Secret);
    }
    let own_calls = placed
        .iter()
        .filter(|placed| placed.is_own && placed.happens && !is_statement);
    let own_calls: Vec<Mock> = own_calls.map(|placed| placed.mock.clone()).collect();
    let mut claims = match claims(recorded, set, writing.spot, watched, iterators) {
        // What is passed to mocked calls is visible to these calls only.
        Err(_)
            if set.exit == Exit::Through
                && !mocks.is_empty()
                && (lost.is_empty() || !is_statement) =>
        {
            match own_calls.is_empty() {
                true => called(&mocks),
                false => Vec::new(),
            }
        }
        claims => claims?,
    };
    fields.replace(&mut claims);
    if recorded.site.position == Position::Fragment {
        claim_changed_fields(&mut claims, recorded, set, writing);
    }
    if is_statement && !lost.is_empty() {
        claim_what_is_left(&mut claims, &placed, tokens)?;
    }
    claims.extend(called(&own_calls));
    // A place whose value has no expression is not claimed if there is another claim.
    let is_said = |claim: &Claim| {
        !matches!(claim, Claim::Place(_, value) if value.is_exact()) || writing.can_expect(claim)
    };
    if !is_statement && claims.iter().any(is_said) {
        claims.retain(is_said);
    }
    let generics = recorded
        .values(set, Phase::Generic)
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.clone()));
    let is_stood_for = |name: &String| stood_for.iter().any(|(own, _)| own == name);
    let generics = generics
        .filter(|(name, _)| !is_stood_for(name))
        .chain(stood_for.clone())
        .collect();
    let (target, context) = (
        set.target.iter().copied().collect(),
        set.context.iter().copied().collect(),
    );
    let arguments = arguments(recorded, set, writing.spot)?;
    let is_touched = |claim: &&Claim| !matches!(claim, Claim::Place(name, _) if is_in_mocks(name, &placed, tokens));
    let untouched: Vec<Claim> = claims.iter().filter(is_touched).cloned().collect();
    let is_weaker =
        !own_calls.is_empty() && !untouched.is_empty() && untouched.len() < claims.len();
    let whole = Candidate {
        givens,
        arguments,
        mocks,
        claims,
        generics,
        target,
        context,
        ..Candidate::default()
    };
    let weaker = is_weaker.then(|| Candidate {
        claims: untouched,
        is_weaker: true,
        ..whole.clone()
    });
    let open = if is_statement {
        None
    } else {
        open_to_calls(&whole, &placed)
    };
    Ok(Made {
        whole,
        weaker: weaker.into_iter().chain(open).collect(),
    })
}

/// Returns the candidate with mocks that match any arguments, if that makes a difference.
fn open_to_calls(candidate: &Candidate, placed: &[PlacedMock]) -> Option<Candidate> {
    let mut open = Candidate {
        is_weaker: true,
        is_open_to_calls: true,
        ..candidate.clone()
    };
    for (
        at,
        PlacedMock {
            mock, open: call, ..
        },
    ) in placed.iter().enumerate()
    {
        // Two mocks that would become the same stay as they are.
        let is_alone = placed.iter().filter(|other| other.open == *call).count() == 1;
        let call = if is_alone { call } else { &mock.call };
        let claims = open.claims.iter_mut().filter_map(|claim| match claim {
            Claim::Called(known, _) if *known == mock.call => Some(known),
            _ => None,
        });
        claims.for_each(|known| known.clone_from(call));
        let may_vary = mock.can_vary();
        let values = if may_vary {
            vec![mock.values[0].clone()]
        } else {
            mock.values.clone()
        };
        open.mocks[at] = Mock {
            call: call.clone(),
            values,
            may_vary,
        };
    }
    (open.mocks != candidate.mocks).then_some(open)
}

/// Removes claims about places that only mocked calls can change, and about operands that are
/// mocked calls.
fn claim_what_is_left(
    claims: &mut Vec<Claim>,
    mocks: &[PlacedMock],
    tokens: &TokenStream,
) -> Result<(), Refusal> {
    let operands = inline_mocks::mocked_operands(mocks, tokens);
    claims.retain(|claim| match claim {
        Claim::Place(name, _) => !is_only_in_mocks(name, mocks, tokens),
        Claim::Operand(number, _) => !operands.contains(number),
        _ => true,
    });
    match claims
        .iter()
        .any(|claim| !matches!(claim, Claim::Panics(_)))
    {
        true => Ok(()),
        false => Err(Refusal::OnlyCallsOnInput),
    }
}
