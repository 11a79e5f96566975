//! How a parameter takes its values: owned, or borrowed from a stored one.

use std::any::Any;
use std::marker::PhantomData;

use super::exhaustive::Exhaustive;
use super::held::Held;
use super::parameter::Ask;
use super::provider::Provider;
use super::registry::ValueType;
use super::source::Source;

/// The requirements of a parameter's type on data points.
pub trait Shape {
    /// The stored type while the theory runs.
    type Held: 'static;

    /// Returns the types of data points that fit, and how to convert them.
    fn accepts() -> Vec<Accept<Self::Held>>;
}

/// One type of data point that fits.
pub struct Accept<H> {
    value_type: ValueType,
    take: fn(Box<dyn Any>) -> Option<Provider<H>>,
}

fn downcast<T: 'static>(provider: Box<dyn Any>) -> Option<Provider<T>> {
    provider
        .downcast::<Provider<T>>()
        .ok()
        .map(|provider| *provider)
}

/// `T`, `&mut T`: values of `T`.
pub struct Own<T>(PhantomData<T>);

impl<T: 'static> Shape for Own<T> {
    type Held = T;

    fn accepts() -> Vec<Accept<T>> {
        vec![Accept {
            value_type: ValueType::of::<T>(),
            take: downcast::<T>,
        }]
    }
}

/// `&B`: values of `O`, which borrow as `B`, and references to `B`.
pub struct Lent<O, B: ?Sized>(PhantomData<O>, PhantomData<B>);

impl<O: 'static, B: ?Sized + 'static> Shape for Lent<O, B> {
    type Held = Held<O, B>;

    fn accepts() -> Vec<Accept<Held<O, B>>> {
        vec![
            Accept {
                value_type: ValueType::of::<O>(),
                take: |provider| downcast::<O>(provider).map(|it| it.map(Held::Owned)),
            },
            Accept {
                value_type: ValueType::of::<&'static B>(),
                take: |provider| downcast::<&'static B>(provider).map(|it| it.map(Held::Static)),
            },
        ]
    }
}

/// Selects, by autoref, the source of the values: `(&&Probe::<Own<T>>::new()).points(ask)`.
pub struct Probe<S>(PhantomData<S>);

impl<S> Probe<S> {
    /// Creates the probe.
    #[expect(clippy::new_without_default, reason = "only generated code asks")]
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

/// A parameter's values, or why there are none.
pub type Points<H> = Result<Source<H>, Vec<String>>;

/// Types that list all their values.
pub trait ByExhaustion {
    /// The stored type.
    type Held;
    /// Returns all values of the type, unless the parameter names a group.
    fn points(&self, ask: Ask) -> Points<Self::Held>;
}

impl<T: Exhaustive> ByExhaustion for &Probe<Own<T>> {
    type Held = T;

    fn points(&self, ask: Ask) -> Points<T> {
        exhaustive(ask, |value: T| value).unwrap_or_else(|| registered::<Own<T>>(ask))
    }
}

impl<T: Exhaustive> ByExhaustion for &Probe<Lent<T, T>> {
    type Held = Held<T, T>;

    fn points(&self, ask: Ask) -> Points<Held<T, T>> {
        exhaustive(ask, Held::Owned).unwrap_or_else(|| registered::<Lent<T, T>>(ask))
    }
}

fn exhaustive<T: Exhaustive, H: 'static>(ask: Ask, hold: fn(T) -> H) -> Option<Points<H>> {
    if ask.parameter.group.is_some() {
        return None;
    }
    let name = format!(
        "every {}",
        super::expression::short_name(std::any::type_name::<T>())
    );
    Some(Source::of(vec![
        Provider::several(&name, false, T::all).map(hold),
    ]))
}

/// All other types.
pub trait ByRegistry {
    /// The stored type.
    type Held;
    /// Returns the data points that fit.
    fn points(&self, ask: Ask) -> Points<Self::Held>;
}

impl<S: Shape> ByRegistry for Probe<S> {
    type Held = S::Held;

    fn points(&self, ask: Ask) -> Points<S::Held> {
        registered::<S>(ask)
    }
}

fn registered<S: Shape>(ask: Ask) -> Points<S::Held> {
    let source = Source::of(registered_providers::<S>(ask)?)?;
    if source.count() == 0 {
        return Err(vec![format!(
            "the data points that fit `{}` give no value at all",
            ask.parameter.name
        )]);
    }
    Ok(source)
}

/// Returns the providers that fit, or a description of the existing data points.
pub(crate) fn registered_providers<S: Shape>(
    ask: Ask,
) -> Result<Vec<Provider<S::Held>>, Vec<String>> {
    let accepts = S::accepts();
    let types: Vec<ValueType> = accepts.iter().map(|accept| accept.value_type).collect();
    let entries = ask.entries(&types)?;
    let providers = entries.iter().filter_map(|entry| {
        let accept = accepts
            .iter()
            .find(|accept| accept.value_type.id == (entry.value_type)().id)?;
        (accept.take)((entry.provider)())
    });
    Ok(providers.collect())
}
