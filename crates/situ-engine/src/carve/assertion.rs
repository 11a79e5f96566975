//! Assert: what a call gave and what it changed, as assertions.

use super::visible::{Change, changes};
use crate::extract::candidate::shown;
use crate::render::{Here, Style, TypeTable, styled};
use situ_rt::value::{Shape, Value};

/// Elements of a list that are looked at one by one, where the whole cannot be compared.
const MOST_ELEMENTS: usize = 4;

/// How values are compared: each is tried when the compiler does not accept the one before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Comparison {
    /// By `==`, in the shortest words.
    #[default]
    Equal,
    /// By `==`, with all types written.
    EqualTyped,
    /// By fields, variants and lengths, where the whole has no `==`.
    Parts,
}

impl Comparison {
    /// The next to try.
    pub fn weaker(self) -> Option<Comparison> {
        match self {
            Comparison::Equal => Some(Comparison::EqualTyped),
            Comparison::EqualTyped => Some(Comparison::Parts),
            Comparison::Parts => None,
        }
    }
}

/// Writes assertions for a module.
pub struct Asserting<'a> {
    /// Where they stand.
    pub here: &'a Here,
    /// The types of the crate.
    pub types: &'a TypeTable,
    /// How values are compared.
    pub comparison: Comparison,
    /// The function under test, which must not make what is expected of it.
    pub function: &'a str,
}

impl Asserting<'_> {
    /// What is said of a place that has this value; nothing where nothing can be said.
    pub fn value(&self, place: &str, value: &Value) -> Vec<String> {
        let whole = (self.comparison < Comparison::Parts).then(|| self.whole(place, value)).flatten();
        match whole {
            Some(assertion) => vec![assertion],
            None => {
                let mut assertions = Vec::new();
                self.parts(place, value, true, &mut assertions);
                assertions
            }
        }
    }

    /// What is said of a place that had one value and now has another.
    pub fn change(&self, place: &str, before: &Value, after: &Value) -> Vec<String> {
        let changed = changes(place, before, after, self.types, &self.here.module);
        changed.into_iter().flat_map(|Change { place, after }| self.value(&place, after)).collect()
    }

    fn written(&self, value: &Value) -> Option<String> {
        let style = Style { typed_by_place: self.comparison != Comparison::EqualTyped, ..Style::default() };
        let text = value.is_exact().then(|| styled(value, self.here, self.types, style).ok()).flatten()?;
        if calls(&text, self.function) {
            return None;
        }
        Some(if text == "String::from(\"\")" { "String::new()".to_owned() } else { text })
    }

    fn whole(&self, place: &str, value: &Value) -> Option<String> {
        match value {
            Value::Bool(true) => Some(format!("assert!({place});")),
            Value::Bool(false) => Some(format!("assert!(!{place});")),
            Value::Float { double: true, bits } if f64::from_bits(*bits).is_nan() => {
                Some(format!("assert!({place}.is_nan());"))
            }
            Value::Float { double: false, bits } if f32::from_bits(*bits as u32).is_nan() => {
                Some(format!("assert!({place}.is_nan());"))
            }
            // A text is compared with a literal, whoever owns it.
            Value::Built { head, args, .. } if head == "String::from" => {
                Some(format!("assert_eq!({place}, {});", self.written(args.first()?)?))
            }
            value => Some(format!("assert_eq!({place}, {});", self.written(value)?)),
        }
    }

    /// What can be said of a value that has no `==`, or of which not everything is known.
    fn parts(&self, place: &str, value: &Value, is_outermost: bool, assertions: &mut Vec<String>) {
        match value {
            Value::Ref { inner, .. } if !matches!(**inner, Value::Str(_)) => {
                self.parts(place, inner, is_outermost, assertions)
            }
            Value::Struct { variant: None, fields, .. } => {
                let visible = self.types.all_visible(type_path(value), &self.here.module);
                for (field, value) in fields.iter().filter(|_| visible) {
                    self.parts(&format!("{place}.{field}"), value, false, assertions);
                }
            }
            Value::Struct { variant: Some(variant), .. } => {
                self.variant(place, value, variant, is_outermost, assertions)
            }
            Value::Seq { items, .. } => {
                assertions.push(format!("assert_eq!({place}.len(), {});", items.len()));
                let is_list = !matches!(items.first(), Some(Value::Tuple(_)));
                for (number, item) in items.iter().take(MOST_ELEMENTS).enumerate().filter(|_| is_list) {
                    self.parts(&format!("{place}[{number}]"), item, false, assertions);
                }
            }
            value => match (self.whole(place, value), shown(value)) {
                (Some(assertion), _) => assertions.push(assertion),
                (None, Some(text)) => assertions.push(format!("assert_eq!(format!(\"{{:?}}\", {place}), {text:?});")),
                (None, None) => {}
            },
        }
    }

    fn variant(&self, place: &str, value: &Value, variant: &str, is_outermost: bool, assertions: &mut Vec<String>) {
        let Value::Struct { fields, shape, type_name, .. } = value else { return };
        let is_std = type_name.starts_with("core::option::") || type_name.starts_with("core::result::");
        match (variant, fields.as_slice()) {
            ("None", _) if is_std => assertions.push(format!("assert!({place}.is_none());")),
            ("Some" | "Ok" | "Err", [(_, inner)]) if is_std && is_outermost && place == "result" => {
                let (variable, method) = if variant == "Err" { ("error", "unwrap_err") } else { ("value", "unwrap") };
                let mut inside = Vec::new();
                self.parts(variable, inner, false, &mut inside);
                match inside.is_empty() {
                    true => assertions.push(format!("assert!({place}.is_{}());", variant.to_lowercase())),
                    false => {
                        assertions.push(format!("let {variable} = {place}.{method}();"));
                        assertions.append(&mut inside);
                    }
                }
            }
            ("Some" | "Ok" | "Err", _) if is_std => {
                assertions.push(format!("assert!({place}.is_{}());", variant.to_lowercase()))
            }
            _ => {
                let rest = match shape {
                    Shape::Unit => "",
                    Shape::Tuple => "(..)",
                    Shape::Named => " { .. }",
                };
                if let Some(path) = crate::render::written_type(type_path(value), self.here, self.types) {
                    assertions.push(format!("assert!(matches!({place}, {path}::{variant}{rest}));"));
                }
            }
        }
    }
}

/// The path of a struct's type, without what it is generic over.
pub fn type_path(value: &Value) -> &str {
    match value {
        Value::Struct { type_name, .. } => type_name.split('<').next().unwrap_or(type_name),
        _ => "",
    }
}

/// Whether an expression calls a function of this name.
pub fn calls(text: &str, function: &str) -> bool {
    text.match_indices(&format!("{function}(")).any(|(at, _)| text[..at].ends_with([':', '.']))
        || text.starts_with(&format!("{function}("))
}
