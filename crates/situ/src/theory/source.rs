//! Sources: all values of one parameter of a theory, each newly constructed when it is taken.

use super::plain::cloner;
use super::provider::Provider;

/// The values of one parameter.
///
/// A provider constructs all its values at once, so they are kept until each has been taken. The
/// order of assignments moves every parameter at every step, so that nearly all constructed values
/// are used.
pub struct Source<T> {
    shelves: Vec<Shelf<T>>,
    /// The clone function, if cloning replaces construction.
    clone: Option<fn(&T) -> T>,
    /// For each value, its shelf and its index there.
    places: Vec<(usize, usize)>,
}

struct Shelf<T> {
    provider: Provider<T>,
    values: Vec<Option<T>>,
}

impl<T: 'static> Source<T> {
    /// Creates a source without values, for a parameter whose problem has been noted.
    pub(crate) fn empty() -> Self {
        Self {
            shelves: Vec::new(),
            clone: cloner(),
            places: Vec::new(),
        }
    }

    /// Collects the values of all these providers in order, or returns what cannot be built.
    pub(crate) fn of(providers: Vec<Provider<T>>) -> Result<Self, Vec<String>> {
        let mut source = Self::empty();
        let mut failures = Vec::new();
        for (shelf, provider) in providers.into_iter().enumerate() {
            let values = provider.first_values().unwrap_or_else(|failure| {
                failures.push(failure);
                Vec::new()
            });
            source
                .places
                .extend((0..values.len()).map(|index| (shelf, index)));
            source.shelves.push(Shelf { provider, values });
        }
        if failures.is_empty() {
            Ok(source)
        } else {
            Err(failures)
        }
    }

    /// Returns the number of values.
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// Returns the names of all values, in order.
    pub fn origins(&self) -> Vec<String> {
        self.places
            .iter()
            .map(|&(shelf, index)| self.shelves[shelf].provider.origin(index))
            .collect()
    }

    /// Returns the value at `position`, newly constructed.
    #[inline]
    pub fn take(&mut self, position: usize) -> T {
        let (shelf, index) = self.places[position];
        let shelf = &mut self.shelves[shelf];
        match (&mut shelf.values[index], self.clone) {
            (Some(value), Some(clone)) => clone(value),
            (value, _) => value.take().unwrap_or_else(|| shelf.make_again(index)),
        }
    }

    /// Returns all values, for use outside a theory.
    pub(crate) fn into_values(self) -> Vec<T> {
        self.shelves
            .into_iter()
            .flat_map(|shelf| shelf.values)
            .flatten()
            .collect()
    }
}

impl<T: 'static> Shelf<T> {
    fn make_again(&mut self, index: usize) -> T {
        self.provider.make_again(&mut self.values);
        let value = self.values.get_mut(index).and_then(Option::take);
        value.unwrap_or_else(|| {
            panic!(
                "`{}` is gone: its provider gave more values the first time",
                self.provider.origin(index)
            )
        })
    }
}
