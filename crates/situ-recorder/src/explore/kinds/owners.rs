//! Types that contain one value: options, results, boxes, cells.

use super::super::shape::{Form, Shape, Shapes, Variant};
use super::super::tree::Tree;
use super::{Explore, read_part};
use std::cell::{Cell, RefCell};
use std::num::Wrapping;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

impl<T: Explore> Explore for Option<T> {
    fn shape(shapes: &mut Shapes) -> Shape {
        let none = Variant::new(Form::Unit("None".to_owned()), Vec::new());
        Shape::Choice {
            variants: vec![
                none,
                Variant::new(Form::Call("Some".to_owned()), vec![shapes.of::<T>()]),
            ],
        }
    }

    fn build(tree: &Tree) -> Option<Self> {
        match tree {
            Tree::Node(0, _) => Some(None),
            Tree::Node(_, parts) => read_part(parts, 0).map(Some),
            _ => None,
        }
    }

    fn tree(&self) -> Option<Tree> {
        match self {
            None => Some(Tree::Node(0, Vec::new())),
            Some(value) => Some(Tree::Node(1, vec![value.tree()?])),
        }
    }
}

impl<T: Explore, E: Explore> Explore for Result<T, E> {
    fn shape(shapes: &mut Shapes) -> Shape {
        let ok = Variant::new(Form::Call("Ok".to_owned()), vec![shapes.of::<T>()]);
        Shape::Choice {
            variants: vec![
                ok,
                Variant::new(Form::Call("Err".to_owned()), vec![shapes.of::<E>()]),
            ],
        }
    }

    fn build(tree: &Tree) -> Option<Self> {
        match tree {
            Tree::Node(0, parts) => read_part(parts, 0).map(Ok),
            Tree::Node(_, parts) => read_part(parts, 0).map(Err),
            _ => None,
        }
    }

    fn tree(&self) -> Option<Tree> {
        match self {
            Ok(value) => Some(Tree::Node(0, vec![value.tree()?])),
            Err(value) => Some(Tree::Node(1, vec![value.tree()?])),
        }
    }
}

/// Implements [`Explore`] for types with a `new` that takes their one value.
macro_rules! owners {
    ($($owner:ident, $path:literal, $read:expr;)*) => {$(
        impl<T: Explore> Explore for $owner<T> {
            fn shape(shapes: &mut Shapes) -> Shape {
                Shape::single(Form::Call($path.to_owned()), vec![shapes.of::<T>()])
            }

            fn build(tree: &Tree) -> Option<Self> {
                T::build(&tree.parts::<1>()?[0]).map($owner::new)
            }

            fn tree(&self) -> Option<Tree> {
                let read: fn(&$owner<T>) -> Option<Tree> = $read;
                Some(Tree::Node(0, vec![read(self)?]))
            }
        }
    )*};
}

owners! {
    Box, "Box::new", |owner| (**owner).tree();
    Rc, "‹std::rc::Rc›::new", |owner| (**owner).tree();
    Arc, "‹std::sync::Arc›::new", |owner| (**owner).tree();
    RefCell, "‹std::cell::RefCell›::new", |owner| owner.try_borrow().ok()?.tree();
    Mutex, "‹std::sync::Mutex›::new", |owner| owner.try_lock().ok()?.tree();
}

impl<T: Explore + Copy> Explore for Cell<T> {
    fn shape(shapes: &mut Shapes) -> Shape {
        Shape::single(
            Form::Call("‹std::cell::Cell›::new".to_owned()),
            vec![shapes.of::<T>()],
        )
    }

    fn build(tree: &Tree) -> Option<Self> {
        T::build(&tree.parts::<1>()?[0]).map(Cell::new)
    }

    fn tree(&self) -> Option<Tree> {
        Some(Tree::Node(0, vec![self.get().tree()?]))
    }
}

impl<T: Explore> Explore for Wrapping<T> {
    fn shape(shapes: &mut Shapes) -> Shape {
        Shape::single(
            Form::Call("‹std::num::Wrapping›".to_owned()),
            vec![shapes.of::<T>()],
        )
    }

    fn build(tree: &Tree) -> Option<Self> {
        T::build(&tree.parts::<1>()?[0]).map(Wrapping)
    }

    fn tree(&self) -> Option<Tree> {
        Some(Tree::Node(0, vec![self.0.tree()?]))
    }
}

impl Explore for Duration {
    fn shape(shapes: &mut Shapes) -> Shape {
        let parts = vec![shapes.of::<u64>(), shapes.of::<u32>()];
        Shape::single(Form::Call("‹std::time::Duration›::new".to_owned()), parts)
    }

    fn build(tree: &Tree) -> Option<Self> {
        let [seconds, nanoseconds] = tree.parts::<2>()?;
        let nanoseconds = u32::build(nanoseconds)?;
        (nanoseconds < 1_000_000_000).then_some(Duration::new(u64::build(seconds)?, nanoseconds))
    }

    fn tree(&self) -> Option<Tree> {
        Some(Tree::Node(
            0,
            vec![self.as_secs().tree()?, self.subsec_nanos().tree()?],
        ))
    }
}
