//! Which failures of tests kill a mutant.

use super::*;
use crate::programs::shell_program::{runs_of, shell_program};
use std::time::Duration;
use tempfile::TempDir;

struct Fixture {
    folder: TempDir,
    programs: Vec<Program>,
    baseline: Baseline,
}

impl Fixture {
    fn new(tests: &[(&str, &str)]) -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let programs = vec![shell_program(folder.path(), tests)];
        let tests = tests.iter().map(|(name, _)| Test {
            name: (*name).to_owned(),
            ..Test::default()
        });
        let baseline = Baseline {
            tests: tests.collect(),
            workers: 1,
        };
        Fixture {
            folder,
            programs,
            baseline,
        }
    }

    fn court(&self, whole_matrix: bool) -> Court<'_> {
        Court::new(
            &self.programs,
            &self.baseline,
            self.folder.path(),
            whole_matrix,
        )
    }

    fn runs(&self, test: &str) -> usize {
        runs_of(test, self.folder.path())
    }
}

fn case(id: u32, tests: &[usize]) -> Case {
    Case {
        id,
        neighbourhood: 0,
        tests: tests.to_vec(),
    }
}

/// Returns the status of each mutant, and the tests that killed it.
fn judged(court: &Court<'_>, cases: &[Case]) -> Vec<(Status, Vec<String>)> {
    let verdicts = court.judge(cases, |_, _| {}).unwrap();
    verdicts
        .into_iter()
        .map(|verdict| (verdict.status, verdict.killed_by))
        .collect()
}

fn killed_by(tests: &[&str]) -> (Status, Vec<String>) {
    (
        Status::Killed,
        tests.iter().map(|test| (*test).to_owned()).collect(),
    )
}

fn survived() -> (Status, Vec<String>) {
    (Status::Survived, Vec::new())
}

const NOTICES_7: &str = "[ \"$mutant\" != 7 ]";

#[test]
fn a_test_that_notices_a_mutant_has_passed_three_times_alone_and_failed_twice() {
    let fixture = Fixture::new(&[("passes", "true"), ("notices", NOTICES_7)]);
    let court = fixture.court(false);
    assert_eq!(
        judged(&court, &[case(7, &[0, 1]), case(8, &[0, 1])]),
        [killed_by(&["notices"]), survived()]
    );
    assert_eq!(
        (fixture.runs("passes"), fixture.runs("notices")),
        (2, 6),
        "one that kills nothing is not run by itself"
    );
    assert_eq!(judged(&court, &[case(7, &[1])]), [killed_by(&["notices"])]);
    assert_eq!(
        fixture.runs("notices"),
        8,
        "the second kill of a test costs one more run"
    );
    assert_eq!(court.unstable_tests(), []);
}

#[test]
fn a_test_that_fails_alone_kills_nothing_and_the_next_one_has_its_turn() {
    let fixture = Fixture::new(&[
        ("needs_others", "[ -n \"$ready\" ]"),
        ("notices", NOTICES_7),
    ]);
    let court = fixture.court(false);
    let verdicts = court
        .judge(&[case(7, &[0, 1]), case(8, &[0, 1])], |_, _| {})
        .unwrap();
    let [killed, alive] = &verdicts[..] else {
        panic!("{verdicts:?}")
    };
    assert_eq!(killed.unstable_tests, ["needs_others"]);
    assert_eq!(
        (
            killed.status,
            killed.killed_by.as_slice(),
            killed.is_unstable
        ),
        (Status::Killed, &["notices".to_owned()][..], false)
    );
    assert_eq!(
        (
            alive.status,
            alive.is_unstable,
            alive.unstable_tests.as_slice()
        ),
        (Status::Survived, true, &["needs_others".to_owned()][..])
    );
    let unstable = court.unstable_tests();
    assert_eq!(unstable.len(), 1);
    assert_eq!(
        unstable[0].why.to_string(),
        "failed in 3 of 3 runs alone, without a mutant"
    );
}

#[test]
fn what_other_tests_leave_in_the_process_kills_nothing() {
    // Alone, both pass with and without the mutant.
    let fixture = Fixture::new(&[
        ("spoils", "spoilt=yes"),
        ("is_spoilt", &format!("[ -z \"$spoilt\" ] && {NOTICES_7}")),
    ]);
    let court = fixture.court(false);
    assert_eq!(
        judged(&court, &[case(8, &[0, 1]), case(7, &[0, 1])]),
        [survived(), killed_by(&["is_spoilt"])]
    );
    assert_eq!(
        court.unstable_tests(),
        [],
        "it is only run apart from then on"
    );
}

#[test]
fn a_mutant_that_is_only_noticed_after_another_test_is_killed() {
    let fixture = Fixture::new(&[
        ("stores", "stored=$mutant"),
        ("loads", "[ \"$stored\" != 7 ]"),
    ]);
    assert_eq!(
        judged(&fixture.court(false), &[case(7, &[0, 1]), case(8, &[0, 1])]),
        [killed_by(&["loads"]), survived()]
    );
}

/// Test body that fails in every tenth run. It passes in the first two runs of a suite.
const FAILS_EVERY_TENTH_TIME: &str =
    "echo >> \"$folder/runs\"; [ $(($(wc -l < \"$folder/runs\") % 10)) != 0 ]";

