//! Ranges.

use super::super::shape::{Form, Shape, Shapes};
use super::super::tree::Tree;
use super::Explore;
use std::ops::{Range, RangeFrom, RangeInclusive, RangeTo};

impl<T: Explore> Explore for Range<T> {
    fn shape(shapes: &mut Shapes) -> Shape {
        let end = shapes.of::<T>();
        Shape::single(Form::Between("..".to_owned()), vec![end, end])
    }

    fn build(tree: &Tree) -> Option<Self> {
        let [start, end] = tree.parts::<2>()?;
        Some(T::build(start)?..T::build(end)?)
    }

    fn tree(&self) -> Option<Tree> {
        Some(Tree::Node(0, vec![self.start.tree()?, self.end.tree()?]))
    }
}

impl<T: Explore> Explore for RangeInclusive<T> {
    fn shape(shapes: &mut Shapes) -> Shape {
        let end = shapes.of::<T>();
        Shape::single(Form::Between("..=".to_owned()), vec![end, end])
    }

    fn build(tree: &Tree) -> Option<Self> {
        let [start, end] = tree.parts::<2>()?;
        Some(T::build(start)?..=T::build(end)?)
    }

    fn tree(&self) -> Option<Tree> {
        Some(Tree::Node(
            0,
            vec![self.start().tree()?, self.end().tree()?],
        ))
    }
}

impl<T: Explore> Explore for RangeFrom<T> {
    fn shape(shapes: &mut Shapes) -> Shape {
        let start = shapes.of::<T>();
        Shape::single(Form::Around(String::new(), "..".to_owned()), vec![start])
    }

    fn build(tree: &Tree) -> Option<Self> {
        Some(T::build(&tree.parts::<1>()?[0])?..)
    }

    fn tree(&self) -> Option<Tree> {
        Some(Tree::Node(0, vec![self.start.tree()?]))
    }
}

impl<T: Explore> Explore for RangeTo<T> {
    fn shape(shapes: &mut Shapes) -> Shape {
        let end = shapes.of::<T>();
        Shape::single(Form::Around("..".to_owned(), String::new()), vec![end])
    }

    fn build(tree: &Tree) -> Option<Self> {
        Some(..T::build(&tree.parts::<1>()?[0])?)
    }

    fn tree(&self) -> Option<Tree> {
        Some(Tree::Node(0, vec![self.end.tree()?]))
    }
}
