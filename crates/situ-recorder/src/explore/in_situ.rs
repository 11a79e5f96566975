//! Values of an explored in-situ test, whose body takes no arguments and requests a value at each
//! `any`.

use super::driver::{Parameter, built, drive};
use super::outcome::Outcome;
use super::shape::Shapes;
use super::tree::Tree;
use std::cell::{Cell, RefCell};

thread_local! {
    static GIVEN: RefCell<Vec<Tree>> = const { RefCell::new(Vec::new()) };
    static IS_BUILT: Cell<bool> = const { Cell::new(true) };
}

/// Explores an in-situ test: `run` executes it, and its body requests its values.
pub fn drive_in_situ(shapes: Shapes, parameters: Vec<Parameter>, run: &mut dyn FnMut() -> Outcome) {
    let points: Vec<Vec<Option<Tree>>> = parameters
        .iter()
        .map(|one| one.points.iter().map(|(_, tree)| tree.clone()).collect())
        .collect();
    drive(shapes, parameters, &mut |trees| {
        with_given(trees, &points, run)
    });
}

/// Runs a test with these values, some of which are data points.
fn with_given(
    trees: &[Tree],
    points: &[Vec<Option<Tree>>],
    run: &mut dyn FnMut() -> Outcome,
) -> Outcome {
    let value = |(tree, points): (&Tree, &Vec<Option<Tree>>)| match tree {
        Tree::Point(at) => points
            .get(*at as usize)
            .cloned()
            .flatten()
            .unwrap_or(Tree::Point(*at)),
        other => other.clone(),
    };
    GIVEN.set(trees.iter().zip(points).map(value).collect());
    IS_BUILT.set(true);
    let outcome = run();
    GIVEN.take();
    if IS_BUILT.get() {
        outcome
    } else {
        Outcome::NotBuilt
    }
}

/// Builds the value with this index.
pub fn given<T>(at: usize, build: impl FnOnce(&Tree) -> Option<T>) -> Option<T> {
    let tree = GIVEN.with_borrow(|given| given.get(at).cloned());
    let value = tree.and_then(|tree| build(&tree));
    if value.is_none() {
        IS_BUILT.set(false);
    }
    built();
    value
}

#[cfg(test)]
mod tests {
    use super::{given, with_given};
    use crate::explore::{Explore as _, Outcome, Tree};

    #[test]
    fn a_value_is_there_while_the_test_runs() {
        let mut seen = Vec::new();
        let points = [vec![Some(Tree::Int(9))], Vec::new()];
        let mut run = |trees: &[Tree]| {
            with_given(trees, &points, &mut || {
                seen.push((given(0, u8::build), given(1, String::build)));
                Outcome::Held
            })
        };
        let text = || Tree::Text("a".into());
        assert_eq!(run(&[Tree::Int(7), text()]), Outcome::Held);
        assert_eq!(run(&[Tree::Point(0), text()]), Outcome::Held);
        assert_eq!(run(&[Tree::Int(7)]), Outcome::NotBuilt);
        let a = || Some(String::from("a"));
        assert_eq!(seen, [(Some(7), a()), (Some(9), a()), (Some(7), None)]);
        assert_eq!(given(0, u8::build), None);
    }
}
