//! The procedural macros of Situ: each parses its tokens, calls `situ-syntax` and emits the result.
//!
//! Without the feature `test` this crate has no dependency and parses nothing: `#[situ]` returns
//! its item unchanged, theories disappear, data points stay.

use proc_macro::TokenStream;

#[cfg(not(feature = "test"))]
mod normal_build;
#[cfg(not(feature = "test"))]
use normal_build as build;

#[cfg(feature = "test")]
mod test_build;
#[cfg(feature = "test")]
use test_build as build;

/// Marks the `fn`, `impl` block, `trait` or inline `mod` that contains in-situ tests; see
/// `situ::situ`.
#[proc_macro_attribute]
pub fn situ(attribute: TokenStream, item: TokenStream) -> TokenStream {
    build::situ(attribute, item)
}

/// A statement about all values of its parameters, run as one `#[test]` on every combination of data points.
///
/// ```ignore
/// #[theory]
/// fn reversing_makes_the_first_last(s: &str) {
///     assume!(!s.is_empty());
///     assert_eq!(reverse(s).chars().next_back(), s.chars().next());
/// }
/// ```
///
/// `#[theory(full)]` runs the whole product however large it is; `#[theory(T = [u8, i64])]` says what a generic parameter
/// is. Parameters take `#[from("group")]`, `#[values(1, 2)]`, `#[supplier(path)]` and `#[stub]`.
#[proc_macro_attribute]
pub fn theory(attribute: TokenStream, item: TokenStream) -> TokenStream {
    build::theory(attribute, item)
}

/// Makes a property available to `cargo situ explore`: a function that returns `bool`, `Result<(),
/// _>` or nothing. The function stays unchanged for its other callers, such as quickcheck.
///
/// Beside it stands a theory with `_on_data_points` after its name, which passes if there is no
/// data point for it.
#[proc_macro_attribute]
pub fn property(attribute: TokenStream, item: TokenStream) -> TokenStream {
    build::property(attribute, item)
}

/// Replaces `proptest!` and makes its tests available to `cargo situ explore`.
#[proc_macro]
pub fn proptests(tokens: TokenStream) -> TokenStream {
    build::proptests(tokens)
}

/// Declares a value for theories: on a `const`, a `static` or a function without parameters.
///
/// `#[datapoint("group", "another")]` names groups; `skip_failing` drops a value that panics when
/// it is constructed.
#[proc_macro_attribute]
pub fn datapoint(attribute: TokenStream, item: TokenStream) -> TokenStream {
    build::datapoint(attribute, item)
}

/// Declares several values for theories: on a `const`, a `static` or a function whose value can be
/// iterated over.
///
/// It takes the same arguments as `#[datapoint]`.
#[proc_macro_attribute]
pub fn datapoints(attribute: TokenStream, item: TokenStream) -> TokenStream {
    build::datapoints(attribute, item)
}

/// Lets theories take all values of an enum without fields.
#[proc_macro_derive(DataPoints)]
pub fn derive_data_points(item: TokenStream) -> TokenStream {
    build::derive_data_points(item)
}

/// Makes a trait stubbable, so that a theory's parameter can be `#[stub] it: &dyn Trait`.
#[proc_macro_attribute]
pub fn stub(attribute: TokenStream, item: TokenStream) -> TokenStream {
    build::stub(attribute, item)
}

/// Makes a trait of another crate stubbable; see `situ::stub!`.
#[proc_macro]
pub fn stub_for(item: TokenStream) -> TokenStream {
    build::stub_for(item)
}

/// Rejects an assignment, or skips an ordinary test, unless a condition holds.
///
/// ```ignore
/// assume!(n > 0);
/// assume!(let Some(first) = words.first());
/// ```
#[proc_macro]
pub fn assume(condition: TokenStream) -> TokenStream {
    build::assume(condition)
}

/// Rejects an assignment, or skips an ordinary test, unless two values are equal.
#[proc_macro]
pub fn assume_eq(values: TokenStream) -> TokenStream {
    build::assume_eq(values)
}

/// Evaluates to the value in an `Ok`; an `Err` rejects the assignment, or skips an ordinary test.
#[proc_macro]
pub fn assume_ok(result: TokenStream) -> TokenStream {
    build::assume_ok(result)
}

/// Evaluates to the value in a `Some`; a `None` rejects the assignment, or skips an ordinary test.
#[proc_macro]
pub fn assume_some(option: TokenStream) -> TokenStream {
    build::assume_some(option)
}
