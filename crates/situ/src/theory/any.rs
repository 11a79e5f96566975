//! Values for in-situ tests that must hold for all values: `any::<T>()`.

use std::any::Any;
use std::panic::Location;

use super::points::visible;

/// Values of type `T`, always the same ones: the data points of that type that the calling file sees, as
/// [`points`](super::points) gives them, and then the ends and other special values of numbers, characters and texts,
/// and of options and vectors of these.
///
/// In a clause of a test it is simply called `any`, and `cargo situ explore` puts values of its own in its place:
///
/// ```ignore
/// itest!(each(width, any::<u16>()), check(area >= u32::from(width)));
/// ```
///
/// # Panics
///
/// Where there is no value at all, or a data point cannot be built: a test that checks nothing must not pass.
#[track_caller]
pub fn any<T: 'static>() -> Vec<T> {
    let (module, mut values) =
        visible::<T>(Location::caller().file()).unwrap_or_else(|failures| panic!("{failures}"));
    values.extend(special::<T>());
    let name = std::any::type_name::<T>();
    assert!(
        !values.is_empty(),
        "nothing is known about `{name}`, and `{module}` and the modules around it have no data point of it"
    );
    values
}

/// Returns the data points alone, for the explorer, which knows special values itself.
#[track_caller]
pub fn points_to_explore<T: 'static>() -> Vec<T> {
    visible::<T>(Location::caller().file())
        .map(|(_, values)| values)
        .unwrap_or_default()
}

/// Returns special values of the standard library's types; empty for others.
fn special<T: 'static>() -> Vec<T> {
    macro_rules! integers {
        ($($of:ty)*) => {
            None$(.or_else(|| of::<$of, T>(&|| vec![0, 1, <$of>::MAX, <$of>::MIN, <$of>::MAX - 1, 2, 10, 100])))*
        };
    }
    macro_rules! signed {
        ($($of:ty)*) => {
            None$(.or_else(|| of::<$of, T>(&|| vec![0, 1, -1, <$of>::MAX, <$of>::MIN, <$of>::MIN + 1, 2, 10, -10])))*
        };
    }
    macro_rules! floats {
        ($($of:ident)*) => {
            None$(.or_else(|| of::<$of, T>(&|| vec![
                0.0, -0.0, 1.0, -1.0, 0.5, 0.1, $of::MAX, $of::MIN, $of::MIN_POSITIVE, $of::EPSILON, $of::INFINITY,
                $of::NEG_INFINITY, $of::NAN,
            ])))*
        };
    }
    let found = integers!(u8 u16 u32 u64 u128 usize)
        .or_else(|| signed!(i8 i16 i32 i64 i128 isize))
        .or_else(|| floats!(f32 f64))
        .or_else(|| of::<bool, T>(&|| vec![false, true]))
        .or_else(|| of::<char, T>(&|| "a0 \n\0ß€😀\u{10ffff}".chars().collect()))
        .or_else(|| of::<&'static str, T>(&|| TEXTS.to_vec()))
        .or_else(|| of::<String, T>(&|| TEXTS.map(String::from).to_vec()));
    found.unwrap_or_default()
}

const TEXTS: [&str; 9] = [
    "",
    "a",
    "0",
    " ",
    "\n",
    "a b",
    "Ab-9_z.",
    "ß€😀",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

/// Returns the values if `T` is `B`, or an option or a vector of it.
fn of<B: Clone + 'static, T: 'static>(values: &dyn Fn() -> Vec<B>) -> Option<Vec<T>> {
    let options = || {
        std::iter::once(None)
            .chain(values().into_iter().map(Some))
            .collect::<Vec<Option<B>>>()
    };
    let lists = || {
        let single = values().into_iter().map(|value| vec![value]);
        std::iter::once(Vec::new())
            .chain(single)
            .chain([values()])
            .collect::<Vec<Vec<B>>>()
    };
    cast(values())
        .or_else(|| cast(options()))
        .or_else(|| cast(lists()))
}

fn cast<B: 'static, T: 'static>(values: Vec<B>) -> Option<Vec<T>> {
    let values: Box<dyn Any> = Box::new(values);
    values.downcast().ok().map(|values| *values)
}

#[cfg(test)]
mod tests {
    use super::any;

    #[test]
    fn special_values_are_those_of_the_type() {
        assert!(any::<u8>().contains(&255) && any::<i16>().contains(&i16::MIN));
        assert!(any::<f64>().iter().any(|value| value.is_nan()));
        assert_eq!(
            any::<bool>(),
            [false, true, false, true],
            "every bool is a data point"
        );
        assert!(
            any::<Option<&'static str>>().contains(&Some(""))
                && any::<Option<u8>>().contains(&None)
        );
        assert!(any::<Vec<char>>().iter().any(|list| list.len() > 3));
        assert_eq!(any::<String>(), any::<String>());
    }

    #[test]
    #[should_panic(expected = "nothing is known about")]
    fn a_type_without_values_fails() {
        struct Unknown;
        any::<Unknown>();
    }
}
