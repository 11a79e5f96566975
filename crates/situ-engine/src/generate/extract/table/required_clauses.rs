//! Clauses that the compiler requires beside the values: a generic parameter, or a trait that only
//! a bound brings into scope in the original.

use super::rows::Group;
use crate::base::diagnostics::Diagnostic;

/// A required clause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Needed {
    /// A generic parameter, by its name.
    Generic(String),
    /// A trait, by its path.
    Trait(String),
}

impl Needed {
    /// Returns the clause that an error requires, if it does.
    pub(crate) fn of(error: &Diagnostic) -> Option<Needed> {
        missing_generic(error)
            .map(Needed::Generic)
            .or_else(|| missing_trait(error).map(Needed::Trait))
    }

    /// Returns whether the test of a group has it.
    pub(crate) fn is_said_by(&self, group: &Group) -> bool {
        match self {
            Needed::Generic(name) => group.generics.contains(name),
            Needed::Trait(path) => group.traits.contains(path),
        }
    }

    /// Adds it to the test of a group.
    pub(crate) fn add_to(self, group: &mut Group) {
        match self {
            Needed::Generic(name) => group.generics.push(name),
            Needed::Trait(path) => group.traits.push(path),
        }
    }
}

/// Returns the clause that brings traits into the scope of a test.
pub(crate) fn bringing(traits: &[String]) -> Option<String> {
    let uses: Vec<String> = traits.iter().map(|path| format!("use {path};")).collect();
    (!uses.is_empty()).then(|| format!("setup({{ {} }})", uses.join(" ")))
}

/// Returns the generic parameter that the macro's error message requires.
fn missing_generic(error: &Diagnostic) -> Option<String> {
    let (_, rest) = error.message.split_once('`')?;
    let (name, said) = rest.split_once('`')?;
    let is_missing = said.starts_with(" is generic and has no meaning")
        || said.starts_with(" can be any type in a trait");
    is_missing.then(|| name.to_owned())
}

/// Returns the trait that the compiler suggests to import. If it suggests several, any may be
/// right, and the tests decide.
fn missing_trait(error: &Diagnostic) -> Option<String> {
    if error.code() != "E0599" {
        return None;
    }
    let of_helps = error
        .children
        .iter()
        .filter(|help| help.message.contains("not in scope"));
    let suggested = of_helps
        .flat_map(|help| &help.spans)
        .filter_map(|span| span.suggested_replacement.as_deref());
    suggested
        .filter_map(|text| text.trim().strip_prefix("use ")?.strip_suffix(';'))
        .map(str::to_owned)
        .next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn error(message: &str, children: serde_json::Value) -> Diagnostic {
        let error = json!({ "message": message, "code": { "code": "E0599" }, "level": "error", "children": children });
        serde_json::from_value(error).unwrap()
    }

    #[test]
    fn the_macro_says_which_generic_parameter_it_needs() {
        let missing = "`T` is generic and has no meaning in this test; add `given(T = …)`";
        assert_eq!(
            Needed::of(&error(missing, json!([]))),
            Some(Needed::Generic("T".to_owned()))
        );
        assert_eq!(
            Needed::of(&error("`x` has no value in this test", json!([]))),
            None
        );
        assert_eq!(Needed::of(&error("mismatched types", json!([]))), None);
    }

    #[test]
    fn the_compiler_says_which_trait_is_missing() {
        let help = |message: &str, text: &str| {
            let span = json!({ "file_name": "src/lib.rs", "byte_start": 0, "byte_end": 0, "line_start": 1,
                "is_primary": true, "suggested_replacement": text });
            json!([{ "message": message, "code": null, "level": "help", "spans": [span] }])
        };
        let found = "no associated function or constant named `one` found for type `i32` in the current scope";
        let scope = "trait `One` which provides `one` is implemented but not in scope; perhaps you want to import it";
        let needed = Needed::of(&error(found, help(scope, "use num_traits::One;\n")));
        assert_eq!(needed, Some(Needed::Trait("num_traits::One".to_owned())));
        assert_eq!(
            Needed::of(&error(
                found,
                help("there is a method with a similar name", "ones")
            )),
            None
        );
        assert_eq!(
            bringing(&["a::One".to_owned(), "b::Two".to_owned()]).unwrap(),
            "setup({ use a::One; use b::Two; })"
        );
        assert_eq!(bringing(&[]), None);
    }
}
