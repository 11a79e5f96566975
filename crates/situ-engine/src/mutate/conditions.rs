//! `#[cfg(…)]` predicates, evaluated against a compiler's settings.

use crate::source::{parse_part, parse_tokens_with};
use std::collections::BTreeSet;
use syn::punctuated::Punctuated;
use syn::{Meta, Token};

/// What is set: `test`, `unix`, `feature="std"`.
#[derive(Clone, Debug, Default)]
pub struct Settings(BTreeSet<String>);

impl Settings {
    /// From lines as `rustc --print cfg` and `--cfg` have them.
    pub fn new<'a>(lines: impl IntoIterator<Item = &'a str>) -> Settings {
        Settings(lines.into_iter().map(|line| line.replace(' ', "")).collect())
    }

    /// Whether a predicate holds; one that cannot be understood does.
    pub fn hold(&self, predicate: &str) -> bool {
        parse_part::<Meta>(predicate).map_or(true, |meta| self.evaluate(&meta))
    }

    fn evaluate(&self, meta: &Meta) -> bool {
        let text = || quote::quote!(#meta).to_string().replace(' ', "");
        let Meta::List(list) = meta else { return text() == "true" || self.0.contains(&text()) };
        let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
        let Ok(inner) = parse_tokens_with(parser, list.tokens.clone()) else { return true };
        match list.path.get_ident().map(ToString::to_string).as_deref() {
            Some("all") => inner.iter().all(|meta| self.evaluate(meta)),
            Some("any") => inner.iter().any(|meta| self.evaluate(meta)),
            Some("not") => !inner.iter().any(|meta| self.evaluate(meta)),
            _ => true,
        }
    }
}

/// Whether an attribute's text makes its item exist in test builds only.
pub fn needs_test(attribute: &str) -> bool {
    let Some(predicate) = attribute.strip_prefix("cfg(").and_then(|rest| rest.strip_suffix(')')) else { return false };
    parse_part::<Meta>(predicate).is_ok_and(|meta| meta_needs_test(&meta))
}

fn meta_needs_test(meta: &Meta) -> bool {
    let Meta::List(list) = meta else { return meta.path().is_ident("test") };
    let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
    let Ok(inner) = parse_tokens_with(parser, list.tokens.clone()) else { return false };
    match list.path.get_ident().map(ToString::to_string).as_deref() {
        Some("all") => inner.iter().any(meta_needs_test),
        Some("any") => !inner.is_empty() && inner.iter().all(meta_needs_test),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_follow_the_settings() {
        let settings = Settings::new(["unix", "feature=\"std\"", "target_os=\"linux\""]);
        assert!(settings.hold("all(unix, feature = \"std\")"));
        assert!(settings.hold("any(windows, not(test))"));
        assert!(!settings.hold("feature = \"alloc\""));
        assert!(!settings.hold("all(unix, windows)"));
    }

    #[test]
    fn test_code_is_told_from_code_that_is_only_different_in_tests() {
        assert!(needs_test("cfg(test)"));
        assert!(needs_test("cfg(all(test,feature=\"x\"))"));
        assert!(!needs_test("cfg(any(test,feature=\"x\"))"));
        assert!(!needs_test("cfg(not(test))"));
    }
}
