//! Expands calls of the user's own `macro_rules!` macros as text, so that the result can be read
//! like any other code.
//!
//! Names are copied without the compiler's hygiene. So whatever is derived from the text must be
//! compiled and run before it is trusted.

mod fragment;
mod pattern;
mod transcribe;

use crate::source::range_of;
use pattern::{Bindings, Part};
use proc_macro2::{Group, TokenStream, TokenTree};
use std::ops::Range;
use std::rc::Rc;

/// Parsed `macro_rules!` definition.
#[derive(Debug)]
pub struct MacroRules {
    rules: Vec<Rule>,
    text: Rc<str>,
}

#[derive(Debug)]
struct Rule {
    pattern: Vec<Part>,
    body: Vec<TokenTree>,
    /// Byte range between the delimiters of the body.
    inside: Range<usize>,
}

impl MacroRules {
    /// Parses the definition in `tokens`, which are part of `text`. Returns `None` if they are no
    /// rules.
    pub fn new(tokens: &TokenStream, text: &Rc<str>) -> Option<MacroRules> {
        let mut rules = Vec::new();
        let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
        let mut rest = tokens.as_slice();
        while let [
            TokenTree::Group(pattern),
            TokenTree::Punct(_),
            TokenTree::Punct(_),
            TokenTree::Group(body),
            behind @ ..,
        ] = rest
        {
            rules.push(Rule {
                pattern: pattern::parts(pattern.stream())?,
                body: body.stream().into_iter().collect(),
                inside: inside(body),
            });
            rest = match behind {
                [TokenTree::Punct(semicolon), more @ ..] if semicolon.as_char() == ';' => more,
                other => other,
            };
        }
        (rest.is_empty() && !rules.is_empty()).then(|| MacroRules {
            rules,
            text: Rc::clone(text),
        })
    }

    /// Expands a call with these arguments, which are tokens of `text`. Returns `None` if no rule
    /// matches.
    pub fn expand(&self, arguments: &TokenStream, text: &str) -> Option<String> {
        let arguments: Vec<TokenTree> = arguments.clone().into_iter().collect();
        let (rule, bound) = self.rules.iter().find_map(|rule| {
            let mut bound = Bindings::new();
            let taken = pattern::take(&rule.pattern, &arguments, text, &mut bound)?;
            (taken == arguments.len()).then_some((rule, bound))
        })?;
        transcribe::transcribe(&rule.body, rule.inside.clone(), &self.text, &bound)
    }
}

/// Returns the byte range between the delimiters of a group.
fn inside(group: &Group) -> Range<usize> {
    range_of(group.span_open()).end..range_of(group.span_close()).start
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::Item;

    /// Expands the last macro call of a source, on one line.
    fn expanded(source: &str) -> Option<String> {
        let items = syn::parse_file(source).unwrap().items;
        let macros = items.iter().filter_map(|item| match item {
            Item::Macro(one) => Some(&one.mac),
            _ => None,
        });
        let macros: Vec<&syn::Macro> = macros.collect();
        let rules = MacroRules::new(&macros[0].tokens, &Rc::from(source)).unwrap();
        let text = rules.expand(&macros.last().unwrap().tokens, source)?;
        Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn arguments_stand_where_their_names_stand() {
        let source =
            "macro_rules! t { ($t:ident : $s1:expr => $s2:expr) => { #[test] fn $t() { assert_eq!($s1.up(), $s2) } }; }
            t!(one: \"a\" => \"A\");";
        assert_eq!(
            expanded(source).unwrap(),
            "#[test] fn one() { assert_eq!(\"a\".up(), \"A\") }"
        );
    }

    #[test]
    fn the_first_rule_that_fits_is_taken() {
        let source = "macro_rules! t { (a $x:literal) => { first($x) }; (b $x:literal; $($y:ty),* $(,)?) => { second($x $(, size::<$y>())*) } }
            t!(b -1; u8, Vec<u8>,);";
        assert_eq!(
            expanded(source).unwrap(),
            "second(-1 , size::<u8>() , size::<Vec<u8>>())"
        );
        let none = "macro_rules! t { (a $x:literal) => { first($x) }; } t!(c 1);";
        assert_eq!(expanded(none), None);
    }

    #[test]
    fn repetitions_stand_in_each_other() {
        let source = "macro_rules! t { ($($name:ident: [$($x:expr),*]),+) => { $(fn $name() { $(say($x);)* })+ } }
            t!(a: [1, 2], b: []);";
        assert_eq!(
            expanded(source).unwrap(),
            "fn a() { say(1); say(2); } fn b() { }"
        );
    }

    #[test]
    fn an_argument_stays_one_expression() {
        let source = "macro_rules! t { ($x:expr) => { double($x, $x.abs(), 2 * $x) } } t!(1 + 2);";
        assert_eq!(
            expanded(source).unwrap(),
            "double(1 + 2, (1 + 2).abs(), 2 * (1 + 2))"
        );
        let source = "macro_rules! t { ($x:expr) => { let y = $x; $x(y) } } t!(|z| z);";
        assert_eq!(expanded(source).unwrap(), "let y = |z| z; (|z| z)(y)");
    }

    #[test]
    fn what_is_no_argument_of_the_macro_is_not_guessed() {
        assert_eq!(
            expanded("macro_rules! t { ($x:expr) => { $y } } t!(1);"),
            None
        );
    }
}
