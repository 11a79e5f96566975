//! The inputs of a call, each as a variable of the test.

use super::arrange::Wording;
use crate::generate::carve::find::scenario::Call;
use crate::generate::carve::find::subject::Subject;
use crate::generate::carve::refusal::{CarveRefusal, UnwritableInput};
use crate::record::plan::{Phase, bindings_of};
use crate::values::capture_loss::why_lost;
use crate::values::pattern_value::element;
use crate::values::{Style, styled, type_of};
use situ_recorder::value::{SeqKind, Value};

/// An input of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    /// The variable: `subject`, or the parameter's name.
    pub variable: String,
    /// The expression that it is made with.
    pub expression: String,
    /// `&`, `&mut ` or nothing: the prefix of the variable where it is passed.
    pub passed: &'static str,
    /// Whether it is changed.
    pub is_mutable: bool,
    /// Whether it is written inline, without a variable.
    pub is_inline: bool,
    /// Its type, if it can be written.
    pub of_type: Option<String>,
    /// The statements that prepare it.
    pub then: Vec<String>,
}

impl Input {
    /// Returns the lines that make the variable.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mutable = if self.is_mutable { "mut " } else { "" };
        let line = (!self.is_inline)
            .then(|| format!("let {mutable}{} = {};", self.variable, self.expression));
        line.into_iter().chain(self.then.iter().cloned()).collect()
    }

    pub(crate) fn argument(&self) -> String {
        let value = if self.is_inline {
            &self.expression
        } else {
            &self.variable
        };
        format!("{}{value}", self.passed)
    }
}

/// Returns the value that a call was made on.
pub(crate) fn receiver<'v>(call: &Call<'v>) -> Option<&'v Value> {
    before(call, "self")
}

/// Returns the arguments of a call, in the order of its parameters.
pub(crate) fn arguments(call: &Call<'_>) -> Result<Vec<Value>, CarveRefusal> {
    let of = |name: &str| before(call, name).cloned();
    let values =
        call.subject.parameters.iter().map(|parameter| {
            element(&parameter.pattern, &of, None).ok_or(CarveRefusal::NoArgument)
        });
    values.collect()
}

/// Returns the variables that a call binds, in the order of its parameters, each with its value.
pub(crate) fn bound<'v>(call: &Call<'v>) -> Vec<(String, &'v Value)> {
    let names = call
        .subject
        .parameters
        .iter()
        .flat_map(|parameter| bindings_of(&parameter.pattern));
    names
        .filter_map(|(name, _)| before(call, &name).map(|value| (name, value)))
        .collect()
}

/// Returns the value that a variable had when a call began.
pub(crate) fn before<'v>(call: &Call<'v>, name: &str) -> Option<&'v Value> {
    let slots = &call.recorded.site.slots;
    let is_it = |slot: u32| {
        slots
            .get(slot as usize)
            .is_some_and(|slot| slot.phase == Phase::Before && slot.key.source() == Some(name))
    };
    call.set
        .slots
        .iter()
        .find(|(slot, _)| is_it(*slot))
        .map(|(_, value)| value)
}

/// Returns the name of a parameter, if it does not collide with `subject`, `result` or the function
/// itself.
pub(crate) fn variable_name(name: Option<&str>, number: usize, subject: &Subject) -> String {
    let name = name.unwrap_or_default().trim_start_matches('_');
    match name {
        "" => format!("argument_{}", number + 1),
        "subject" | "result" | "value" | "error" => format!("{name}_argument"),
        name if subject.is_hidden_by(name) => format!("{name}_argument"),
        name => name.to_owned(),
    }
}

/// Returns a variable of that name with a value; `short` omits types.
pub(crate) fn input(
    call: &Call<'_>,
    wording: Wording<'_>,
    name: &str,
    value: &Value,
    short: bool,
) -> Result<Input, UnwritableInput> {
    let types = wording.types;
    if let Some(loss) = why_lost(value) {
        return Err(UnwritableInput::Lost(loss));
    }
    let style = Style {
        typed_by_place: short,
        ..Style::default()
    };
    let written = |value: &Value| styled(value, &call.subject.here, types, style);
    let (expression, passed, is_mutable) = match value {
        Value::Ref { mutable, inner } => match &**inner {
            Value::Str(_) if !mutable => (written(value)?, "", false),
            Value::Str(_) => return Err(UnwritableInput::MutableStr),
            // An unsized path and the like: the reference is part of the expression.
            Value::Built { head, .. } if head.starts_with('*') => (written(value)?, "", false),
            // Bytes that are UTF-8 are written as a string.
            Value::Seq {
                kind: SeqKind::Slice,
                ..
            } if !mutable && written(value)?.starts_with("b\"") => (written(value)?, "", false),
            Value::Seq {
                kind: SeqKind::Slice,
                items,
                ..
            } if items.is_empty() && !short => (written(value)?, "", *mutable),
            Value::Seq {
                kind: SeqKind::Slice,
                items,
                ..
            } if items.is_empty() => ("[]".to_owned(), borrow(*mutable), *mutable),
            inner => (written(inner)?, borrow(*mutable), *mutable),
        },
        value => (written(value)?, "", false),
    };
    let expression = with_new(&expression);
    let own = if passed.is_empty() {
        value
    } else {
        value.behind_references()
    };
    let of_type = type_of(own, &call.subject.here, types, "");
    Ok(Input {
        variable: name.to_owned(),
        expression,
        passed,
        is_mutable,
        is_inline: false,
        of_type,
        then: Vec::new(),
    })
}

/// Writes empty strings as `String::new()`.
pub(crate) fn with_new(expression: &str) -> String {
    // In a literal, the quotes would have backslashes.
    expression.replace("String::from(\"\")", "String::new()")
}

/// Returns the operator, `&` or `&mut `, before a variable that is passed by reference.
pub(crate) fn borrow(mutable: bool) -> &'static str {
    if mutable { "&mut " } else { "&" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::carve::find::sources::{Source, subjects};
    use crate::source::SourceFile;

    #[test]
    fn variables_are_called_like_parameters_unless_the_test_has_that_name() {
        let text = "fn digits() {}";
        let tree = syn::parse_file(text).unwrap();
        let path = std::path::PathBuf::from("src/lib.rs");
        let file = SourceFile {
            path: path.clone(),
            module: Vec::new(),
            conditions: Vec::new(),
            text: text.to_owned(),
            tree,
        };
        let subjects = subjects(&[Source {
            path,
            krate: "shop".to_owned(),
            file,
            has_tokio: false,
        }]);
        let subject = subjects.values().next().unwrap();
        let names = [
            (Some("text"), "text"),
            (Some("_unused"), "unused"),
            (Some("result"), "result_argument"),
            (Some("digits"), "digits_argument"),
        ];
        for (given, name) in names {
            assert_eq!(variable_name(given, 0, subject), name);
        }
        assert_eq!(variable_name(None, 1, subject), "argument_2");
    }
}
