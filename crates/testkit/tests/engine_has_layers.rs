//! The folders of the engine are layers: a module imports from its own layer and from those below it, never from one above.
//! The order is that of the picture in ARCHITECTURE.md.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use testkit::markdown;
use testkit::repository::{entries, rust_files, text};

const SOURCES: &str = "crates/situ-engine/src";

/// Returns the layers as the picture in ARCHITECTURE.md has them, the lowest first.
fn layers() -> Vec<String> {
    let page = text("ARCHITECTURE.md");
    let section = markdown::section(&page, "Layers of the engine")
        .expect("ARCHITECTURE.md has a section on layers");
    let picture = markdown::code_blocks(&section)
        .into_iter()
        .next()
        .expect("the section has a picture");
    let names = picture
        .code
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    let mut layers: Vec<String> = names.map(str::to_owned).collect();
    layers.reverse();
    layers
}

/// Adds the first segment behind each `crate::`, also those of a group: `crate::{a::B, c}` gives `a` and `c`.
fn add_imported(tokens: TokenStream, found: &mut Vec<String>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, tree) in trees.iter().enumerate() {
        if let TokenTree::Group(group) = tree {
            add_imported(group.stream(), found);
        }
        let is_colon = |at: usize| matches!(trees.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
        if !matches!(tree, TokenTree::Ident(word) if word == "crate")
            || !is_colon(index + 1)
            || !is_colon(index + 2)
        {
            continue;
        }
        match trees.get(index + 3) {
            Some(TokenTree::Ident(name)) => found.push(name.to_string()),
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                found.extend(first_segments(group.stream()));
            }
            _ => {}
        }
    }
}

/// Returns the first word of each comma-separated part.
fn first_segments(tokens: TokenStream) -> Vec<String> {
    let mut words = Vec::new();
    let mut at_start = true;
    for tree in tokens {
        if let (TokenTree::Ident(word), true) = (&tree, at_start) {
            words.push(word.to_string());
        }
        at_start = matches!(&tree, TokenTree::Punct(punct) if punct.as_char() == ',');
    }
    words
}

fn imported(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    add_imported(
        source.parse().expect("our own sources are Rust"),
        &mut found,
    );
    found
}

#[test]
fn the_picture_shows_every_folder_of_the_engine() {
    let mut shown = layers();
    shown.sort();
    let folders = entries(SOURCES)
        .into_iter()
        .filter(|entry| entry != "lib.rs");
    assert_eq!(shown, folders.collect::<Vec<_>>());
}

#[test]
fn nobody_imports_from_a_layer_above() {
    let layers = layers();
    let height = |name: &str| layers.iter().position(|layer| layer == name);
    let mut upward = Vec::new();
    for layer in &layers {
        for file in rust_files(&format!("{SOURCES}/{layer}")) {
            let above = imported(&text(&file))
                .into_iter()
                .filter(|name| height(name) > height(layer));
            upward.extend(above.map(|name| format!("{file} imports from {name}")));
        }
    }
    assert!(
        upward.is_empty(),
        "move what is imported to a lower layer:\n{}",
        upward.join("\n")
    );
}

#[test]
fn imports_are_found_one_by_one_and_in_groups() {
    let source = "use crate::edit::Place; use crate::{base::{process, text}, record}; fn f() { crate::trial::run() }";
    assert_eq!(imported(source), ["edit", "base", "record", "trial"]);
    assert!(imported("const TEXT: &str = \"crate::generate\"; // crate::generate").is_empty());
}
