//! Groups of rows, and the tests that hold them.

use super::super::clauses::Comparison;
use super::super::rows::groups;
use super::*;

fn splitting(line: &str, name: &str) -> Candidate {
    candidate(vec![("line", text(line))], vec![place("name", text(name))])
}

#[test]
fn candidates_of_one_shape_are_rows_of_one_test() {
    let scene = Scene::new();
    let panics = candidate(vec![("line", text(""))], vec![Claim::Panics("empty".to_owned())]);
    let all = [panics, splitting("a=b", "a"), splitting("c=d", "c")];
    let mut next = 0;
    let groups = groups(0, &all, &scene.writing(), &mut next);
    let rows: Vec<_> = groups.iter().map(|group| (group.number, group.rows.clone())).collect();
    assert_eq!(rows, [(1, vec![1, 2]), (2, vec![0])], "the largest first");
}

#[test]
fn a_test_of_rows_says_where_each_row_and_claim_stands() {
    let scene = Scene::new();
    let all = [splitting("a=b", "a"), splitting("c=d", "c")];
    let group = groups(0, &all, &scene.writing(), &mut 0).remove(0);
    let test = group.test(&all, &scene.writing()).unwrap();
    assert!(test.text.starts_with(&format!("itest!(\"{}\", ignore(\"rows\"), each((situ_g0,situ_e0,),", group.name())));
    let rows: Vec<&str> = test.rows.iter().map(|(range, _)| &test.text[range.clone()]).collect();
    assert_eq!(rows, ["0 => (\"a=b\", \"a\", ), ", "1 => (\"c=d\", \"c\", ), "]);
    let claims: Vec<&str> = test.claims.iter().map(|range| &test.text[range.clone()]).collect();
    assert_eq!(claims, [", check_eq(name, situ_e0)"]);
    assert!(test.text.contains(", given(line = situ_g0)"), "{}", test.text);
    assert!(test.text.ends_with(");"));
}

#[test]
fn tails_have_tests_of_blocks_and_closures_their_own() {
    let all = [candidate(vec![], vec![Claim::Returns(int(1))])];
    let begins_with = |target: Target, expected: &str| {
        let mut scene = Scene::new();
        scene.spot.target = target;
        let group = groups(0, &all, &scene.writing(), &mut 0).remove(0);
        let text = group.test(&all, &scene.writing()).unwrap().text;
        assert!(text.starts_with(expected), "{text}");
    };
    begins_with(Target::Statement, "itest!(");
    begins_with(Target::Tail, "blocktest!(");
    begins_with(Target::Closure { which: None, inputs: Vec::new() }, "closuretest!(");
}

#[test]
fn a_test_that_could_claim_nothing_is_none() {
    let scene = Scene::new();
    let all = [splitting("a=b", "a")];
    let mut group = groups(0, &all, &scene.writing(), &mut 0).remove(0);
    group.comparisons = vec![Comparison::No];
    assert!(group.test(&all, &scene.writing()).is_err());
}

#[test]
fn rows_that_are_compared_by_parts_stay_together_only_with_the_same_parts() {
    let scene = Scene::new();
    let with = |line: &str, size: u8| {
        let value = structure("mine::Name", None, Shape::Named, vec![("size", int(size))]);
        candidate(vec![("line", text(line))], vec![place("name", value)])
    };
    let all = [with("a", 1), with("b", 2), with("c", 1)];
    let mut next = 0;
    let mut group = groups(0, &all, &scene.writing(), &mut next).remove(0);
    group.comparisons = vec![Comparison::Parts];
    let split = group.split_by_parts(&all, &scene.writing(), &mut next);
    let rows: Vec<_> = split.iter().map(|group| (group.number, group.rows.clone())).collect();
    assert_eq!(rows, [(2, vec![0, 2]), (3, vec![1])]);
}
