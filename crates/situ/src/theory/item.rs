//! Conversion of items marked as data points into entries of the registry.
//!
//! The return types of functions cannot always be written, so these functions infer them.

use std::any::Any;

use super::provider::Provider;
use super::registry::ValueType;

/// Returns the type of a single value.
pub fn type_of_one<T: 'static>(_: fn() -> T) -> ValueType {
    ValueType::of::<T>()
}

/// Returns the element type of an iterable.
pub fn type_of_several<I: IntoIterator<Item: 'static>>(_: fn() -> I) -> ValueType {
    ValueType::of::<I::Item>()
}

/// Returns the provider of a single value.
pub fn one<T: 'static>(name: &str, skip_failing: bool, make: fn() -> T) -> Box<dyn Any> {
    Box::new(Provider::one(name, skip_failing, make))
}

/// Returns the provider of the elements of an iterable.
pub fn several<I: IntoIterator<Item: 'static> + 'static>(
    name: &str,
    skip_failing: bool,
    make: fn() -> I,
) -> Box<dyn Any> {
    Box::new(Provider::several(name, skip_failing, make))
}

/// A `static`, which cannot be moved: by autoref, its clone is a data point, or the reference to
/// it.
pub struct StaticPoint<T: 'static>(pub &'static T);

/// Types that can be cloned.
pub trait StaticByClone {
    /// Returns the type of the value.
    fn value_type(&self) -> ValueType;
    /// Its provider.
    fn provider(&self, name: &str, skip_failing: bool) -> Box<dyn Any>;
}

impl<T: Clone + 'static> StaticByClone for &StaticPoint<T> {
    fn value_type(&self) -> ValueType {
        ValueType::of::<T>()
    }

    fn provider(&self, name: &str, skip_failing: bool) -> Box<dyn Any> {
        let value = self.0;
        Box::new(Provider::one(name, skip_failing, || value.clone()))
    }
}

/// All others.
pub trait StaticByReference {
    /// Returns the type of the reference.
    fn value_type(&self) -> ValueType;
    /// Its provider.
    fn provider(&self, name: &str, skip_failing: bool) -> Box<dyn Any>;
}

impl<T: 'static> StaticByReference for StaticPoint<T> {
    fn value_type(&self) -> ValueType {
        ValueType::of::<&'static T>()
    }

    fn provider(&self, name: &str, skip_failing: bool) -> Box<dyn Any> {
        let value = self.0;
        Box::new(Provider::one(name, skip_failing, move || value))
    }
}
