//! A provider: one place that values come from, which can make all of them again at any time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use super::trial;

/// An iterable that gives more than this is taken for an endless one.
const MAX_POINTS: usize = 1_000_000;

/// Makes the values of one data point item, of `#[values]` or of a supplier, fresh at each call.
pub struct Provider<T> {
    name: String,
    several: bool,
    skip_failing: bool,
    make: Make<T>,
}

/// Hands every value to the function it is given. Shared, because the registry gives providers out by value.
type Make<T> = Rc<dyn Fn(&mut dyn FnMut(T))>;

impl<T: 'static> Provider<T> {
    /// One that gives a single value, `#[datapoint]`.
    pub fn one(name: &str, skip_failing: bool, make: impl Fn() -> T + 'static) -> Self {
        Self {
            name: String::from(name),
            several: false,
            skip_failing,
            make: Rc::new(move |take| take(make())),
        }
    }

    /// One that gives any number of values.
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

    /// The same values as something else.
    pub(crate) fn map<U: 'static>(self, change: fn(T) -> U) -> Provider<U> {
        let make = self.make;
        Provider {
            name: self.name,
            several: self.several,
            skip_failing: self.skip_failing,
            make: Rc::new(move |take| make(&mut |value| take(change(value)))),
        }
    }

    /// What to call the value at `index`.
    pub(crate) fn origin(&self, index: usize) -> String {
        if self.several {
            format!("{}[{index}]", self.name)
        } else {
            self.name.clone()
        }
    }

    /// Makes all values for the first time; says so where they cannot be made, or where there is no end of them.
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

    /// Makes all values again, into the same place.
    pub(crate) fn make_again(&self, values: &mut Vec<Option<T>>) {
        values.clear();
        let mut make = || (self.make)(&mut |value| values.push(Some(value)));
        if self.skip_failing {
            // What was made before the failure stays, as it did the first time.
            let _ = catch_unwind(AssertUnwindSafe(make));
        } else {
            make();
        }
    }
}
