//! The context of a statement: the branches in the rest of its block.

use crate::record::plan::Branch;
use crate::source::byte_range;
use std::collections::BTreeSet;
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Arm, Block, Expr};

/// Returns the marks of the outermost branches in a part of a file. Inner branches say more about
/// the code there, which has tests of its own, than about the statement before it.
pub(crate) fn outer_branches(
    file: &syn::File,
    part: Range<usize>,
    branches: &[Branch],
) -> BTreeSet<u32> {
    let mut bodies = Bodies {
        part: part.clone(),
        found: Vec::new(),
    };
    bodies.visit_file(file);
    let is_outer = |branch: &&Branch| {
        let around = bodies
            .found
            .iter()
            .filter(|body| body.start <= branch.at && branch.at <= body.end);
        part.start < branch.at && branch.at < part.end && around.count() <= 1
    };
    branches
        .iter()
        .filter(is_outer)
        .map(|branch| branch.mark)
        .collect()
}

/// The conditionally executed parts: blocks, and arms without one.
struct Bodies {
    part: Range<usize>,
    found: Vec<Range<usize>>,
}

impl Bodies {
    fn add(&mut self, body: Range<usize>) {
        if self.part.start < body.start && body.end <= self.part.end {
            self.found.push(body);
        }
    }
}

impl<'ast> Visit<'ast> for Bodies {
    fn visit_block(&mut self, block: &'ast Block) {
        self.add(byte_range(block));
        visit::visit_block(self, block);
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        if !matches!(&*arm.body, Expr::Block(_)) {
            self.add(byte_range(&arm.body));
        }
        visit::visit_arm(self, arm);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_next_way_counts_and_not_what_happens_on_it() {
        let text = "fn f(s: &str) { let n = s.len(); if n > 1 { while g() { h() } } else { match n { 0 => {} _ => i() } } }";
        let file = syn::parse_str(text).unwrap();
        let at = |what: &str| text.find(what).unwrap();
        let places = [
            at("while g()"),
            at("h()"),
            at("match"),
            at("{} _") + 1,
            at("i()"),
        ];
        let branches: Vec<Branch> = places
            .iter()
            .enumerate()
            .map(|(mark, at)| Branch {
                mark: mark as u32,
                at: *at,
            })
            .collect();
        let part = at("let n")..text.rfind('}').unwrap();
        assert_eq!(
            outer_branches(&file, part, &branches),
            BTreeSet::from([0, 2])
        );
        let inner = at("match")..text.rfind("} }").unwrap();
        assert_eq!(
            outer_branches(&file, inner, &branches),
            BTreeSet::from([3, 4]),
            "the arms of a match are the next ways"
        );
    }
}
