//! Where a test says what it expects, so that tools can replace it with what was found.

use crate::grammar::{Clauses, Each, Oracle, OracleKind};
use proc_macro2::{Span, TokenStream};
use quote::ToTokens as _;
use std::ops::Range;
use syn::spanned::Spanned as _;
use syn::{Expr, Pat};

/// An oracle of a test in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OracleFound {
    /// The line of the clause's name, counted from one.
    pub line: usize,
    /// The column of the clause's name in chars, counted from one, as in the message of a panic.
    pub column: usize,
    /// Where the expected value is written.
    pub expected: Expected,
}

/// The place of an expected value, as ranges of bytes with an exclusive end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// An expression.
    Value(Range<usize>),
    /// A pattern, with its guard.
    Pattern(Range<usize>),
    /// A cell for each element of the test's `each`.
    Cells(Vec<Range<usize>>),
    /// The name of a clause, which another clause is the opposite of.
    Name {
        /// The place of the name.
        range: Range<usize>,
        /// The name of the opposite clause.
        opposite: &'static str,
    },
    /// An expression that depends on the element of an `each`.
    OfCase,
    /// The oracle has no value that could be replaced.
    Nowhere,
}

/// Returns the oracles of a test in their order.
pub(crate) fn oracles_found(clauses: &Clauses) -> Vec<OracleFound> {
    let found = |oracle: &Oracle| {
        let start = oracle.span.start();
        OracleFound {
            line: start.line,
            column: start.column + 1,
            expected: expected(oracle, clauses),
        }
    };
    clauses.oracles.iter().map(found).collect()
}

fn expected(oracle: &Oracle, clauses: &Clauses) -> Expected {
    let opposite = |opposite| Expected::Name {
        range: oracle.span.byte_range(),
        opposite,
    };
    match &oracle.kind {
        OracleKind::Eq(_, value)
        | OracleKind::Approx(_, value, _)
        | OracleKind::Return(value)
        | OracleKind::Value(value)
        | OracleKind::Called(_, value) => expression(value, clauses),
        OracleKind::Matches(_, pattern) => match extent(pattern) {
            Some(range) => Expected::Pattern(range),
            None => Expected::Nowhere,
        },
        OracleKind::True(_) => opposite("check_false"),
        OracleKind::False(_) => opposite("check_true"),
        OracleKind::Some(_) => opposite("check_none"),
        OracleKind::None(_) => opposite("check_some"),
        OracleKind::Ok(_) => opposite("check_err"),
        OracleKind::Err(_) => opposite("check_ok"),
        _ => Expected::Nowhere,
    }
}

/// Returns the range from the first to the last token.
fn extent(tokens: &TokenStream) -> Option<Range<usize>> {
    let spans: Vec<Span> = tokens.clone().into_iter().map(|tree| tree.span()).collect();
    let (first, last) = (spans.first()?, spans.last()?);
    Some(first.byte_range().start..last.byte_range().end)
}

fn expression(value: &Expr, clauses: &Clauses) -> Expected {
    let eaches: Vec<&Each> = clauses.eaches().collect();
    let depends = |each: &&Each| {
        let names = names_in(each.pattern.to_token_stream());
        names_in(value.to_token_stream())
            .iter()
            .any(|name| names.contains(name))
    };
    if !eaches.iter().any(depends) {
        return Expected::Value(value.span().byte_range());
    }
    match eaches.as_slice() {
        [each] => cells(value, each).map_or(Expected::OfCase, Expected::Cells),
        _ => Expected::OfCase,
    }
}

fn names_in(tokens: TokenStream) -> Vec<String> {
    let mut names = Vec::new();
    for tree in tokens {
        match tree {
            proc_macro2::TokenTree::Ident(name) => names.push(name.to_string()),
            proc_macro2::TokenTree::Group(group) => names.extend(names_in(group.stream())),
            _ => {}
        }
    }
    names
}

/// Returns the cells of a variable in the table that `each` takes its elements from.
fn cells(value: &Expr, each: &Each) -> Option<Vec<Range<usize>>> {
    let Expr::Path(path) = value else {
        return None;
    };
    let name = path.path.get_ident()?;
    let is_it = |pattern: &Pat| matches!(pattern, Pat::Ident(own) if own.ident == *name && own.subpat.is_none());
    let Expr::Array(table) = &each.iterable else {
        return None;
    };
    let cell = |row: &Expr| match (&each.pattern, row) {
        (pattern, _) if is_it(pattern) => Some(row.span().byte_range()),
        (Pat::Tuple(pattern), Expr::Tuple(row)) if pattern.elems.len() == row.elems.len() => {
            let column = pattern.elems.iter().position(is_it)?;
            Some(row.elems[column].span().byte_range())
        }
        _ => None,
    };
    table.elems.iter().map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::Expected;
    use crate::inspect;

    /// Checks which parts of a test are its expected values, separated by blanks.
    #[track_caller]
    fn check(test: &str, parts: &[&str]) {
        let text = format!("#[situ]\nfn f(x: u8) {{\n    let y = x;\n    {test}\n}}\n");
        let found = inspect(&syn::parse_file(&text).unwrap()).unwrap();
        let shown = found[0]
            .oracles
            .iter()
            .map(|oracle| match &oracle.expected {
                Expected::Value(range) | Expected::Pattern(range) => text[range.clone()].to_owned(),
                Expected::Cells(cells) => {
                    let cells: Vec<&str> = cells.iter().map(|cell| &text[cell.clone()]).collect();
                    cells.join(" ")
                }
                Expected::Name { range, opposite } => {
                    format!("{} {opposite}", &text[range.clone()])
                }
                Expected::OfCase => "case".to_owned(),
                Expected::Nowhere => "nowhere".to_owned(),
            });
        assert_eq!(shown.collect::<Vec<_>>(), parts, "{test}");
        let first = &found[0].oracles[0];
        let line = text.lines().nth(first.line - 1).unwrap();
        assert!(line[first.column - 1..].starts_with("check"), "{test}");
    }

    #[test]
    fn the_expected_value_of_each_oracle_is_found() {
        check(
            "itest!(given(x = 1), check_eq(y, 1 + 2), check_true(y > 0), check(y == 1));",
            &["1 + 2", "check_true check_false", "nowhere"],
        );
        check(
            "itest!(given(x = 1), check_matches(y, 1 | 2 if true), check_approx(y, 1, 0));",
            &["1 | 2 if true", "1"],
        );
    }

    #[test]
    fn a_value_of_a_case_is_a_cell_of_the_table() {
        check(
            "itest!(each((x, z), [(1, 2), (3, 4 + 1)]), check_eq(y, z), check_eq(y, z + 1), check_ne(y, 7));",
            &["2 4 + 1", "case", "nowhere"],
        );
        check("itest!(each(x, [1, 2]), check_eq(y, 3));", &["3"]);
    }
}
