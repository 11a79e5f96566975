//! Inline tests, Fig. 2.9: what somebody once looked at with two print statements stays, as a test.

use situ::prelude::*;

/// The type of a field, as far as the index cares.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    /// Text.
    Text,
    /// True or false.
    Bool,
    /// A list of something.
    List,
    /// Anything else.
    Other,
}

/// A field of a document.
pub struct Field {
    /// Whether the field is to be indexed.
    pub indexed: bool,
    /// Its type.
    pub kind: Kind,
}

/// How the nested field is indexed.
#[situ]
pub fn nested_index(sub_field: &Field, element: Option<Kind>) -> Option<&'static str> {
    if sub_field.indexed {
        let is_tag = sub_field.kind == Kind::Text
            || sub_field.kind == Kind::Bool
            || (sub_field.kind == Kind::List
                && (element == Some(Kind::Text) || element == Some(Kind::Bool)));
        itest!(
            given(
                sub_field = &Field {
                    indexed: true,
                    kind: Kind::Text
                },
                element = None
            ),
            check_true(is_tag)
        );
        itest!(
            "a list of flags",
            given(
                sub_field = &Field {
                    indexed: true,
                    kind: Kind::List
                },
                element = Some(Kind::Bool)
            ),
            check_true(is_tag),
        );
        itest!(
            "a list of lists",
            given(
                sub_field = &Field {
                    indexed: true,
                    kind: Kind::List
                },
                element = Some(Kind::List)
            ),
            check_false(is_tag),
        );
        return Some(if is_tag { "tag" } else { "full text" });
    }
    None
}
