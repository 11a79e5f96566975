//! Tuples.

use super::super::shape::{Form, Shape, Shapes};
use super::super::tree::Tree;
use super::{Explore, read_part};

macro_rules! tuples {
    ($(($($part:ident $at:tt),+))*) => {$(
        impl<$($part: Explore),+> Explore for ($($part,)+) {
            fn shape(shapes: &mut Shapes) -> Shape {
                let parts = vec![$(shapes.of::<$part>()),+];
                Shape::single(Form::Tuple, parts)
            }

            fn build(tree: &Tree) -> Option<Self> {
                match tree {
                    Tree::Node(_, parts) => Some(($(read_part::<$part>(parts, $at)?,)+)),
                    _ => None,
                }
            }

            fn tree(&self) -> Option<Tree> {
                Some(Tree::Node(0, vec![$(self.$at.tree()?),+]))
            }
        }
    )*};
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}
