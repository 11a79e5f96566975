//! `cargo situ explore`: where values come from, on a project of a few lines.

use crate::project::{Project, Ran, own_cargo};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A library with these modules, in the folder that other tests keep their builds in.
fn library() -> Project {
    let project = Project::with_builds_of_last_run("explore");
    let manifest = format!(
        "[package]\nname = \"sources\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         situ = {{ path = \"{REPOSITORY}/crates/situ\" }}\narbitrary = \"1\"\nregex-lite = \"0.1\"\n\
         proptest = {{ version = \"1\", default-features = false, features = [\"std\"] }}\n\
         [dev-dependencies]\nsitu = {{ path = \"{REPOSITORY}/crates/situ\", features = [\"test\"] }}\n",
    );
    project.write("Cargo.toml", &manifest);
    project.write("src/lib.rs", "pub mod friends;\npub mod places;\n");
    project.write("src/places.rs", IN_SITU);
    project.write("src/friends.rs", FRIENDS);
    project
}

/// What `cargo test` says of some tests.
fn cargo_test(project: &Project, tests: &[&str]) -> String {
    let output = own_cargo(project)
        .args(["test", "--lib", "--"])
        .args(tests)
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn call_of<'r>(ran: &'r Ran, theory: &str) -> &'r str {
    let mut calls = ran.lines.iter().filter_map(|line| line["call"].as_str());
    let call = calls.find(|call| call.starts_with(theory));
    call.unwrap_or_else(|| panic!("{theory} in {}{}", ran.stdout, ran.stderr))
}

/// What is said about a theory, all of its failures together.
fn message_of(ran: &Ran, theory: &str) -> String {
    let of_theory = ran.lines.iter().filter(|line| {
        line["theory"]
            .as_str()
            .is_some_and(|it| it.contains(theory))
    });
    of_theory
        .filter_map(|line| line["message"].as_str())
        .collect::<Vec<_>>()
        .join("\n\n")
}

const IN_SITU: &str = r#"
use situ::prelude::*;

#[situ]
pub fn area(width: u16, height: u16) -> u32 {
    let area = u32::from(width) * u32::from(height);
    itest!("a wide one", each(width, any::<u16>()), given(height = 2), check(area != 2 * 54_321));
    itest!("all", each(width, any::<u16>()), each(height, any::<u16>()), check(area <= 65_535 * 65_535));
    area
}

/// What the weather service says.
#[situ::prelude::stub]
pub trait Weather {
    fn degrees(&self, hour: u8) -> i32;
}

pub fn warmest(weather: &dyn Weather) -> i32 {
    let (noon, evening) = (weather.degrees(12), weather.degrees(18));
    if noon == 12_345 { -1 } else { noon.max(evening) }
}

/// Wrong where two answers come together.
pub fn is_stormy(weather: &dyn Weather) -> bool {
    let (morning, night) = (weather.degrees(6), weather.degrees(22));
    morning == 31_415 && night == -27_182
}

#[cfg(test)]
mod tests {
    use situ::prelude::*;

    #[theory]
    fn the_warmest_is_no_less_than_noon(#[stub] weather: &dyn super::Weather) {
        let noon = weather.degrees(12);
        assert!(super::warmest(weather) >= noon);
    }

    #[theory]
    fn there_are_no_storms(#[stub] weather: &dyn super::Weather) {
        assert!(!super::is_stormy(weather));
    }
}
"#;

const FRIENDS: &str = r#"
use arbitrary::{Arbitrary, Result, Unstructured};

pub fn insert(list: &mut Vec<u16>, item: u16) {
    if !(4_200..4_300).contains(&item) {
        list.push(item);
    }
}

/// An even number, as its one author knows.
pub struct Even {
    value: u32,
}

impl Even {
    pub fn value(&self) -> u32 {
        self.value
    }
}

impl<'a> Arbitrary<'a> for Even {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Even { value: u32::arbitrary(bytes)? & !1 })
    }
}

/// The month of an order's number; wrong for all that have one.
pub fn month(number: &str) -> Option<u32> {
    let parts = regex_lite::Regex::new(r"^order-(north|south)/[0-9]{4}-([0-9]{2})$").unwrap();
    parts.captures(number).map(|found| found[2].parse().unwrap_or(0) + 100)
}

#[cfg(test)]
mod tests {
    use super::{Even, insert, month};
    use proptest::prelude::*;

    #[situ::property]
    fn what_is_inserted_is_there(item: u16) -> bool {
        let mut list = Vec::new();
        insert(&mut list, item);
        list == [item]
    }

