//! Which rows are kept, and how that is counted.

use super::super::choose::{Choice, Keep, choose};
use super::*;
use crate::generate::extract::candidate::statement::{Statement, Statements};
use crate::generate::extract::choose::rank::keep_top;
use crate::generate::extract::choose::reduce::Algorithm;
use crate::generate::extract::compile::verify::ShownTest;
use crate::generate::extract::find::survey::Survey;
use crate::generate::extract::judge::matrix::{Judgement, TargetMutant};
use crate::generate::extract::report::summary::{Numbers, begin};
use crate::generate::extract::table::group_refusal::GroupRefusal;
use crate::generate::extract::table::rows::{Group, groups};
use crate::generate::extract::table::test_text::Wording;
use crate::mutate::rows::Matrix;
use std::collections::BTreeMap;

/// One statement with three candidates: the first two take one branch each and the third both; mutant 1 is killed by the
/// first, mutant 2 by the second, mutant 3 by nobody.
struct Case {
    statements: Vec<Statement>,
    groups: Vec<Group>,
    judgement: Judgement,
}

fn case() -> Case {
    let taking = |line: &str, branches: &[u32]| Candidate {
        context: branches.iter().copied().collect(),
        ..candidate(vec![("line", text(line))], vec![place("name", text("n"))])
    };
    let scene = Scene::new();
    let candidates = vec![
        taking("a", &[1]),
        taking("b", &[2]),
        taking("a longer line", &[1, 2]),
    ];
    let groups = groups(StatementIdx::new(0), &candidates, &scene.writing(), &mut 0);
    let statement = Statement {
        site: recorded(Position::Statement, &[]).site,
        identity: 1,
        spot: scene.spot,
        here: scene.here,
        value_sets: 4,
        branches: BTreeSet::new(),
        taken: BTreeSet::new(),
        context: BTreeSet::from([1, 2]),
        constants: Default::default(),
        candidates,
    };
    let mutant = |id: u32, operator: &str| TargetMutant {
        id,
        operator: operator.to_owned(),
        shown: format!("src/lib.rs:1: {operator} {id}"),
        nth: 1,
    };
    let matrix = Matrix {
        failure: None,
        passing: BTreeSet::from([0, 1, 2]),
        killed_by: BTreeMap::from([(1, BTreeSet::from([0])), (2, BTreeSet::from([1]))]),
    };
    let judgement = Judgement {
        mutants: vec![vec![
            mutant(1, "bits"),
            mutant(2, "method"),
            mutant(3, "method"),
        ]],
        of_groups: BTreeMap::from([(groups[0].number, matrix)]),
        unjudged: BTreeMap::new(),
        killed_by_unit: BTreeSet::from([1, 3]),
        open_by_unit: BTreeSet::new(),
    };
    Case {
        statements: vec![statement],
        groups,
        judgement,
    }
}

impl Case {
    fn choose(&self, keep: Keep, held_back: &[&str]) -> Choice {
        let held_back = held_back.iter().map(|name| (*name).to_owned()).collect();
        choose(
            &self.statements,
            &self.groups,
            &self.judgement,
            keep,
            Algorithm::Greedy,
            &held_back,
        )
        .remove(0)
    }

    fn kept(&self, keep: Keep, held_back: &[&str]) -> Vec<usize> {
        self.choose(keep, held_back)
            .kept
            .iter()
            .map(|row| row.candidate.at())
            .collect()
    }
}

#[test]
fn rows_are_kept_for_branches_or_for_mutants_or_all() {
    let case = case();
    assert_eq!(case.kept(Keep::Base, &[]), [0, 1, 2]);
    assert_eq!(
        case.kept(Keep::Coverage, &[]),
        [2],
        "one row takes both branches"
    );
    assert_eq!(
        case.kept(Keep::Mutants, &[]),
        [0, 1],
        "no mutant that a row kills is lost"
    );
}

#[test]
fn mutants_that_are_held_back_keep_no_row() {
    assert_eq!(case().kept(Keep::Mutants, &["method"]), [0]);
}

#[test]
fn a_statement_whose_mutants_nobody_kills_keeps_what_coverage_keeps() {
    assert_eq!(case().kept(Keep::Mutants, &["method", "bits"]), [2]);
}

