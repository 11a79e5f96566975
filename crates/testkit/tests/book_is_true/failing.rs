//! Blocks marked `should_panic` have one test, which fails with the message shown.

use crate::listing::{Claim, Listing, project};

#[test]
fn each_failing_listing_fails_with_the_message_shown() {
    let listings = Listing::all(Claim::Fails);
    assert!(!listings.is_empty(), "the book shows no failure");
    let tests = project("book-failing", &listings).cargo(&["test", "--lib"]);
    let differences: Vec<String> = listings
        .iter()
        .filter_map(|listing| match message(&tests.stdout, &listing.module) {
            Some(message) => listing.compare(&message),
            None => Some(format!(
                "{}, line {}: nothing failed\n{}",
                listing.page, listing.code.line, tests.stderr
            )),
        })
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// What the test runner shows for the one failed test of a module, as its reader sees it.
fn message(runner: &str, module: &str) -> Option<String> {
    let (_, shown) = runner.split_once(&format!("---- {module}::"))?;
    let (_, message) = shown.split_once(" stdout ----\n")?;
    let end = ["\n---- ", "\nfailures:"]
        .iter()
        .filter_map(|end| message.find(end))
        .min()?;
    let lines = message[..end]
        .lines()
        .filter(|line| !line.starts_with("note: run with `RUST_BACKTRACE"));
    let text = lines
        .map(without_thread_number)
        .collect::<Vec<_>>()
        .join("\n");
    Some(text.replace(&format!("{module}::"), ""))
}

/// `thread 'name' (4711) panicked at …`: the number is another one each time.
fn without_thread_number(line: &str) -> String {
    match line.split_once(" (").zip(line.split_once(") panicked at ")) {
        Some(((thread, _), (_, place))) if line.starts_with("thread '") => {
            format!("{thread} panicked at {place}")
        }
        _ => line.to_string(),
    }
}
