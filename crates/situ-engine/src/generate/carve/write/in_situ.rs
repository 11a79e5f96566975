//! In-situ tests of the whole body of a function, with mocks of the calls that leave it.

use super::assertion::{Asserting, Comparison, calls};
use super::call_checks::Looks;
use super::input::with_new;
use super::leaf::{Leaves, leaves};
use super::mocks;
use super::test::{changed, result_of};
use crate::generate::carve::find::scenario::Call;
use crate::generate::carve::refusal::CarveRefusal;
use crate::generate::mocks::Mock;
use crate::record::read::has_more_calls;
use crate::values::{Style, TypeTable, styled};
use situ_recorder::recording::Exit;
use situ_recorder::value::Value;
use situ_syntax::Kind;

/// The wording of an in-situ test.
#[derive(Clone, Copy)]
pub(crate) struct InSituWording<'w> {
    /// The types of the crate.
    pub types: &'w TypeTable,
    /// How values are compared.
    pub comparison: Comparison,
    /// The checks of the calls that leave the body.
    pub looks: Looks,
}

impl InSituWording<'_> {
    fn style(&self) -> Style {
        Style {
            typed_by_place: self.comparison != Comparison::EqualTyped,
            ..Style::default()
        }
    }

    /// Returns the mocks of the calls that leave the body, or `None` if none is needed.
    pub(crate) fn leaves(&self, call: &Call<'_>) -> Result<Option<Leaves>, CarveRefusal> {
        let here = &call.subject.here;
        leaves(
            call,
            &mocks::Writing {
                here,
                types: self.types,
                style: self.style(),
                looks: self.looks,
            },
        )
    }
}

/// Writes the test, or returns why there is none.
pub(crate) fn in_situ(
    call: &Call<'_>,
    wording: InSituWording<'_>,
    name: &str,
) -> Result<String, CarveRefusal> {
    if !call.subject.generics.is_empty() {
        return Err(CarveRefusal::Generic);
    }
    let leaves = wording.leaves(call)?.ok_or(CarveRefusal::NoCallToMock)?;
    let writing = Writing { call, wording };
    let mut clauses = vec![format!("{name:?}")];
    let mut givens = Vec::new();
    for (place, value) in &leaves.givens {
        let value = if place == "self" {
            value.behind_references()
        } else {
            value
        };
        givens.push(format!("{place} = {}", writing.written(value)?));
    }
    if !givens.is_empty() {
        clauses.push(format!("given({})", givens.join(", ")));
    }
    for placed in &leaves.mocks.placed {
        clauses.push(writing.mock(&placed.mock)?);
    }
    let mut oracles = writing.oracles()?;
    if wording.looks < Looks::Nothing && !has_more_calls(call.set) {
        oracles.extend(leaves.mocks.oracles());
    }
    if oracles.is_empty() {
        let mocks = leaves.mocks.placed.iter().map(|placed| &placed.mock);
        oracles.extend(
            mocks.map(|mock| format!("check_called({}, {})", mock.call, mock.values.len())),
        );
    }
    if oracles.is_empty() {
        return Err(CarveRefusal::NoEffect);
    }
    clauses.append(&mut oracles);
    Ok(format!(
        "{}!({});",
        Kind::Block.macro_name(),
        clauses.join(", ")
    ))
}

struct Writing<'w, 's> {
    call: &'w Call<'s>,
    wording: InSituWording<'w>,
}

impl Writing<'_, '_> {
    fn written(&self, value: &Value) -> Result<String, CarveRefusal> {
        let text = styled(
            value,
            &self.call.subject.here,
            self.wording.types,
            self.wording.style(),
        );
        text.map(|text| with_new(&text))
            .map_err(|none| CarveRefusal::Given(none.0))
    }

    fn mock(&self, mock: &Mock) -> Result<String, CarveRefusal> {
        let values: Vec<String> = mock
            .values
            .iter()
            .map(|value| self.written(value))
            .collect::<Result<_, _>>()?;
        Ok(match values.as_slice() {
            [only] => format!("mock({}, {only})", mock.call),
            [first, rest @ ..] if rest.iter().all(|value| value == first) => {
                format!("mock({}, {first})", mock.call)
            }
            all => format!("mock_seq({}, [{}])", mock.call, all.join(", ")),
        })
    }

