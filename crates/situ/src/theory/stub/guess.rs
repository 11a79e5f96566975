//! Guesses of a stub's answers, by their type.

use std::marker::PhantomData;

use super::constant::Constant;
use crate::theory::exhaustive::Exhaustive;
use crate::theory::registry::{self, ValueType};
use crate::theory::source::Source;

/// Constants that may be the right answer, likeliest first, and the module whose data points are
/// visible.
pub struct Hints {
    pub(super) constants: Vec<Constant>,
    pub(super) module: &'static str,
}

/// Types whose values can be guessed from constants. The first guess is always the same, and most
/// code accepts it.
pub trait Guess: Sized {
    /// Returns all guesses, which are finite.
    fn guesses(hints: &Hints) -> Vec<Self>;
}

macro_rules! guess_integers {
    ($($integer:ty)*) => {$(
        impl Guess for $integer {
            fn guesses(hints: &Hints) -> Vec<Self> {
                let integers = hints.constants.iter().filter_map(|constant| match constant {
                    Constant::Integer(value) => Some(*value),
                    _ => None,
                });
                let near: Vec<i128> = integers
                    .clone()
                    .flat_map(|value| [value.checked_neg(), value.checked_add(1), value.checked_sub(1)])
                    .flatten()
                    .collect();
                let all = std::iter::once(0).chain(integers).chain([1, -1]).chain(near);
                distinct(all.filter_map(|value| Self::try_from(value).ok()))
            }
        }
    )*};
}

guess_integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! guess_floats {
    ($($float:ty)*) => {$(
        impl Guess for $float {
            fn guesses(hints: &Hints) -> Vec<Self> {
                let numbers = hints.constants.iter().filter_map(|constant| match constant {
                    Constant::Float(value) => Some(*value as Self),
                    Constant::Integer(value) => Some(*value as Self),
                    _ => None,
                });
                distinct(std::iter::once(0.0).chain(numbers).chain([1.0, -1.0]))
            }
        }
    )*};
}

guess_floats!(f32 f64);

impl Guess for () {
    fn guesses(_: &Hints) -> Vec<Self> {
        vec![()]
    }
}

impl Guess for bool {
    fn guesses(_: &Hints) -> Vec<Self> {
        vec![false, true]
    }
}

impl Guess for char {
    fn guesses(hints: &Hints) -> Vec<Self> {
        let chars = hints.constants.iter().flat_map(|constant| match constant {
            Constant::Char(value) => vec![*value],
            Constant::Text(text) => text.chars().collect(),
            _ => Vec::new(),
        });
        distinct(std::iter::once('a').chain(chars).chain(['0', ' ']))
    }
}

impl Guess for String {
    fn guesses(hints: &Hints) -> Vec<Self> {
        let texts = hints
            .constants
            .iter()
            .filter_map(|constant| match constant {
                Constant::Text(text) => Some(text.clone()),
                Constant::Char(value) => Some(value.to_string()),
                _ => None,
            });
        let numbers = hints
            .constants
            .iter()
            .filter_map(|constant| match constant {
                Constant::Integer(value) => Some(value.to_string()),
                _ => None,
            });
        distinct(
            std::iter::once(String::new())
                .chain(texts)
                .chain(numbers)
                .chain([String::from("a")]),
        )
    }
}

impl Guess for &'static str {
    fn guesses(hints: &Hints) -> Vec<Self> {
        // A stub's answer needs the lifetime `'static`; leaking is harmless because a test process
        // ends soon.
        String::guesses(hints)
            .into_iter()
            .map(|text| &*text.leak())
            .collect()
    }
}

impl<T: Guess> Guess for Option<T> {
    fn guesses(hints: &Hints) -> Vec<Self> {
        std::iter::once(None)
            .chain(T::guesses(hints).into_iter().map(Some))
            .collect()
    }
}

impl<T: Guess, E: Guess> Guess for Result<T, E> {
    fn guesses(hints: &Hints) -> Vec<Self> {
        T::guesses(hints)
            .into_iter()
            .map(Ok)
            .chain(E::guesses(hints).into_iter().map(Err))
            .collect()
    }
}

