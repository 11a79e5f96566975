//! Part of a function in which every value is valid: before its first unsafe code or after its
//! last.

use super::{Phase, Slot};
use crate::source::byte_range;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use std::ops::Range;
use syn::{Block, Safety, Signature};

/// Byte offsets of a function's first and last unsafe code.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UnsafeFree {
    /// Byte offset of the first unsafe code.
    until: usize,
    /// Byte offset after all unsafe code. A safe function returns valid values, so the last unsafe
    /// block restores every invariant that an earlier one breaks.
    from: usize,
    /// Byte range of the enclosing loops. In the next iteration, code runs after everything that
    /// follows it in the loop.
    loops: Option<(usize, usize)>,
}

/// Whether values are valid around some code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ValidAround {
    /// Before the code runs.
    pub before: bool,
    /// After the code has run.
    pub after: bool,
}

impl ValidAround {
    /// Encodes this for the recorder: bit 0 is `before`, bit 1 is `after`, the rest is the number
    /// of slots that are filled before the code runs.
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
    /// Finds the unsafe code of a function. `Drop::drop` may see partially valid values anywhere.
    /// An `unsafe fn` without an unsafe block counts as unsafe from its first to its last token.
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

    /// Returns the same offsets for code inside a loop at this range.
    pub(super) fn repeated(self, cycle: &Range<usize>) -> UnsafeFree {
        let (start, end) = self.loops.unwrap_or((cycle.start, cycle.end));
        UnsafeFree {
            loops: Some((start.min(cycle.start), end.max(cycle.end))),
            ..self
        }
    }

    /// Returns whether values are valid before and after the code at this range runs.
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

/// Returns the range from the first statement in an unsafe block to the last one, including macro
/// tokens.
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

/// Returns the range of the code in a block, without braces of nested blocks at its start or end.
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
