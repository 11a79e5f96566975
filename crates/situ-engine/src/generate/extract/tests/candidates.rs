//! Value sets, and what a test could be made of.

use super::super::candidate::{Candidates, candidates};
use super::*;
use crate::generate::refusal::Refusal;
use crate::record::read::Recording;
use situ_recorder::recording::{Leaving, Way};

fn made(recorded: &mut RecordedSite, sets: Vec<ValueSet>, spot: &InsertionPoint) -> Candidates {
    sets.into_iter().for_each(|set| recorded.add(set));
    let scene = Scene::new();
    candidates(
        &Recording::default(),
        recorded,
        &Writing {
            spot,
            ..scene.writing()
        },
    )
}

fn refused(made: &Candidates) -> Vec<String> {
    assert!(made.all.is_empty(), "{:?}", made.all);
    made.refused.keys().map(ToString::to_string).collect()
}

#[test]
fn inputs_are_given_and_what_is_made_is_claimed() {
    let mut statement = recorded(
        Position::Statement,
        &[(Phase::Before, "line"), (Phase::Made, "name")],
    );
    let made = made(
        &mut statement,
        vec![set(vec![(0, text("a=b")), (1, text("a"))])],
        &Scene::new().spot,
    );
    assert_eq!(made.all[0].givens, [("line".to_owned(), text("a=b"))]);
    assert_eq!(made.all[0].claims, [place("name", text("a"))]);
}

#[test]
fn a_place_that_any_set_changes_is_claimed_in_all_and_others_in_none() {
    let slots = [
        (Phase::Before, "a"),
        (Phase::Before, "b"),
        (Phase::After, "a"),
        (Phase::After, "b"),
    ];
    let mut statement = recorded(Position::Statement, &slots);
    let unchanged = set(vec![(0, int(1)), (1, int(2)), (2, int(1)), (3, int(2))]);
    let changed = set(vec![(0, int(1)), (1, int(3)), (2, int(4)), (3, int(3))]);
    let made = made(&mut statement, vec![unchanged, changed], &Scene::new().spot);
    let claims: Vec<_> = made
        .all
        .iter()
        .map(|candidate| candidate.claims.clone())
        .collect();
    assert_eq!(claims, [[place("a", int(1))], [place("a", int(4))]]);
}

