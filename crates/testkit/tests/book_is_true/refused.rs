//! Blocks marked `compile_fail` are refused with the errors shown, all of them.

use cargo_metadata::Message;
use cargo_metadata::diagnostic::DiagnosticSpan;

use crate::listing::{Claim, Listing, project};

#[test]
fn each_refused_listing_is_refused_with_the_errors_shown() {
    let listings = Listing::all(Claim::IsRefused);
    assert!(!listings.is_empty(), "the book shows no compile error");
    let check =
        project("book-refused", &listings).cargo(&["check", "--lib", "--profile", "test", "--message-format=json"]);
    let errors = rendered_errors(&check.stdout);
    let differences: Vec<String> = listings
        .iter()
        .filter_map(|listing| {
            let path = listing.path();
            let here = errors.iter().filter(|(file, _)| *file == path).map(|(_, rendered)| rendered.trim_end());
            listing.compare(&here.collect::<Vec<_>>().join("\n\n"))
        })
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// The file of each error, and the error as the compiler prints it, from the top of the file down.
fn rendered_errors(json: &str) -> Vec<(String, String)> {
    let mut errors = Vec::new();
    for message in Message::parse_stream(json.as_bytes()).flatten() {
        if let Message::CompilerMessage(message) = message {
            let place = message.message.spans.iter().find(|span| span.is_primary).map(users_own);
            let place = place.map(|span| (span.file_name.clone(), span.line_start, span.column_start));
            errors.extend(place.zip(message.message.rendered));
        }
    }
    errors.sort();
    errors.into_iter().map(|((file, ..), rendered)| (file, rendered)).collect()
}

/// Where the user wrote what a macro of ours was made from.
fn users_own(span: &DiagnosticSpan) -> &DiagnosticSpan {
    match &span.expansion {
        Some(expansion) if !span.file_name.starts_with("src") => users_own(&expansion.span),
        _ => span,
    }
}
