//! Evaluates `#[cfg(…)]` predicates against a compiler's settings.

use crate::source::{parse_part, parse_tokens_with};
use std::collections::BTreeSet;
use syn::punctuated::Punctuated;
use syn::{Meta, Token};

/// Active `cfg` settings: `test`, `unix`, `feature="std"`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings(BTreeSet<String>);

impl Settings {
    /// Parses lines of `rustc --print cfg`, or values of `--cfg`.
    pub(crate) fn new<'a>(lines: impl IntoIterator<Item = &'a str>) -> Settings {
        Settings(
            lines
                .into_iter()
                .map(|line| line.replace(' ', ""))
                .collect(),
        )
    }

    /// Evaluates a predicate. Returns `true` for one that cannot be parsed.
    pub(crate) fn hold(&self, predicate: &str) -> bool {
        parse_part::<Meta>(predicate).map_or(true, |meta| self.evaluate(&meta))
    }

    fn evaluate(&self, meta: &Meta) -> bool {
        let text = || quote::quote!(#meta).to_string().replace(' ', "");
        let Meta::List(list) = meta else {
            return text() == "true" || self.0.contains(&text());
        };
        let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
        let Ok(inner) = parse_tokens_with(parser, list.tokens.clone()) else {
            return true;
        };
        match list.path.get_ident().map(ToString::to_string).as_deref() {
            Some("all") => inner.iter().all(|meta| self.evaluate(meta)),
            Some("any") => inner.iter().any(|meta| self.evaluate(meta)),
            Some("not") => !inner.iter().any(|meta| self.evaluate(meta)),
            _ => true,
        }
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
}
