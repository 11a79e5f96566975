//! Lists, sets and maps.

use super::super::shape::{Shape, Shapes};
use super::super::tree::Tree;
use super::Explore;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::{BuildHasher, Hash};

fn list<T: Explore>(shapes: &mut Shapes, open: &str, close: &str) -> Shape {
    Shape::List {
        of: shapes.of::<T>(),
        open: open.to_owned(),
        close: close.to_owned(),
        length: None,
    }
}

fn built<T: Explore, C: FromIterator<T>>(tree: &Tree) -> Option<C> {
    match tree {
        Tree::List(parts) => parts.iter().map(T::build).collect(),
        _ => None,
    }
}

fn taken_apart<'t, T: Explore + 't>(parts: impl Iterator<Item = &'t T>) -> Option<Tree> {
    parts.map(T::tree).collect::<Option<_>>().map(Tree::List)
}

macro_rules! lists {
    ($($name:ident<$of:ident $(: $bound:ident $(+ $more:ident)*)?>, $open:literal, $close:literal;)*) => {$(
        impl<$of: Explore $(+ $bound $(+ $more)*)?> Explore for $name<$of> {
            fn shape(shapes: &mut Shapes) -> Shape {
                list::<$of>(shapes, $open, $close)
            }

            #[inline]
            fn build(tree: &Tree) -> Option<Self> {
                built(tree)
            }

            fn tree(&self) -> Option<Tree> {
                taken_apart(self.iter())
            }
        }
    )*};
}

lists! {
    Vec<T>, "vec![", "]";
    VecDeque<T>, "‹std::collections::VecDeque›::from([", "])";
    LinkedList<T>, "‹std::collections::LinkedList›::from([", "])";
    BTreeSet<T: Ord>, "‹std::collections::BTreeSet›::from([", "])";
    BinaryHeap<T: Ord>, "‹std::collections::BinaryHeap›::from([", "])";
}

impl<T: Explore> Explore for Box<[T]> {
    fn shape(shapes: &mut Shapes) -> Shape {
        list::<T>(shapes, "Box::from([", "])")
    }

    fn build(tree: &Tree) -> Option<Self> {
        built(tree)
    }

    fn tree(&self) -> Option<Tree> {
        taken_apart(self.iter())
    }
}

impl<T: Explore + Hash + Eq, S: BuildHasher + Default> Explore for HashSet<T, S> {
    fn shape(shapes: &mut Shapes) -> Shape {
        list::<T>(shapes, "‹std::collections::HashSet›::from_iter([", "])")
    }

    fn build(tree: &Tree) -> Option<Self> {
        built(tree)
    }

    fn tree(&self) -> Option<Tree> {
        sorted(taken_apart(self.iter()))
    }
}

impl<K: Explore + Hash + Eq, V: Explore, S: BuildHasher + Default> Explore for HashMap<K, V, S> {
    fn shape(shapes: &mut Shapes) -> Shape {
        list::<(K, V)>(shapes, "‹std::collections::HashMap›::from_iter([", "])")
    }

    fn build(tree: &Tree) -> Option<Self> {
        built(tree)
    }

    fn tree(&self) -> Option<Tree> {
        sorted(entries(self.iter()))
    }
}

impl<K: Explore + Ord, V: Explore> Explore for BTreeMap<K, V> {
    fn shape(shapes: &mut Shapes) -> Shape {
        list::<(K, V)>(shapes, "‹std::collections::BTreeMap›::from([", "])")
    }

    fn build(tree: &Tree) -> Option<Self> {
        built(tree)
    }

    fn tree(&self) -> Option<Tree> {
        entries(self.iter())
    }
}

fn entries<'t, K: Explore + 't, V: Explore + 't>(
    all: impl Iterator<Item = (&'t K, &'t V)>,
) -> Option<Tree> {
    let entry = |(key, value): (&K, &V)| Some(Tree::Node(0, vec![key.tree()?, value.tree()?]));
    all.map(entry).collect::<Option<_>>().map(Tree::List)
}

/// Sorts elements, because hashing orders them differently in every process.
fn sorted(tree: Option<Tree>) -> Option<Tree> {
    match tree {
        Some(Tree::List(mut parts)) => {
            parts.sort_by_cached_key(Tree::to_bytes);
            Some(Tree::List(parts))
        }
        other => other,
    }
}

impl<T: Explore, const N: usize> Explore for [T; N] {
    fn shape(shapes: &mut Shapes) -> Shape {
        Shape::List {
            of: shapes.of::<T>(),
            open: "[".to_owned(),
            close: "]".to_owned(),
            length: Some(N),
        }
    }

    fn build(tree: &Tree) -> Option<Self> {
        built::<T, Vec<T>>(tree)?.try_into().ok()
    }

    fn tree(&self) -> Option<Tree> {
        taken_apart(self.iter())
    }
}