#[test]
fn a_test_that_fails_now_and_then_kills_nothing() {
    let fixture = Fixture::new(&[("flaky", FAILS_EVERY_TENTH_TIME)]);
    let court = fixture.court(false);
    let cases: Vec<Case> = (1..=40).map(|id| case(id, &[0])).collect();
    let verdicts = court.judge(&cases, |_, _| {}).unwrap();
    assert!(
        verdicts
            .iter()
            .all(|verdict| verdict.status == Status::Survived),
        "{verdicts:?}"
    );
    assert_eq!(court.unstable_tests().len(), 1);
}

#[test]
fn what_a_test_killed_before_it_failed_without_a_mutant_is_judged_again() {
    // It detects mutant 7 each time, and fails in every tenth run.
    let flaky = format!("{FAILS_EVERY_TENTH_TIME} && {NOTICES_7}");
    let fixture = Fixture::new(&[("flaky", &flaky), ("slower", NOTICES_7)]);
    let court = fixture.court(false);
    let told = Mutex::new(Vec::new());
    let cases: Vec<Case> = [7]
        .into_iter()
        .chain(11..=30)
        .map(|id| case(id, &[0]))
        .chain([case(7, &[0, 1])])
        .collect();
    let verdicts = court
        .judge(&cases, |case, verdict| {
            told.lock().unwrap().push((case.id, verdict.status))
        })
        .unwrap();
    assert_eq!(
        told.lock().unwrap()[0],
        (7, Status::Killed),
        "as far as was known then"
    );
    assert_eq!(verdicts[0].status, Status::Survived);
    let last = verdicts.last().unwrap();
    assert_eq!(
        (last.status, last.killed_by.as_slice()),
        (Status::Killed, &["slower".to_owned()][..])
    );
}

#[test]
fn a_mutant_that_makes_a_test_fail_in_some_runs_only_is_killed_and_marked() {
    // The second run with the mutant passes; without it none fails.
    let sometimes =
        "[ \"$mutant\" != 7 ] || { echo >> \"$folder/met\"; [ $(wc -l < \"$folder/met\") = 2 ]; }";
    let fixture = Fixture::new(&[("random", sometimes)]);
    let verdict = fixture
        .court(false)
        .judge(&[case(7, &[0])], |_, _| {})
        .unwrap()
        .remove(0);
    assert_eq!(
        (verdict.status, verdict.is_unstable),
        (Status::Killed, true),
        "{verdict:?}"
    );
}

#[test]
fn where_two_tests_fail_neither_has_to_fail_again() {
    let fixture = Fixture::new(&[("notices", NOTICES_7), ("too", NOTICES_7)]);
    assert_eq!(
        judged(&fixture.court(false), &[case(7, &[0, 1])]),
        [killed_by(&["notices"])]
    );
    assert_eq!(
        (fixture.runs("notices"), fixture.runs("too")),
        (5, 5),
        "with the mutant, three times alone, together"
    );
}

#[test]
fn two_tests_that_a_third_one_makes_fail_kill_nothing() {
    let is_clean = "[ -z \"$spoilt\" ]";
    let fixture = Fixture::new(&[
        ("spoils", "spoilt=yes"),
        ("one", is_clean),
        ("other", is_clean),
    ]);
    assert_eq!(
        judged(
            &fixture.court(false),
            &[case(7, &[0, 1, 2]), case(8, &[0, 1, 2])]
        ),
        [survived(), survived()]
    );
}

#[test]
fn kinds_of_tests_that_were_not_run_are_told() {
    let mut fixture = Fixture::new(&[("quick", NOTICES_7), ("situ_slow", "true")]);
    fixture.baseline.tests[1].time = Duration::from_millis(20);
    let untried = |whole_matrix: bool, id: u32| {
        let verdict = fixture
            .court(whole_matrix)
            .judge(&[case(id, &[0, 1])], |_, _| {})
            .unwrap()
            .remove(0);
        (verdict.untried.unit, verdict.untried.in_situ)
    };
    assert_eq!(
        untried(false, 7),
        (false, true),
        "the first one kills it, and no other is run"
    );
    assert_eq!(untried(true, 7), (false, false), "all are run");
    assert_eq!(untried(false, 8), (false, false), "nobody notices it");
}

#[test]
fn a_matrix_has_every_test_that_kills_and_no_other() {
    let fixture = Fixture::new(&[
        ("notices", NOTICES_7),
        ("needs_others", "[ -n \"$ready\" ]"),
        ("too", NOTICES_7),
        ("passes", "true"),
    ]);
    let verdict = fixture
        .court(true)
        .judge(&[case(7, &[0, 1, 2, 3])], |_, _| {})
        .unwrap()
        .remove(0);
    assert_eq!(verdict.killed_by, ["notices", "too"]);
    assert_eq!(verdict.unstable_tests, ["needs_others"]);
}

#[test]
fn kills_of_an_earlier_run_count_only_where_their_tests_still_pass() {
    let fixture = Fixture::new(&[
        ("needs_others", "[ -n \"$ready\" ]"),
        ("notices", NOTICES_7),
    ]);
    let killed = |test: &str| Verdict {
        killed_by: vec![test.to_owned()],
        ..Verdict::new(Status::Killed)
    };
    let mut earlier = HashMap::from([
        (1, killed("needs_others")),
        (2, killed("notices")),
        (3, killed("gone")),
    ]);
    fixture.court(false).keep_reliable(&mut earlier).unwrap();
    let mut kept: Vec<u32> = earlier.into_keys().collect();
    kept.sort_unstable();
    assert_eq!(kept, [2, 3]);
}
