//! Tests that hold rows get a judge beside them: a test that tries all their rows with all mutants of the plan.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};

/// How the tests that hold rows are called, before their number: `situ_rows_12_of_30` is the twelfth, with thirty rows.
pub const ROWS_NAME: &str = "situ_rows_";
/// The judge's name.
pub const JUDGE_NAME: &str = "situ_judge_of_rows";

/// The number of a test with rows and how many it has, from its name.
pub fn number_and_rows(name: &str) -> Option<(usize, usize)> {
    let (_, rest) = name.rsplit_once(ROWS_NAME)?;
    let (number, rows) = rest.split_once("_of_")?;
    Some((number.parse().ok()?, rows.parse().ok()?))
}

/// The expansion of an item, with a judge in each of its modules of tests that has rows.
pub fn with_judges(tokens: TokenStream) -> TokenStream {
    let mut previous: Option<Ident> = None;
    let with = tokens.into_iter().map(|tree| match tree {
        TokenTree::Group(group) => {
            let is_tests = previous.take().is_some_and(|name| name.to_string().starts_with("situ_"));
            let inner = if is_tests { judged(group.stream()) } else { with_judges(group.stream()) };
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
    let mut names: Vec<(usize, usize, Ident)> = Vec::new();
    let mut after_fn = false;
    for tree in tests.clone() {
        if let (TokenTree::Ident(name), true) = (&tree, after_fn)
            && let Some((number, rows)) = number_and_rows(&name.to_string())
        {
            names.push((number, rows, name.clone()));
        }
        after_fn = matches!(&tree, TokenTree::Ident(name) if name == "fn");
    }
    if names.is_empty() {
        return tests;
    }
    names.sort_by_key(|(number, ..)| *number);
    let judge = format_ident!("{JUDGE_NAME}");
    let statements = names.into_iter().map(|(_, rows, name)| {
        let name = Ident::new(&name.to_string(), proc_macro2::Span::call_site());
        quote!(::__situ::mutant::rows::Statement { rows: #rows, run: |row| { ::situ::rt::rows::choose(row); #name(); } })
    });
    quote! {
        #tests
        #[test]
        #[ignore = "judges rows"]
        fn #judge() { ::__situ::mutant::rows::judge(&[#(#statements),*]); }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_the_number_and_the_rows() {
        assert_eq!(number_and_rows("encode_situ_rows_12_of_30"), Some((12, 30)));
        assert_eq!(number_and_rows("line_12"), None);
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