impl<T: Guess> Guess for Vec<T> {
    fn guesses(hints: &Hints) -> Vec<Self> {
        std::iter::once(Vec::new())
            .chain(T::guesses(hints).into_iter().map(|item| vec![item]))
            .collect()
    }
}

impl<T: Guess> Guess for Box<T> {
    fn guesses(hints: &Hints) -> Vec<Self> {
        T::guesses(hints).into_iter().map(Box::new).collect()
    }
}

impl Guess for std::fmt::Error {
    fn guesses(_: &Hints) -> Vec<Self> {
        vec![Self]
    }
}

impl Guess for std::io::Error {
    fn guesses(_: &Hints) -> Vec<Self> {
        vec![std::io::ErrorKind::Other.into()]
    }
}

/// Every pair.
impl<A: Guess, B: Guess> Guess for (A, B) {
    fn guesses(hints: &Hints) -> Vec<Self> {
        let lefts = 0..A::guesses(hints).len();
        // Nothing here can be cloned, so each right side gets newly constructed left sides.
        let pairs = lefts.flat_map(|left| {
            let left = move |right| Some((A::guesses(hints).into_iter().nth(left)?, right));
            B::guesses(hints).into_iter().filter_map(left)
        });
        pairs.collect()
    }
}

fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut kept = Vec::new();
    for value in values {
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    kept
}

/// Selects, by autoref, how answers of type `T` are guessed:
/// `(&&&&&Guesses::<T>::new()).all(hints)`.
pub struct Guesses<T>(PhantomData<T>);

impl<T> Guesses<T> {
    /// Creates the selector.
    #[expect(clippy::new_without_default, reason = "only generated code asks")]
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

/// Types made from constants.
pub trait GuessKnown<T> {
    /// Returns all guesses.
    fn all(&self, hints: &Hints) -> Vec<T>;
}

impl<T: Guess> GuessKnown<T> for &&&&Guesses<T> {
    fn all(&self, hints: &Hints) -> Vec<T> {
        T::guesses(hints)
    }
}

/// Types that list their values.
pub trait GuessExhaustive<T> {
    /// Returns all values.
    fn all(&self, hints: &Hints) -> Vec<T>;
}

impl<T: Exhaustive> GuessExhaustive<T> for &&&Guesses<T> {
    fn all(&self, _: &Hints) -> Vec<T> {
        T::all()
    }
}

/// Results whose error cannot be guessed, except from data points.
pub trait GuessOk<T> {
    /// Returns every `Ok`, then the errors.
    fn all(&self, hints: &Hints) -> Vec<T>;
}

impl<T: Guess, E: 'static> GuessOk<Result<T, E>> for &&Guesses<Result<T, E>> {
    fn all(&self, hints: &Hints) -> Vec<Result<T, E>> {
        T::guesses(hints)
            .into_iter()
            .map(Ok)
            .chain(data_points(hints.module).into_iter().map(Err))
            .collect()
    }
}

/// Types with a default value; data points of the type are guesses too.
pub trait GuessDefault<T> {
    /// Returns the default, then the data points.
    fn all(&self, hints: &Hints) -> Vec<T>;
}

impl<T: Default + 'static> GuessDefault<T> for &Guesses<T> {
    fn all(&self, hints: &Hints) -> Vec<T> {
        std::iter::once(T::default())
            .chain(data_points(hints.module))
            .collect()
    }
}

/// All other types, of which there may be data points.
pub trait GuessRegistered<T> {
    /// Returns the data points.
    fn all(&self, hints: &Hints) -> Vec<T>;
}

impl<T: 'static> GuessRegistered<T> for Guesses<T> {
    fn all(&self, hints: &Hints) -> Vec<T> {
        data_points(hints.module)
    }
}

fn data_points<T: 'static>(module: &str) -> Vec<T> {
    let entries = registry::visible_from(module).unwrap_or_default();
    let of_type = entries
        .into_iter()
        .filter(|entry| (entry.value_type)() == ValueType::of::<T>());
    // The theories that use a data point report that it cannot be built; here it is no guess.
    Source::of(of_type.filter_map(registry::provider_of).collect())
        .map(Source::into_values)
        .unwrap_or_default()
}
