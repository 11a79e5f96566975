//! Arrange: the inputs of a call, constructed in variables with the names of its parameters.

use super::argument::{Argument, argument};
use super::assertion::Comparison;
use super::call_checks::Looks;
use super::input::{Input, borrow, input, receiver};
use crate::generate::carve::doubles::collaborator::Wrapper;
use crate::generate::carve::doubles::double_text::DoubleStyle;
use crate::generate::carve::doubles::{Double, DoubleChecks, Doubles, marked};
use crate::generate::carve::find::scenario::Call;
use crate::generate::carve::find::subject::Receiver;
use crate::generate::carve::refusal::CarveRefusal;
use crate::record::plan::bindings_of;
use crate::values::TypeTable;
use situ_recorder::value::Value;

/// The inputs of a call.
#[derive(Clone, Debug)]
pub(crate) struct Arranged {
    /// The doubles in fields.
    pub doubles: Vec<Input>,
    /// The receiver.
    pub subject: Option<Input>,
    pub arguments: Vec<Argument>,
}

/// The wording of a test.
#[derive(Clone, Copy)]
pub(crate) struct Wording<'w> {
    /// The types of the crate.
    pub types: &'w TypeTable,
    /// How values are compared.
    pub comparison: Comparison,
    /// The checks of the calls that doubles receive.
    pub looks: Looks,
    /// The doubles of collaborators.
    pub doubles: Option<&'w Doubles>,
    /// The style of doubles.
    pub style: DoubleStyle,
}

impl Wording<'_> {
    /// Returns whether types are omitted where possible.
    pub(crate) fn is_short(&self) -> bool {
        self.comparison != Comparison::EqualTyped
    }

    /// Returns the replacement of a variable that contains collaborators.
    pub(crate) fn replaced(&self, name: &str) -> Option<&Value> {
        self.doubles?
            .replaced
            .iter()
            .find(|(own, _)| own == name)
            .map(|(_, value)| value)
    }
}

/// Builds the variables of a call.
pub(crate) fn arrange(call: &Call<'_>, wording: Wording<'_>) -> Result<Arranged, CarveRefusal> {
    let made = wording.doubles.map_or(&[][..], |doubles| &doubles.made);
    let log = log(call, wording);
    let name = log.as_ref().map_or("", |log| log.variable.as_str());
    let all = made
        .iter()
        .map(|double| Ok((double, double_input(call, double, wording, name)?)));
    let all: Vec<(&Double, Input)> = all.collect::<Result<_, CarveRefusal>>()?;
    let subject = match call.subject.receiver {
        None => None,
        Some(taken) => Some(subject(call, taken, wording, &all)?),
    };
    let is_only = call.subject.parameters.len() == 1;
    let mut arguments = Vec::new();
    for (number, parameter) in call.subject.parameters.iter().enumerate() {
        let argument = argument(call, wording, parameter, number, &all)?;
        arguments.push(if is_only {
            argument.in_line(parameter)
        } else {
            argument
        });
    }
    let is_shown = |(double, input): &(&Double, Input)| double.passed.is_none() && !input.is_inline;
    let doubles = all
        .iter()
        .filter(|one| is_shown(one))
        .map(|(_, input)| input.clone());
    let doubles = log.into_iter().chain(doubles).collect();
    Ok(Arranged {
        doubles,
        subject,
        arguments,
    })
}

fn subject(
    call: &Call<'_>,
    taken: Receiver,
    wording: Wording<'_>,
    doubles: &[(&Double, Input)],
) -> Result<Input, CarveRefusal> {
    let value = wording
        .replaced("self")
        .or_else(|| receiver(call))
        .ok_or(CarveRefusal::NoReceiver)?;
    let mut input = input(call, wording, "subject", value, wording.is_short())
        .map_err(CarveRefusal::Receiver)?;
    in_place(&mut input, doubles);
    input.is_mutable = taken == Receiver::Exclusive;
    input.passed = if input.passed == "&mut " {
        ""
    } else {
        input.passed
    };
    Ok(input)
}

/// Returns the variable of the log of calls, or `None` if doubles receive none or the calls are not
/// checked.
pub(crate) fn log(call: &Call<'_>, wording: Wording<'_>) -> Option<Input> {
    let doubles = wording
        .doubles
        .filter(|doubles| !doubles.order.is_empty())?;
    let plain = if wording.style == DoubleStyle::Mockall {
        "sequence"
    } else {
        "calls"
    };
    let is_taken = |name: &str| {
        let is_double = doubles.made.iter().any(|double| double.variable == name);
        let parameters = call
            .subject
            .parameters
            .iter()
            .flat_map(|parameter| bindings_of(&parameter.pattern));
        is_double
            || call.subject.is_hidden_by(name)
            || parameters.into_iter().any(|(own, _)| own == name)
    };
    let variable = if is_taken(plain) {
        format!("{plain}_of_doubles")
    } else {
        plain.to_owned()
    };
    let is_sequence = wording.style == DoubleStyle::Mockall;
    if is_sequence && !doubles.is_in_sequence() {
        return None;
    }
    Some(Input {
        variable,
        expression: wording.style.log(wording.looks)?.to_owned(),
        passed: "",
        is_mutable: is_sequence,
        is_inline: false,
        of_type: None,
        then: Vec::new(),
    })
}

/// Returns the variable of a double; one without calls is written inline.
fn double_input(
    call: &Call<'_>,
    double: &Double,
    wording: Wording<'_>,
    log: &str,
) -> Result<Input, CarveRefusal> {
    let asked = DoubleChecks {
        comparison: wording.comparison,
        looks: wording.looks,
    };
    let mut lines = wording
        .style
        .lines(double, &call.subject.here, wording.types, asked, log)?
        .into_iter();
    let mut expression = lines.next().unwrap_or_default();
    let then: Vec<String> = lines.collect();
    let mut passed = "";
    for wrapper in double.passed.iter().flatten().rev() {
        match wrapper.function() {
            Some(function) if then.is_empty() => expression = format!("{function}({expression})"),
            Some(_) => return Err(CarveRefusal::BoxedDouble),
            None => passed = borrow(*wrapper == Wrapper::Exclusive),
        }
    }
    let is_mutable = !then.is_empty() || passed == "&mut ";
    let is_inline = double.answers.is_empty() && !is_mutable;
    let variable = double.variable.clone();
    Ok(Input {
        variable,
        expression,
        passed,
        is_mutable,
        is_inline,
        of_type: None,
        then,
    })
}

/// Writes doubles inline where a value contains them.
pub(crate) fn in_place(input: &mut Input, doubles: &[(&Double, Input)]) {
    let before = input.expression.clone();
    let mut all: Vec<&Input> = doubles.iter().map(|(_, input)| input).collect();
    all.sort_by_key(|double| std::cmp::Reverse(double.variable.len()));
    for double in all {
        let (name, mark) = (&double.variable, marked(&double.variable));
        let written = if double.is_inline {
            &double.expression
        } else {
            name
        };
        if !double.is_inline {
            input.expression = input.expression.replace(&format!("{name}: {mark}"), name);
        }
        input.expression = input.expression.replace(&mark, written);
    }
    if input.expression != before {
        // An expression with variables of the test cannot be shared with others.
        input.of_type = None;
    }
}
