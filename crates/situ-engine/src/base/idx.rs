//! Places in lists as types: the place of a statement cannot be taken for that of a candidate.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// Place of a `T` in a list of them, counted from zero.
pub struct Idx<T> {
    at: usize,
    of: PhantomData<fn() -> T>,
}

impl<T> Idx<T> {
    pub(crate) const fn new(at: usize) -> Idx<T> {
        Idx {
            at,
            of: PhantomData,
        }
    }

    /// Returns the place as a number.
    pub(crate) const fn at(self) -> usize {
        self.at
    }
}

/// Returns the places of all elements.
pub(crate) fn indices<T>(list: &[T]) -> impl Iterator<Item = Idx<T>> + use<T> {
    (0..list.len()).map(Idx::new)
}

/// Returns all elements with their places.
pub(crate) fn enumerated<T>(list: &[T]) -> impl Iterator<Item = (Idx<T>, &T)> {
    indices(list).zip(list)
}

// Derived implementations would ask the same of `T`.

impl<T> Clone for Idx<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Idx<T> {}

impl<T> PartialEq for Idx<T> {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at
    }
}

impl<T> Eq for Idx<T> {}

impl<T> PartialOrd for Idx<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Idx<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.at.cmp(&other.at)
    }
}

impl<T> Hash for Idx<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.at.hash(state);
    }
}

impl<T> fmt::Debug for Idx<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.at.fmt(formatter)
    }
}

impl<T> Index<Idx<T>> for [T] {
    type Output = T;

    fn index(&self, place: Idx<T>) -> &T {
        &self[place.at]
    }
}

impl<T> IndexMut<Idx<T>> for [T] {
    fn index_mut(&mut self, place: Idx<T>) -> &mut T {
        &mut self[place.at]
    }
}

impl<T> Index<Idx<T>> for Vec<T> {
    type Output = T;

    fn index(&self, place: Idx<T>) -> &T {
        &self[place.at]
    }
}

impl<T> IndexMut<Idx<T>> for Vec<T> {
    fn index_mut(&mut self, place: Idx<T>) -> &mut T {
        &mut self[place.at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_finds_its_element() {
        let mut words = vec!["a", "b"];
        let places: Vec<Idx<&str>> = indices(&words).collect();
        words[places[1]] = "c";
        assert_eq!(words[places[0]], "a");
        let found: Vec<(usize, &str)> = enumerated(&words)
            .map(|(place, word)| (place.at(), *word))
            .collect();
        assert_eq!(found, [(0, "a"), (1, "c")]);
        assert!(places[0] < places[1]);
    }
}
