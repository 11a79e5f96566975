//! Groups of rows, and the tests that hold them.

use super::*;
use crate::base::idx::Idx;
use crate::generate::extract::candidate::clauses::Comparison;
use crate::generate::extract::table::rows::{Part, RowIdx, RowsTest, groups};

fn numbers<'i, T: 'i>(places: impl IntoIterator<Item = &'i Idx<T>>) -> Vec<usize> {
    places.into_iter().map(|place| place.at()).collect()
}

/// Returns the texts of the parts of a test that are such.
fn texts(test: &RowsTest, is_meant: impl Fn(&Part) -> bool) -> Vec<&str> {
    let meant = test.parts.iter().filter(|(_, part)| is_meant(part));
    meant.map(|(bytes, _)| &test.text[bytes.clone()]).collect()
}

fn splitting(line: &str, name: &str) -> Candidate {
    candidate(vec![("line", text(line))], vec![place("name", text(name))])
}

#[test]
fn candidates_of_one_shape_are_rows_of_one_test() {
    let scene = Scene::new();
    let panics = candidate(
        vec![("line", text(""))],
        vec![Claim::Panics("empty".to_owned())],
    );
    let all = [panics, splitting("a=b", "a"), splitting("c=d", "c")];
    let mut next = 0;
    let groups = groups(StatementIdx::new(0), &all, &scene.writing(), &mut next);
    let rows: Vec<_> = groups
        .iter()
        .map(|group| (group.number, numbers(&group.rows)))
        .collect();
    assert_eq!(rows, [(1, vec![1, 2]), (2, vec![0])], "the largest first");
}

#[test]
fn a_test_of_rows_says_where_each_row_and_claim_stands() {
    let scene = Scene::new();
    let all = [splitting("a=b", "a"), splitting("c=d", "c")];
    let group = groups(StatementIdx::new(0), &all, &scene.writing(), &mut 0).remove(0);
    let test = group.test(&all, &scene.writing()).unwrap();
    assert!(test.text.starts_with(&format!(
        "itest!(\"{}\", ignore(\"rows\"), each(::situ::rt::rows::Row((situ_g0,situ_e0,)),",
        group.name()
    )));
    assert_eq!(
        texts(&test, |part| matches!(part, Part::Row(_))),
        ["0 => (\"a=b\", \"a\", ), ", "1 => (\"c=d\", \"c\", ), "]
    );
    assert_eq!(
        texts(&test, |part| matches!(part, Part::Claim(_))),
        [", check_eq(name, situ_e0)"]
    );
    assert!(
        test.text.contains(", given(line = situ_g0)"),
        "{}",
        test.text
    );
    assert!(test.text.ends_with(");"));
}

#[test]
fn tails_have_tests_of_blocks_and_closures_their_own() {
    let all = [candidate(vec![], vec![Claim::Returns(int(1))])];
    let begins_with = |target: Target, expected: &str| {
        let mut scene = Scene::new();
        scene.spot.target = target;
        let group = groups(StatementIdx::new(0), &all, &scene.writing(), &mut 0).remove(0);
        let text = group.test(&all, &scene.writing()).unwrap().text;
        assert!(text.starts_with(expected), "{text}");
    };
    begins_with(Target::Statement, "itest!(");
    begins_with(Target::Tail, "blocktest!(");
    begins_with(
        Target::Closure {
            which: None,
            inputs: Vec::new(),
        },
        "closuretest!(",
    );
}

#[test]
fn a_test_that_could_claim_nothing_is_none() {
    let scene = Scene::new();
    let all = [splitting("a=b", "a")];
    let mut group = groups(StatementIdx::new(0), &all, &scene.writing(), &mut 0).remove(0);
    group.comparisons = vec![Comparison::No];
    assert!(group.test(&all, &scene.writing()).is_err());
}

/// Rows with a value that is compared by its fields.
fn by_parts() -> Vec<Candidate> {
    let with = |line: &str, size: u8| {
        let value = structure("mine::Name", None, Shape::Named, vec![("size", int(size))]);
        candidate(vec![("line", text(line))], vec![place("name", value)])
    };
    vec![with("a", 1), with("b", 2), with("c", 1)]
}

#[test]
fn rows_that_are_compared_by_parts_share_a_test_with_an_arm_for_each_value() {
    let (scene, all) = (Scene::new(), by_parts());
    let mut group = groups(StatementIdx::new(0), &all, &scene.writing(), &mut 0).remove(0);
    group.comparisons = vec![Comparison::Parts];
    let test = group.test(&all, &scene.writing()).unwrap();
    let arms =
        "check(match ::situ::rt::rows::row() { 0 | 2 => name.size == 1, 1 => name.size == 2, ";
    assert!(test.text.contains(arms), "{}", test.text);
    let arms = test.parts.iter().filter_map(|(bytes, part)| match part {
        Part::Arm { rows, .. } => Some((&test.text[bytes.clone()], numbers(rows))),
        _ => None,
    });
    let blamed: Vec<(&str, Vec<usize>)> = arms.collect();
    assert_eq!(
        blamed,
        [
            ("0 | 2 => name.size == 1, ", vec![0, 2]),
            ("1 => name.size == 2, ", vec![1])
        ]
    );
    let said: Vec<String> = all
        .iter()
        .map(|one| group.said_in_words(one, &scene.writing()))
        .collect();
    assert!(
        said[0] == said[2] && said[0] != said[1],
        "a table holds only rows of which the same is said: {said:?}"
    );
}

#[test]
fn rows_that_need_weaker_words_leave_the_others_as_they_are() {
    let (scene, all) = (Scene::new(), by_parts());
    let mut next = 0;
    let mut group = groups(StatementIdx::new(0), &all, &scene.writing(), &mut next).remove(0);
    group.comparisons = vec![Comparison::Inside];
    let mut weaker = group.split_off(&[0, 2].map(RowIdx::new).into(), &mut next);
    weaker.weaken(ClaimIdx::new(0), &all);
    assert_eq!(
        (numbers(&group.rows), group.comparisons),
        (vec![1], vec![Comparison::Inside])
    );
    assert_eq!(
        (numbers(&weaker.rows), weaker.comparisons),
        (vec![0, 2], vec![Comparison::Parts])
    );
    assert!(
        group.number != weaker.number && group.number != 1,
        "both are other tests than before"
    );
}

#[test]
fn a_row_of_which_nothing_can_be_said_is_left_out() {
    let scene = Scene::new();
    let silent = candidate(vec![("line", text("d"))], vec![place("name", int(3))]);
    let all: Vec<Candidate> = by_parts().into_iter().chain([silent]).collect();
    let mut group = groups(StatementIdx::new(0), &all[..3], &scene.writing(), &mut 0).remove(0);
    group.rows.push(CandidateIdx::new(3));
    group.comparisons = vec![Comparison::Parts];
    let test = group.test(&all, &scene.writing()).unwrap();
    let rows = texts(&test, |part| matches!(part, Part::Row(_)));
    assert_eq!(rows.len(), 3, "{}", test.text);
}
