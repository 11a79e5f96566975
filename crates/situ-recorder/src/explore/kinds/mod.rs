//! [`Explore`] for the types of the standard library.

mod collections;
mod leaves;
mod owners;
mod ranges;
mod tuples;

use super::shape::{Shape, Shapes};
use super::tree::Tree;

/// Types whose values the explorer can build, take apart and write.
pub trait Explore: Sized {
    /// Describes the type's values.
    fn shape(shapes: &mut Shapes) -> Shape;
    /// Builds the value of a tree. Returns `None` if the tree is of another type, or a constructor
    /// refuses it.
    fn build(tree: &Tree) -> Option<Self>;
    /// Returns the tree of a value, or `None` if it cannot be taken apart.
    fn tree(&self) -> Option<Tree>;
}

/// Builds the part of a variant at a position.
pub fn read_part<T: Explore>(parts: &[Tree], at: usize) -> Option<T> {
    parts.get(at).and_then(T::build)
}

#[cfg(test)]
mod tests {
    use super::Explore;
    use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
    use std::fmt::Debug;
    use std::rc::Rc;
    use std::time::Duration;

    #[track_caller]
    fn comes_back<T: Explore + PartialEq + Debug>(value: T) {
        assert_eq!(
            T::build(&value.tree().expect("a tree")).as_ref(),
            Some(&value)
        );
    }

    #[test]
    fn values_come_back_from_their_trees() {
        comes_back((u128::MAX, i128::MIN, -1_i8, usize::MAX));
        comes_back((false, 'ß', -0.5_f32, String::from("ä")));
        comes_back(vec![Some(1_u8), None]);
        comes_back([1_u16, 2, 3]);
        comes_back(Err::<u8, String>(String::from("no")));
        comes_back(BTreeMap::from([(1_u8, vec!["a".to_owned()])]));
        comes_back((BTreeSet::from([2_i64]), HashMap::from([('a', ())])));
        comes_back(VecDeque::from([Box::new(1_u8)]));
        comes_back((Rc::new(3_u8), Duration::from_millis(1_500), 1_u8..=4));
    }
}
