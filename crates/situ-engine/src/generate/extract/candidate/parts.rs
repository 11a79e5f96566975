//! The captured parts of a value without `==`, as oracles: its variant, its fields.

use super::Claim;
use super::clauses::{Comparison, Writing, inside, is_iterator};
use crate::values::unstable_text::unstable_part;
use crate::values::{Style, pattern_path};
use situ_recorder::value::{SeqKind, Shape, Value};

/// One assertion about a part of a value.
enum Part {
    /// A place is equal to this.
    Equal(String, String),
    /// An iterator has these remaining elements.
    Elements(String, String),
    /// A place matches this pattern, with its guard.
    Matches(String, String),
}

impl Part {
    /// Formats it as a clause.
    fn oracle(&self) -> String {
        match self {
            Part::Equal(place, value) => format!("check_eq({place}, {value})"),
            Part::Elements(..) => format!("check({})", self.condition()),
            Part::Matches(place, pattern) => format!("check_matches({place}, {pattern})"),
        }
    }

    /// Formats it as a boolean expression.
    fn condition(&self) -> String {
        match self {
            Part::Equal(place, value) => format!("{place} == {value}"),
            Part::Elements(place, value) => format!("{place}.clone().eq({value})"),
            Part::Matches(place, pattern) => format!("matches!({place}, {pattern})"),
        }
    }
}

/// Returns whether there are elements, and all are of a type that has `==` for certain.
fn is_plain_list(items: &[Value]) -> bool {
    let is_plain = |item: &Value| match item {
        Value::Bool(_) | Value::Int { .. } | Value::Char(_) => true,
        Value::Ref {
            inner,
            mutable: false,
        } => matches!(**inner, Value::Str(_)),
        Value::Built { type_name, .. } => type_name == "alloc::string::String",
        _ => false,
    };
    !items.is_empty() && items.iter().all(is_plain)
}

/// Returns a place, borrowed.
fn lent(place: &str) -> String {
    format!("&{place}")
}

