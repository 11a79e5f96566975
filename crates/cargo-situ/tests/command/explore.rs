//! `cargo situ explore` from end to end, on a copy of the crate under `testdata/explore`.

use crate::project::{Project, Ran, own_cargo};

fn cargo_test(project: &Project, test: &str) -> bool {
    own_cargo(project)
        .args(["test", "--lib", "--", "--exact", test])
        .output()
        .unwrap()
        .status
        .success()
}

fn calls(ran: &Ran) -> Vec<&str> {
    ran.lines
        .iter()
        .filter_map(|line| line["call"].as_str())
        .collect()
}

/// One project and one build serve everything that is explored in it.
#[test]
fn what_violates_a_theory_is_found() {
    let project = Project::copy_with_builds("explore", "explore");
    let _ = std::fs::remove_dir_all(project.path().join("target/situ/recordings"));
    violations_are_found_and_shrunk(&project);
    values_of_recordings_are_tried(&project);
    violations_are_written_as_data_points(&project);
    what_ends_the_process_is_a_finding_too(&project);
    values_are_made_as_their_types_make_them(&project);
}

fn violations_are_found_and_shrunk(project: &Project) {
    let before = project.snapshot();
    let found = project.situ(&["explore", "--runs", "20000", "--seed", "1", "--json", "-j1"]);
    assert_eq!(found.code, 1, "{}", found.stderr);
    let shown = calls(&found);
    for call in [
        "the_first_becomes_the_last(\"\")",
        "a_half_is_half(3735928559)",
        "every_address_has_a_path(\"situ://root/\")",
        "distances_are_not_negative(&Point { x: -2147483648, y: 0 })",
    ] {
        assert!(shown.contains(&call), "{call} in {shown:#?}");
    }
    assert!(
        shown
            .iter()
            .any(|call| call.starts_with("popping_takes_one(&mut { let mut made = Stack::new(); "))
    );
    assert!(
        !shown.iter().any(|call| call.starts_with("reversing_twice")),
        "{shown:#?}"
    );
    assert!(
        !shown.iter().any(|call| call.starts_with("every_ticket")),
        "nobody guesses such a ticket: {shown:#?}"
    );
    assert_eq!(
        (
            found.summary["theories"].as_u64(),
            found.summary["violated"].as_u64()
        ),
        (Some(7), Some(5))
    );
    assert!(found.summary["executions"].as_u64().unwrap() > 20_000);
    for line in found.lines.iter().filter(|line| line["call"].is_string()) {
        assert!(
            line["theory"].is_string()
                && line["arguments"].is_string()
                && line["message"].is_string(),
            "{line}"
        );
    }
    assert_eq!(
        project.snapshot(),
        before,
        "nothing is written without being asked for"
    );

    let again = project.situ(&["explore", "--runs", "20000", "--seed", "1", "--json", "-j1"]);
    let of = |ran: &Ran| {
        calls(ran)
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(of(&again), of(&found), "the same seed finds the same");
}

fn values_of_recordings_are_tried(project: &Project) {
    let recorded = project.situ(&[
        "record",
        "--functions",
        "--",
        "cargo",
        "test",
        "--lib",
        "a_ticket_has_a_price",
    ]);
    assert_eq!(recorded.code, 0, "{}", recorded.stderr);
    let found = project.situ(&[
        "explore",
        "every_ticket_costs_something",
        "--runs",
        "3000",
        "--json",
        "-j1",
    ]);
    assert_eq!(found.code, 1, "{}{}", found.stdout, found.stderr);
    assert!(calls(&found)[0].contains("\"row 17\""), "{}", found.stdout);
}

fn violations_are_written_as_data_points(project: &Project) {
    let source = project.read("src/lib.rs");
    let test = "tests::the_first_becomes_the_last";
    assert!(
        cargo_test(project, test),
        "the data points so far do not violate it"
    );
    let asked = [
        "explore",
        "the_first_becomes_the_last",
        "--runs",
        "2000",
        "--write",
    ];
    assert_eq!(project.situ(&asked).code, 1);
    assert!(
        project
            .read("src/lib.rs")
            .contains("    #[datapoint]\n    const EMPTY: &str = \"\";\n")
    );
    assert!(!cargo_test(project, test), "the new data point does");
    assert_eq!(project.situ(&["explore", "--undo"]).code, 0);
    assert_eq!(project.read("src/lib.rs"), source);

    project.edit(
        "src/lib.rs",
        "fn the_first_becomes_the_last(text: &str) {",
        "fn the_first_becomes_the_last(text: &str) { assume!(!text.is_empty());",
    );
    let clean = project.situ(&[
        "explore",
        "the_first_becomes_the_last",
        "--runs",
        "20000",
        "--json",
    ]);
    assert_eq!((clean.code, clean.lines.len()), (0, 0), "{}", clean.stdout);
}

const ENDS: &str = r#"
use situ::prelude::*;

fn depth(n: u64) -> u64 { if n == 0 { 0 } else { 1 + std::hint::black_box(depth(n - 1)) } }

#[theory]
fn shallow(n: u64) { assert_eq!(depth(n), n); }
#[theory]
fn ends(n: u8) { while n == 77 { std::hint::black_box(n); } }
#[theory]
fn stays(n: u8) { if n == 99 { std::process::abort() } }
#[theory]
fn fits(n: u8) { if n == 55 { std::hint::black_box(vec![1_u8; 8 << 30]); } }
#[theory]
fn nothing_is_left(n: u32) { assume_eq!(n.wrapping_mul(0), 1); }
"#;

fn what_ends_the_process_is_a_finding_too(project: &Project) {
    project.write("tests/ends.rs", ENDS);
    let ran = project.situ(&[
        "explore",
        "tests/ends.rs",
        "--runs",
        "3000",
        "--timeout",
        "2s",
        "--json",
    ]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let message = |theory: &str| {
        let line = ran.lines.iter().find(|line| {
            line["call"]
                .as_str()
                .is_some_and(|call| call.starts_with(theory))
        });
        line.unwrap_or_else(|| panic!("{theory} in {}", ran.stdout))
            .clone()
    };
    assert_eq!(message("shallow")["message"], "the stack overflows");
    assert_eq!(message("ends(")["call"], "ends(77)");
    assert_eq!(message("ends(")["message"], "it takes too long");
    assert_eq!(
        (
            message("stays(")["call"].as_str(),
            message("stays(")["message"].as_str()
        ),
        (Some("stays(99)"), Some("the process aborts"))
    );
    assert_eq!(message("fits(")["call"], "fits(55)");
    assert!(
        message("fits(")["message"]
            .as_str()
            .unwrap()
            .starts_with("it runs out of memory"),
        "{}",
        ran.stdout
    );
    let rejected = ran
        .lines
        .iter()
        .find(|line| line["assumption"].is_string())
        .expect("a rejected theory");
    assert_eq!(rejected["assumption"], "n.wrapping_mul(0) == 1");
    assert!(
        rejected["example"]
            .as_str()
            .unwrap()
            .starts_with("nothing_is_left("),
        "{rejected}"
    );
}

const LEVELS: &str = r#"
use situ::prelude::*;

pub struct Level {
    value: u32,
    max: u32,
}

impl Level {
    pub fn new(value: u32, max: u32) -> Level {
        Level { value: value.min(max), max }
    }
}

pub struct Share(u8);

impl Share {
    pub fn of(percent: u8) -> Result<Share, String> {
        if percent <= 100 { Ok(Share(percent)) } else { Err(percent.to_string()) }
    }
}

mod far {
    pub struct Server { name: String, port: u16 }

    #[derive(Default)]
    pub struct ServerBuilder { name: String, port: u16 }

    impl ServerBuilder {
        pub fn name(mut self, name: &str) -> Self { self.name = name.to_owned(); self }
        pub fn port(&mut self, port: u16) -> &mut Self { self.port = port; self }
        pub fn build(self) -> Option<Server> {
            let Self { name, port } = self;
            (!name.is_empty()).then_some(Server { name, port })
        }
    }

    impl Server {
        pub fn is_named(&self) -> bool { !self.name.is_empty() }
        pub fn port(&self) -> u16 { self.port }
    }
}

#[theory]
fn no_level_is_too_high(level: &Level) { assert!(level.value <= level.max); }
#[theory]
fn no_level_is_seventeen(level: Level) { assert_ne!(level.value, 17); }
#[theory]
fn no_share_is_large(share: &Share) { assert!(share.0 < 99 || share.0 > 100); }
#[theory]
fn every_server_has_a_name(server: &far::Server) { assert!(server.is_named()); }
#[theory]
fn no_server_listens_there(server: &far::Server) { assert_ne!(server.port(), 80); }
#[theory(T = [u8, i64])]
fn sums_are_small<T: Into<i128>>(one: T, other: T) { assert!(one.into() + other.into() < 400); }
#[theory(T = [i8, u16])]
fn none_is_too_large<T: Into<i32>>(one: T) { if one.into() == 1000 { std::process::abort() } }
"#;

fn values_are_made_as_their_types_make_them(project: &Project) {
    project.write("tests/levels.rs", LEVELS);
    let asked = [
        "explore",
        "tests/levels.rs",
        "--runs",
        "20000",
        "--seed",
        "1",
        "--passing",
        "--write",
        "--json",
    ];
    let found = project.situ(&asked);
    assert_eq!(found.code, 1, "{}", found.stderr);
    let mut shown = calls(&found);
    shown.sort_unstable();
    let server = "{ let mut made = crate::far::ServerBuilder::default(); made = made.name(\"a\"); made.port(80); made.build().unwrap() }";
    let reordered = "{ let mut made = crate::far::ServerBuilder::default(); made.port(80); made = made.name(\"a\"); made.build().unwrap() }";
    assert_eq!(shown.len(), 6, "{shown:#?}");
    assert!(
        shown.contains(&"no_level_is_seventeen(Level::new(17, 17))"),
        "{shown:#?}"
    );
    assert!(
        shown.contains(&"no_share_is_large(&Share::of(99).unwrap())"),
        "{shown:#?}"
    );
    assert!(
        shown
            .iter()
            .any(|call| call.contains(server) || call.contains(reordered)),
        "{shown:#?}"
    );
    assert!(
        shown
            .iter()
            .any(|call| call.starts_with("sums_are_small::<u8>(")),
        "{shown:#?}"
    );
    assert!(
        shown
            .iter()
            .any(|call| call.starts_with("sums_are_small::<i64>(")),
        "{shown:#?}"
    );
    assert!(
        shown.contains(&"none_is_too_large::<u16>(1000)"),
        "{shown:#?}"
    );
    // What was written compiles, and is not written once more.
    let built = own_cargo(project)
        .args(["test", "--no-run", "--test", "levels"])
        .output()
        .unwrap();
    assert!(
        built.status.success(),
        "{}{}",
        project.read("tests/levels.rs"),
        String::from_utf8_lossy(&built.stderr)
    );
    let written = project.read("tests/levels.rs");
    assert!(
        written.contains("-> Level {\n    Level::new(17, 17)\n}"),
        "{written}"
    );
    let again: Vec<&str> = asked
        .into_iter()
        .filter(|option| *option != "--passing")
        .collect();
    assert_eq!(project.situ(&again).code, 1);
    assert_eq!(project.read("tests/levels.rs"), written);
}

#[test]
fn a_theory_that_is_not_there_is_the_users_mistake() {
    let project = Project::copy_with_builds("explore", "explore-mistakes");
    let ran = project.situ(&["explore", "nobody"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr
            .contains("there is no theory `nobody`; there are: explored::tests::"),
        "{}",
        ran.stderr
    );
    assert_eq!(project.situ(&["explore", "--time", "soon"]).code, 2);
}
