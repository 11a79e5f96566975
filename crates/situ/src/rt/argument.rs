//! Comparison of an argument of a mocked call with the one in its mock, also if one of them is
//! borrowed once more than the other, or if both are strings, bytes or paths of different types.
//!
//! Each kind of comparison has a type of its own, and `agrees` is found on the first whose bounds
//! hold; see [`Show`](super::show::Show).

use std::ops::Deref;
use std::path::Path;

macro_rules! ways {
    ($($(#[$doc:meta])* $way:ident else $next:ident;)*) => {$(
        $(#[$doc])*
        pub struct $way<'a, A, E>($next<'a, A, E>);

        impl<'a, A, E> Deref for $way<'a, A, E> {
            type Target = $next<'a, A, E>;

            fn deref(&self) -> &$next<'a, A, E> {
                &self.0
            }
        }
    )*};
}

ways! {
    /// An argument and the expected one, compared directly.
    Argument else Borrowed;
    /// The argument is borrowed once more.
    Borrowed else TwiceBorrowed;
    /// The argument is borrowed twice more.
    TwiceBorrowed else ExpectedBorrowed;
    /// The expected argument is borrowed once more.
    ExpectedBorrowed else Texts;
    /// Both are strings.
    Texts else Bytes;
    /// Both are bytes.
    Bytes else Paths;
    /// Both are paths.
    Paths else Incomparable;
}

/// They cannot be compared; the compiler reports it.
pub struct Incomparable<'a, A, E>(&'a A, &'a E);

impl<'a, A, E> Argument<'a, A, E> {
    /// Wraps the argument and the expected one.
    pub fn new(argument: &'a A, expected: &'a E) -> Self {
        let none = Incomparable(argument, expected);
        Argument(Borrowed(TwiceBorrowed(ExpectedBorrowed(Texts(Bytes(
            Paths(none),
        ))))))
    }
}

impl<A, E> Incomparable<'_, A, E> {
    fn values(&self) -> (&A, &E) {
        (self.0, self.1)
    }

    /// Returns whether they are equal.
    pub fn agrees(&self) -> bool
    where
        A: PartialEq<E>,
    {
        self.0 == self.1
    }
}

macro_rules! agreeing {
    ($($way:ident<$argument:ty, $expected:ty> [$($bounds:tt)*] $found:ident, $wanted:ident => $equal:expr;)*) => {$(
        impl<$($bounds)*> $way<'_, $argument, $expected> {
            /// Returns whether they are equal.
            pub fn agrees(&self) -> bool {
                let ($found, $wanted) = self.values();
                $equal
            }
        }
    )*};
}

agreeing! {
    Argument<A, E> [A: PartialEq<E>, E] found, wanted => found == wanted;
    Borrowed<&A, E> [A: PartialEq<E> + ?Sized, E] found, wanted => **found == *wanted;
    TwiceBorrowed<&&A, E> [A: PartialEq<E> + ?Sized, E] found, wanted => ***found == *wanted;
    ExpectedBorrowed<A, &E> [A: PartialEq<E>, E: ?Sized] found, wanted => *found == **wanted;
    Texts<A, E> [A: AsRef<str>, E: AsRef<str>] found, wanted => found.as_ref() == wanted.as_ref();
    Bytes<A, E> [A: AsRef<[u8]>, E: AsRef<[u8]>] found, wanted => found.as_ref() == wanted.as_ref();
    Paths<A, E> [A: AsRef<Path>, E: AsRef<Path>] found, wanted => found.as_ref() == wanted.as_ref();
}

#[cfg(test)]
mod tests {
    use super::Argument;
    use std::path::{Path, PathBuf};
    use std::sync::Arc;

    macro_rules! agree {
        ($($argument:expr, $expected:expr;)*) => {$(
            assert!(Argument::new(&$argument, &$expected).agrees(), "{}", stringify!($argument, $expected));
        )*};
    }

    #[test]
    fn borrows_texts_bytes_and_paths_are_compared_by_what_they_hold() {
        let (text, number) = ("a".to_owned(), 3u8);
        agree! {
            "a", "a";
            &"a", "a";
            &&"a", "a";
            text, "a";
            &text, "a";
            &&text, "a";
            Arc::<str>::from("a"), "a";
            Box::<str>::from("a"), text;
            text, b"a";
            number, 3;
            &number, 3;
            &&number, 3;
            number, &3;
            vec![1u8, 2], b"\x01\x02";
            &vec![1u8, 2], [1, 2];
            &[1u8, 2][..], b"\x01\x02";
            Some(&text), Some(&"a".to_owned());
            PathBuf::from("a/b"), "a/b";
            &PathBuf::from("a/b"), "a/b";
            Path::new("a/b"), "a/b";
            None::<u8>, None;
        }
        assert!(!Argument::new(&&&"a", &"b").agrees());
        assert!(!Argument::new(&Path::new("a"), &"b").agrees());
        assert!(!Argument::new(&text, b"b").agrees());
    }
}