impl Writing<'_> {
    /// Returns the oracles of a claim that contain the expected value.
    pub(crate) fn oracles_of_parts(
        &self,
        claim: &Claim,
        comparison: Comparison,
    ) -> Option<Vec<String>> {
        Some(
            self.parts(claim, comparison)?
                .iter()
                .map(Part::oracle)
                .collect(),
        )
    }

    /// Returns such oracles as one boolean expression.
    pub(crate) fn condition_of_parts(
        &self,
        claim: &Claim,
        comparison: Comparison,
    ) -> Option<String> {
        let conditions: Vec<String> = self
            .parts(claim, comparison)?
            .iter()
            .map(Part::condition)
            .collect();
        Some(conditions.join(" && "))
    }

    fn parts(&self, claim: &Claim, comparison: Comparison) -> Option<Vec<Part>> {
        let value = self.expected(claim)?;
        let place = self.compared(claim);
        if let (Comparison::Inside, Some((variant, inner))) = (comparison, inside(&value)) {
            let expected = self.expression(inner, Style::default())?;
            // A binding must not move out of a borrowed place.
            return Some(vec![Part::Matches(
                lent(&place),
                format!("{variant}(found) if *found == {expected}"),
            )]);
        }
        let mut parts = Vec::new();
        self.parts_of(place.trim_start_matches('*'), &value, &mut parts);
        (!parts.is_empty()).then_some(parts)
    }

    fn parts_of(&self, place: &str, value: &Value, parts: &mut Vec<Part>) {
        match value {
            Value::Ref { inner, .. } => self.parts_of(place, inner, parts),
            Value::Struct {
                variant: None,
                fields,
                type_name,
                ..
            } => {
                let seen = fields
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| self.sees_field(type_name, *at));
                seen.for_each(|(_, (field, value))| {
                    self.part_in(&format!("{place}.{field}"), value, parts)
                });
            }
            Value::Tuple(items) => {
                let numbered = items.iter().enumerate();
                numbered
                    .for_each(|(at, value)| self.part_in(&format!("{place}.{at}"), value, parts));
            }
            Value::Struct {
                variant: Some(_), ..
            } => {
                let mut guards = Vec::new();
                if let Some(pattern) = self.pattern(value, &mut guards) {
                    parts.push(match guards.is_empty() {
                        true => Part::Matches(place.to_owned(), pattern),
                        false => Part::Matches(
                            lent(place),
                            format!("{pattern} if {}", guards.join(" && ")),
                        ),
                    });
                }
            }
            Value::Seq { items, .. } => parts.push(Part::Equal(
                format!("{place}.len()"),
                items.len().to_string(),
            )),
            Value::Parsed { .. } | Value::Debug { .. } => {
                parts.extend(self.part_by_text(place, value))
            }
            _ => {}
        }
    }

    /// Returns whether a field is visible in the module of the test; of foreign types nothing is
    /// known.
    pub(crate) fn sees_field(&self, type_name: &str, field: usize) -> bool {
        let path = type_name.split('<').next().unwrap_or(type_name);
        !self.types.has_private_fields(path)
            || self.types.is_field_visible(path, field, &self.here.module)
    }

    /// Adds the assertions about a part of a value.
    fn part_in(&self, place: &str, value: &Value, parts: &mut Vec<Part>) {
        let plain = Style {
            typed_by_place: true,
            ..Style::default()
        };
        match value {
            Value::Seq {
                kind: SeqKind::Vec | SeqKind::Array,
                items,
                ..
            } if is_plain_list(items) => {
                parts.extend(
                    self.compared_with(value)
                        .map(|text| Part::Equal(place.to_owned(), text)),
                );
            }
            Value::Struct { .. }
            | Value::Seq { .. }
            | Value::Parsed { .. }
            | Value::Debug { .. } => {
                self.parts_of(place, value, parts);
            }
            Value::Built { type_name, .. } if is_iterator(type_name) => {
                // What they are an iterator over has no other place that tells its type.
                let text = self.expression(value, Style::default());
                parts.extend(text.map(|text| Part::Elements(place.to_owned(), text)));
            }
            _ => parts.extend(
                self.expression(value, plain)
                    .map(|text| Part::Equal(place.to_owned(), text)),
            ),
        }
    }

    /// Returns an assertion on the string of a value that has no `==` or of which nothing else is
    /// known.
    fn part_by_text(&self, place: &str, value: &Value) -> Option<Part> {
        let (written, text) = match value {
            Value::Parsed { text, .. } => (format!("{place}.to_string()"), text),
            Value::Debug { text, .. } if unstable_part(text).is_none() => {
                (format!("format!(\"{{:?}}\", {place})"), text)
            }
            _ => return None,
        };
        let text = Value::Ref {
            mutable: false,
            inner: Box::new(Value::Str(text.clone())),
        };
        Some(Part::Equal(
            written,
            self.expression(
                &text,
                Style {
                    typed_by_place: true,
                    ..Style::default()
                },
            )?,
        ))
    }

    /// Returns a pattern that the value matches. What a pattern cannot express is bound to a name
    /// and compared in a guard.
    fn pattern(&self, value: &Value, guards: &mut Vec<String>) -> Option<String> {
        let plain = Style {
            typed_by_place: true,
            ..Style::default()
        };
        match value {
            Value::Bool(_) | Value::Int { .. } | Value::Char(_) => self.expression(value, plain),
            Value::Ref {
                inner,
                mutable: false,
            } if matches!(&**inner, Value::Str(_)) => self.expression(value, plain),
            Value::Tuple(parts) => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|part| self.pattern_or_guard(part, None, guards))
                    .collect();
                Some(format!("({})", parts.join(", ")))
            }
            Value::Struct {
                type_name,
                variant,
                shape,
                fields,
            } => {
                let is_std = type_name.starts_with("core::option::")
                    || type_name.starts_with("core::result::");
                let path = match variant {
                    Some(variant) if is_std => variant.clone(),
                    _ => pattern_path(value, self.here, self.types)?,
                };
                let mut parts = Vec::new();
                for (field, value) in fields {
                    parts.push(match shape {
                        Shape::Named => self.named_part(field, value, guards),
                        _ => self.pattern_or_guard(value, None, guards),
                    });
                }
                Some(match shape {
                    Shape::Unit => path,
                    Shape::Tuple => format!("{path}({})", parts.join(", ")),
                    Shape::Named => format!("{path} {{ {} }}", parts.join(", ")),
                })
            }
            _ => None,
        }
    }

    fn named_part(&self, field: &str, value: &Value, guards: &mut Vec<String>) -> String {
        let part = self.pattern_or_guard(value, Some(field), guards);
        if part == field {
            part
        } else {
            format!("{field}: {part}")
        }
    }

    /// Returns a pattern for a part, a name that a guard compares, or `_`.
    fn pattern_or_guard(
        &self,
        value: &Value,
        name: Option<&str>,
        guards: &mut Vec<String>,
    ) -> String {
        if let Some(pattern) = self.pattern(value, guards) {
            return pattern;
        }
        let name = name.map_or_else(|| format!("part_{}", guards.len() + 1), str::to_owned);
        if let Some(part) = self.part_by_text(&name, value) {
            guards.push(part.condition());
            return name;
        }
        if let Value::Built { type_name, .. } = value
            && is_iterator(type_name)
            && let Some(text) = self.expression(value, Style::default())
        {
            guards.push(Part::Elements(name.clone(), text).condition());
            return name;
        }
        let comparable = matches!(value, Value::Built { type_name, .. } if type_name == "alloc::string::String")
            || matches!(value, Value::Float { .. } | Value::Seq { .. });
        let text = if comparable {
            self.compared_with(value)
        } else {
            None
        };
        match text {
            Some(text) => {
                // The scrutinee may be a reference; strings compare either way, other values
                // through the reference.
                let left = if matches!(value, Value::Built { .. }) {
                    name.clone()
                } else {
                    format!("*{name}")
                };
                guards.push(format!("{left} == {text}"));
                name
            }
            None => "_".to_owned(),
        }
    }
}
