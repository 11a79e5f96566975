//! Streams inside an input that its fragment does not use: a list or string replaces them, so that
//! the input can be constructed.

use super::clauses::Writing;
use super::element_inputs::Inputs;
use crate::record::plan::{Phase, SlotKey};
use crate::record::read::RecordedSite;
use crate::values::Style;
use crate::values::capture_loss::why_lost;
use situ_recorder::recording::ValueSet;
use situ_recorder::value::{SeqKind, Value};

/// The maximum length of such an input in chars; for longer ones its fields are given instead.
const MAX_LETTERS: usize = 1000;

/// Gives inputs that are lost only because of streams in them. Returns the generic parameters of
/// these streams: the name of each, and its new type.
pub(crate) fn give_holders(
    inputs: &mut Inputs<'_>,
    recorded: &RecordedSite,
    set: &ValueSet,
    writing: &Writing<'_>,
) -> Vec<(String, Value)> {
    let held = recorded.keyed_values(set, Phase::Held);
    let mut generics = Vec::new();
    if held.is_empty() {
        return generics;
    }
    let before = recorded.values(set, Phase::Before);
    let Inputs { givens, lost } = inputs;
    lost.retain(|(whole, _)| {
        let Some((_, value)) = before.iter().find(|(name, _)| name == whole) else {
            return true;
        };
        let mut made = (*value).clone();
        let mut own = Vec::new();
        for (key, passed) in &held {
            if let SlotKey::Held { place, generic } = key
                && let Some(field) = place.strip_prefix(&format!("{whole}."))
                && let Value::Tuple(ends) = passed
                && let Some(stand_in) = ends.first()
                && put(&mut made, field, &kept(stand_in))
            {
                own.extend(
                    type_of(stand_in)
                        .map(|of_type| (generic.to_owned(), Value::Str(of_type.to_owned()))),
                );
            }
        }
        let is_short = |text: String| text.len() <= MAX_LETTERS;
        let is_made = why_lost(&made).is_none()
            && writing
                .given(whole, &made, Style::default())
                .is_some_and(is_short);
        if is_made {
            givens.push(((*whole).to_owned(), made));
            generics.extend(own);
        }
        !is_made
    });
    generics
}

/// Leaks what the replacement borrows, because the whole may be returned.
fn kept(stand_in: &Value) -> Value {
    let built = |type_name: &str, head: &str, argument: Value| Value::Built {
        type_name: type_name.to_owned(),
        head: head.to_owned(),
        args: vec![argument],
        tail: String::new(),
    };
    match stand_in {
        Value::Ref {
            mutable: true,
            inner,
        } => {
            let of_type = type_of(inner).unwrap_or_default();
            let boxed = built(
                &format!("alloc::boxed::Box<{of_type}>"),
                "Box::new",
                (**inner).clone(),
            );
            built(&format!("&mut {of_type}"), "Box::leak", boxed)
        }
        other => other.clone(),
    }
}

/// Sets a field of a value, through references.
fn put(whole: &mut Value, field: &str, stand_in: &Value) -> bool {
    match whole {
        Value::Ref { inner, .. } => put(inner, field, stand_in),
        Value::Struct {
            variant: None,
            fields,
            type_name,
            ..
        } => {
            let Some((_, value)) = fields.iter_mut().find(|(name, _)| name == field) else {
                return false;
            };
            *value = stand_in.clone();
            // Its type has changed; the compiler infers it.
            type_name.truncate(type_name.find('<').unwrap_or(type_name.len()));
            true
        }
        _ => false,
    }
}

/// Returns the type of a stream's replacement.
fn type_of(stand_in: &Value) -> Option<&str> {
    match stand_in {
        Value::Ref {
            mutable: true,
            inner,
        } => type_of(inner),
        Value::Ref { mutable: false, .. } => Some("&[u8]"),
        Value::Seq {
            kind: SeqKind::Vec,
            type_name,
            ..
        }
        | Value::Built { type_name, .. } => Some(type_name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use situ_recorder::value::Shape;

    #[test]
    fn what_stands_for_a_stream_is_put_where_the_stream_was() {
        let opaque = Value::Opaque {
            type_name: "W".to_owned(),
            reason: "nothing is known of it".to_owned(),
        };
        let fields = vec![
            ("out".to_owned(), opaque),
            ("width".to_owned(), Value::Bool(true)),
        ];
        let printer = Value::Struct {
            type_name: "mine::Printer<W>".to_owned(),
            variant: None,
            shape: Shape::Named,
            fields,
        };
        let mut lent = Value::Ref {
            mutable: true,
            inner: Box::new(printer),
        };
        let list = Value::Seq {
            kind: SeqKind::Vec,
            type_name: "alloc::vec::Vec<u8>".to_owned(),
            items: Vec::new(),
        };
        assert!(put(
            &mut lent,
            "out",
            &Value::Ref {
                mutable: true,
                inner: Box::new(list.clone())
            }
        ));
        assert!(lent.is_exact());
        assert!(
            matches!(lent.behind_references(), Value::Struct { type_name, .. } if type_name == "mine::Printer")
        );
        assert!(!put(&mut lent, "other", &list));
        assert_eq!(type_of(&list), Some("alloc::vec::Vec<u8>"));
        let lent = kept(&Value::Ref {
            mutable: true,
            inner: Box::new(list),
        });
        assert!(matches!(lent, Value::Built { head, .. } if head == "Box::leak"));
    }
}
