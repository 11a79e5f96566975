//! Block tests, Fig. 13: what Fig. 12 expands to: the function without its tests, and ten unit tests beside it.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Item, ItemFn, ItemMod};

const FIGURE: &str = include_str!("../src/block_12_scopes.rs");

fn is(attribute: &Attribute, name: &str) -> bool {
    attribute.path().is_ident(name)
}

/// The function of the figure, and its expansion.
fn expansion() -> (ItemFn, Vec<Item>) {
    let file = syn::parse_file(FIGURE).expect("the figure is Rust");
    let mut function = file.items.into_iter().find_map(|item| match item {
        Item::Fn(function) if function.attrs.iter().any(|attribute| is(attribute, "situ")) => {
            Some(function)
        }
        _ => None,
    });
    let mut function = function.take().expect("a function of the figure has tests");
    function.attrs.retain(|attribute| !is(attribute, "situ"));
    let expanded = situ_syntax::expand_situ(TokenStream::new(), function.to_token_stream());
    (
        function,
        syn::parse2::<syn::File>(expanded)
            .expect("an expansion is Rust")
            .items,
    )
}

fn tests_of(module: &ItemMod) -> Vec<String> {
    let (_, items) = module
        .content
        .as_ref()
        .expect("the module of the tests is an inline one");
    let tests = items.iter().filter_map(|item| match item {
        Item::Fn(test) if test.attrs.iter().any(|attribute| is(attribute, "test")) => {
            Some(test.sig.ident.to_string())
        }
        _ => None,
    });
    tests.collect()
}

#[test]
fn ten_block_tests_become_ten_unit_tests_in_a_module_beside_the_function() {
    let (_, items) = expansion();
    let module = items.iter().find_map(|item| match item {
        Item::Mod(module) if module.ident == "situ_shifted_column" => Some(module),
        _ => None,
    });
    let module = module.expect("the module is called after the function");
    assert!(
        module.attrs.iter().any(|attribute| is(attribute, "cfg")),
        "only a test build has it"
    );
    let expected: Vec<_> = (1..=10).map(|number| format!("test{number}")).collect();
    let mut found = tests_of(module);
    found.sort_by_key(|name| expected.iter().position(|known| known == name));
    assert_eq!(found, expected);
}

#[test]
fn the_function_itself_keeps_its_signature_and_its_statements() {
    let (function, items) = expansion();
    let Some(Item::Fn(kept)) = items.first() else {
        panic!("the function comes first")
    };
    assert_eq!(
        kept.sig.to_token_stream().to_string(),
        function.sig.to_token_stream().to_string()
    );
    assert_eq!(
        kept.block.stmts.len(),
        function.block.stmts.len(),
        "an empty call stays where a test stood"
    );
}
