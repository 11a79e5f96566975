//! Gives the inputs of a test the types that they have in the program.

/// Gives `value` back. With the type spelled out, it is a place where coercions happen, and a call that the compiler
/// does not look through, so that a constant input is not folded into the code under test.
#[inline(never)]
pub fn id<T>(value: T) -> T {
    value
}

/// A type without a name, told by what a closure would return.
pub struct Like<T>(std::marker::PhantomData<fn() -> T>);

/// The type that `_never_called` returns.
pub fn like<T>(_never_called: impl FnOnce() -> T) -> Like<T> {
    Like(std::marker::PhantomData)
}

impl<T> Like<T> {
    /// Gives `value` back, as that type.
    pub fn be(self, value: T) -> T {
        value
    }
}

/// The type of what a loop is left with, told by any of the values that its `break`s have.
pub struct Broken<T>(std::marker::PhantomData<T>);

/// That type, told later.
pub fn broken<T>() -> Broken<T> {
    Broken(std::marker::PhantomData)
}

impl<T> Broken<T> {
    /// One of them.
    pub fn with(&self, _value: &T) {}
}

/// The type of a place, which may have no size.
pub struct At<T: ?Sized>(Behind<T>);

/// The same, where values of the type are known behind references only.
pub struct Behind<T: ?Sized>(std::marker::PhantomData<T>);

/// The type of the place that `_never_called` returns.
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
    /// Gives `value` back, as that type.
    pub fn be(&self, value: T) -> T {
        value
    }
}

impl<T: ?Sized> Behind<T> {
    /// Gives `value` back, which stands for a place without a size.
    pub fn be<'v>(&self, value: &'v T) -> &'v T {
        value
    }
}

/// Gives `value` back; that it is no option is told where it stands.
pub fn an_option<T>(value: &Option<T>) -> &Option<T> {
    value
}

/// Gives `value` back; that it is no result is told where it stands.
pub fn a_result<T, E>(value: &Result<T, E>) -> &Result<T, E> {
    value
}

/// Gives `value` back, as the type of `_other`.
pub fn typed<T>(_other: &T, value: T) -> T {
    value
}

/// The same for a place, which stays where it is.
pub fn typed_place<'p, T>(_other: &T, place: &'p T) -> &'p T {
    place
}
