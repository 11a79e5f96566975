//! The clause `observed("7k2m")` that marks generated tests. All generators get it from here.

use super::Proposal;
use super::layout::call_of;
use crate::source::{Splice, apply, lex, parse, range_of};
use proc_macro2::{TokenStream, TokenTree};
use situ_syntax::{Kind, OBSERVED, is_observed, kind_of_macro, observed_digest, observed_literal};
use std::collections::BTreeSet;
use syn::Macro;
use syn::visit::{self, Visit};

/// Returns a generated test with the clause `observed(…)`. Returns it unchanged if it is no test or
/// has the clause.
pub fn marked(test: &str) -> String {
    let Ok(call) = call_of(test) else {
        return test.to_owned();
    };
    let close = lex(test).ok().and_then(last_close);
    let Some(close) = close.filter(|_| observed_literal(&call.tokens).is_none()) else {
        return test.to_owned();
    };
    let clauses = test[..close].trim_end();
    let comma = if clauses.ends_with(',') { " " } else { ", " };
    let digest = observed_digest(&call.tokens);
    format!("{clauses}{comma}{OBSERVED}(\"{digest}\"){}", &test[close..])
}

/// Returns the proposals with `observed(…)` added to each test.
pub(super) fn marked_proposals(proposals: &[Proposal]) -> Vec<Proposal> {
    let marked = |proposal: &Proposal| Proposal {
        text: marked(&proposal.text),
        ..proposal.clone()
    };
    proposals.iter().map(marked).collect()
}

/// Returns the byte offset of the last closing bracket.
fn last_close(tokens: TokenStream) -> Option<usize> {
    let groups = tokens.into_iter().filter_map(|token| match token {
        TokenTree::Group(group) => Some(range_of(group.span_close()).start),
        _ => None,
    });
    groups.last()
}

/// Corrects the digests in `observed(…)` of new tests in a composed file, because some settings of
/// rustfmt change tokens. Does not touch tests that were edited before.
pub(super) fn marks_settled(before: &str, after: String) -> String {
    let edited: BTreeSet<String> = wrong_marks(before)
        .into_iter()
        .map(|wrong| wrong.said)
        .collect();
    let wrong = wrong_marks(&after)
        .into_iter()
        .filter(|wrong| !edited.contains(&wrong.said));
    let splices: Vec<Splice> = wrong.map(|wrong| wrong.mended).collect();
    if splices.is_empty() {
        after
    } else {
        apply(&after, &splices)
    }
}

/// Corrects the digests of tests that were observed before an edit that changed only values in
/// tests. Tests that were specified before stay so.
pub fn marks_kept(before: &str, after: String) -> String {
    let was_observed = test_calls(before, |call| is_observed(&call.tokens));
    let wrong = test_calls(&after, wrong_mark);
    let splices: Vec<Splice> = was_observed
        .into_iter()
        .zip(wrong)
        .filter(|(was_observed, _)| *was_observed)
        .filter_map(|(_, wrong)| wrong.map(|wrong| wrong.mended))
        .collect();
    apply(&after, &splices)
}

/// Clause `observed(…)` whose digest does not fit its test.
struct WrongMark {
    said: String,
    mended: Splice,
}

fn wrong_marks(text: &str) -> Vec<WrongMark> {
    test_calls(text, wrong_mark).into_iter().flatten().collect()
}

/// Returns what `of` says of each test of a text that may have marks, in their order.
fn test_calls<T>(text: &str, of: impl Fn(&Macro) -> T) -> Vec<T> {
    struct Calls<T, F>(Vec<T>, F);
    impl<'ast, T, F: Fn(&Macro) -> T> Visit<'ast> for Calls<T, F> {
        fn visit_macro(&mut self, call: &'ast Macro) {
            if kind_of_macro(call).is_some_and(|kind| kind != Kind::End) {
                let said = (self.1)(call);
                self.0.push(said);
            }
            visit::visit_macro(self, call);
        }
    }
    let mut calls = Calls(Vec::new(), of);
    if text.contains(OBSERVED) {
        parse(text).iter().for_each(|file| calls.visit_file(file));
    }
    calls.0
}

fn wrong_mark(call: &Macro) -> Option<WrongMark> {
    let literal = observed_literal(&call.tokens)?;
    let (said, right) = (
        literal.to_string(),
        format!("\"{}\"", observed_digest(&call.tokens)),
    );
    (said != right).then(|| WrongMark {
        said,
        mended: Splice {
            range: range_of(literal.span()),
            text: right,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generated_test_is_marked_once_and_an_edited_one_is_not_marked_again() {
        let test = marked("itest!(given(x = 1), check_eq(y, 2));");
        assert_eq!(
            test,
            "itest!(given(x = 1), check_eq(y, 2), observed(\"eype\"));"
        );
        assert_eq!(marked(&test), test);
        for other in [
            "blocktest! { check_runs(), }",
            "itest!(\n    given(x = \")\"),\n    check(x),\n);",
        ] {
            assert!(
                is_observed(
                    &call_of(&format!("{};", marked(other).trim_end_matches(';')))
                        .unwrap()
                        .tokens
                ),
                "{other}"
            );
        }
        let edited = test.replace("check_eq(y, 2)", "check_eq(y, 3)");
        assert_eq!(marked(&edited), edited);
    }

    #[test]
    fn marks_follow_what_rustfmt_does_and_not_what_people_do() {
        let edited = "fn f() {\n    itest!(check_eq(y, 9), observed(\"eype\"));\n}\n";
        let made = "fn f() {\n    itest!(check_eq(y, 9), observed(\"eype\"));\n    itest!(check_eq(y, 0xFF), observed(\"0000\"));\n}\n";
        let settled = marks_settled(edited, made.to_owned());
        assert!(
            settled.starts_with(&edited[..edited.len() - 2]),
            "{settled}"
        );
        assert!(!settled.contains("0000"), "{settled}");
        assert_eq!(settled.len(), made.len());
    }

    #[test]
    fn an_observed_test_stays_so_with_another_value_and_a_specified_one_too() {
        let test = marked("itest!(given(x = 1), check_eq(y, 2));");
        let edited = test.replace("check_eq(y, 2)", "check_eq(y, 3)");
        let before = format!("fn f() {{\n    {test}\n    {edited}\n}}\n");
        let after = marks_kept(
            &before,
            before.replace("y, 2", "y, 5").replace("y, 3", "y, 6"),
        );
        let calls = test_calls(&after, |call| is_observed(&call.tokens));
        assert_eq!(calls, [true, false], "{after}");
        assert_eq!(after.len(), before.len());
    }
}
