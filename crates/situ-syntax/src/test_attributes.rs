//! Attributes that make tests, and those of what only tests use.

use crate::attributes::{inner_metas, requires_test};
use syn::{Attribute, Path};

/// The effect of an attribute on its item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestAttribute {
    /// One test: `#[test]`, `#[tokio::test]`.
    Test,
    /// A theory: `#[theory]`.
    Theory,
    /// Tests by the rules of a framework, most for several cases or generated arguments: `#[rstest]`, `#[test_case(…)]`,
    /// `#[quickcheck]`.
    Framework,
    /// Something that only tests use: a fixture, a data point, a benchmark, and whatever else is named after tests.
    Support,
}

impl TestAttribute {
    /// Returns the effect of an attribute on its item, also behind `#[cfg_attr(…)]`, or `None` if
    /// it has nothing to do with tests.
    pub fn of(attribute: &Attribute) -> Option<TestAttribute> {
        if !attribute.path().is_ident("cfg_attr") {
            return TestAttribute::named(attribute.path());
        }
        inner_metas(&attribute.meta)
            .iter()
            .skip(1)
            .find_map(|meta| TestAttribute::named(meta.path()))
    }

    fn named(path: &Path) -> Option<TestAttribute> {
        let name = path.segments.last()?.ident.to_string();
        Some(match name.as_str() {
            "test" => TestAttribute::Test,
            "theory" => TestAttribute::Theory,
            "rstest" | "rstest_parametrize" | "test_case" | "quickcheck" | "proptest"
            | "parameterized" | "gtest" => TestAttribute::Framework,
            "bench" | "datapoint" | "datapoints" | "fixture" | "proof" => TestAttribute::Support,
            // `#[wasm_bindgen_test]`, `#[test_fuzz]`: only its crate knows whether the item itself
            // is a test.
            name if name.starts_with("test_") || name.ends_with("_test") => TestAttribute::Support,
            _ => return None,
        })
    }
}

/// Returns whether an attribute makes its item part of the tests: a test, what only tests use, or `#[cfg(test)]`.
pub fn is_test_only(attribute: &Attribute) -> bool {
    TestAttribute::of(attribute).is_some() || requires_test(attribute)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_known_by_the_last_part_of_their_path() {
        let of = |text: &str| {
            let item: syn::ItemFn = syn::parse_str(&format!("{text} fn f() {{}}")).unwrap();
            item.attrs.iter().find_map(TestAttribute::of)
        };
        for (text, expected) in [
            ("#[test]", Some(TestAttribute::Test)),
            (
                "#[tokio::test(flavor = \"multi_thread\")]",
                Some(TestAttribute::Test),
            ),
            ("#[cfg_attr(not(miri), test)]", Some(TestAttribute::Test)),
            (
                "#[cfg_attr(unix, allow(x), rstest)]",
                Some(TestAttribute::Framework),
            ),
            ("#[cfg_attr(test, inline)]", None),
            ("#[situ::theory]", Some(TestAttribute::Theory)),
            ("#[test_case(1)]", Some(TestAttribute::Framework)),
            ("#[wasm_bindgen_test]", Some(TestAttribute::Support)),
            ("#[datapoint]", Some(TestAttribute::Support)),
            ("#[cfg(test)]", None),
            ("#[attest]", None),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
    }
}
