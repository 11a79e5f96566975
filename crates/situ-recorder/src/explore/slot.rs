//! A placeholder of a type, through which autoref decides whether its values can be built.

use super::kinds::Explore;
use super::shape::{Id, Shapes};
use super::tree::Tree;
use std::marker::PhantomData;

/// Selects how values of a type are built: `(&&&&Slot::<T>::new()).id(shapes)`. Instrumented code
/// implements further traits for `&&Slot<T>` and `&Slot<T>`, between the known and the unknown
/// types.
pub struct Slot<T>(PhantomData<T>);

impl<T> Slot<T> {
    /// Creates the placeholder.
    #[expect(clippy::new_without_default, reason = "only generated code asks")]
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

/// Types whose values can be made from trees.
pub trait Known<T> {
    /// Returns the shape.
    fn id(&self, shapes: &mut Shapes) -> Id;
    /// Builds the value of a tree.
    fn build(&self, tree: &Tree) -> Option<T>;
}

impl<T: Explore> Known<T> for &&&Slot<T> {
    fn id(&self, shapes: &mut Shapes) -> Id {
        shapes.of::<T>()
    }

    fn build(&self, tree: &Tree) -> Option<T> {
        T::build(tree)
    }
}

/// All other types.
pub trait Unknown<T> {
    /// Returns the shape without values.
    fn id(&self, shapes: &mut Shapes) -> Id;
    /// Returns `None`.
    fn build(&self, tree: &Tree) -> Option<T>;
}

impl<T> Unknown<T> for Slot<T> {
    fn id(&self, shapes: &mut Shapes) -> Id {
        shapes.impossible()
    }

    fn build(&self, _: &Tree) -> Option<T> {
        None
    }
}

/// A value to be taken apart: `(&&Seen(&value)).tree()`.
pub struct Seen<'s, T: ?Sized>(pub &'s T);

/// Values that can be taken apart.
pub trait SeenKnown {
    /// Returns the tree.
    fn tree(&self) -> Option<Tree>;
}

impl<T: Explore> SeenKnown for &Seen<'_, T> {
    fn tree(&self) -> Option<Tree> {
        self.0.tree()
    }
}

impl SeenKnown for &Seen<'_, str> {
    fn tree(&self) -> Option<Tree> {
        Some(Tree::Text(self.0.to_owned()))
    }
}

impl SeenKnown for &Seen<'_, std::path::Path> {
    fn tree(&self) -> Option<Tree> {
        self.0.to_str().map(|text| Tree::Text(text.to_owned()))
    }
}

impl<T: Explore> SeenKnown for &Seen<'_, [T]> {
    fn tree(&self) -> Option<Tree> {
        self.0
            .iter()
            .map(T::tree)
            .collect::<Option<_>>()
            .map(Tree::List)
    }
}

/// All other values.
pub trait SeenUnknown {
    /// Returns `None`.
    fn tree(&self) -> Option<Tree>;
}

impl<T: ?Sized> SeenUnknown for Seen<'_, T> {
    fn tree(&self) -> Option<Tree> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Known as _, Seen, SeenKnown as _, SeenUnknown as _, Slot, Unknown as _};
    use crate::explore::{Shapes, Tree};

    struct Foreign;

    #[test]
    #[expect(
        clippy::needless_borrow,
        reason = "written as generated code has it, for every type alike"
    )]
    fn autoref_finds_what_can_be_made() {
        let mut shapes = Shapes::default();
        let known = (&&&&Slot::<Vec<u8>>::new()).id(&mut shapes);
        let unknown = (&&&&Slot::<Foreign>::new()).id(&mut shapes);
        shapes.settle();
        assert!(shapes.depth(known).is_some() && shapes.depth(unknown).is_none());
        assert_eq!((&&&&Slot::<u8>::new()).build(&Tree::Int(7)), Some(7));
        assert!((&&&&Slot::<Foreign>::new()).build(&Tree::Int(7)).is_none());
        assert_eq!((&&Seen("ab")).tree(), Some(Tree::Text("ab".into())));
        assert_eq!(
            (&&Seen(&[1_u8][..])).tree(),
            Some(Tree::List(vec![Tree::Int(1)]))
        );
        assert_eq!((&&Seen(&Foreign)).tree(), None);
    }
}
