//! Value generators that a crate itself has: `arbitrary::Arbitrary` and `proptest`'s, if it depends
//! on these crates.

use super::CRATE;

/// The name of the module with the generators; every crate has it, so that it can be named
/// everywhere.
pub(super) const MODULE: &str = "__situ_answers";

/// Which crates a crate can name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answers {
    /// `arbitrary`.
    pub arbitrary: bool,
    /// `proptest`.
    pub proptest: bool,
}

impl Answers {
    /// Returns whether a type may have a generator of its own.
    pub(crate) fn any(self) -> bool {
        self.arbitrary || self.proptest
    }

    pub(crate) fn module(self) -> String {
        let arbitrary = self.arbitrary.then(|| {
            answer(
                "ByArbitrary",
                "for<'a> ::arbitrary::Arbitrary<'a>",
                ("&&", "bytes_between"),
                "<{} as arbitrary::Arbitrary>::arbitrary(&mut arbitrary::Unstructured::new(",
                ")).unwrap()",
                "T::arbitrary(&mut ::arbitrary::Unstructured::new(&bytes)).ok()",
            )
        });
        let proptest = self.proptest.then(|| {
            answer(
                "ByProptest",
                "::proptest::arbitrary::Arbitrary",
                ("&", "seed_between"),
                "proptest::strategy::ValueTree::current(&proptest::strategy::Strategy::new_tree(\
                 &proptest::arbitrary::any::<{}>(), &mut proptest::test_runner::TestRunner::new_with_rng(\
                 Default::default(), proptest::test_runner::TestRng::from_seed(\
                 proptest::test_runner::RngAlgorithm::ChaCha, ",
                "))).unwrap())",
                "{ use ::proptest::strategy::{Strategy as _, ValueTree as _}; use ::proptest::test_runner as by; \
                 let random = by::TestRng::from_seed(by::RngAlgorithm::ChaCha, &bytes); \
                 let mut runner = by::TestRunner::new_with_rng(::core::default::Default::default(), random); \
                 ::proptest::arbitrary::any::<T>().new_tree(&mut runner).ok().map(|tree| tree.current()) }",
            )
        });
        let answers = arbitrary.unwrap_or_default() + &proptest.unwrap_or_default();
        format!(
            "#[doc(hidden)] #[allow(warnings, clippy::all)] pub(crate) mod {MODULE} {{ {answers} }} "
        )
    }
}

/// Returns a generator by a trait: values are constructed from bytes, and written as `before`, the
/// bytes, `after`.
fn answer(
    name: &str,
    bound: &str,
    (level, shape): (&str, &str),
    before: &str,
    after: &str,
    build: &str,
) -> String {
    format!(
        "pub trait {name}<T> {{ \
             fn id(&self, shapes: &mut ::{CRATE}::Shapes) -> ::{CRATE}::Id; \
             fn build(&self, tree: &::{CRATE}::Tree) -> ::core::option::Option<T>; }} \
         impl<T: {bound}> {name}<T> for {level}::{CRATE}::Slot<T> {{ \
             fn id(&self, shapes: &mut ::{CRATE}::Shapes) -> ::{CRATE}::Id {{ \
                 let name = ::{CRATE}::Shapes::name::<T>(); \
                 ::{CRATE}::{shape}(shapes, format!({before:?}, name), {after:?}) }} \
             fn build(&self, tree: &::{CRATE}::Tree) -> ::core::option::Option<T> {{ \
                 let bytes = ::{CRATE}::bytes_in(tree)?; {build} }} }} "
    )
}
