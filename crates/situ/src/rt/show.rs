//! Shows values in failure messages: through `Debug` where their type has it, else by the type's name.
//!
//! A method of [`Show`] or [`Pair`] is found on the type itself where all values have `Debug`, and behind `Deref` for
//! everything else. So the choice is made where the types are known, with no trait to import, and the test itself
//! holds nothing but one call.

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

/// A value that an oracle looks at.
pub struct Show<'a, T: ?Sized>(Blind<'a, T>);

/// A value without `Debug`.
pub struct Blind<'a, T: ?Sized>(&'a T);

impl<'a, T: ?Sized> Show<'a, T> {
    /// Takes the value.
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
    /// Takes what was found and what is expected.
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

/// Writes each method twice, for both ways to show a value.
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
    /// The value's text.
    fn show(&this, text) -> String {
        text(this.0)
    }
    /// The value must pass a test.
    fn must(&this, text, run: &Run, oracle: &'static str, expected: &'static str, test: fn(&T) -> bool) {
        if !test(this.0) {
            run.other(oracle, expected, text(this.0));
        }
    }
    /// The value is not what its oracle asks for.
    fn other(&this, text, run: &Run, oracle: &'static str, expected: &'static str) -> ! {
        run.other(oracle, expected, text(this.0))
    }
}

impl<T: Debug + ?Sized> Show<'_, T> {
    /// The value's `Debug` text, which it has.
    pub fn shown(&self) -> Option<String> {
        Some(debug(self.0.0))
    }
}

impl<T: ?Sized> Blind<'_, T> {
    /// Nothing, for the value has no text.
    pub fn shown(&self) -> Option<String> {
        None
    }
}

/// How a fragment left, to be told of.
pub struct Exit<'a, R>(BlindExit<'a, R>);

/// How a fragment left, with a returned value that has no `Debug`.
pub struct BlindExit<'a, R>(&'a Left<R>);

impl<'a, R> Exit<'a, R> {
    /// Takes how it left.
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
    /// No clause asks for that way out.
    #[cold]
    #[track_caller]
    pub fn strayed(&self, run: &Run, oracle: &str, expected: &str) -> ! {
        run.strayed(oracle, expected, self.0.0, debug)
    }
}

impl<R> BlindExit<'_, R> {
    /// No clause asks for that way out.
    #[cold]
    #[track_caller]
    pub fn strayed(&self, run: &Run, oracle: &str, expected: &str) -> ! {
        run.strayed(oracle, expected, self.0, name)
    }
}

/// The comparisons, for both ways to show the two values.
macro_rules! comparisons {
    ($pair:ident, $a:ident $(: $bound:ident)?, $this:ident => $found:expr, $expected:expr, $text:ident) => {
        impl<A: ?Sized $(+ $bound)?, B: ?Sized $(+ $bound)?> $pair<'_, A, B> {
            /// The two must be equal.
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

            /// The two must not be equal.
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

            /// The two are not equal, but should be.
            #[cold]
            #[track_caller]
            pub fn differ(&self, run: &Run, oracle: &'static str) -> ! {
                let $this = self;
                run.differ(oracle, $text($expected), $text($found))
            }

            /// A comparison of the two does not hold.
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
