//! A source: everything one parameter of a theory can be, each value fresh whenever it is taken.

use super::plain::cloner;
use super::provider::Provider;

/// The values of one parameter.
///
/// A provider makes all its values at once, so they are kept until each has been taken; the order in which assignments
/// are visited moves every parameter at every step, so that nearly all of what is made is used.
pub struct Source<T> {
    shelves: Vec<Shelf<T>>,
    /// Where a clone will do, values are not made again.
    clone: Option<fn(&T) -> T>,
    /// For each value, which shelf it is on and where.
    places: Vec<(usize, usize)>,
}

struct Shelf<T> {
    provider: Provider<T>,
    values: Vec<Option<T>>,
}

impl<T: 'static> Source<T> {
    /// A source without values, for a parameter whose problem has been noted.
    pub(crate) fn empty() -> Self {
        Self {
            shelves: Vec::new(),
            clone: cloner(),
            places: Vec::new(),
        }
    }

    /// The values of all these providers, one after the other, or what cannot be built.
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

    /// How many values there are.
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// The names of all values, in order.
    pub fn origins(&self) -> Vec<String> {
        self.places
            .iter()
            .map(|&(shelf, index)| self.shelves[shelf].provider.origin(index))
            .collect()
    }

    /// The value at `position`, made anew.
    #[inline]
    pub fn take(&mut self, position: usize) -> T {
        let (shelf, index) = self.places[position];
        let shelf = &mut self.shelves[shelf];
        match (&mut shelf.values[index], self.clone) {
            (Some(value), Some(clone)) => clone(value),
            (value, _) => value.take().unwrap_or_else(|| shelf.make_again(index)),
        }
    }

    /// All values, for use outside a theory.
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
