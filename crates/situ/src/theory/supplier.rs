//! Values of suppliers, and those written at the parameter itself.

use super::held::{Held, IntoHeld};
use super::parameter::Ask;
use super::provider::Provider;
use super::shape::Points;
use super::source::Source;

pub use super::parameter::Parameter;

/// Makes the values of a parameter, `#[supplier(path)]`.
///
/// A function `fn() -> impl IntoIterator<Item = T>`, or one that takes a [`&Parameter`](Parameter), is a supplier by
/// itself. It is called again whenever new values are needed, and must return the same values in the same order.
///
/// ```
/// use situ::theory::{Parameter, Supplier};
///
/// struct Multiples;
///
/// impl Supplier<u32> for Multiples {
///     // `#[supplier(Multiples)] #[of(7)] n: u32` has the attribute `of(7)`.
///     fn supply(&self, parameter: &Parameter) -> Vec<u32> {
///         let of = parameter.attributes.iter().find_map(|text| text.strip_prefix("of(")?.strip_suffix(')'));
///         let step: u32 = of.and_then(|text| text.parse().ok()).unwrap_or(1);
///         (0..5).map(|n| n * step).collect()
///     }
/// }
/// ```
pub trait Supplier<T> {
    /// Returns all values, newly constructed.
    fn supply(&self, parameter: &Parameter) -> Vec<T>;
}

/// Selects, by autoref, the kind of supplier: `(&&&Supply(|| supplier)).values(ask)`.
pub struct Supply<F>(pub F);

/// Suppliers proper.
pub trait BySupplier<T> {
    /// Returns its values.
    fn values(&self, ask: Ask) -> Provider<T>;
}

impl<T: 'static, S: Supplier<T>, F: Fn() -> S + Copy + 'static> BySupplier<T> for &&Supply<F> {
    fn values(&self, ask: Ask) -> Provider<T> {
        let supplier = self.0;
        Provider::several("supplier", false, move || supplier().supply(ask.parameter))
    }
}

/// Functions without a parameter.
pub trait ByFunction<T> {
    /// Returns its values.
    fn values(&self, ask: Ask) -> Provider<T>;
}

impl<I, S, F> ByFunction<I::Item> for &Supply<F>
where
    I: IntoIterator<Item: 'static>,
    S: Fn() -> I,
    F: Fn() -> S + Copy + 'static,
{
    fn values(&self, _: Ask) -> Provider<I::Item> {
        let supplier = self.0;
        Provider::several("supplier", false, move || supplier()())
    }
}

/// Functions that take the parameter's description.
pub trait ByAttentiveFunction<T> {
    /// Returns its values.
    fn values(&self, ask: Ask) -> Provider<T>;
}

impl<I, S, F> ByAttentiveFunction<I::Item> for Supply<F>
where
    I: IntoIterator<Item: 'static>,
    S: Fn(&'static Parameter) -> I,
    F: Fn() -> S + Copy + 'static,
{
    fn values(&self, ask: Ask) -> Provider<I::Item> {
        let supplier = self.0;
        Provider::several("supplier", false, move || supplier()(ask.parameter))
    }
}

/// Returns the values of `#[values(…)]` for a parameter that owns them.
pub fn values<T: 'static, const N: usize>(make: impl Fn() -> [T; N] + 'static) -> Provider<T> {
    Provider::several("values", false, make)
}

/// Creates the source of a parameter from its only provider.
pub fn only<T: 'static>(provider: Provider<T>, ask: Ask) -> Points<T> {
    let source = Source::of(vec![provider])?;
    if source.count() == 0 {
        return Err(vec![format!(
            "the supplier of `{}` gave no value at all",
            ask.parameter.name
        )]);
    }
    Ok(source)
}

/// Converts values of `T` for a `&T`.
pub fn hold<T: 'static>(provider: Provider<T>) -> Provider<Held<T, T>> {
    provider.map(Held::Owned)
}

/// Converts values for a `&dyn Trait`.
pub fn hold_boxed<B: ?Sized + 'static>(provider: Provider<Box<B>>) -> Provider<Held<Box<B>, B>> {
    provider.map(Held::Owned)
}

/// Converts values for a `&str` or a `&[T]`, in whichever form they are given.
pub fn hold_any<X: IntoHeld<H> + 'static, H: 'static>(provider: Provider<X>) -> Provider<H> {
    provider.map(X::into_held)
}