    #[test]
    fn others_may_call_it() {
        assert!(what_is_inserted_is_there(3));
    }

    situ::proptests! {
        #[test]
        fn lists_grow(item in 0_u16..4_300) {
            prop_assume!(item > 7);
            let mut list = Vec::new();
            insert(&mut list, item);
            prop_assert_eq!(list.len(), 1);
        }
    }

    #[situ::theory]
    fn months_are_small(number: &str) {
        assert!(month(number).is_none_or(|month| month < 100));
    }

    #[situ::theory]
    fn evens_are_even(even: &Even) {
        assert!(even.value() % 2 == 0, "odd");
        assert!(even.value() != 0x1234_5678, "special");
    }
}
"#;

#[test]
fn values_come_from_wherever_there_are_any() {
    let project = library();
    let before = project.snapshot();
    let found = project.situ(&["explore", "--runs", "30000", "--seed", "1", "--json", "-j1"]);
    assert_eq!(found.code, 1, "{}{}", found.stdout, found.stderr);
    assert_eq!(
        project.snapshot(),
        before,
        "nothing is written without being asked for"
    );
    in_situ_tests_and_stubs_are_explored(&found);
    properties_of_other_libraries_are_explored(&found);
    types_and_texts_of_the_source_are_known(&found);

    let tests = ["a_wide_one", "on_data_points"];
    let told = cargo_test(&project, &tests);
    assert!(
        told.contains("2 passed; 0 failed"),
        "on data points and special values all hold: {told}"
    );
    let written = project.situ(&[
        "explore",
        tests[0],
        "what_is_inserted_is_there",
        "--runs",
        "8000",
        "--write",
    ]);
    assert_eq!(written.code, 1, "{}", written.stderr);
    let source = project.read("src/places.rs");
    assert!(
        source.contains("#[datapoint]\nconst WIDTH_54321: u16 = 54321;\n\n#[situ]"),
        "{source}"
    );
    let told = cargo_test(&project, &tests);
    assert!(
        told.contains("0 passed; 2 failed"),
        "on the new data points none does: {told}"
    );
}

fn in_situ_tests_and_stubs_are_explored(found: &Ran) {
    assert_eq!(call_of(found, "a_wide_one"), "a_wide_one(54321)");
    assert!(
        !found.stdout.contains("\"call\":\"all("),
        "{}",
        found.stdout
    );
    let message = message_of(found, "warmest");
    assert!(
        message.contains("weather.degrees(12) answered 12345"),
        "{message}"
    );
    assert!(
        message.contains("weather.degrees(18) answered 0"),
        "the other answer does not matter: {message}"
    );
    let message = message_of(found, "there_are_no_storms");
    let both = [
        "weather.degrees(6) answered 31415",
        "weather.degrees(22) answered -27182",
    ];
    assert!(
        both.iter().all(|answer| message.contains(answer)),
        "{}",
        found.stdout
    );
    let stubbed = found.lines.iter().find(|line| {
        line["theory"]
            .as_str()
            .is_some_and(|it| it.contains("storms"))
    });
    let why = stubbed
        .and_then(|line| line["without_points"].as_str())
        .unwrap_or_default();
    assert!(
        why.contains("answers of stubs cannot be data points"),
        "{}",
        found.stdout
    );
}

fn properties_of_other_libraries_are_explored(found: &Ran) {
    assert_eq!(
        call_of(found, "what_is_inserted_is_there"),
        "what_is_inserted_is_there(4200)"
    );
    call_of(found, "lists_grow(");
    assert!(
        message_of(found, "lists_grow").contains("\nitem = 42"),
        "{}",
        message_of(found, "lists_grow")
    );
    let of_strategies = found.lines.iter().find(|line| {
        line["theory"]
            .as_str()
            .is_some_and(|it| it.contains("lists_grow"))
    });
    let why = of_strategies
        .and_then(|line| line["without_points"].as_str())
        .unwrap_or_default();
    assert!(why.contains("strategies"), "{}", found.stdout);
}

fn types_and_texts_of_the_source_are_known(found: &Ran) {
    let message = message_of(found, "evens_are_even");
    assert!(
        message.contains("special") && !message.contains("odd"),
        "{message}"
    );
    assert!(
        call_of(found, "evens_are_even").contains("arbitrary::Unstructured::new(&["),
        "{}",
        found.stdout
    );
    let matching = call_of(found, "months_are_small(");
    assert!(
        matching.starts_with("months_are_small(\"order-"),
        "a regular expression gives texts that match: {matching}"
    );
}
