//! The purpose of a build: tests, tests of mutated code, or tests with values of the explorer or a
//! fuzzer.

use proc_macro2::TokenStream;
use quote::quote;

/// The purpose of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Tests.
    Test,
    /// `cargo situ mutants`: a mutant may exit a fragment that has no exit of its own.
    Mutants,
    /// `cargo situ explore`.
    Explore {
        /// Whether the crate itself describes how to construct values of foreign types.
        has_answers: bool,
    },
    /// A fuzzer that calls theories with bytes.
    Fuzz {
        /// Whether the crate itself describes how to construct values of foreign types.
        has_answers: bool,
    },
}

impl Purpose {
    /// Parses the comma-separated words that the command passes to the build; without them the
    /// purpose is tests.
    pub fn parse(told: Option<&str>) -> Purpose {
        let Some(told) = told else {
            return Purpose::Test;
        };
        let has = |wanted: &str| told.split(',').any(|word| word == wanted);
        let has_answers = has("answers");
        if has("fuzz") {
            Purpose::Fuzz { has_answers }
        } else {
            Purpose::Explore { has_answers }
        }
    }

    /// Returns whether values are generated.
    pub(crate) fn is_explored(self) -> bool {
        matches!(self, Purpose::Explore { .. } | Purpose::Fuzz { .. })
    }

    /// Returns the imports that generated values need; empty if nothing is explored.
    pub(crate) fn imports(self) -> TokenStream {
        let answers = match self {
            Purpose::Test | Purpose::Mutants => return TokenStream::new(),
            Purpose::Explore { has_answers } | Purpose::Fuzz { has_answers } => has_answers,
        };
        let answers = answers.then(|| {
            quote!(
                #[allow(unused_imports)]
                use crate::__situ_answers::*;
            )
        });
        quote! {
            #[allow(unused_imports)]
            use ::situ_explore::{Known as _, SeenKnown as _, SeenUnknown as _, Unknown as _};
            #answers
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Purpose;

    #[test]
    fn a_build_is_told_what_it_is_for() {
        assert_eq!(Purpose::parse(None), Purpose::Test);
        assert_eq!(
            Purpose::parse(Some("1")),
            Purpose::Explore { has_answers: false }
        );
        assert_eq!(
            Purpose::parse(Some("explore,answers")),
            Purpose::Explore { has_answers: true }
        );
        assert_eq!(
            Purpose::parse(Some("fuzz")),
            Purpose::Fuzz { has_answers: false }
        );
    }
}
