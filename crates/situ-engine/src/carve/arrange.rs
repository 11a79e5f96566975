//! Arrange: the values that a call was given, rebuilt in variables that have the names of its parameters.

use super::scenario::Call;
use super::subject::Receiver;
use crate::extract::candidate::{element, why_lost};
use crate::record::plan::Phase;
use crate::render::{Style, TypeTable, styled, type_of};
use situ_rt::value::{SeqKind, Value};

/// Longer values are not written where they are used.
const LONGEST_INLINE: usize = 40;

/// How a value that a call was given is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The variable: `subject`, or the parameter's name.
    pub variable: String,
    /// The expression that it is made with.
    pub expression: String,
    /// `&`, `&mut ` or nothing: what stands before the variable where it is passed.
    pub passed: &'static str,
    /// Whether it is changed.
    pub is_mutable: bool,
    /// Whether it is written where it is passed, without a variable.
    pub is_inline: bool,
    /// Its type, where that can be written.
    pub of_type: Option<String>,
}

impl Input {
    /// The line that makes the variable.
    pub fn line(&self) -> Option<String> {
        let mutable = if self.is_mutable { "mut " } else { "" };
        (!self.is_inline).then(|| format!("let {mutable}{} = {};", self.variable, self.expression))
    }

    /// The argument.
    pub fn argument(&self) -> String {
        let value = if self.is_inline { &self.expression } else { &self.variable };
        format!("{}{value}", self.passed)
    }
}

/// Everything that a call needs.
#[derive(Clone, Debug)]
pub struct Arranged {
    /// What it is called on.
    pub subject: Option<Input>,
    /// Its arguments.
    pub arguments: Vec<Input>,
}

/// The value that a call was made on.
pub fn receiver<'v>(call: &Call<'v>) -> Option<&'v Value> {
    before(call, "self")
}

/// The values that a call was given, in the order of its parameters.
pub fn arguments(call: &Call<'_>) -> Result<Vec<Value>, String> {
    let of = |name: &str| before(call, name).cloned();
    let values = call.subject.parameters.iter().map(|parameter| {
        element(&parameter.pattern, &of, None).ok_or_else(|| "an argument was not recorded".to_owned())
    });
    values.collect()
}

fn before<'v>(call: &Call<'v>, name: &str) -> Option<&'v Value> {
    let slots = &call.recorded.site.slots;
    let is_it =
        |slot: u32| slots.get(slot as usize).is_some_and(|slot| slot.phase == Phase::Before && slot.name == name);
    call.set.slots.iter().find(|(slot, _)| is_it(*slot)).map(|(_, value)| value)
}

/// The variables of a call, in short words or with all types written.
pub fn arrange(call: &Call<'_>, types: &TypeTable, short: bool) -> Result<Arranged, String> {
    let subject = match call.subject.receiver {
        None => None,
        Some(taken) => {
            let value = receiver(call).ok_or("the subject was not recorded")?;
            let mut input = input(call, types, "subject", value, short)
                .map_err(|reason| format!("the subject cannot be rebuilt: {reason}"))?;
            input.is_mutable = matches!(taken, Receiver::Exclusive | Receiver::MutableValue);
            input.passed = if input.passed == "&mut " { "" } else { input.passed };
            Some(input)
        }
    };
    let mut made = Vec::new();
    let values = arguments(call)?;
    let is_only = values.len() == 1;
    for (number, (value, parameter)) in values.iter().zip(&call.subject.parameters).enumerate() {
        let name = variable_name(parameter.name().as_deref(), number);
        let mut input = input(call, types, &name, value, short && parameter.is_typed)
            .map_err(|reason| format!("an argument cannot be rebuilt: {reason}"))?;
        input.is_inline = is_only && !input.is_mutable && input.expression.len() <= LONGEST_INLINE;
        made.push(input);
    }
    Ok(Arranged { subject, arguments: made })
}

/// The name of a parameter where it can be one of a variable beside `subject` and `result`.
fn variable_name(name: Option<&str>, number: usize) -> String {
    let name = name.unwrap_or_default().trim_start_matches('_');
    match name {
        "" => format!("argument_{}", number + 1),
        "subject" | "result" | "value" | "error" => format!("{name}_argument"),
        name => name.to_owned(),
    }
}

fn input(call: &Call<'_>, types: &TypeTable, name: &str, value: &Value, short: bool) -> Result<Input, String> {
    if let Some(loss) = why_lost(value) {
        return Err(loss);
    }
    let style = Style { typed_by_place: short, ..Style::default() };
    let written = |value: &Value| styled(value, &call.subject.here, types, style).map_err(|none| none.0);
    let (expression, passed, is_mutable) = match value {
        Value::Ref { mutable, inner } => match &**inner {
            Value::Str(_) if !mutable => (written(value)?, "", false),
            Value::Str(_) => return Err("`&mut str`".to_owned()),
            // A path that borrows and the like: the reference is part of what is built.
            Value::Built { head, .. } if head.starts_with('*') => (written(value)?, "", false),
            Value::Seq { kind: SeqKind::Slice, items, .. } if items.is_empty() && !short => {
                (written(value)?, "", *mutable)
            }
            Value::Seq { kind: SeqKind::Slice, items, .. } if items.is_empty() => {
                ("[]".to_owned(), borrow(*mutable), *mutable)
            }
            inner => (written(inner)?, borrow(*mutable), *mutable),
        },
        value => (written(value)?, "", false),
    };
    let expression = if expression == "String::from(\"\")" { "String::new()".to_owned() } else { expression };
    let own = if passed.is_empty() { value } else { value.behind_references() };
    let of_type = type_of(own, &call.subject.here, types, "");
    Ok(Input { variable: name.to_owned(), expression, passed, is_mutable, is_inline: false, of_type })
}

fn borrow(mutable: bool) -> &'static str {
    if mutable { "&mut " } else { "&" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_called_like_parameters_unless_the_test_has_that_name() {
        let names = [(Some("text"), "text"), (Some("_unused"), "unused"), (Some("result"), "result_argument")];
        for (given, name) in names {
            assert_eq!(variable_name(given, 0), name);
        }
        assert_eq!(variable_name(None, 1), "argument_2");
    }
}
