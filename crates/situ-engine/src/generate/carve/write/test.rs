//! A whole test: arrange, act, assert.

use super::act::act;
use super::arrange::{Arranged, Wording, arrange, log};
use super::assertion::Asserting;
use super::input::{Input, receiver};
use super::long_texts::length_to_read;
use crate::generate::carve::find::scenario::{Call, Leaf};
use crate::generate::carve::find::subject::Receiver;
use crate::generate::carve::refusal::CarveRefusal;
use crate::generate::mocks::answer;
use crate::record::plan::Phase;
use situ_recorder::recording::Exit;
use situ_recorder::value::Value;

/// The maximum length of a test in chars.
const LONGEST_TEST: usize = 6000;

/// The parts of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    /// Attributes beside that which makes it a test.
    pub attributes: Vec<String>,
    /// Whether it awaits a future.
    pub is_async: bool,
    /// The variables.
    pub arrange: Vec<Input>,
    /// The line that calls.
    pub act: String,
    /// The assertions.
    pub assert: Vec<String>,
}

impl Parts {
    /// Returns the test.
    pub(crate) fn text(&self, name: &str) -> String {
        let (test, function) = if self.is_async {
            ("#[tokio::test]", "async fn")
        } else {
            ("#[test]", "fn")
        };
        let mut text = format!("{test}\n");
        self.attributes
            .iter()
            .for_each(|attribute| text.push_str(&format!("{attribute}\n")));
        text.push_str(&format!("{function} {name}() {{\n"));
        let arrange: Vec<String> = self.arrange.iter().flat_map(Input::lines).collect();
        let blocks = [&arrange, &vec![self.act.clone()], &self.assert];
        let blocks: Vec<String> = blocks
            .iter()
            .filter(|block| !block.is_empty())
            .map(|block| block.join("\n    "))
            .collect();
        text.push_str("    ");
        text.push_str(&blocks.join("\n\n    "));
        text.push_str("\n}\n");
        text
    }
}

/// Returns the result of a call.
pub(crate) fn result_of<'v>(call: &Call<'v>) -> Option<&'v Value> {
    let slots = &call.recorded.site.slots;
    let is_result = |slot: u32| {
        slots
            .get(slot as usize)
            .is_some_and(|slot| slot.phase == Phase::Result)
    };
    call.set
        .slots
        .iter()
        .find(|(slot, _)| is_result(*slot))
        .map(|(_, value)| value)
}

/// Returns the places that a call may have changed, with their values before and after: `subject`,
/// or a parameter.
pub(crate) fn changed<'v>(call: &Call<'v>) -> Vec<(&'v str, &'v Value, &'v Value)> {
    let before = call.recorded.values(call.set, Phase::Before);
    let changes = call
        .recorded
        .changes(call.set)
        .into_iter()
        .filter_map(|(name, after)| {
            let before = before.iter().find(|(other, _)| *other == name)?.1;
            let is_shared = match name {
                "self" => call.subject.receiver == Some(Receiver::Exclusive),
                _ => matches!(before, Value::Ref { mutable: true, .. }),
            };
            is_shared.then_some((name, before, after))
        });
    changes.collect()
}

/// Writes the test of a call, or returns why there is none.
pub(crate) fn test(call: &Call<'_>, wording: Wording<'_>) -> Result<Parts, CarveRefusal> {
    if call.subject.is_unsafe {
        return Err(CarveRefusal::Unsafe);
    }
    let arranged = arrange(call, wording)?;
    let is_async = call.subject.is_async;
    let called = format!(
        "{}{}",
        act(call.subject, &arranged),
        if is_async { ".await" } else { "" }
    );
    let inputs = arranged
        .arguments
        .iter()
        .flat_map(|argument| &argument.inputs);
    let inputs = arranged
        .doubles
        .iter()
        .chain(&arranged.subject)
        .chain(inputs);
    let lines: Vec<Input> = inputs.cloned().collect();
    let gives_value = call.subject.gives_value;
    let parts = match &call.set.exit {
        Exit::Panic(text) => {
            let expected = text.lines().next().unwrap_or_default();
            let attribute = match expected.is_empty() {
                true => "#[should_panic]".to_owned(),
                false => format!("#[should_panic(expected = {expected:?})]"),
            };
            let act = if gives_value {
                format!("let _ = {called};")
            } else {
                format!("{called};")
            };
            Parts {
                attributes: vec![attribute],
                is_async,
                arrange: lines,
                act,
                assert: Vec::new(),
            }
        }
        Exit::Left => return Err(CarveRefusal::UnknownExit),
        Exit::Through => {
            let (act, assert) = asserted(call, wording, &arranged, &called)?;
            Parts {
                attributes: Vec::new(),
                is_async,
                arrange: lines,
                act,
                assert,
            }
        }
    };
    if length_to_read(&parts.text("f")) > LONGEST_TEST {
        return Err(CarveRefusal::TooLong);
    }
    Ok(parts)
}