#[test]
fn the_order_of_recording_does_not_matter() {
    let sets = || {
        [5, 3, 9]
            .map(|value| set(vec![(0, int(value)), (1, int(value))]))
            .to_vec()
    };
    let slots = [(Phase::Before, "a"), (Phase::Made, "b")];
    let spot = Scene::new().spot;
    let there = made(&mut recorded(Position::Statement, &slots), sets(), &spot);
    let back = made(
        &mut recorded(Position::Statement, &slots),
        sets().into_iter().rev().collect(),
        &spot,
    );
    let givens = |made: &Candidates| {
        made.all
            .iter()
            .map(|one| one.givens.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(givens(&there), givens(&back));
}

#[test]
fn sets_that_differ_in_their_branches_only_are_one_candidate_with_all_of_them() {
    let mut statement = recorded(Position::Statement, &[(Phase::Made, "a")]);
    let taking = |branch: u32| ValueSet {
        context: vec![branch],
        ..set(vec![(0, int(1))])
    };
    let made = made(
        &mut statement,
        vec![taking(1), taking(2)],
        &Scene::new().spot,
    );
    assert_eq!(made.all.len(), 1);
    assert_eq!(made.all[0].context, BTreeSet::from([1, 2]));
}

#[test]
fn conditions_claim_their_operands_only_where_these_say_more() {
    let slots = [
        (Phase::Result, "result"),
        (Phase::Operand, "cond(1)"),
        (Phase::Operand, "cond(2)"),
    ];
    let sets = vec![
        set(vec![
            (0, Value::Bool(true)),
            (1, Value::Bool(true)),
            (2, Value::Bool(true)),
        ]),
        set(vec![(0, Value::Bool(false)), (1, Value::Bool(false))]),
    ];
    let made = made(
        &mut recorded(Position::Condition, &slots),
        sets,
        &Scene::new().spot,
    );
    let claims: Vec<_> = made
        .all
        .iter()
        .map(|candidate| candidate.claims.clone())
        .collect();
    assert!(claims.contains(&vec![Claim::Condition(true)]), "{claims:?}");
    assert!(
        claims.contains(&vec![Claim::Condition(false), Claim::Operand(1, false)]),
        "{claims:?}"
    );
}

#[test]
fn how_a_statement_leaves_is_claimed() {
    let leaving = |way: Way, slots| ValueSet {
        exit: Exit::Left,
        left: Some(Leaving {
            way,
            label: "outer".to_owned(),
        }),
        ..set(slots)
    };
    let sets = vec![
        leaving(Way::Question, vec![(0, int(3))]),
        leaving(Way::Break, Vec::new()),
    ];
    let made = made(
        &mut recorded(Position::Statement, &[(Phase::Left, "left")]),
        sets,
        &Scene::new().spot,
    );
    let claims: Vec<_> = made
        .all
        .iter()
        .flat_map(|candidate| candidate.claims.clone())
        .collect();
    assert!(claims.contains(&Claim::Returns(int(3))), "{claims:?}");
    assert!(
        claims.contains(&Claim::Breaks("outer".to_owned())),
        "{claims:?}"
    );
    let unknown = Value::Opaque {
        type_name: "Error".to_owned(),
        reason: "nothing is known of it".to_owned(),
    };
    let failed = structure(
        "core::result::Result<(), Error>",
        Some("Err"),
        Shape::Tuple,
        vec![("0", unknown)],
    );
    let sets = vec![leaving(Way::Return, vec![(0, failed.clone())])];
    let with_error = self::made(
        &mut recorded(Position::Statement, &[(Phase::Left, "left")]),
        sets,
        &Scene::new().spot,
    );
    assert_eq!(
        with_error.all[0].claims,
        [Claim::Returns(failed)],
        "that it is an error is known"
    );
    let unseen = ValueSet {
        exit: Exit::Left,
        ..set(Vec::new())
    };
    let refusal = self::made(
        &mut recorded(Position::Statement, &[]),
        vec![unseen],
        &Scene::new().spot,
    );
    assert_eq!(
        refused(&refusal),
        ["it exits early, and how was not recorded"]
    );
}

#[test]
fn what_the_pattern_of_a_loop_leaves_out_is_not_claimed() {
    let mut scene = Scene::new();
    let cycle: syn::ExprForLoop =
        syn::parse_str("for (at, _) in word.match_indices('-') {}").unwrap();
    scene.spot.pattern = Some(*cycle.pat);
    let sets = vec![set(vec![(0, int(1)), (0, int(3))])];
    let whole = made(
        &mut recorded(Position::Iterable, &[(Phase::Item, "at")]),
        sets,
        &scene.spot,
    );
    let claim = Claim::Items(vec![int(1), int(3)]);
    assert_eq!(
        scene.writing().compared(&claim),
        "items().into_iter().map(|(at, _)| at).collect::<Vec<_>>()"
    );
    assert_eq!(whole.all[0].claims, [claim]);
}

#[test]
fn an_element_stands_for_an_input_that_is_lost_where_nothing_else_of_it_is_read() {
    let slots = [
        (Phase::Before, "cap"),
        (Phase::Before, "i"),
        (Phase::Element, "cap[1]"),
        (Phase::Element, "cap[i]"),
        (Phase::Made, "x"),
    ];
    let lost = || Value::Debug {
        type_name: "regex::Captures".to_owned(),
        text: "Captures({})".to_owned(),
    };
    let one = |text: &str| {
        let mut statement = recorded(Position::Statement, &slots);
        statement.site.text = text.to_owned();
        let word = || Value::Str("3".to_owned());
        let values = vec![
            (0, lost()),
            (1, int(2)),
            (2, word()),
            (3, word()),
            (4, int(3)),
        ];
        made(&mut statement, vec![set(values)], &Scene::new().spot)
    };
    let names = |made: &Candidates| {
        made.all[0]
            .givens
            .iter()
            .map(|(name, _)| name.clone())
            .collect::<Vec<_>>()
    };
    let literal = one("let x = cap[1].parse() + i;");
    assert_eq!(
        literal.all[0].givens,
        [("i".to_owned(), int(2)), ("cap[1]".to_owned(), text("3"))]
    );
    assert_eq!(
        names(&one("let x = cap[1].len() + cap[i].len();")),
        ["cap[1]", "cap[i]"],
        "an index is not read itself"
    );
    assert_eq!(
        refused(&one("let x = cap[1].len() + cap.len();")),
        ["cannot construct an input: only its `Debug` output is known"]
    );
    assert_eq!(
        refused(&one("let x = format!(\"{cap:?}{}\", &cap[1]);")).len(),
        1,
        "a text may show the whole"
    );
    assert_eq!(
        refused(&one("let x = cap[2].len();")).len(),
        1,
        "another one is not known"
    );
}

#[test]
fn only_so_many_texts_of_panics_are_taken() {
    let panics = (0..5).map(|number| ValueSet {
        exit: Exit::Panic(format!("no {number}\nmore")),
        ..set(Vec::new())
    });
    let made = made(
        &mut recorded(Position::Statement, &[]),
        panics.collect(),
        &Scene::new().spot,
    );
    assert_eq!(made.all.len(), 3);
    assert_eq!(made.all[0].claims, [Claim::Panics("no 0".to_owned())]);
    assert_eq!(made.refused[&Refusal::AnotherPanicMessage], 2);
}

#[test]
fn the_elements_of_a_loop_are_put_together_from_its_pattern() {
    let mut scene = Scene::new();
    let cycle: syn::ExprForLoop = syn::parse_str("for (at, &(a, b)) in pairs {}").unwrap();
    scene.spot.pattern = Some(*cycle.pat);
    let slots = [(Phase::Item, "at"), (Phase::Item, "a"), (Phase::Item, "b")];
    let sets = || {
        vec![set(vec![
            (0, int(0)),
            (1, int(1)),
            (2, int(2)),
            (0, int(1)),
            (1, int(3)),
            (2, int(4)),
        ])]
    };
    let element = |at: u8, a: u8, b: u8| {
        Value::Tuple(vec![int(at), reference(Value::Tuple(vec![int(a), int(b)]))])
    };
    let items = vec![element(0, 1, 2), element(1, 3, 4)];
    let whole = made(
        &mut recorded(Position::Iterable, &slots),
        sets(),
        &scene.spot,
    );
    assert_eq!(whole.all[0].claims, [Claim::Items(items.clone())]);
    assert_eq!(whole.all.len(), 1);
    scene.spot.leaves_loop = true;
    let left = made(
        &mut recorded(Position::Iterable, &slots),
        sets(),
        &scene.spot,
    );
    assert!(
        left.all
            .iter()
            .any(|candidate| candidate.claims == [Claim::FirstItems(items.clone())])
    );
    let nothing = made(
        &mut recorded(Position::Iterable, &slots),
        vec![set(Vec::new())],
        &scene.spot,
    );
    assert_eq!(refused(&nothing), ["the loop had no iteration"]);
}

#[test]
fn what_is_not_known_exactly_is_refused_with_the_reason() {
    let opaque = || Value::Opaque {
        type_name: "F".to_owned(),
        reason: "a closure".to_owned(),
    };
    let spot = Scene::new().spot;
    let input = made(
        &mut recorded(Position::Statement, &[(Phase::Before, "f")]),
        vec![set(vec![(0, opaque())])],
        &spot,
    );
    assert_eq!(refused(&input), ["cannot construct an input: a closure"]);
    let output = made(
        &mut recorded(Position::Statement, &[(Phase::Made, "f")]),
        vec![set(vec![(0, opaque())])],
        &spot,
    );
    assert_eq!(refused(&output), ["cannot compare an output: a closure"]);
    let mut secret = recorded(Position::Statement, &[(Phase::Made, "token")]);
    secret.site.slots[0].secret = true;
    assert_eq!(
        refused(&made(&mut secret, vec![set(vec![(0, text("x"))])], &spot)),
        ["it touches a secret"]
    );
    let none = made(
        &mut recorded(Position::Statement, &[(Phase::Before, "a")]),
        vec![set(vec![(0, int(1))])],
        &spot,
    );
    assert_eq!(refused(&none), ["no output was recorded"]);
}

#[test]
fn what_calls_gave_stands_for_an_input_that_is_lost_where_something_is_computed_of_it() {
    let slots = [
        (Phase::Before, "of"),
        (Phase::Before, "n"),
        (Phase::Answer, "of.name()"),
        (Phase::Answer, "of.len()"),
        (Phase::Result, "condition"),
        (Phase::Operand, "cond(1)"),
        (Phase::Operand, "cond(2)"),
    ];
    let lost = || Value::Debug {
        type_name: "Of".to_owned(),
        text: "Of".to_owned(),
    };
    let both = |text: &str| {
        let mut condition = recorded(Position::Condition, &slots);
        condition.site.text = text.to_owned();
        let truth = Value::Bool;
        let first = vec![
            (0, lost()),
            (1, int(3)),
            (4, truth(false)),
            (5, truth(false)),
        ];
        let answered = [
            (2, self::text("ab")),
            (3, int(5)),
            (4, truth(true)),
            (5, truth(true)),
            (6, truth(true)),
        ];
        let second = [vec![(0, lost()), (1, int(4))], answered.to_vec()].concat();
        made(
            &mut condition,
            vec![set(first), set(second)],
            &Scene::new().spot,
        )
    };
    let mocks = |made: &Candidates| -> Vec<(String, Vec<Value>)> {
        made.all
            .iter()
            .flat_map(|one| &one.mocks)
            .map(|mock| (mock.call.clone(), mock.values.clone()))
            .collect()
    };
    // Where a call did not happen, what it gave at another time is there for the compiler.
    let one = both("n > 3 && of.len() > n");
    let len = ("of.len()".to_owned(), vec![int(5)]);
    assert_eq!(mocks(&one), [len.clone(), len]);
    assert!(
        one.all.iter().all(|candidate| candidate.givens.len() == 1),
        "what cannot be given is not"
    );
    let called = both("n > 3 && of.name().is_empty()");
    assert_eq!(
        mocks(&called)[0],
        ("of.name()".to_owned(), vec![text("ab")]),
        "the rest of a chain is really called"
    );
    for whole in ["of.len()", "&of.name()", "of.name()?"] {
        let refusal = both(whole);
        assert!(
            refused(&refusal)
                .iter()
                .all(|reason| reason.ends_with("the statement is a call on it")),
            "{whole}"
        );
    }
    assert_eq!(
        refused(&both("n > 3 && of.total() > n")),
        ["cannot construct an input: only its `Debug` output is known"],
        "of another call nothing is known"
    );
}