    fn oracles(&self) -> Result<Vec<String>, CarveRefusal> {
        match &self.call.set.exit {
            Exit::Panic(text) => {
                let expected = text.lines().next().unwrap_or_default();
                let said = if expected.is_empty() {
                    String::new()
                } else {
                    format!("{expected:?}")
                };
                return Ok(vec![format!("check_panic({said})")]);
            }
            Exit::Left => return Err(CarveRefusal::UnknownExit),
            Exit::Through => {}
        }
        let mut oracles: Vec<String> = result_of(self.call)
            .filter(|value| **value != Value::Unit)
            .and_then(|value| self.returned(value))
            .into_iter()
            .collect();
        let called = self.call.subject.called();
        let asserting = Asserting {
            here: &self.call.subject.here,
            types: self.wording.types,
            comparison: self.wording.comparison,
            function: &called,
        };
        for (name, before, after) in changed(self.call) {
            for assertion in asserting.change(name, before, after) {
                oracles.extend(as_oracle(&assertion, name));
            }
        }
        Ok(oracles)
    }

    /// Returns the oracle on the value in a `Some`, `Ok` or `Err`, if the whole has no `==`:
    /// `io::Result<Vec<u8>>`.
    fn inside_of_returned(&self, value: &Value) -> Option<String> {
        let (inner, method) =
            wrapped(value).filter(|(inner, _)| inner.is_exact() && **inner != Value::Unit)?;
        let called = self.call.subject.called();
        let here = &self.call.subject.here;
        let asserting = Asserting {
            here,
            types: self.wording.types,
            comparison: Comparison::Equal,
            function: &called,
        };
        let assertion = asserting.whole(&format!("*returned().as_ref().{method}()"), inner)?;
        as_oracle(&assertion, "returned()")
    }

    fn returned(&self, value: &Value) -> Option<String> {
        if self.wording.comparison < Comparison::Parts && value.is_exact() {
            let text = self
                .written(value)
                .ok()
                .filter(|text| !calls(text, &self.call.subject.called()));
            if let Some(text) = text {
                return Some(format!("check_return({text})"));
            }
        }
        if self.wording.comparison == Comparison::Parts
            && let Some(oracle) = self.inside_of_returned(value)
        {
            return Some(oracle);
        }
        match value {
            Value::Struct {
                type_name,
                variant: Some(variant),
                ..
            } if type_name.starts_with("core::option::")
                || type_name.starts_with("core::result::") =>
            {
                Some(format!("check_{}(returned())", variant.to_lowercase()))
            }
            _ => None,
        }
    }
}

/// Returns the value in a `Some`, `Ok` or `Err`, and the method that unwraps it.
fn wrapped(value: &Value) -> Option<(&Value, &'static str)> {
    let Value::Struct {
        type_name,
        variant: Some(variant),
        fields,
        ..
    } = value
    else {
        return None;
    };
    let is_std = type_name.starts_with("core::option::") || type_name.starts_with("core::result::");
    let (_, inner) = fields.first().filter(|_| is_std)?;
    Some((
        inner,
        if variant == "Err" {
            "unwrap_err"
        } else {
            "unwrap"
        },
    ))
}

/// Converts an assertion into an oracle, which compares what a reference points to.
fn as_oracle(assertion: &str, reference: &str) -> Option<String> {
    let inside = |text: &str| text.strip_suffix(");").map(str::to_owned);
    let (oracle, rest) = match assertion.strip_prefix("assert_eq!(") {
        Some(rest) => ("check_eq", inside(rest)?),
        None => ("check", inside(assertion.strip_prefix("assert!(")?)?),
    };
    let rest = match rest.strip_prefix(reference) {
        Some(behind) if behind.starts_with(',') => format!("*{rest}"),
        _ => rest,
    };
    Some(format!("{oracle}({rest})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assertions_become_oracles() {
        let oracle = |text: &str| as_oracle(text, "list").unwrap();
        assert_eq!(
            oracle("assert_eq!(list, vec![1]);"),
            "check_eq(*list, vec![1])"
        );
        assert_eq!(oracle("assert_eq!(list.len, 1);"), "check_eq(list.len, 1)");
        assert_eq!(oracle("assert!(!list.is_open);"), "check(!list.is_open)");
        assert_eq!(as_oracle("let value = result.unwrap();", "list"), None);
    }
}
