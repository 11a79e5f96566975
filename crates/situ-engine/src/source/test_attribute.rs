//! Attributes that make a function part of the tests.

use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Path, Token};

/// Whether an attribute makes its function or constant a test, or what only tests use: `#[test]`, `#[tokio::test]`, `#[theory]`,
/// `#[rstest]`, `#[quickcheck]`, `#[test_case(…)]` and others, also behind `#[cfg_attr(…)]`. Attributes that other crates name after tests are
/// told by that.
pub fn is_test_attribute(attribute: &Attribute) -> bool {
    if marks_test(attribute.path()) {
        return true;
    }
    let Meta::List(list) = &attribute.meta else { return false };
    if !attribute.path().is_ident("cfg_attr") {
        return false;
    }
    let nested = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).unwrap_or_default();
    nested.iter().skip(1).any(|meta| marks_test(meta.path()))
}

fn marks_test(path: &Path) -> bool {
    let Some(name) = path.segments.last().map(|last| last.ident.to_string()) else { return false };
    let is_known = matches!(
        name.as_str(),
        "test"
            | "bench"
            | "theory"
            | "datapoint"
            | "datapoints"
            | "rstest"
            | "fixture"
            | "quickcheck"
            | "proptest"
            | "parameterized"
            | "gtest"
            | "proof"
    );
    is_known || name.starts_with("test_") || name.ends_with("_test")
}
