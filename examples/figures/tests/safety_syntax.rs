//! Block tests, §3.2.3, by looking at what random programs expand to: tests are bracketed, they are isolated from the
//! program and from one another, and nothing around a fragment finds its way into its test.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::Visit;

// The build script uses more of the language than these tests do.
#[allow(dead_code)]
#[path = "../featherweight/mod.rs"]
mod featherweight;

use featherweight::language::Program;
use featherweight::render::{self, Tests};
use featherweight::{elsewhere, generate};

/// How many programs are looked at, how many expanded, and how many expanded once more for each of their tests.
const INSPECTED: usize = 1_000;
const EXPANDED: usize = 200;
const EXPANDED_FOR_EACH_TEST: usize = 50;

fn programs(count: usize) -> impl Iterator<Item = Program> {
    (0..count).map(generate::program)
}

fn source(program: &Program, tests: Tests) -> String {
    render::function(program, tests).text
}

fn expand(source: &str) -> syn::File {
    let item: TokenStream = source.parse().expect("programs are Rust");
    let expansion = situ_syntax::expand_situ(TokenStream::new(), item);
    syn::parse2(expansion.clone())
        .unwrap_or_else(|error| panic!("{error} in the expansion of\n{source}\n{expansion}"))
}

/// A test's name as part of a Rust name.
fn identifier(name: &str) -> String {
    name.replace(' ', "_")
}

#[test]
fn bracketing_a_fragment_is_a_run_of_siblings_from_its_first_statement_to_its_last() {
    for program in programs(INSPECTED) {
        let rendered = render::function(&program, Tests::All);
        let text = format!("#[situ]{}", rendered.text);
        let found = syn::parse_file(&text)
            .and_then(|file| situ_syntax::inspect(&file))
            .unwrap_or_else(|error| panic!("{error} in\n{text}"));
        let mut found: Vec<_> = found
            .iter()
            .map(|test| (identifier(&test.name), test.first_line, test.last_line))
            .collect();
        let mut expected: Vec<_> = rendered
            .tests
            .into_iter()
            .map(|(name, first, last)| (identifier(&name), first, last))
            .collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "in\n{text}");
    }
}

#[test]
fn isolation_without_its_tests_an_item_is_what_it_was() {
    for program in programs(EXPANDED) {
        let expansion = expand(&source(&program, Tests::All));
        let item = expansion
            .items
            .first()
            .expect("the item comes first")
            .to_token_stream();
        let plain: TokenStream = source(&program, Tests::None)
            .parse()
            .expect("programs are Rust");
        assert_eq!(without_empty_calls(item).to_string(), plain.to_string());
    }
}

/// The tokens without `blocktest!();`, which the item keeps so that imports stay used.
fn without_empty_calls(tokens: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let inner = without_empty_calls(group.stream());
                kept.push(proc_macro2::Group::new(group.delimiter(), inner).into());
            }
            TokenTree::Punct(punct) if punct.as_char() == ';' && ends_with_empty_call(&kept) => {
                kept.truncate(kept.len() - 3);
            }
            other => kept.push(other),
        }
    }
    kept.into_iter().collect()
}

fn ends_with_empty_call(tokens: &[TokenTree]) -> bool {
    let [
        ..,
        TokenTree::Ident(name),
        TokenTree::Punct(bang),
        TokenTree::Group(arguments),
    ] = tokens
    else {
        return false;
    };
    name == "blocktest" && bang.as_char() == '!' && arguments.stream().is_empty()
}

#[test]
fn isolation_no_test_is_inside_what_another_runs() {
    for program in programs(EXPANDED) {
        let expansion = expand(&source(&program, Tests::All));
        assert!(
            !has_a_test(expansion.to_token_stream()),
            "in the expansion of\n{}",
            source(&program, Tests::All)
        );
    }
}

/// Whether a test call with clauses is left anywhere.
fn has_a_test(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let called = tokens.windows(3).any(|window| match window {
        [
            TokenTree::Ident(name),
            TokenTree::Punct(bang),
            TokenTree::Group(arguments),
        ] => {
            name == "blocktest"
                && bang.as_char() == '!'
                && arguments.delimiter() == Delimiter::Parenthesis
                && !arguments.stream().is_empty()
        }
        _ => false,
    });
    called
        || tokens
            .into_iter()
            .any(|token| matches!(token, TokenTree::Group(group) if has_a_test(group.stream())))
}

#[test]
fn isolation_a_test_expands_alone_to_what_it_expands_to_among_others() {
    for program in programs(EXPANDED_FOR_EACH_TEST) {
        let together = expand(&source(&program, Tests::All));
        for (name, ..) in render::function(&program, Tests::All).tests {
            let alone = expand(&source(&program, Tests::Only(&name)));
            assert_eq!(
                functions_of(&alone, &name),
                functions_of(&together, &name),
                "in {}",
                program.name
            );
        }
    }
}

#[test]
fn memory_abstraction_a_test_does_not_depend_on_values_around_its_fragment() {
    for program in programs(EXPANDED_FOR_EACH_TEST) {
        let before = expand(&source(&program, Tests::All));
        for (name, ..) in render::function(&program, Tests::All).tests {
            let after = expand(&source(&elsewhere::changed(&program, &name), Tests::All));
            assert_eq!(
                functions_of(&before, &name),
                functions_of(&after, &name),
                "in {}",
                program.name
            );
        }
    }
}

/// The synthesized functions that belong to the test.
fn functions_of(expansion: &syn::File, name: &str) -> Vec<String> {
    let mut found = Functions {
        name: identifier(name),
        texts: Vec::new(),
    };
    expansion
        .items
        .iter()
        .skip(1)
        .for_each(|item| found.visit_item(item));
    assert_eq!(
        found.texts.len(),
        2,
        "a test is what runs and what the harness sees, in {}",
        expansion.to_token_stream()
    );
    found.texts
}

struct Functions {
    name: String,
    texts: Vec<String>,
}

impl Functions {
    /// Takes the function if it belongs to the test.
    fn take(&mut self, name: &syn::Ident, function: &dyn ToTokens) {
        let called = name.to_string();
        if called == self.name || called.ends_with(&format!("_{}", self.name)) {
            self.texts.push(function.to_token_stream().to_string());
        }
    }
}

impl Visit<'_> for Functions {
    fn visit_item_fn(&mut self, function: &syn::ItemFn) {
        self.take(&function.sig.ident, function);
    }

    fn visit_impl_item_fn(&mut self, function: &syn::ImplItemFn) {
        self.take(&function.sig.ident, function);
    }
}
