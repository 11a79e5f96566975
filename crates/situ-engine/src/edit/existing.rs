//! Finds tests that are already at a place, so that running a generator again adds nothing.

use super::outline::{Body, Outline};
use super::{Place, layout};
use crate::source::parse_part;
use anyhow::Result;
use proc_macro2::{Delimiter, TokenTree};
use situ_syntax::without_observed;
use syn::Macro;

/// Returns the tests at a place, [`normalised`].
pub fn existing_tests(text: &str, place: Place) -> Result<Vec<String>> {
    let file = crate::source::parse(text)?;
    Ok(tests_at(&Outline::of(&file, text.len()), place))
}

/// Returns for each place whether it has tests already.
pub fn tested(text: &str, places: &[Place]) -> Result<Vec<bool>> {
    let file = crate::source::parse(text)?;
    let outline = Outline::of(&file, text.len());
    Ok(places
        .iter()
        .map(|place| !tests_at(&outline, *place).is_empty())
        .collect())
}

/// Returns the names of the tests at a place.
pub fn existing_names(text: &str, place: Place) -> Result<Vec<String>> {
    let file = crate::source::parse(text)?;
    let outline = Outline::of(&file, text.len());
    Ok(calls_at(&outline, place)
        .into_iter()
        .filter_map(name_of)
        .collect())
}

/// Returns the name in a test's first argument, if it has one.
pub fn test_name(test: &str) -> Option<String> {
    name_of(&layout::call_of(test).ok()?)
}

fn name_of(call: &Macro) -> Option<String> {
    match call.tokens.clone().into_iter().next()? {
        TokenTree::Literal(name) => parse_part::<syn::LitStr>(&name.to_string())
            .ok()
            .map(|name| name.value()),
        _ => None,
    }
}

/// Returns the tests at a place of a file with this outline, [`normalised`].
pub(super) fn tests_at(outline: &Outline<'_>, place: Place) -> Vec<String> {
    calls_at(outline, place)
        .into_iter()
        .map(normalised_call)
        .collect()
}

fn calls_at<'o>(outline: &'o Outline<'_>, place: Place) -> Vec<&'o Macro> {
    let (body, first) = match place {
        Place::BodyStart(open) => match outline.body_from(open) {
            Some(body) => (body, 0),
            None => return Vec::new(),
        },
        Place::After(_) | Place::Before(_) => match outline.statement_at(place) {
            Some((body, number)) if matches!(place, Place::After(_)) => (body, number + 1),
            Some((body, number)) => (body, first_test_before(body, number)),
            None => return Vec::new(),
        },
    };
    body.statements[first..]
        .iter()
        .map_while(|statement| statement.test.as_ref())
        .collect()
}

fn first_test_before(body: &Body, number: usize) -> usize {
    let tests = body.statements[..number]
        .iter()
        .rev()
        .take_while(|statement| statement.test.is_some());
    number - tests.count()
}

/// Returns the tokens of a test as a string: without layout, without tokens that rustfmt adds or
/// removes, without `observed(…)`, and without its name, which a user may have added.
pub fn normalised(test: &str) -> Result<String> {
    Ok(normalised_call(&layout::call_of(test)?))
}

fn normalised_call(call: &Macro) -> String {
    let mut words: Vec<String> = call
        .path
        .segments
        .last()
        .map(|last| last.ident.to_string())
        .into_iter()
        .collect();
    let mut tokens: Vec<TokenTree> = without_observed(&call.tokens).into_iter().collect();
    if matches!(tokens.first(), Some(TokenTree::Literal(name)) if name.to_string().ends_with(['"', '#']))
    {
        let comma = usize::from(tokens.len() > 1);
        tokens.drain(..1 + comma);
    }
    flatten(tokens, &mut words);
    words.join(" ")
}

fn flatten(tokens: Vec<TokenTree>, words: &mut Vec<String>) {
    let is = |token: Option<&TokenTree>, sign: char| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
    let last = tokens.len().saturating_sub(1);
    for (number, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let (open, close) = match group.delimiter() {
                    // `|x| { x }` becomes `|x| x`.
                    Delimiter::Brace
                        if number > 0
                            && is(tokens.get(number - 1), '|')
                            && is_expression(&inner) =>
                    {
                        ("", "")
                    }
                    // `((x))` becomes `(x)`.
                    Delimiter::Parenthesis if is_one_parenthesis(&inner) => ("", ""),
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                words.extend(Some(open.to_owned()).filter(|open| !open.is_empty()));
                flatten(inner, words);
                words.extend(Some(close.to_owned()).filter(|close| !close.is_empty()));
            }
            // rustfmt adds and removes trailing commas.
            TokenTree::Punct(punct) if punct.as_char() == ',' && number == last => {}
            other => words.push(other.to_string()),
        }
    }
}

fn is_expression(tokens: &[TokenTree]) -> bool {
    let is_statement =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';');
    !tokens.is_empty() && !tokens.iter().any(is_statement)
}

fn is_one_parenthesis(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis && !group.stream().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_names_and_the_work_of_rustfmt_do_not_matter() {
        let same = |one: &str, other: &str| {
            assert_eq!(normalised(one).unwrap(), normalised(other).unwrap())
        };
        same(
            "itest!(given(x = 1), check_eq(y, 2));",
            "itest!(\n  given(x=1,),\n  check_eq(y , 2),\n);",
        );
        same("itest!(\"a name\", check(x));", "situ::itest!(check(x));");
        same("itest!(check(x), observed(\"7k2m\"));", "itest!(check(x));");
        assert_eq!(
            test_name("itest!(\"a name\", check(x));").as_deref(),
            Some("a name")
        );
        assert_eq!(test_name("itest!(check(x));"), None);
        same(
            "itest!(check_eq(f(|x| { x }), ((1))));",
            "itest!(check_eq(f(|x| x), (1)));",
        );
        let other = |one: &str, other: &str| {
            assert_ne!(normalised(one).unwrap(), normalised(other).unwrap())
        };
        other("itest!(check_eq(y, 2));", "blocktest!(check_eq(y, 2));");
        other(
            "itest!(check_eq(y, \"a b\"));",
            "itest!(check_eq(y, \"a  b\"));",
        );
        other(
            "itest!(check_eq(y, 2 * (3 + 4)));",
            "itest!(check_eq(y, 2 * 3 + 4));",
        );
        assert!(normalised("let x = 1;").is_err());
    }

    #[test]
    fn tests_are_found_where_they_stand() {
        let text = "fn f() { if a { itest!(check(cond())); b(); itest!(check(b)); blocktest!(check_runs()); c() } }";
        let at = |place| existing_tests(text, place).unwrap().len();
        let behind = |word: &str| text.find(word).unwrap() + word.len();
        assert_eq!(at(Place::BodyStart(behind("if a {"))), 1);
        assert_eq!(at(Place::After(behind("b();"))), 2);
        assert_eq!(at(Place::Before(text.find("c()").unwrap())), 2);
        assert_eq!(at(Place::Before(text.find("b();").unwrap())), 1);
        assert_eq!(at(Place::After(behind("}"))), 0);
    }
}
