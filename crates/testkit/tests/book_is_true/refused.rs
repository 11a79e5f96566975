//! Blocks marked `compile_fail` are refused with the errors shown, all of them.

use cargo_metadata::Message;
use cargo_metadata::diagnostic::DiagnosticSpan;

use testkit::repository;

use crate::listing::{Claim, Listing, project};

#[test]
fn each_refused_listing_is_refused_with_the_errors_shown() {
    let listings = Listing::all(Claim::IsRefused);
    assert!(!listings.is_empty(), "the book shows no compile error");
    let check = project("book-refused", &listings).cargo(&[
        "check",
        "--lib",
        "--profile",
        "test",
        "--message-format=json",
    ]);
    let errors = rendered_errors(&check.stdout);
    let differences: Vec<String> = listings
        .iter()
        .filter_map(|listing| {
            let path = listing.path();
            let here = errors
                .iter()
                .filter(|(file, _)| *file == path)
                .map(|(_, rendered)| rendered.trim_end());
            listing.compare(&here.collect::<Vec<_>>().join("\n\n"))
        })
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn each_message_of_the_macros_is_on_the_errors_page() {
    let page = repository::text("book/src/errors.md");
    let mut missing = Vec::new();
    for file in repository::rust_files("crates/situ-syntax/src")
        .iter()
        .filter(|file| !file.contains("tests"))
    {
        let source = repository::text(file);
        let messages = string_literals(&source)
            .into_iter()
            .filter(|literal| reads_as_advice(literal));
        missing.extend(messages.filter(|message| !page.contains(longest_fixed_part(message))));
    }
    assert!(
        missing.is_empty(),
        "book/src/errors.md has no example of these: {missing:#?}"
    );
}

/// A message says what is wrong and then what to do: `…; add …`, `…: write …`.
fn reads_as_advice(literal: &str) -> bool {
    let advice = [
        "; ",
        ": write ",
        ": remove ",
        ": move ",
        ": keep ",
        ": the ",
        ": did ",
        "? write ",
    ];
    literal.split_whitespace().count() > 3 && advice.iter().any(|words| literal.contains(words))
}

/// What a message says whatever is filled in.
fn longest_fixed_part(message: &str) -> &str {
    let parts = message.split(['{', '}']).step_by(2);
    parts
        .max_by_key(|part| part.len())
        .unwrap_or_default()
        .trim()
}

/// The plain string literals of a source file, comments aside, with their quotes unescaped.
fn string_literals(source: &str) -> Vec<String> {
    let code = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let mut literals = Vec::new();
    for line in code {
        let line = line.replace("\\\"", "\u{1}").replace("'\"'", "");
        literals.extend(
            line.split('"')
                .skip(1)
                .step_by(2)
                .map(|literal| literal.replace('\u{1}', "\"")),
        );
    }
    literals
}

/// The file of each error, and the error as the compiler prints it, from the top of the file down.
fn rendered_errors(json: &str) -> Vec<(String, String)> {
    let mut errors = Vec::new();
    for message in Message::parse_stream(json.as_bytes()).flatten() {
        if let Message::CompilerMessage(message) = message {
            let place = message
                .message
                .spans
                .iter()
                .find(|span| span.is_primary)
                .map(users_own);
            let place =
                place.map(|span| (span.file_name.clone(), span.line_start, span.column_start));
            errors.extend(place.zip(message.message.rendered));
        }
    }
    errors.sort();
    errors
        .into_iter()
        .map(|((file, ..), rendered)| (file, rendered))
        .collect()
}

/// Where the user wrote what a macro of ours was made from.
fn users_own(span: &DiagnosticSpan) -> &DiagnosticSpan {
    match &span.expansion {
        Some(expansion) if !span.file_name.starts_with("src") => users_own(&expansion.span),
        _ => span,
    }
}
