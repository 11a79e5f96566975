//! Mutations that make one part of an input similar to another. Functions with several arguments of
//! one type usually compare them.

use super::mutate::{Mutator, behind_points};
use super::random::Random;
use super::shape::{Id, Shape, Shapes};
use super::text_mutation;
use super::tree::Tree;

/// The number of parts that are considered.
const MAX_PLACES: usize = 48;

type Place = (Vec<usize>, Id);

/// Replaces a part of an input by a slightly mutated copy of another part of its kind. Returns
/// false if there are no two parts of one kind.
pub fn relate(mutator: &Mutator<'_>, tree: &mut Tree, id: Id, random: &mut Random) -> bool {
    let mut places = Vec::new();
    collect(tree, id, mutator.shapes, &mut Vec::new(), &mut places);
    let Some((from, of)) = random.pick(&places).cloned() else {
        return false;
    };
    let is_apart = |path: &[usize]| !path.starts_with(&from) && !from.starts_with(path);
    let others: Vec<&Place> = places
        .iter()
        .filter(|(path, other)| *other == of && is_apart(path))
        .collect();
    let Some((to, _)) = random.pick(&others) else {
        return false;
    };
    let Some(mut copy) = at(tree, &from).cloned() else {
        return false;
    };
    for _ in 0..[0, 1, 1, 2][random.below(4)] {
        match &mut copy {
            Tree::Text(text) => text_mutation::edit(text, mutator.dictionary, random),
            other => mutator.change(other, of, None, random),
        }
    }
    let Some(place) = at(tree, to) else {
        return false;
    };
    *place = copy;
    true
}

/// Makes all arguments after the first similar to earlier ones of the same kind.
pub fn relate_all(mutator: &Mutator<'_>, tree: &mut Tree, id: Id, random: &mut Random) {
    let Tree::Node(_, arguments) = &*tree else {
        return;
    };
    for _ in 1..arguments.len() {
        relate(mutator, tree, id, random);
    }
}

fn at<'t>(tree: &'t mut Tree, path: &[usize]) -> Option<&'t mut Tree> {
    path.iter().try_fold(tree, |node, part| match node {
        Tree::List(parts) | Tree::Node(_, parts) => parts.get_mut(*part),
        _ => None,
    })
}

/// Collects the places of values with their shapes.
fn collect(tree: &Tree, id: Id, shapes: &Shapes, path: &mut Vec<usize>, places: &mut Vec<Place>) {
    if places.len() >= MAX_PLACES {
        return;
    }
    let inner = behind_points(tree, id, shapes);
    let ids: &mut dyn Iterator<Item = Id> = match (shapes.get(inner), tree) {
        (Shape::Int { .. } | Shape::Float { .. } | Shape::Char | Shape::Text { .. }, _) => {
            &mut std::iter::empty()
        }
        (Shape::List { of, .. }, Tree::List(_)) => &mut std::iter::repeat(*of),
        (Shape::Choice { variants }, Tree::Node(variant, _)) => {
            let variant = variants.get(*variant as usize);
            &mut variant
                .into_iter()
                .flat_map(|variant| variant.parts.iter().copied())
        }
        _ => return,
    };
    places.push((path.clone(), inner));
    let (Tree::List(parts) | Tree::Node(_, parts)) = tree else {
        return;
    };
    for (at, (part, id)) in parts.iter().zip(ids).enumerate() {
        path.push(at);
        collect(part, id, shapes, path, places);
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::relate;
    use crate::explore::dictionary::Dictionary;
    use crate::explore::mutate::Mutator;
    use crate::explore::random::Random;
    use crate::explore::{Explore, Shapes};

    /// Returns how many of a thousand mutated inputs satisfy the predicate.
    fn often<T: Explore>(from: T, is_so: impl Fn(&T) -> bool) -> usize {
        let mut shapes = Shapes::default();
        let id = shapes.of::<T>();
        shapes.settle();
        let dictionary = Dictionary::default();
        let mutator = Mutator {
            dictionary: &dictionary,
            shapes: &shapes,
        };
        let mut random = Random::new(1);
        let related = (0..1_000).filter(|_| {
            let mut tree = from.tree().unwrap();
            relate(&mutator, &mut tree, id, &mut random);
            assert!(shapes.fits(&tree, id), "{tree:?}");
            T::build(&tree).is_some_and(|value| is_so(&value))
        });
        related.count()
    }

    #[test]
    fn one_text_becomes_like_another() {
        let texts = || (String::from("abcdef"), String::from("xyz"), 7_u8);
        assert!(often(texts(), |(one, other, _)| one == other) > 80);
        assert!(
            often(texts(), |(one, other, _)| one != other
                && other.contains("bcde"))
                > 50
        );
        assert_eq!(
            often(texts(), |(_, _, number)| *number != 7),
            0,
            "there is only one of its kind"
        );
    }

    #[test]
    fn lists_and_their_elements_do_too() {
        assert!(often((vec![1_u32, 2], vec![9_u32]), |(one, other)| one == other) > 30);
        assert!(often(vec![1_u32, 2, 3], |list| list[0] == list[2]) > 50);
    }
}
