//! `cargo situ explore`: where values come from, on projects of a few lines.

mod project;

use project::{Project, Ran};
use std::process::Command;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A library with this source, in a folder that keeps its builds.
fn library(name: &str, dependencies: &str, source: &str) -> Project {
    let project = Project::with_builds_of_last_run(name);
    let manifest = format!(
        "[package]\nname = \"{}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         situ = {{ path = \"{REPOSITORY}/crates/situ\" }}\n{dependencies}[dev-dependencies]\n\
         situ = {{ path = \"{REPOSITORY}/crates/situ\", features = [\"test\"] }}\n",
        name.replace('-', "_")
    );
    project.write("Cargo.toml", &manifest);
    project.write("src/lib.rs", source);
    project
}

fn cargo_test(project: &Project, test: &str) -> bool {
    let mut command = Command::new("cargo");
    command.args(["test", "--lib", test]).current_dir(project.path());
    command.env("CARGO_TARGET_DIR", project.path().join("target/own")).output().unwrap().status.success()
}

fn call_of<'r>(ran: &'r Ran, theory: &str) -> &'r str {
    let mut calls = ran.lines.iter().filter_map(|line| line["call"].as_str());
    let call = calls.find(|call| call.starts_with(theory));
    call.unwrap_or_else(|| panic!("{theory} in {}{}", ran.stdout, ran.stderr))
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

#[cfg(test)]
mod tests {
    use situ::prelude::*;

    #[theory]
    fn the_warmest_is_no_less_than_noon(#[stub] weather: &dyn super::Weather) {
        let noon = weather.degrees(12);
        assert!(super::warmest(weather) >= noon);
    }
}
"#;

#[test]
fn in_situ_tests_and_stubs_are_explored() {
    let project = library("explore-in-situ", "", IN_SITU);
    let before = project.snapshot();
    let found = project.situ(&["explore", "--runs", "8000", "--seed", "3", "--json", "-j1"]);
    assert_eq!(found.code, 1, "{}{}", found.stdout, found.stderr);
    assert_eq!(call_of(&found, "a_wide_one"), "a_wide_one(54321)");
    assert!(!found.stdout.contains("\"call\":\"all("), "{}", found.stdout);
    let stubbed = found.lines.iter().find(|line| line["theory"].as_str().is_some_and(|it| it.contains("warmest")));
    let message = stubbed.unwrap_or_else(|| panic!("{}", found.stdout))["message"].as_str().unwrap().to_owned();
    assert!(message.contains("weather.degrees(12) answered 12345"), "{message}");
    assert!(message.contains("weather.degrees(18) answered 0"), "the other answer does not matter: {message}");
    assert_eq!(project.snapshot(), before, "nothing is written without being asked for");

    assert!(cargo_test(&project, "a_wide_one"), "on data points and special values it holds");
    assert_eq!(project.situ(&["explore", "a_wide_one", "--runs", "8000", "--write"]).code, 1);
    let source = project.read("src/lib.rs");
    assert!(source.contains("#[datapoint]\nconst WIDTH_54321: u16 = 54321;\n\n#[situ]"), "{source}");
    assert!(!cargo_test(&project, "a_wide_one"), "on the new data point it does not");
}

const RECORDED: &str = r#"
/// A ticket, which only a parser makes.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticket {
    pub id: u64,
    pub seats: Vec<String>,
}

pub fn price(ticket: &Ticket) -> u64 {
    let digest = ticket.seats.iter().flat_map(|seat| seat.bytes()).fold(ticket.id, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(17)
    });
    let is_long = ticket.seats.iter().map(String::len).sum::<usize>() == 12;
    if is_long && digest == EXPECTED { 0 } else { 10 }
}

const EXPECTED: u64 = 0x__DIGEST__;

#[cfg(test)]
mod tests {
    use super::{Ticket, price};
    use situ::prelude::*;

    #[test]
    fn a_ticket_has_a_price() {
        let seats = vec![String::from("row 17"), String::from("seat 4")];
        price(&Ticket { id: 987_654_321_987, seats });
    }

    #[datapoint]
    const FREE_SEATING: Ticket = Ticket { id: 1, seats: Vec::new() };

    #[theory]
    fn every_ticket_costs_something(ticket: &Ticket) {
        assert!(price(ticket) > 0);
    }
}
"#;

/// The same as in the fixture's text.
fn digest() -> u64 {
    let bytes = ["row 17", "seat 4"].iter().flat_map(|seat| seat.bytes());
    bytes.fold(987_654_321_987, |digest: u64, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(17)
    })
}

#[test]
fn values_of_recordings_are_tried() {
    let source = RECORDED.replace("__DIGEST__", &format!("{:x}", digest()));
    let project = library("explore-recorded", "", &source);
    let explore = ["explore", "every_ticket_costs_something", "--runs", "3000", "--json", "-j1"];
    let _ = std::fs::remove_dir_all(project.path().join("target/situ/recordings"));
    let alone = project.situ(&explore);
    assert_eq!(alone.code, 0, "nobody guesses such a ticket: {}", alone.stdout);
    assert_eq!(project.situ(&["record", "--functions"]).code, 0);
    let found = project.situ(&explore);
    assert_eq!(found.code, 1, "{}{}", found.stdout, found.stderr);
    assert!(call_of(&found, "every_ticket").contains("\"row 17\""), "{}", found.stdout);
}

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

#[cfg(test)]
mod tests {
    use super::{Even, insert};
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
    fn evens_are_even(even: &Even) {
        assert!(even.value() % 2 == 0, "odd");
        assert!(even.value() != 0x1234_5678, "special");
    }
}
"#;

#[test]
fn properties_of_other_libraries_are_explored() {
    let project = library(
        "explore-friends",
        "arbitrary = \"1\"\nproptest = { version = \"1\", default-features = false, features = [\"std\"] }\n",
        FRIENDS,
    );
    let found = project.situ(&["explore", "--runs", "30000", "--seed", "1", "--json", "-j1"]);
    assert_eq!(found.code, 1, "{}{}", found.stdout, found.stderr);
    assert_eq!(call_of(&found, "what_is_inserted_is_there"), "what_is_inserted_is_there(4200)");
    call_of(&found, "lists_grow(");
    let message = |theory: &str| {
        let of_theory = found.lines.iter().filter(|line| line["theory"].as_str().is_some_and(|it| it.contains(theory)));
        of_theory.map(|line| line["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join("\n\n")
    };
    assert!(message("lists_grow").contains("\nitem = 42"), "{}", message("lists_grow"));
    assert!(message("evens_are_even").contains("special") && !message("evens_are_even").contains("odd"));
    assert!(call_of(&found, "evens_are_even").contains("arbitrary::Unstructured::new(&["), "{}", found.stdout);
    assert!(cargo_test(&project, "on_data_points"), "without data points there is nothing to check");
    assert_eq!(project.situ(&["explore", "what_is_inserted_is_there", "--runs", "3000", "--write"]).code, 1);
    assert!(!cargo_test(&project, "on_data_points"), "{}", project.read("src/lib.rs"));
}
