//! Values in failure messages: their `Debug` output, or the type's name if they have none.
//!
//! A method of [`Show`] or [`Pair`] is found on the type itself if all values have `Debug`, and
//! behind `Deref` otherwise. So the choice is made where the types are known, without importing a
//! trait, and the test contains a single call.

use super::exit::Left;
use super::run::Run;
use std::any::type_name;
use std::fmt::Debug;
use std::ops::Deref;

type Text<T> = fn(&T) -> String;

fn debug<T: Debug + ?Sized>(value: &T) -> String {
    format!("{value:?}")
}

fn name<T: ?Sized>(_value: &T) -> String {
    format!("<{} without Debug>", type_name::<T>())
}

/// A value that an oracle checks.
pub struct Show<'a, T: ?Sized>(Blind<'a, T>);

/// A value without `Debug`.
pub struct Blind<'a, T: ?Sized>(&'a T);

impl<'a, T: ?Sized> Show<'a, T> {
    /// Wraps the value.
    pub fn new(value: &'a T) -> Self {
        Show(Blind(value))
    }
}

impl<'a, T: ?Sized> Deref for Show<'a, T> {
    type Target = Blind<'a, T>;

    fn deref(&self) -> &Blind<'a, T> {
        &self.0
    }
}

/// Two values that an oracle compares.
pub struct Pair<'a, A: ?Sized, B: ?Sized>(BlindPair<'a, A, B>);

/// Two values, not both of which have `Debug`.
pub struct BlindPair<'a, A: ?Sized, B: ?Sized>(&'a A, &'a B);

impl<'a, A: ?Sized, B: ?Sized> Pair<'a, A, B> {
    /// Wraps the found and the expected value.
    pub fn new(found: &'a A, expected: &'a B) -> Self {
        Pair(BlindPair(found, expected))
    }
}

impl<'a, A: ?Sized, B: ?Sized> Deref for Pair<'a, A, B> {
    type Target = BlindPair<'a, A, B>;

    fn deref(&self) -> &BlindPair<'a, A, B> {
        &self.0
    }
}

/// Declares each method for both kinds of types.
macro_rules! both_ways {
    ($(
        $(#[$doc:meta])*
        fn $method:ident(&$this:ident, $text:ident $(, $argument:ident: $ty:ty)*) $(-> $output:ty)? $body:block
    )*) => {
        impl<T: Debug + ?Sized> Show<'_, T> {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $method(&self $(, $argument: $ty)*) $(-> $output)? {
                let ($this, $text): (&Blind<'_, T>, Text<T>) = (&self.0, debug::<T>);
                $body
            }
        )*}
        impl<T: ?Sized> Blind<'_, T> {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $method(&self $(, $argument: $ty)*) $(-> $output)? {
                let ($this, $text): (&Blind<'_, T>, Text<T>) = (self, name::<T>);
                $body
            }
        )*}
    };
}

both_ways! {
    /// Formats the value.
    fn show(&this, text) -> String {
        text(this.0)
    }
    /// Fails unless the value satisfies `test`.
    fn must(&this, text, run: &Run, oracle: &'static str, expected: &'static str, test: fn(&T) -> bool) {
        if !test(this.0) {
            run.other(oracle, expected, text(this.0));
        }
    }
    /// Fails because the value is not the expected one.
    fn other(&this, text, run: &Run, oracle: &'static str, expected: &'static str) -> ! {
        run.other(oracle, expected, text(this.0))
    }
}

impl<T: Debug + ?Sized> Show<'_, T> {
    /// Returns the `Debug` output.
    pub fn shown(&self) -> Option<String> {
        Some(debug(self.0.0))
    }
}

impl<T: ?Sized> Blind<'_, T> {
    /// Returns `None`, because the type has no `Debug`.
    pub fn shown(&self) -> Option<String> {
        None
    }
}

/// An exit of a fragment, for failure messages.
pub struct Exit<'a, R>(BlindExit<'a, R>);

/// An exit of a fragment with a returned value that has no `Debug`.
pub struct BlindExit<'a, R>(&'a Left<R>);

impl<'a, R> Exit<'a, R> {
    /// Wraps the exit.
    pub fn new(left: &'a Left<R>) -> Self {
        Exit(BlindExit(left))
    }
}

impl<'a, R> Deref for Exit<'a, R> {
    type Target = BlindExit<'a, R>;

    fn deref(&self) -> &BlindExit<'a, R> {
        &self.0
    }
}

impl<R: Debug> Exit<'_, R> {
    /// Fails because no clause expects this exit.
    #[cold]
    #[track_caller]
    pub fn strayed(&self, run: &Run, oracle: &str, expected: &str) -> ! {
        run.strayed(oracle, expected, self.0.0, debug)
    }
}

impl<R> BlindExit<'_, R> {
    /// Fails because no clause expects this exit.
    #[cold]
    #[track_caller]
    pub fn strayed(&self, run: &Run, oracle: &str, expected: &str) -> ! {
        run.strayed(oracle, expected, self.0, name)
    }
}

/// Declares the comparisons for both kinds of types.
macro_rules! comparisons {
    ($pair:ident, $a:ident $(: $bound:ident)?, $this:ident => $found:expr, $expected:expr, $text:ident) => {
        impl<A: ?Sized $(+ $bound)?, B: ?Sized $(+ $bound)?> $pair<'_, A, B> {
            /// Fails unless the two are equal.
            #[track_caller]
            pub fn check_eq(&self, run: &Run, oracle: &'static str)
            where
                A: PartialEq<B>,
            {
                let $this = self;
                if !($found == $expected) {
                    run.differ(oracle, $text($expected), $text($found));
                }
            }

            /// Fails if the two are equal.
            #[track_caller]
            pub fn check_ne(&self, run: &Run, oracle: &'static str)
            where
                A: PartialEq<B>,
            {
                let $this = self;
                if !($found != $expected) {
                    self.not_so(run, oracle, "!=");
                }
            }

            /// Fails because the two are not equal.
            #[cold]
            #[track_caller]
            pub fn differ(&self, run: &Run, oracle: &'static str) -> ! {
                let $this = self;
                run.differ(oracle, $text($expected), $text($found))
            }

            /// Fails because a comparison of the two does not hold.
            #[cold]
            #[track_caller]
            pub fn not_so(&self, run: &Run, oracle: &'static str, operator: &'static str) -> ! {
                let $this = self;
                run.not_so(oracle, operator, $text($found), $text($expected))
            }
        }
    };
}

comparisons!(Pair, A: Debug, this => this.0.0, this.0.1, debug);
comparisons!(BlindPair, A, this => this.0, this.1, name);
