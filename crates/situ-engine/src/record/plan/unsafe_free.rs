//! The part of a function in which every value is valid: no unsafe code of it has run yet, or all of it has.

use super::{Phase, Slot};
use crate::source::byte_range;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use std::ops::Range;
use syn::{Block, Safety, Signature};

/// The bytes of a function before its first and behind its last unsafe code.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UnsafeFree {
    /// The byte at which unsafe code begins.
    until: usize,
    /// The byte behind all unsafe code. A safe function returns valid values, so an invariant that an unsafe block breaks
    /// is restored by its last one.
    from: usize,
    /// The bytes of the loops around: in their next pass, code runs after all that stands behind it.
    loops: Option<(usize, usize)>,
}

/// Whether values are valid around some code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ValidAround {
    /// Before it runs.
    pub before: bool,
    /// After it has run.
    pub after: bool,
}

impl ValidAround {
    /// Encodes this for the run time: bit 0 is `before`, bit 1 is `after`, the rest is the number of slots that are filled
    /// before the code runs.
    pub(super) fn code(self, slots: &[Slot]) -> u32 {
        let is_before = |slot: &&Slot| {
            matches!(
                slot.phase,
                Phase::Before | Phase::Element | Phase::Argument | Phase::Generic | Phase::Passed
            )
        };
        let before = slots.iter().take_while(is_before).count() as u32;
        u32::from(self.before) | u32::from(self.after) << 1 | before << 2
    }
}

impl UnsafeFree {
    /// Finds the unsafe code of a function. `Drop::drop` may see partially valid values anywhere. An `unsafe fn` without
    /// an unsafe block counts as one from its first to its last token.
    pub(super) fn of(signature: &Signature, block: &Block, is_drop: bool) -> UnsafeFree {
        let tokens = block.to_token_stream();
        let whole =
            || what_runs(tokens.clone()).filter(|_| matches!(signature.safety, Safety::Unsafe(_)));
        let (until, from) = match unsafe_bytes(tokens.clone()).or_else(whole) {
            _ if is_drop => (0, usize::MAX),
            Some(bytes) => (bytes.start, bytes.end),
            None => (usize::MAX, 0),
        };
        UnsafeFree {
            until,
            from,
            loops: None,
        }
    }

    /// Returns what holds inside a loop at these bytes.
    pub(super) fn repeated(self, cycle: &Range<usize>) -> UnsafeFree {
        let (start, end) = self.loops.unwrap_or((cycle.start, cycle.end));
        UnsafeFree {
            loops: Some((start.min(cycle.start), end.max(cycle.end))),
            ..self
        }
    }

    /// Returns whether values are valid before and after the code at these bytes runs.
    pub(super) fn around(self, range: &Range<usize>) -> ValidAround {
        let whole_at = |at: usize| {
            let (start, end) = self
                .loops
                .map_or((at, at), |(start, end)| (at.min(start), at.max(end)));
            end <= self.until || start >= self.from
        };
        ValidAround {
            before: whole_at(range.start),
            after: whole_at(range.end),
        }
    }
}

/// Returns the bytes from the first statement in an unsafe block to the last one, also in the tokens of macros.
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
            all = Some(all.map_or(found.clone(), |all| {
                all.start.min(found.start)..all.end.max(found.end)
            }));
        }
    }
    all
}

/// Returns the bytes of the code in a block, without the braces of blocks that it begins or ends with.
fn what_runs(tokens: TokenStream) -> Option<Range<usize>> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let own = |tree: &TokenTree| match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            what_runs(group.stream())
        }
        _ => None,
    };
    let (first, last) = (trees.first()?, trees.last()?);
    let start = own(first).map_or(byte_range(first).start, |inside| inside.start);
    let end = own(last).map_or(byte_range(last).end, |inside| inside.end);
    Some(start..end)
}