#[test]
fn rows_that_fail_and_groups_that_are_refused_are_never_kept() {
    let mut failing = case();
    for matrix in failing.judgement.of_groups.values_mut() {
        matrix.passing.remove(&0);
    }
    assert_eq!(failing.kept(Keep::Base, &[]), [1, 2]);
    failing.groups[0].refused = Some(GroupRefusal::NotCompared);
    assert!(failing.kept(Keep::Base, &[]).is_empty());
}

#[test]
fn first_elements_are_claimed_only_where_all_elements_do_not_pass() {
    let mut case = case();
    let items = |claim: fn(Vec<Value>) -> Claim| {
        candidate(vec![("line", text("a"))], vec![claim(vec![int(1)])])
    };
    case.statements[0].candidates = vec![
        items(Claim::FirstItems),
        items(Claim::Items),
        first_items_of_another(),
    ];
    let kept = case.kept(Keep::Base, &[]);
    assert_eq!(kept, [1, 2], "the first is what the second says, and less");
}

fn first_items_of_another() -> Candidate {
    candidate(
        vec![("line", text("b"))],
        vec![Claim::FirstItems(vec![int(2)])],
    )
}

#[test]
fn what_is_counted_adds_up() {
    let case = case();
    let choice = case.choose(Keep::Mutants, &["method"]);
    let shown = ShownTest {
        statement: StatementIdx::new(0),
        rows: choice.kept.clone(),
        group: case.groups[0].clone(),
        wording: Wording::Short,
        name: None,
    };
    let found = Statements {
        all: case.statements.clone(),
        reached: BTreeMap::from([("text".to_owned(), 1)]),
        ..Statements::default()
    };
    let mut summary = begin([&case.statements[0].site].into_iter(), &found);
    let held_back = BTreeSet::from(["method".to_owned()]);
    let numbers = Numbers {
        statements: &case.statements,
        groups: &case.groups,
        judgement: &case.judgement,
        held_back: &held_back,
    };
    numbers.count(
        &mut summary,
        &[choice],
        &[shown],
        BTreeMap::from([("unstable".to_owned(), 2)]),
    );
    assert_eq!(
        (
            summary.statements_found,
            summary.statements_reached,
            summary.statements_with_tests
        ),
        (1, 1, 1)
    );
    assert_eq!(
        (
            summary.candidates,
            summary.passing,
            summary.after_coverage,
            summary.tests
        ),
        (3, 3, 1, 1)
    );
    assert_eq!(
        (
            summary.mutants,
            summary.killed_by_unit,
            summary.killed_by_extracted
        ),
        (3, 2, 1)
    );
    assert_eq!(
        (
            summary.killed_by_either,
            summary.killed_by_candidates,
            summary.killed_by_coverage
        ),
        (2, 2, 0)
    );
    assert_eq!(
        summary.killed_and_lost, 0,
        "the one that is not killed any more was held back"
    );
    assert_eq!(summary.killed_only_by_unit, ["src/lib.rs:1: method 3"]);
    assert!(summary.killed_only_by_extracted.is_empty());
    let held_back = (summary.held_back_mutants, summary.held_back_killed_by_unit);
    assert_eq!(held_back, (2, 1));
    assert_eq!(
        (
            summary.held_back_killed_by_extracted,
            summary.held_back_killed_by_candidates
        ),
        (0, 1)
    );
    assert_eq!(summary.left_out["unstable"], 2);
    let kind = summary.kinds["text"];
    assert_eq!((kind.found, kind.reached, kind.with_tests), (1, 1, 1));
    let of_statement = &summary.statements[0];
    assert_eq!(
        (
            of_statement.value_sets,
            of_statement.passing,
            of_statement.tests,
            of_statement.mutants
        ),
        (4, 3, 1, 3)
    );
}

#[test]
fn fragments_with_untaken_branches_come_first() {
    let one = case().statements.remove(0);
    let with = |line: usize, branches: &[u32], taken: &[u32]| {
        let mut statement = one.clone();
        statement.site.line = line;
        (statement.branches, statement.taken) = (
            branches.iter().copied().collect(),
            taken.iter().copied().collect(),
        );
        statement
    };
    let mut statements = vec![
        with(1, &[1, 2], &[1, 2]),
        with(2, &[3, 4, 5], &[3]),
        with(3, &[6, 7], &[6]),
    ];
    keep_top(2, &mut statements, &Survey::default());
    assert_eq!(
        statements
            .iter()
            .map(|statement| statement.site.line)
            .collect::<Vec<_>>(),
        [2, 3]
    );
}
