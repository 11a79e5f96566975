//! `cargo situ generalize` from end to end, on a copy of the crate under `testdata/generalize`.

use crate::project::{Project, Ran, own_cargo};
use std::collections::BTreeMap;
use std::path::PathBuf;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The class of an assertion of a test over a function, both told by a part of their text.
fn class(ran: &Ran, test: &str, call: &str, assertion: &str) -> String {
    let is_meant = |line: &&serde_json::Value| {
        let has =
            |key: &str, part: &str| line[key].as_str().is_some_and(|text| text.contains(part));
        has("test", test) && has("call", call) && has("assertion", assertion)
    };
    let found = ran.lines.iter().find(is_meant);
    let found = found.unwrap_or_else(|| {
        panic!(
            "{test} × {call} × {assertion} is no candidate: {}",
            ran.stdout
        )
    });
    found["class"].as_str().unwrap().to_owned()
}

fn text<'r>(ran: &'r Ran, name: &str) -> &'r str {
    let found = ran.lines.iter().find(|line| line["name"] == name);
    let found = found.unwrap_or_else(|| panic!("{name} is not there: {}", ran.stdout));
    found["text"].as_str().unwrap()
}

/// The user's own `cargo test`, without a warning.
fn cargo_test(project: &Project) {
    let output = own_cargo(project)
        .args(["test", "--quiet", "--tests"])
        .output()
        .unwrap();
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        output.status.success() && !said.contains("warning"),
        "{said}"
    );
}

