//! Where the code of a function cannot have left a value half made: nothing unsafe has run in it yet, or nothing unsafe is left
//! to run.

use super::{Phase, Slot};
use crate::source::byte_range;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use std::ops::Range;
use syn::{Block, Safety, Signature};

/// What is known of the function that is walked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Calm {
    /// The last byte before something unsafe runs.
    until: usize,
    /// The first byte behind everything unsafe. Safe functions hand on whole values, so that what an unsafe block began
    /// another one ends, or safe code does that cannot but make it whole.
    from: usize,
    /// The loops around: what stands in them comes before everything in their next pass.
    loops: Option<(usize, usize)>,
}

/// When values are whole, of the code at some bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calmness {
    /// When it begins.
    pub before: bool,
    /// When it has ended.
    pub after: bool,
}

impl Calmness {
    /// As the run time reads it: a bit each for before and after, and the number of slots that are filled before.
    pub fn code(self, slots: &[Slot]) -> u32 {
        let is_before = |slot: &&Slot| {
            matches!(slot.phase, Phase::Before | Phase::Element | Phase::Argument | Phase::Generic | Phase::Passed)
        };
        let before = slots.iter().take_while(is_before).count() as u32;
        u32::from(self.before) | u32::from(self.after) << 1 | before << 2
    }
}

impl Calm {
    /// Of a function; one that runs while a value ends is never calm. All of an unsafe function may be unsafe, where it does not
    /// say what is; it finds whole values as others do.
    pub fn of(signature: &Signature, block: &Block, is_drop: bool) -> Calm {
        let tokens = block.to_token_stream();
        let whole = || what_runs(tokens.clone()).filter(|_| matches!(signature.safety, Safety::Unsafe(_)));
        let (until, from) = match unsafe_bytes(tokens.clone()).or_else(whole) {
            _ if is_drop => (0, usize::MAX),
            Some(bytes) => (bytes.start, bytes.end),
            None => (usize::MAX, 0),
        };
        Calm { until, from, loops: None }
    }

    /// Inside a loop.
    pub fn repeated(self, cycle: &Range<usize>) -> Calm {
        let (start, end) = self.loops.unwrap_or((cycle.start, cycle.end));
        Calm { loops: Some((start.min(cycle.start), end.max(cycle.end))), ..self }
    }

    /// Whether values are whole before and after what stands at these bytes runs, as far as the function tells.
    pub fn around(self, range: &Range<usize>) -> Calmness {
        let whole_at = |at: usize| {
            let (start, end) = self.loops.map_or((at, at), |(start, end)| (at.min(start), at.max(end)));
            end <= self.until || start >= self.from
        };
        Calmness { before: whole_at(range.start), after: whole_at(range.end) }
    }
}

/// From where the first unsafe block of some code begins to run to the end of the last one, also inside macros.
fn unsafe_bytes(tokens: TokenStream) -> Option<Range<usize>> {
    let mut all: Option<Range<usize>> = None;
    let mut trees = tokens.into_iter();
    while let Some(tree) = trees.next() {
        let found = match tree {
            TokenTree::Group(group) => unsafe_bytes(group.stream()),
            TokenTree::Ident(word) if word == "unsafe" => match trees.next() {
                Some(TokenTree::Group(block)) if block.delimiter() == Delimiter::Brace => {
                    let whole = byte_range(&block);
                    Some(what_runs(block.stream()).unwrap_or(whole))
                }
                _ => Some(byte_range(&word)),
            },
            _ => None,
        };
        if let Some(found) = found {
            all = Some(all.map_or(found.clone(), |all| all.start.min(found.start)..all.end.max(found.end)));
        }
    }
    all
}

/// The bytes of what runs in a block, without the braces of blocks that it begins or ends with.
fn what_runs(tokens: TokenStream) -> Option<Range<usize>> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let own = |tree: &TokenTree| match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => what_runs(group.stream()),
        _ => None,
    };
    let (first, last) = (trees.first()?, trees.last()?);
    let start = own(first).map_or(byte_range(first).start, |inside| inside.start);
    let end = own(last).map_or(byte_range(last).end, |inside| inside.end);
    Some(start..end)
}
