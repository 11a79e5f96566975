//! Assert: the result and the changes of a call, as assertions.

use super::changes::{Change, changes};
use super::debug_text::debug_text;
use super::input::with_new;
use crate::values::capture_loss::shown;
use crate::values::unstable_text::unstable_part;
use crate::values::{Style, TestModule, TypeTable, styled, written_type};
use situ_recorder::value::{SeqKind, Shape, Value};

/// The number of elements of a list that are compared one by one if the whole cannot be compared.
const MAX_ELEMENTS: usize = 4;

/// How values are compared; each is tried if the compiler rejects the previous one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Comparison {
    /// By `==`, with types omitted.
    #[default]
    Equal,
    /// By `==`, with all types written.
    EqualTyped,
    /// By fields, variants and lengths, or by the `Debug` output, if the whole has no `==`.
    Parts,
    /// As `Parts`, without `Debug` output.
    PartsOnly,
}

/// A writer of assertions for a module.
pub(crate) struct Asserting<'a> {
    /// Where they stand.
    pub here: &'a TestModule,
    /// The types of the crate.
    pub types: &'a TypeTable,
    /// How values are compared.
    pub comparison: Comparison,
    /// The beginning of calls of the function under test, which must not compute the expected
    /// value: `Money::parse(`; empty for none.
    pub function: &'a str,
}

impl Asserting<'_> {
    /// Returns the assertions that a place has this value; empty if there is none.
    pub(crate) fn value(&self, place: &str, value: &Value) -> Vec<String> {
        let is_tried = self.comparison < Comparison::Parts && has(value, self.types, "PartialEq");
        if let Some(assertion) = is_tried.then(|| self.whole(place, value)).flatten() {
            return vec![assertion];
        }
        let mut parts = Parts {
            asserting: self,
            said: Vec::new(),
            is_all: true,
        };
        parts.of(place, value, place == "result");
        let Parts { said, is_all, .. } = parts;
        match self
            .shown(place, value)
            .filter(|_| !is_all && self.comparison < Comparison::PartsOnly)
        {
            Some(assertion) => vec![assertion],
            None => said,
        }
    }

    /// Returns the assertions that a place had one value and now has another.
    pub(crate) fn change(&self, place: &str, before: &Value, after: &Value) -> Vec<String> {
        let changed = changes(place, before, after, self.types, &self.here.module);
        changed
            .into_iter()
            .flat_map(|Change { place, after }| self.value(&place, after))
            .collect()
    }

    /// Returns the assertion on the `Debug` output, if that is derived.
    fn shown(&self, place: &str, value: &Value) -> Option<String> {
        let text = debug_text(value, self.types).filter(|text| unstable_part(text).is_none())?;
        Some(format!("assert_eq!({}, {text:?});", debug_of(place)))
    }

    fn written(&self, value: &Value) -> Option<String> {
        let style = Style {
            typed_by_place: self.comparison != Comparison::EqualTyped,
            ..Style::default()
        };
        let text = value
            .is_exact()
            .then(|| styled(value, self.here, self.types, style).ok())
            .flatten()?;
        let text = with_new(&text);
        (self.function.is_empty() || !calls(&text, self.function)).then_some(text)
    }

    /// Returns the assertion that the whole place equals the value, or `None` if it has no
    /// expression.
    pub(crate) fn whole(&self, place: &str, value: &Value) -> Option<String> {
        let is_not_a_number = match value {
            Value::Float { double: true, bits } => f64::from_bits(*bits).is_nan(),
            Value::Float {
                double: false,
                bits,
            } => f32::from_bits(*bits as u32).is_nan(),
            _ => false,
        };
        match value {
            Value::Bool(true) => Some(format!("assert!({place});")),
            Value::Bool(false) => Some(format!("assert!(!{place});")),
            _ if is_not_a_number => Some(format!("assert!({place}.is_nan());")),
            // A string is compared with a literal, whatever its type is.
            Value::Built { head, args, .. } if head == "String::from" => Some(format!(
                "assert_eq!({place}, {});",
                self.written(args.first()?)?
            )),
            Value::Seq {
                kind: SeqKind::Vec,
                items,
                ..
            } if !items.is_empty() && items.iter().all(is_owned_text) => {
                let texts = items
                    .iter()
                    .flat_map(Value::children)
                    .map(|text| self.written(text));
                Some(format!(
                    "assert_eq!({place}, [{}]);",
                    texts.collect::<Option<Vec<_>>>()?.join(", ")
                ))
            }
            value => Some(format!("assert_eq!({place}, {});", self.written(value)?)),
        }
    }
}

