//! Where the code of a function cannot have left a value half made: nothing unsafe has run in it yet.

use crate::source::byte_range;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::ops::Range;
use syn::{Block, Safety, Signature};

/// What is known of the function that is walked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Calm {
    /// The first byte from which on something unsafe has run.
    until: usize,
    /// The end of the loops around: what stands in them comes before everything in their next pass.
    loops_end: usize,
}

impl Calm {
    /// Of a function; one that runs while a value ends, or that its caller answers for, is never calm.
    pub fn of(signature: &Signature, block: &Block, is_drop: bool) -> Calm {
        let until = match is_drop || matches!(signature.safety, Safety::Unsafe(_)) {
            true => 0,
            false => first_unsafe(block.to_token_stream()).unwrap_or(usize::MAX),
        };
        Calm { until, loops_end: 0 }
    }

    /// Inside a loop.
    pub fn repeated(self, cycle: &Range<usize>) -> Calm {
        Calm { loops_end: self.loops_end.max(cycle.end), ..self }
    }

    /// Whether values are whole before, while and after what stands at these bytes runs, as far as the function tells.
    pub fn covers(self, range: &Range<usize>) -> bool {
        range.end.max(self.loops_end) <= self.until
    }
}

/// The first byte of something unsafe, also inside macros.
fn first_unsafe(tokens: TokenStream) -> Option<usize> {
    tokens.into_iter().find_map(|tree| match tree {
        TokenTree::Group(group) => first_unsafe(group.stream()),
        TokenTree::Ident(word) if word == "unsafe" => Some(byte_range(&word).start),
        _ => None,
    })
}
