//! Stubs whose answers are guessed, and refined until the assumptions hold.

mod constant;
mod dialogue;
mod guess;
mod search;

pub use dialogue::{Answers, StubCore};
pub use guess::{
    Guess, GuessDefault, GuessExhaustive, GuessKnown, GuessOk, GuessRegistered, Guesses, Hints,
};

pub(crate) use dialogue::begin_theory;
pub(crate) use search::{answered, search};

use super::held::Held;
use super::parameter::Ask;
use super::provider::Provider;
use super::shape::{Lent, Own, Points, Shape, registered_providers};
use super::source::Source;

/// The trait object of a trait that `#[stub]` or `stub!` made stubbable.
///
/// `By` is a type of the crate that did so: without it, no crate could do so for a trait from elsewhere.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be stubbed",
    label = "mark the trait with `#[stub]`, or repeat it in `situ::stub! {{ trait … }}` where it comes from elsewhere"
)]
pub trait Stubbed<By> {
    /// The stub.
    type Stub: 'static;
    /// Creates a stub that gets its answers from `core`.
    fn guessing(core: StubCore) -> Self::Stub;
    /// Creates a stub that forwards every call.
    fn delegating(to: Box<Self>) -> Self::Stub;
    /// Converts the stub into a trait object.
    fn boxed(stub: Self::Stub) -> Box<Self>;
}

/// Returns the guessing stub and the data points of the trait's type, for a `Box<dyn Trait>`.
pub fn boxed<D: ?Sized + Stubbed<By> + 'static, By: 'static>(ask: Ask) -> Points<Box<D>> {
    Source::of(
        [
            vec![guessed::<D, By, _>(ask, D::boxed)],
            written::<Own<Box<D>>>(ask),
        ]
        .into_iter()
        .flatten()
        .collect(),
    )
}

/// Returns the guessing stub and the data points of the trait's type, for a `&dyn Trait`.
pub fn lent<D: ?Sized + Stubbed<By> + 'static, By: 'static>(ask: Ask) -> Points<Held<Box<D>, D>> {
    let guessed = guessed::<D, By, _>(ask, D::boxed).map(Held::Owned);
    Source::of(
        [vec![guessed], written::<Lent<Box<D>, D>>(ask)]
            .into_iter()
            .flatten()
            .collect(),
    )
}

/// Returns the guessing stub and the data points of the trait's type, wrapped into the stub's own
/// type, for an `impl Trait`.
pub fn bare<D: ?Sized + Stubbed<By> + 'static, By: 'static>(ask: Ask) -> Points<D::Stub> {
    let guessed = guessed::<D, By, _>(ask, |stub| stub);
    let written = written::<Own<Box<D>>>(ask)
        .into_iter()
        .map(|points| points.map(D::delegating));
    Source::of(std::iter::once(guessed).chain(written).collect())
}

fn guessed<D: ?Sized + Stubbed<By> + 'static, By: 'static, H: 'static>(
    ask: Ask,
    hold: fn(D::Stub) -> H,
) -> Provider<H> {
    let name = ask.parameter.name;
    Provider::one("a guessed stub", false, move || {
        hold(D::guessing(StubCore::new(name)))
    })
}

/// Returns the data points of the trait's type, possibly none.
fn written<S: Shape>(ask: Ask) -> Vec<Provider<S::Held>> {
    registered_providers::<S>(ask).unwrap_or_default()
}

/// Leaks an answer that is returned by reference.
pub fn leaked<T>(answer: T) -> &'static mut T {
    Box::leak(Box::new(answer))
}

/// Leaks a slice that is returned by reference.
pub fn leaked_slice<T>(answer: Vec<T>) -> &'static mut [T] {
    answer.leak()
}
