//! Functions that give the inputs of a test the types that they have in the program.

/// Returns `value`. With an explicit type it is a coercion site, and a call that the compiler does
/// not inline, so that a constant input is not folded into the code under test.
#[inline(never)]
pub fn id<T>(value: T) -> T {
    value
}

/// A type without a name, inferred from a closure's return type.
pub struct Like<T>(std::marker::PhantomData<fn() -> T>);

/// Captures the return type of `_never_called`.
pub fn like<T>(_never_called: impl FnOnce() -> T) -> Like<T> {
    Like(std::marker::PhantomData)
}

impl<T> Like<T> {
    /// Returns `value` as that type.
    pub fn be(self, value: T) -> T {
        value
    }
}

/// The type of the values with which a loop is left, inferred from any `break`.
pub struct Broken<T>(std::marker::PhantomData<T>);

/// Captures that type, to be inferred later.
pub fn broken<T>() -> Broken<T> {
    Broken(std::marker::PhantomData)
}

impl<T> Broken<T> {
    /// Infers the type from one value.
    pub fn with(&self, _value: &T) {}
}

/// The type of a place, which may be unsized.
pub struct At<T: ?Sized>(Behind<T>);

/// The type of a place whose values are known behind references only.
pub struct Behind<T: ?Sized>(std::marker::PhantomData<T>);

/// Captures the type of the place that `_never_called` returns.
pub fn at<'p, T: ?Sized + 'p>(_never_called: impl FnOnce() -> &'p T) -> At<T> {
    At(Behind(std::marker::PhantomData))
}

impl<T: ?Sized> std::ops::Deref for At<T> {
    type Target = Behind<T>;

    fn deref(&self) -> &Behind<T> {
        &self.0
    }
}

impl<T> At<T> {
    /// Returns `value` as that type.
    pub fn be(&self, value: T) -> T {
        value
    }
}

impl<T: ?Sized> Behind<T> {
    /// Returns `value`, a reference to an unsized place.
    pub fn be<'v>(&self, value: &'v T) -> &'v T {
        value
    }
}

/// Returns `value`; if it is no `Option`, the error points at it.
pub fn an_option<T>(value: &Option<T>) -> &Option<T> {
    value
}

/// Returns `value`; if it is no `Result`, the error points at it.
pub fn a_result<T, E>(value: &Result<T, E>) -> &Result<T, E> {
    value
}

/// Returns `value` as the type of `_other`.
pub fn typed<T>(_other: &T, value: T) -> T {
    value
}

/// Returns `place` as a reference to the type of `_other`.
pub fn typed_place<'p, T>(_other: &T, place: &'p T) -> &'p T {
    place
}
