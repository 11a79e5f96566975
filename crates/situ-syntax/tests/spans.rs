//! The copy of a target has the spans of the original, so that coverage tools credit the user's own lines and editors,
//! errors and panics point at them.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

const SOURCE: &str = "\
fn parse(line: &str, limit: usize) -> Result<usize, std::num::ParseIntError> {
    let number: usize = line
        .trim_start_matches('#')
        .parse()?;
    itest!(\"plain\", given(line = \"#7\"), check_eq(number, 7));
    blocktest!(\"clamps\", given(number = 9, limit = 5), check_eq(clamped, 5), check_flow(If.Then));
    let mut clamped = number;
    if clamped > limit {
        clamped = limit.saturating_sub(0);
    }
    Ok(clamped)
}";

/// Every identifier of the expansion with its line, in order.
fn identifiers(tokens: TokenStream, out: &mut Vec<Ident>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => identifiers(group.stream(), out),
            TokenTree::Ident(name) => out.push(name),
            _ => {}
        }
    }
}

fn lines_of(name: &str) -> Vec<usize> {
    let source: TokenStream = SOURCE.parse().expect("the source is Rust");
    let first_line = source
        .clone()
        .into_iter()
        .next()
        .expect("it is not empty")
        .span()
        .start()
        .line;
    let mut all = Vec::new();
    identifiers(
        situ_syntax::expand_situ(TokenStream::new(), source),
        &mut all,
    );
    all.iter()
        .filter(|ident| *ident == name)
        .map(|ident| 1 + ident.span().start().line - first_line)
        .collect()
}

#[test]
fn a_copied_statement_stands_on_the_lines_of_the_original() {
    // Once in the function itself, once in the test.
    assert_eq!(lines_of("trim_start_matches"), [3, 3]);
    assert_eq!(lines_of("saturating_sub"), [9, 9]);
}

#[test]
fn an_oracle_fails_where_it_was_written() {
    assert_eq!(lines_of("check_eq"), [5, 6]);
    assert_eq!(lines_of("check_flow"), [6]);
}

#[test]
fn a_test_function_has_the_place_of_its_macro() {
    assert_eq!(lines_of("plain"), [5]);
    assert_eq!(lines_of("clamps"), [6]);
}

/// Every group in braces of the expansion whose braces stand on these lines.
fn bodies(tokens: TokenStream, lines: (usize, usize)) -> usize {
    let groups = tokens.into_iter().filter_map(|tree| match tree {
        TokenTree::Group(group) => Some(group),
        _ => None,
    });
    let counts = groups.map(|group| {
        let own = group.delimiter() == Delimiter::Brace
            && (group.span().start().line, group.span().end().line) == lines;
        usize::from(own) + bodies(group.stream(), lines)
    });
    counts.sum()
}

#[test]
fn the_body_of_a_test_stands_where_the_body_of_the_function_stands() {
    let source: TokenStream = SOURCE.parse().expect("the source is Rust");
    let body = source
        .clone()
        .into_iter()
        .last()
        .expect("it ends in its body")
        .span();
    let lines = (body.start().line, body.end().line);
    // The function itself, and one for each test: coverage tools credit no line outside of the body it is run in.
    assert_eq!(
        bodies(situ_syntax::expand_situ(TokenStream::new(), source), lines),
        3
    );
}

/// Tokens as an editor hands them over: nobody knows where they stand.
fn without_lines(tokens: TokenStream) -> TokenStream {
    let trees = tokens.into_iter().map(|tree| {
        let mut tree = match tree {
            TokenTree::Group(group) => {
                TokenTree::Group(Group::new(group.delimiter(), without_lines(group.stream())))
            }
            other => other,
        };
        tree.set_span(Span::call_site());
        tree
    });
    trees.collect()
}

/// The names of the tests of an expansion.
fn test_names(tokens: TokenStream) -> Vec<String> {
    let mut all = Vec::new();
    identifiers(tokens, &mut all);
    let marked = all
        .windows(3)
        .filter(|window| window[0] == "test" && window[1] == "fn");
    marked.map(|window| window[2].to_string()).collect()
}

#[test]
fn a_test_has_one_name_wherever_it_stands_and_whoever_expands_it() {
    let item = "fn size(line: &str) -> usize {\n    let size = line.len();\n    \
                itest!(given(line = \"a\"), check_eq(size, 1));\n    itest!(given(line = \"b\"), check_eq(size, 1));\n    size\n}\n";
    let expected = ["size_when_line_a", "size_when_line_b"];
    let tokens: TokenStream = item.parse().expect("the item is Rust");
    assert_eq!(
        test_names(situ_syntax::expand_situ(TokenStream::new(), tokens.clone())),
        expected
    );
    assert_eq!(
        test_names(situ_syntax::expand_situ(
            TokenStream::new(),
            without_lines(tokens)
        )),
        expected
    );
    let moved = format!(
        "\n\n#[situ]\n{}",
        item.replace(", check_eq(size, 1)", ",\n        check_eq(size, 7),\n    ")
    );
    let found = situ_syntax::inspect(&syn::parse_str(&moved).expect("the file is Rust"))
        .expect("no mistakes");
    assert_eq!(
        found
            .iter()
            .map(|test| test.name.as_str())
            .collect::<Vec<_>>(),
        expected
    );
}