fn asserted(
    call: &Call<'_>,
    wording: Wording<'_>,
    arranged: &Arranged,
    called: &str,
) -> Result<(String, Vec<String>), CarveRefusal> {
    let function = call.subject.called();
    let asserting = Asserting {
        here: &call.subject.here,
        types: wording.types,
        comparison: wording.comparison,
        function: &function,
    };
    let result = result_of(call).filter(|value| **value != Value::Unit);
    let of_result = result
        .map(|value| asserting.value("result", value))
        .unwrap_or_default();
    let mut assertions = of_result.clone();
    for (name, before, after) in changed(call) {
        let variable = if name == "self" {
            Some("subject")
        } else {
            variable_of(call, arranged, name)
        };
        if let Some(variable) = variable {
            // The final state of a collaborator says nothing about its double.
            let is_own = |text: &String| wording.doubles.is_none_or(|doubles| !doubles.hold(text));
            assertions.extend(
                asserting
                    .change(variable, before, after)
                    .into_iter()
                    .filter(is_own),
            );
        }
    }
    for stream in wording.doubles.iter().flat_map(|doubles| &doubles.streams) {
        let variable = variable_of(call, arranged, &stream.name);
        assertions.extend(variable.and_then(|variable| stream.assertion(variable)));
    }
    if let (Some(doubles), Some(log)) = (wording.doubles, log(call, wording)) {
        assertions.extend(wording.style.assertion(&log.variable, &doubles.order));
    }
    if assertions.is_empty() {
        return Err(match result {
            Some(_) => CarveRefusal::IncomparableResult,
            None if call.subject.gives_value && result_of(call).is_none() => {
                CarveRefusal::UnrecordedResult
            }
            None => CarveRefusal::NoEffect,
        });
    }
    let act = match (call.subject.gives_value, of_result.is_empty()) {
        (true, false) => format!("let result = {called};"),
        (true, true) if result.is_some() => format!("let _ = {called};"),
        _ => format!("{called};"),
    };
    Ok((act, assertions))
}

fn variable_of<'a>(call: &Call<'_>, arranged: &'a Arranged, name: &str) -> Option<&'a str> {
    let at = call
        .subject
        .parameters
        .iter()
        .position(|parameter| parameter.name().as_deref() == Some(name))?;
    arranged
        .arguments
        .get(at)?
        .inputs
        .first()
        .map(|input| input.variable.as_str())
}

/// Returns whether all inputs, results and changes of a call are known, and there is something to
/// assert.
pub(crate) fn is_rebuildable(call: &Call<'_>) -> bool {
    let inputs = call.recorded.values(call.set, Phase::Before);
    let changed = changed(call);
    let streams = call.recorded.values(call.set, Phase::Passed);
    let result = result_of(call).filter(|value| **value != Value::Unit);
    let is_seen = match call.set.exit {
        Exit::Panic(_) => true,
        Exit::Left => false,
        Exit::Through => result.is_some() || !changed.is_empty() || !streams.is_empty(),
    };
    let is_stream = |name: &str| streams.iter().any(|(own, _)| *own == name);
    is_seen
        && inputs
            .iter()
            .all(|(name, value)| value.is_exact() || is_stream(name))
        && result.is_none_or(Value::is_exact)
        && changed
            .iter()
            .all(|(name, _, after)| after.is_exact() || is_stream(name))
        && call
            .outgoing
            .iter()
            .filter(|one| one.leaf == Some(Leaf::ReachesOut))
            .all(|one| answer(&one.call).is_ok())
}

/// Returns the length of a call's inputs and results for a reader.
pub(crate) fn size(call: &Call<'_>) -> usize {
    format!("{:?}{:?}", receiver(call), call.set.slots).len()
}
