//! Reduces tests with rows to their first row. The compiler's errors about mutants do not depend on
//! the number of rows, and it reports them much sooner.

use crate::source::byte_range;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::ops::Range;

/// Returns a text of the same length in which all but the first row of each test are blank, or
/// `None` if nothing changes.
pub(super) fn with_first_rows(text: &str) -> Option<String> {
    let mut blank = Vec::new();
    find(text.parse().ok()?, &mut blank);
    if blank.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for range in blank {
        let row = bytes.get_mut(range)?;
        row.iter_mut()
            .filter(|byte| **byte != b'\n')
            .for_each(|byte| *byte = b' ');
    }
    String::from_utf8(bytes).ok()
}

/// Collects the ranges of the rows after the first, in every `match …rows::row() { … }`.
fn find(tokens: TokenStream, blank: &mut Vec<Range<usize>>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else {
            continue;
        };
        let asks = at >= 2
            && matches!(&trees[at - 2], TokenTree::Ident(name) if name == "row")
            && matches!(&trees[at - 1], TokenTree::Group(call) if call.stream().is_empty());
        match asks && group.delimiter() == Delimiter::Brace {
            true => blank.extend(rows_after_the_first(group)),
            false => find(group.stream(), blank),
        }
    }
}

/// Returns the range from the second arm to the last one, which is the fallback and stays.
fn rows_after_the_first(arms: &Group) -> Option<Range<usize>> {
    let mut starts = Vec::new();
    let mut begins = true;
    for tree in arms.stream() {
        if begins {
            starts.push(byte_range(&tree).start);
        }
        begins = matches!(&tree, TokenTree::Punct(comma) if comma.as_char() == ',');
    }
    match starts.as_slice() {
        [_, second, .., last] => Some(*second..*last),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_and_the_answer_for_no_row_stay_where_they_are() {
        let text = "fn f() { match ::situ::rt::rows::row() { 0 => (\"é, 1 => (\", 2), 1 => (\"ü\", 3),\n2 => (g(), 4), _ => none() } }";
        let short = with_first_rows(text).unwrap();
        assert_eq!(short.len(), text.len());
        assert_eq!(
            short.split_whitespace().collect::<Vec<_>>().join(" "),
            "fn f() { match ::situ::rt::rows::row() { 0 => (\"é, 1 => (\", 2), _ => none() } }"
        );
        assert_eq!(short.find("_ => none()"), text.find("_ => none()"));
        assert_eq!(
            with_first_rows("fn f() { match row { 0 => 1, 1 => 2, _ => 3 } }"),
            None
        );
    }
}
