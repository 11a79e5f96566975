//! With the feature `bugs`, each unit has a bug; these are the theories that find it.

use std::path::Path;
use std::process::Command;

/// A theory, and what its report must show.
const FOUND: [(&str, &str); 10] = [
    (
        "bag::tests::what_was_added_is_there",
        "item = Item::Picture(\"cat\".into())",
    ),
    (
        "buffer::tests::compacting_makes_room_for_what_was_taken",
        "buffer    <from view>",
    ),
    (
        "config_file::tests::every_file_is_right_in_the_folder",
        "user = \"rodimus/prime\"",
    ),
    (
        "correspondent::tests::a_benefit_is_asked_for",
        "bug137?\", [\"true\", \"false\", \"unknown\"]) answered \"true\"",
    ),
    (
        "email::tests::an_address_with_a_space_has_quotes",
        "address = \"ada lovelace@example.org\"",
    ),
    (
        "equality::tests::equals_have_equal_hashes",
        "b = UserName(\"Ada\".into())",
    ),
    (
        "goal::tests::the_status_of_a_paused_goal_says_so",
        "now = TimePoint(59)",
    ),
    (
        "interval::tests::the_complement_relative_to_itself_is_empty",
        "interval = Interval { lower: 7, upper: 1, ",
    ),
    (
        "reverse::tests::reversing_makes_the_first_last",
        "s = \"house\"",
    ),
    (
        "square_root::tests::the_root_times_itself_is_the_number",
        "n = 0.25",
    ),
];

#[test]
fn every_bug_is_found_by_the_theory_that_is_about_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO"))
        .current_dir(folder)
        .args(["test", "--offline", "--lib", "--features", "bugs"])
        .output()
        .expect("cargo runs");
    let report = String::from_utf8_lossy(&output.stdout);
    for (theory, shown) in FOUND {
        let start = report.find(&format!("---- {theory} stdout ----"));
        let section = start
            .map(|start| &report[start..])
            .unwrap_or_else(|| panic!("{theory} holds:\n{report}"));
        let end = section[1..].find("\n---- ").unwrap_or(section.len() - 1);
        assert!(
            section[..end].contains(shown),
            "{shown:?} is not in the report of {theory}:\n{}",
            &section[..end]
        );
    }
}
