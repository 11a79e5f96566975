//! Providers: sources of values that can construct all of them again at any time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use super::trial;

/// The number of elements above which an iterable counts as endless.
const MAX_POINTS: usize = 1_000_000;

/// A provider of the values of one data point item, of `#[values]` or of a supplier, newly
/// constructed at each call.
pub struct Provider<T> {
    name: String,
    several: bool,
    skip_failing: bool,
    make: Make<T>,
}

/// A function that passes every value to its argument. Shared, because the registry returns
/// providers by value.
type Make<T> = Rc<dyn Fn(&mut dyn FnMut(T))>;

impl<T: 'static> Provider<T> {
    /// Creates a provider of a single value, for `#[datapoint]`.
    pub fn one(name: &str, skip_failing: bool, make: impl Fn() -> T + 'static) -> Self {
        Self {
            name: String::from(name),
            several: false,
            skip_failing,
            make: Rc::new(move |take| take(make())),
        }
    }

    /// Creates a provider of any number of values.
    pub fn several<I>(name: &str, skip_failing: bool, make: impl Fn() -> I + 'static) -> Self
    where
        I: IntoIterator<Item = T>,
    {
        let make =
            move |take: &mut dyn FnMut(T)| make().into_iter().take(MAX_POINTS + 1).for_each(take);
        Self {
            name: String::from(name),
            several: true,
            skip_failing,
            make: Rc::new(make),
        }
    }

    /// Converts each value.
    pub(crate) fn map<U: 'static>(self, change: fn(T) -> U) -> Provider<U> {
        let make = self.make;
        Provider {
            name: self.name,
            several: self.several,
            skip_failing: self.skip_failing,
            make: Rc::new(move |take| make(&mut |value| take(change(value)))),
        }
    }

    /// Returns the name of the value at `index`.
    pub(crate) fn origin(&self, index: usize) -> String {
        if self.several {
            format!("{}[{index}]", self.name)
        } else {
            self.name.clone()
        }
    }

    /// Constructs all values for the first time, or returns why they cannot be constructed or are
    /// endless.
    pub(crate) fn first_values(&self) -> Result<Vec<Option<T>>, String> {
        let mut values = Vec::new();
        let built = trial::quietly(|| (self.make)(&mut |value| values.push(Some(value))));
        match built {
            Err(note) if !self.skip_failing => Err(format!(
                "the data points of `{}` cannot be built: {note}",
                self.name
            )),
            _ if values.len() > MAX_POINTS => Err(format!(
                "`{}` gives more than {MAX_POINTS} data points; take fewer of them",
                self.name
            )),
            _ => Ok(values),
        }
    }

    /// Constructs all values again, in place.
    pub(crate) fn make_again(&self, values: &mut Vec<Option<T>>) {
        values.clear();
        let mut make = || (self.make)(&mut |value| values.push(Some(value)));
        if self.skip_failing {
            // Values constructed before the failure stay, as they did the first time.
            let _ = catch_unwind(AssertUnwindSafe(make));
        } else {
            make();
        }
    }
}
