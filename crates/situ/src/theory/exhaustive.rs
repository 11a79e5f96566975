//! Types with so few values that a theory takes all of them.

/// A type whose values can all be listed: `bool`, enums with `#[derive(DataPoints)]`, and `Option` and `Result` of them.
#[diagnostic::on_unimplemented(
    message = "not all values of `{Self}` can be listed",
    label = "`bool`, enums with `#[derive(DataPoints)]`, and `Option` and `Result` of these can"
)]
pub trait Exhaustive: Sized + 'static {
    /// Returns all values, in the order of their declaration.
    fn all() -> Vec<Self>;
}

impl Exhaustive for () {
    fn all() -> Vec<Self> {
        vec![()]
    }
}

impl Exhaustive for bool {
    fn all() -> Vec<Self> {
        vec![false, true]
    }
}

impl<T: Exhaustive> Exhaustive for Option<T> {
    fn all() -> Vec<Self> {
        std::iter::once(None)
            .chain(T::all().into_iter().map(Some))
            .collect()
    }
}

impl<T: Exhaustive, E: Exhaustive> Exhaustive for Result<T, E> {
    fn all() -> Vec<Self> {
        T::all()
            .into_iter()
            .map(Ok)
            .chain(E::all().into_iter().map(Err))
            .collect()
    }
}