/// Returns what `Debug` shows of a place.
fn debug_of(place: &str) -> String {
    let is_word = place
        .chars()
        .all(|char| char.is_alphanumeric() || char == '_');
    if is_word {
        format!("format!(\"{{{place}:?}}\")")
    } else {
        format!("format!(\"{{:?}}\", {place})")
    }
}

fn is_owned_text(value: &Value) -> bool {
    matches!(value, Value::Built { head, args, .. } if head == "String::from" && args.len() == 1)
}

/// The assertions on a value that has no `==`, or that is not known completely.
struct Parts<'p, 'a> {
    asserting: &'p Asserting<'a>,
    said: Vec<String>,
    /// Whether the assertions are complete.
    is_all: bool,
}

impl Parts<'_, '_> {
    fn of(&mut self, place: &str, value: &Value, is_result: bool) {
        let types = self.asserting.types;
        // `None` can be asserted for any type.
        if matches!(value, Value::Struct { type_name, variant: Some(variant), .. } if variant == "None" && type_name.starts_with("core::option::"))
        {
            self.said.push(format!("assert!({place}.is_none());"));
            return;
        }
        let is_text =
            matches!(value, Value::Parsed { .. }) && self.asserting.comparison >= Comparison::Parts;
        if !is_result
            && !is_text
            && has(value, types, "PartialEq")
            && let Some(assertion) = self.asserting.whole(place, value)
        {
            self.said.push(assertion);
            return;
        }
        match value {
            Value::Ref { inner, .. } if !matches!(**inner, Value::Str(_)) => {
                self.of(place, inner, is_result)
            }
            Value::Struct {
                variant: None,
                fields,
                ..
            } => {
                let is_visible = types.all_visible(type_path(value), &self.asserting.here.module);
                self.is_all &= is_visible;
                for (field, value) in fields.iter().filter(|_| is_visible) {
                    self.of(&format!("{place}.{field}"), value, false);
                }
            }
            Value::Struct {
                variant: Some(variant),
                ..
            } => self.variant(place, value, variant, is_result),
            Value::Seq { items, kind, .. } => {
                self.said
                    .push(format!("assert_eq!({place}.len(), {});", items.len()));
                let is_list = matches!(
                    kind,
                    SeqKind::Array | SeqKind::Slice | SeqKind::Vec | SeqKind::VecDeque
                );
                self.is_all &= is_list && items.len() <= MAX_ELEMENTS;
                for (number, item) in items
                    .iter()
                    .take(MAX_ELEMENTS)
                    .enumerate()
                    .filter(|_| is_list)
                {
                    self.of(&format!("{place}[{number}]"), item, false);
                }
            }
            // A value known by its string is compared by its string, if it has no `==`.
            Value::Parsed { text, .. } if self.asserting.comparison >= Comparison::Parts => self
                .said
                .push(format!("assert_eq!({place}.to_string(), {text:?});")),
            Value::Built { head, args, .. }
                if is_pointer(head) && !has(value, types, "PartialEq") =>
            {
                match &args[..] {
                    // Fields are accessible through the pointer.
                    [inner @ Value::Struct { variant: None, .. }] => self.of(place, inner, false),
                    [inner] => self.of(&format!("*{place}"), inner, false),
                    _ => self.is_all = false,
                }
            }
            value => match (self.asserting.whole(place, value), shown(value)) {
                (Some(assertion), _) => self.said.push(assertion),
                (None, Some(text)) => self
                    .said
                    .push(format!("assert_eq!({}, {text:?});", debug_of(place))),
                (None, None) => self.is_all = false,
            },
        }
    }

