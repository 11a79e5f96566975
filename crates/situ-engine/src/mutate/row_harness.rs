//! Adds a judge to tests with rows: a test that runs all their rows with all mutants of the plan.

use crate::source::row_name::number_and_rows;
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};
use std::ops::Range;

/// Name of the generated test function that judges rows.
pub(crate) const JUDGE_NAME: &str = "situ_judge_of_rows";

/// Adds a judge to each test module with rows in the expansion of an item.
pub(crate) fn with_judges(tokens: TokenStream) -> TokenStream {
    let mut previous: Option<Ident> = None;
    let with = tokens.into_iter().map(|tree| match tree {
        TokenTree::Group(group) => {
            let is_tests = previous
                .take()
                .is_some_and(|name| name.to_string().starts_with("situ_"));
            let inner = if is_tests {
                judged(group.stream())
            } else {
                with_judges(group.stream())
            };
            let mut changed = Group::new(group.delimiter(), inner);
            changed.set_span(group.span());
            TokenTree::Group(changed)
        }
        TokenTree::Ident(name) => {
            previous = Some(name.clone());
            TokenTree::Ident(name)
        }
        other => {
            previous = None;
            other
        }
    });
    with.collect()
}

fn judged(tests: TokenStream) -> TokenStream {
    let mut found = tests_with_rows(tests.clone());
    if found.is_empty() {
        return tests;
    }
    found.sort_by_key(|test| test.number);
    let judge = format_ident!("{JUDGE_NAME}");
    let statements = found.into_iter().map(|TestWithRows { rows, name, conditions, .. }| {
        let name = Ident::new(&name.to_string(), proc_macro2::Span::call_site());
        quote! {
            #conditions
            ::__situ::mutant::rows::Statement { rows: #rows, run: |row| { ::situ::rt::rows::choose(row); #name(); } }
        }
    });
    quote! {
        #tests
        #[test]
        #[ignore = "judges rows"]
        fn #judge() { ::__situ::mutant::rows::judge(&[#(#statements),*]); }
    }
}

/// Generated test with rows.
struct TestWithRows {
    number: usize,
    rows: usize,
    name: Ident,
    /// `#[cfg(…)]` attributes, without which the test does not exist.
    conditions: TokenStream,
}

fn tests_with_rows(tests: TokenStream) -> Vec<TestWithRows> {
    let mut found = Vec::new();
    let mut conditions = TokenStream::new();
    let mut trees = tests.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match (&tree, trees.peek()) {
            (TokenTree::Punct(hash), Some(TokenTree::Group(attribute)))
                if hash.as_char() == '#' && is_condition(attribute) =>
            {
                conditions.extend([tree.clone(), TokenTree::Group(attribute.clone())]);
            }
            (TokenTree::Ident(word), Some(TokenTree::Ident(name))) if word == "fn" => {
                if let Some((number, rows)) = number_and_rows(&name.to_string()) {
                    found.push(TestWithRows {
                        number,
                        rows,
                        name: name.clone(),
                        conditions: conditions.clone(),
                    });
                }
            }
            // An item ends here.
            (TokenTree::Group(body), _) if body.delimiter() == Delimiter::Brace => {
                conditions = TokenStream::new()
            }
            (TokenTree::Punct(end), _) if end.as_char() == ';' => conditions = TokenStream::new(),
            _ => {}
        }
    }
    found
}

fn is_condition(attribute: &Group) -> bool {
    matches!(attribute.stream().into_iter().next(), Some(TokenTree::Ident(name)) if name == "cfg")
}

/// Returns the ranges of the judges in a printed expansion, including attributes.
pub(crate) fn judge_ranges(text: &str) -> Vec<Range<usize>> {
    const ATTRIBUTE: &str = "# [ test ]";
    let heads = text
        .match_indices(&format!("fn {JUDGE_NAME} "))
        .map(|(at, _)| at)
        .collect::<Vec<usize>>();
    let range = |head: usize| {
        let start = text[..head].rfind(ATTRIBUTE)?;
        let mut depth = 0_usize;
        for (at, c) in text[head..].char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth <= 1 => return Some(start..head + at + 1),
                '}' => depth -= 1,
                _ => {}
            }
        }
        None
    };
    heads.into_iter().filter_map(range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_build_leaves_out_is_left_out_of_its_judge() {
        let tokens = quote!(
            mod situ_f {
                #[cfg(unix)]
                use x;
                #[cfg(any())]
                #[cfg(feature = "big")]
                #[test]
                #[ignore = "rows"]
                fn situ_rows_7_of_5() {}
                #[test]
                fn situ_rows_3_of_2() {}
            }
        );
        let text = with_judges(tokens).to_string();
        let judge = &text[text.find(JUDGE_NAME).unwrap()..];
        let conditions: Vec<usize> = judge.match_indices("cfg").map(|(at, _)| at).collect();
        let (first, second) = (
            judge.find("situ_rows_3").unwrap(),
            judge.find("situ_rows_7").unwrap(),
        );
        assert_eq!(conditions.len(), 2, "{judge}");
        assert!(
            conditions.iter().all(|at| first < *at && *at < second),
            "{judge}"
        );
    }

    #[test]
    fn judges_are_found_whole_and_nothing_else() {
        let text = "mod a { # [ test ] fn b ( ) { } # [ test ] # [ ignore = \"judges rows\" ] fn situ_judge_of_rows ( ) { j ( & [ S { r : || { } } ] ) ; } } fn c ( ) { }";
        let [range] = &judge_ranges(text)[..] else {
            panic!("{text}")
        };
        assert!(
            text[range.clone()].starts_with("# [ test ] # [ ignore")
                && text[range.end..].starts_with(" } fn c")
        );
    }

    #[test]
    fn a_judge_stands_in_the_module_of_tests_that_have_rows() {
        let tokens = quote!(
            fn f() {}
            mod situ_f {
                #[test]
                fn situ_rows_2_of_5() {
                    x()
                }
            }
            mod situ_g {
                fn a() {}
            }
        );
        let text = with_judges(tokens).to_string();
        assert_eq!(text.matches("fn situ_judge_of_rows").count(), 1, "{text}");
        assert!(text.contains("rows : 5usize"), "{text}");
    }
}