#[test]
fn tests_of_every_kind_are_generalized_and_nothing_hangs() {
    let project = Project::copy_with_builds("generalize", "generalize");
    let before = project.snapshot();
    let ran = project.situ(&["generalize", "--json", "--falsifying"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(
        project.snapshot(),
        before,
        "nothing is written without --write"
    );

    assert_eq!(
        class(
            &ran,
            "a_letter_is_near_itself",
            "distance('a', 'a')",
            "distance('a', 'a')"
        ),
        "strongly_coupled"
    );
    assert_eq!(
        class(&ran, "letters_are_apart", "distance('a', 'c')", "there, 2"),
        "strongly_coupled"
    );
    assert_eq!(
        class(&ran, "digits_are_numbers", "number(\"12\")", "found < 100"),
        "falsifiably_coupled"
    );
    // The loop is gone, and its variable is the parameter.
    assert_eq!(
        class(&ran, "words_are_none", "number(word)", "is_err"),
        "falsifiably_coupled"
    );
    // The function beside the test has been followed, and its parameter is the parameter.
    assert_eq!(
        class(&ran, "long_numbers_too", "number(text)", "expected"),
        "strongly_coupled"
    );
    assert_eq!(
        class(&ran, "long_numbers_too", "number(text)", "text.len()"),
        "falsifiably_coupled"
    );
    // With another tank's mark it never ends, with another tank's amount the process ends.
    assert_eq!(
        class(
            &ran,
            "a_low_tank_is_above_low_marks",
            "above(5)",
            "above(5)"
        ),
        "strongly_coupled"
    );
    assert_eq!(
        class(&ran, "little_can_be_drained", "drain(3)", "drain(3)"),
        "strongly_coupled"
    );
    assert_eq!(
        class(&ran, "much_can_be_drained", "drain(60)", "drain(60)"),
        "decoupled"
    );
    // What an assertion that goes has changed is changed all the same.
    assert_eq!(
        class(&ran, "what_comes_last_goes_first", "push(1)", "Some(1)"),
        "strongly_coupled"
    );
    assert_eq!(
        class(
            &ran,
            "what_comes_last_goes_first",
            "push(2)",
            "stack.depth(), 0"
        ),
        "decoupled"
    );
    assert_eq!(
        class(
            &ran,
            "numbers_are_found",
            "number(\"seven\")",
            "is no number"
        ),
        "falsifiably_coupled"
    );
    for left in [
        "what_is_no_number_cannot_be_taken_for_one",
        "what_is_ignored_stays_so",
    ] {
        assert!(
            !ran.stdout
                .lines()
                .any(|line| line.contains(left) && line.contains("\"class\"")),
            "{left}"
        );
    }
    // Nor does what it has changed outside of the test go.
    assert_eq!(
        class(&ran, "labels_need_their_folder", "\"Emma\"", "letters > 4"),
        "strongly_coupled"
    );
    assert_eq!(ran.summary["ill_formed"], 0, "{}", ran.stdout);

    let digits = text(&ran, "digits_are_numbers_over_number_2");
    assert!(
        digits.contains("#[case::original(\"12\")]") && digits.contains("-> Result<(), String>"),
        "{digits}"
    );
    let unwrapped = text(&ran, "digits_are_numbers_over_number");
    assert!(unwrapped.contains("let _ = number(text)?;"), "{unwrapped}");
    let words = text(&ran, "words_are_none_over_number");
    assert!(
        words.contains("fn words_are_none_over_number(#[case] word: &str) {")
            && !words.contains("for word"),
        "{words}"
    );
    // What only an assertion that is gone looked at has no name any more.
    let depth = text(&ran, "a_stack_knows_its_depth_over_push");
    assert!(
        depth.contains("let (mut stack, _) = (Stack::default(), 44);"),
        "{depth}"
    );
    let no_result = text(&ran, "digits_are_numbers_over_number_fails");
    assert!(
        no_result.contains("#[should_panic]") && no_result.contains("run().unwrap();"),
        "{no_result}"
    );
    let negative = text(&ran, "words_are_none_over_number_fails");
    assert!(
        negative.contains("#[should_panic]") && negative.contains("(\"12\")]"),
        "{negative}"
    );
    check_provenance(&ran);
    check_patch(&project);
    check_review(&project);
    check_writing(&project);
}

/// Every case says where it comes from, and with which the function panicked.
fn check_provenance(ran: &Ran) {
    let cases = |name: &str| {
        let test = ran.lines.iter().find(|line| line["name"] == name);
        let test = test.unwrap_or_else(|| panic!("{name} is not there: {}", ran.stdout));
        test["arguments"].as_array().unwrap().clone()
    };
    let less = cases("half_is_less_over_half_fails");
    let of = |value: &str| {
        less.iter()
            .find(|case| case["values"][0] == value)
            .unwrap_or_else(|| panic!("{less:?}"))
    };
    assert_eq!(of("3")["panicked"], true);
    assert_eq!(of("3")["name"], "panics_as_in_odd_numbers_have_no_half");
    assert_eq!(of("3")["tests"][0], "tests::odd_numbers_have_no_half");
    let words = cases("words_are_none_over_number");
    let original: Vec<&serde_json::Value> = words
        .iter()
        .filter(|case| case["original"] == true)
        .collect();
    assert_eq!(original.len(), 3, "{words:?}");
    assert!(
        original
            .iter()
            .all(|case| case["tests"][0] == "tests::words_are_none"),
        "{words:?}"
    );
    assert!(
        ran.summary["median_captured_arguments"].as_f64().unwrap() > 1.0,
        "{}",
        ran.summary
    );
}

fn check_writing(project: &Project) {
    let before = project.snapshot();
    let written = project.situ(&["generalize", "--write", "--falsifying", "--json"]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    assert!(
        project
            .read("Cargo.toml")
            .contains("[dev-dependencies]\nrstest = ")
    );
    assert!(
        project
            .read("tests/from_outside.rs")
            .contains("#[rstest::rstest]")
    );
    cargo_test(project);
    let again = project.situ(&["generalize", "--write", "--falsifying", "--json"]);
    assert_eq!(
        (again.code, again.summary["emitted"].as_u64()),
        (0, Some(0)),
        "{} {}",
        again.stderr,
        again.stdout
    );
    assert_eq!(
        again.summary["left_out"]["it exists already"], written.summary["emitted"],
        "{}",
        again.summary
    );
    check_undone(project, &before);
}

#[test]
fn theories_hold_the_arguments_as_data_points() {
    let project = Project::copy_with_builds("generalize", "generalize-theories");
    let place = [
        "--in",
        "digits_are_numbers",
        "--in",
        "words_are_none",
        "--in",
        "tests/from_outside.rs",
    ];
    let style = [
        "generalize",
        "--style",
        "theory",
        "--falsifying",
        "--situ-path",
        REPOSITORY,
        "--write",
        "--json",
    ];
    let ran = project.situ(&[&style[..], &place[..]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let theory = text(&ran, "words_are_none_over_number");
    assert!(
        theory.contains("#[situ::datapoints(\"words_are_none_over_number\")]"),
        "{theory}"
    );
    assert!(
        theory.contains("#[from(\"words_are_none_over_number\")] word: &'static str"),
        "{theory}"
    );
    let negative = text(&ran, "words_are_none_over_number_fails");
    assert!(
        negative.contains("\"12\",") && negative.contains("outcome.is_err()"),
        "{negative}"
    );
    let with_result = text(&ran, "digits_are_numbers_over_number_2");
    assert!(
        with_result.contains("-> Result<(), String>"),
        "{with_result}"
    );
    assert!(
        project.read("Cargo.toml").contains("situ"),
        "{}",
        project.read("Cargo.toml")
    );
    let considered: Vec<&str> = ran
        .lines
        .iter()
        .filter_map(|line| line["test"].as_str())
        .collect();
    assert!(
        !considered
            .iter()
            .any(|test| test.contains("letters_are_apart")),
        "{considered:?}"
    );
    cargo_test(&project);
}

/// A patch is all that is on standard output.
fn check_patch(project: &Project) {
    let ran = project.situ(&["generalize", "--in", "words_are_none"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("--- a/"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("+    #[case::original"),
        "{}",
        ran.stdout
    );
    for column in [
        "target function",
        "captured arguments",
        "strongly-coupled",
        "falsifiably-coupled",
        "decoupled",
    ] {
        assert!(ran.stderr.contains(column), "{column}: {}", ran.stderr);
    }
}

/// A review keeps what is said to be kept.
fn check_review(project: &Project) {
    let before = project.snapshot();
    let none = project.situ_answered(&["generalize", "--in", "words_are_none", "--review"], "n\n");
    assert_eq!(none.code, 0, "{}", none.stderr);
    assert_eq!(
        project.snapshot(),
        before,
        "what nobody wants is not written"
    );
    let kept = project.situ_answered(&["generalize", "--in", "words_are_none", "--review"], "y\n");
    assert_eq!(kept.code, 0, "{}", kept.stderr);
    assert!(
        project
            .read("src/lib.rs")
            .contains("fn words_are_none_over_number(")
    );
    assert!(project.read("Cargo.toml").contains("rstest"));
    check_undone(project, &before);
}

fn check_undone(project: &Project, before: &BTreeMap<PathBuf, Vec<u8>>) {
    let undone = project.situ(&["generalize", "--undo"]);
    assert_eq!(undone.code, 0, "{}", undone.stderr);
    let mut after = project.snapshot();
    after.retain(|path, _| before.contains_key(path));
    assert_eq!(&after, before, "undo gives the files back");
}

#[test]
fn what_the_user_did_wrong_is_said() {
    let project = Project::copy("generalize");
    let nowhere = project.situ(&["generalize", "--in", "no_such_test"]);
    assert_eq!(nowhere.code, 2);
    assert!(
        nowhere.stderr.contains("`--in no_such_test` names no test"),
        "{}",
        nowhere.stderr
    );
    let unknown = project.situ(&["generalize", "--from", "yesterday"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.stderr.contains("there is no recording `yesterday`"),
        "{}",
        unknown.stderr
    );
    let failing = "pub fn two() -> u8 { 2 }\n#[test]\nfn fails() { assert_eq!(two(), 3); }\n";
    let failing = Project::library("", failing).situ(&["generalize"]);
    assert_eq!(failing.code, 3, "{}", failing.stderr);
}