    fn variant(&mut self, place: &str, value: &Value, variant: &str, is_result: bool) {
        let Value::Struct {
            fields,
            shape,
            type_name,
            ..
        } = value
        else {
            return;
        };
        let is_std =
            type_name.starts_with("core::option::") || type_name.starts_with("core::result::");
        match (variant, fields.as_slice()) {
            ("None", _) if is_std => self.said.push(format!("assert!({place}.is_none());")),
            ("Some" | "Ok" | "Err", [(_, Value::Unit)]) if is_std => {
                self.said
                    .push(format!("assert!({place}.is_{}());", variant.to_lowercase()));
            }
            ("Some" | "Ok" | "Err", [(_, inner)]) if is_std && is_result => {
                let (variable, method) = if variant == "Err" {
                    ("error", "unwrap_err")
                } else {
                    ("value", "unwrap")
                };
                let before = self.said.len();
                self.of(variable, inner, false);
                match self.said.len() == before {
                    true => self
                        .said
                        .push(format!("assert!({place}.is_{}());", variant.to_lowercase())),
                    false => self
                        .said
                        .insert(before, format!("let {variable} = {place}.{method}();")),
                }
            }
            ("Some" | "Ok" | "Err", _) if is_std => {
                self.is_all = false;
                self.said
                    .push(format!("assert!({place}.is_{}());", variant.to_lowercase()));
            }
            _ => {
                let rest = match shape {
                    Shape::Unit => "",
                    Shape::Tuple => "(..)",
                    Shape::Named => " { .. }",
                };
                self.is_all &= fields.is_empty();
                let (here, types) = (self.asserting.here, self.asserting.types);
                if let Some(path) = written_type(type_path(value), here, types) {
                    self.said.push(format!(
                        "assert!(matches!({place}, {path}::{variant}{rest}));"
                    ));
                }
            }
        }
    }
}

/// Returns whether a call wraps its argument in a pointer.
fn is_pointer(head: &str) -> bool {
    matches!(head.rsplit("::").nth(1), Some("Box" | "Rc" | "Arc")) && head.ends_with("::new")
}

/// Returns whether everything in a value may implement a trait.
fn has(value: &Value, types: &TypeTable, name: &str) -> bool {
    types.may_have(type_path(value), name) && value.children().all(|child| has(child, types, name))
}

/// Returns the path of a struct's type, without what it is generic over.
pub(crate) fn type_path(value: &Value) -> &str {
    match value {
        Value::Struct { type_name, .. } => type_name.split('<').next().unwrap_or(type_name),
        _ => "",
    }
}

/// Returns whether an expression makes this call: `Money::parse(`, `.total(` or `digits(`.
pub(crate) fn calls(text: &str, call: &str) -> bool {
    let is_part = |before: &str| {
        before.ends_with(|char: char| char.is_alphanumeric() || matches!(char, '_' | ':' | '.'))
    };
    text.match_indices(call)
        .any(|(at, _)| call.starts_with('.') || call.contains("::") || !is_part(&text[..at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_of_another_function_with_that_name_is_another_call() {
        assert!(calls("Ok(digits(\"1\"))", "digits("));
        assert!(calls(
            "crate::money::Money::parse(\"1\").unwrap()",
            "Money::parse("
        ));
        assert!(!calls("Money::parse(\"1\").unwrap()", "Catalog::parse("));
        assert!(!calls("Money::digits(\"1\")", "digits("));
    }
}
