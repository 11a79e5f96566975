//! Doubles: replacements of the collaborators of a call, with the results that these returned
//! during the run.

pub(crate) mod collaborator;
pub(crate) mod double_text;
pub(crate) mod signature;

use super::find::declared::{Declared, DeclaredTrait};
use super::find::scenario::{Call, Outgoing};
use super::refusal::{ArgumentUnchecked, CarveRefusal};
use super::write::assertion::{Asserting, Comparison};
use super::write::call_checks::{Looks, Unchecked, why_not_looked_at};
use super::write::input::{before, variable_name};
use super::write::leaf::is_needed;
use super::write::stream::{Stream, stream};
use crate::generate::mocks::answer;
use crate::record::plan::bindings_of;
use crate::source::parse_part;
use crate::values::capture_loss::why_lost;
use crate::values::{Style, TestModule, TypeTable, styled};
use collaborator::{Collaborator, Wrapper, collaborator};
use double_text::DoubleStyle;
use quote::ToTokens as _;
use signature::{Method, methods};
use situ_recorder::value::{Shape, Value};
use syn::{Expr, Generics};

/// All replacements of collaborators of one call.
#[derive(Clone, Debug)]
pub(crate) struct Doubles {
    /// `self` and parameters that contain collaborators, with doubles instead.
    pub replaced: Vec<(String, Value)>,
    /// The doubles.
    pub made: Vec<Double>,
    /// The replaced places, as source code.
    pub places: Vec<String>,
    /// The replacements of streams.
    pub streams: Vec<Stream>,
    /// The calls that the doubles receive, in order: the variable of the double, and the method.
    pub order: Vec<(String, String)>,
}

/// The checks of a test with doubles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DoubleChecks {
    /// The style of comparison.
    pub comparison: Comparison,
    /// The checks of the calls that doubles receive.
    pub looks: Looks,
}

impl Doubles {
    /// Returns what a test does not check of the calls that doubles receive.
    pub(crate) fn unchecked(
        &self,
        style: DoubleStyle,
        here: &TestModule,
        types: &TypeTable,
        asked: DoubleChecks,
    ) -> Vec<Unchecked> {
        let mut all = Vec::new();
        for double in &self.made {
            for answer in &double.answers {
                let Some(method) = double
                    .methods
                    .iter()
                    .find(|method| method.name == answer.method)
                else {
                    continue;
                };
                let call = format!("{}.{}(..)", double.variable, answer.method);
                let reasons = answer
                    .said(method, here, types, asked)
                    .into_iter()
                    .enumerate();
                let unsaid = reasons.filter_map(|(number, said)| Some((number, said.err()?)));
                all.extend(unsaid.map(|(number, reason)| Unchecked {
                    call: call.clone(),
                    argument: Some(number + 1),
                    reason: reason.to_string(),
                }));
            }
        }
        all.sort();
        all.dedup();
        if asked.looks == Looks::Nothing && !self.order.is_empty() {
            all.push(Unchecked::order());
        }
        if style == DoubleStyle::Mockall && !self.is_in_sequence() {
            let reason =
                "expectations stand with their doubles, and so in another order".to_owned();
            all.push(Unchecked {
                call: String::new(),
                argument: None,
                reason,
            });
        }
        all
    }

    /// Returns whether each double receives all of its calls before the next one receives any, in
    /// the order of their construction.
    pub(crate) fn is_in_sequence(&self) -> bool {
        let place = |variable: &str| {
            self.made
                .iter()
                .position(|double| double.variable == variable)
        };
        self.order.is_sorted_by_key(|(variable, _)| place(variable))
    }

    /// Returns whether an assertion is about something that the test itself supplies.
    pub(crate) fn hold(&self, assertion: &str) -> bool {
        self.places.iter().any(|place| {
            let place = place
                .strip_prefix("self.")
                .map_or(place.clone(), |field| format!("subject.{field}"));
            let is_end =
                |rest: &str| !rest.starts_with(|char: char| char.is_alphanumeric() || char == '_');
            assertion
                .match_indices(&place)
                .any(|(at, _)| is_end(&assertion[at + place.len()..]))
        })
    }
}

/// One double.
#[derive(Clone, Debug)]
pub struct Double {
    /// The variable that holds it.
    pub variable: String,
    /// The place that it replaces, as source code.
    pub place: String,
    /// Its trait.
    pub of_trait: DeclaredTrait,
    /// The name of its type.
    pub named_after: String,
    /// Its trait and supertraits.
    pub traits: Vec<String>,
    /// The methods of these.
    pub methods: Vec<Method>,
    /// The expected calls with their results, in order.
    pub answers: Vec<Answer>,
    /// The pointer types around it, if it is itself a parameter.
    pub passed: Option<Vec<Wrapper>>,
}

/// An expected call with its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The method.
    pub method: String,
    /// The arguments, as far as they are known.
    pub arguments: Vec<Option<Value>>,
    /// The result.
    pub value: Value,
}

impl Answer {
    /// Returns the assertions about each argument, or why there are none.
    fn said(
        &self,
        method: &Method,
        here: &TestModule,
        types: &TypeTable,
        asked: DoubleChecks,
    ) -> Vec<Result<Vec<String>, ArgumentUnchecked>> {
        let asserting = Asserting {
            here,
            types,
            comparison: asked.comparison,
            function: "",
        };
        let said = |((name, of_type), value): (&(String, String), &Option<Value>)| {
            let value = value.as_ref().ok_or(ArgumentUnchecked::NotRecorded)?;
            if let Some(reason) = why_not_looked_at(value, asked.looks) {
                return Err(reason);
            }
            // A string is compared as a string, whatever its type was.
            let value = match value.behind_references() {
                owned @ Value::Built { .. } if of_type == "&str" => owned,
                _ => value,
            };
            let said = asserting.value(name, value);
            let is_said = !said.is_empty() && said.iter().all(|line| line.starts_with("assert"));
            if is_said {
                Ok(said)
            } else {
                Err(ArgumentUnchecked::Incomparable)
            }
        };
        method
            .parameters
            .iter()
            .zip(&self.arguments)
            .map(said)
            .collect()
    }

    /// Returns the result as a closure.
    pub(crate) fn closure(
        &self,
        method: &Method,
        here: &TestModule,
        types: &TypeTable,
        asked: DoubleChecks,
    ) -> Result<String, CarveRefusal> {
        let mut names = Vec::new();
        let mut lines = Vec::new();
        for ((name, _), said) in method
            .parameters
            .iter()
            .zip(self.said(method, here, types, asked))
        {
            names.push(if said.is_ok() {
                name.clone()
            } else {
                "_".to_owned()
            });
            lines.extend(said.unwrap_or_default());
        }
        let comparison = asked.comparison;
        let style = Style {
            typed_by_place: comparison != Comparison::EqualTyped,
            ..Style::default()
        };
        let value =
            styled(&self.value, here, types, style).map_err(|none| CarveRefusal::Answer(none.0))?;
        if self.value != Value::Unit {
            lines.push(value);
        }
        Ok(match lines.as_slice() {
            [only] if self.value != Value::Unit => format!("|{}| {only}", names.join(", ")),
            lines => format!("|{}| {{ {} }}", names.join(", "), lines.join(" ")),
        })
    }
}

/// Returns the doubles of a call, or `None` if it has no collaborator that a test cannot construct.
/// It is an error if doubles alone are not enough.
pub(super) fn doubles(
    call: &Call<'_>,
    declared: &Declared,
    types: &TypeTable,
) -> Result<Option<Doubles>, CarveRefusal> {
    let mut finding = Finding {
        call,
        declared,
        types,
        made: Vec::new(),
        places: Vec::new(),
        why_not: None,
    };
    let (mut replaced, mut streams) = (Vec::new(), Vec::new());
    if let Some(value) = before(call, "self") {
        let own = finding.value("self", value);
        replaced.extend(own.map(|value| ("self".to_owned(), value)));
    }
    for parameter in &call.subject.parameters {
        for name in bound_names(&parameter.pattern) {
            let Some(value) = before(call, &name) else {
                continue;
            };
            let is_whole = parameter.name().as_deref() == Some(name.as_str());
            if let Some(stream) =
                stream(call, parameter, declared).filter(|_| why_lost(value).is_some())
            {
                finding.places.push(name.clone());
                replaced.push((name, stream.value()));
                streams.push(stream);
                continue;
            }
            let own = collaborator(&parameter.of_type, &call.subject.bounds, declared)
                .filter(|_| is_whole);
            let new = match own {
                Some(own) if finding.is_doubled(&name, value) => finding.double(&name, &own, true),
                Some(_) => None,
                None => finding.value(&name, value),
            };
            replaced.extend(new.map(|value| (name, value)));
        }
    }
    if let Some(why) = finding.why_not {
        return Err(why);
    }
    if finding.made.is_empty() && streams.is_empty() {
        return Ok(None);
    }
    let order = order(call, &finding.made);
    let doubles = Doubles {
        replaced,
        made: finding.made,
        places: finding.places,
        streams,
        order,
    };
    let is_answered =
        |one: &&Outgoing<'_>| receiver_of(one).is_some_and(|place| doubles.places.contains(&place));
    match call
        .outgoing
        .iter()
        .filter(|one| !is_answered(one))
        .find(|one| is_needed(call, one, &[]))
    {
        Some(_) => Err(CarveRefusal::OtherCalls),
        None => Ok(Some(doubles)),
    }
}

/// Returns the calls that doubles receive, in the order of their returns: arguments were evaluated
/// before.
fn order(call: &Call<'_>, made: &[Double]) -> Vec<(String, String)> {
    let asked = call.outgoing.iter().filter_map(|one| {
        let place = receiver_of(one)?;
        let double = made.iter().find(|double| double.place == place)?;
        Some((double.variable.clone(), method_of(one)?))
    });
    asked.collect()
}

fn method_of(one: &Outgoing<'_>) -> Option<String> {
    match parse_part::<Expr>(&one.call.site.text).ok()? {
        Expr::Await(waiting) => match *waiting.base {
            Expr::MethodCall(call) => Some(call.method.to_string()),
            _ => None,
        },
        Expr::MethodCall(call) => Some(call.method.to_string()),
        _ => None,
    }
}

fn bound_names(pattern: &syn::Pat) -> Vec<String> {
    bindings_of(pattern)
        .into_iter()
        .map(|(name, _)| name)
        .collect()
}

/// Returns the receiver of a call, as source code.
fn receiver_of(one: &Outgoing<'_>) -> Option<String> {
    let expression = parse_part::<Expr>(&one.call.site.text).ok()?;
    let call = match &expression {
        Expr::Await(waiting) => &*waiting.base,
        other => other,
    };
    match call {
        Expr::MethodCall(call) => {
            Some(call.receiver.to_token_stream().to_string().replace(' ', ""))
        }
        _ => None,
    }
}

/// The search for collaborators in the values of a call.
struct Finding<'f, 's> {
    call: &'f Call<'s>,
    declared: &'f Declared,
    types: &'f TypeTable,
    made: Vec<Double>,
    places: Vec<String>,
    why_not: Option<CarveRefusal>,
}

impl Finding<'_, '_> {
    /// Returns a value with doubles for its collaborators, or `None` if it needs none.
    fn value(&mut self, place: &str, value: &Value) -> Option<Value> {
        match value {
            Value::Ref { mutable, inner } => {
                let inner = Box::new(self.value(place, inner)?);
                Some(Value::Ref {
                    mutable: *mutable,
                    inner,
                })
            }
            Value::Built {
                type_name,
                head,
                args,
                tail,
            } if head.ends_with("::new") && args.len() == 1 => {
                let args = vec![self.value(place, &args[0])?];
                Some(Value::Built {
                    type_name: type_name.clone(),
                    head: head.clone(),
                    args,
                    tail: tail.clone(),
                })
            }
            Value::Struct {
                type_name,
                variant: None,
                shape,
                fields,
            } => {
                // Its generic arguments are different types now.
                let path = type_name.split('<').next().unwrap_or(type_name);
                let fields = self.fields(place, path, *shape, fields)?;
                Some(Value::Struct {
                    type_name: path.to_owned(),
                    variant: None,
                    shape: *shape,
                    fields,
                })
            }
            _ => None,
        }
    }

    fn fields(
        &mut self,
        place: &str,
        path: &str,
        shape: Shape,
        fields: &[(String, Value)],
    ) -> Option<Vec<(String, Value)>> {
        let item = self.declared.structure(path)?;
        let mut bounds: Vec<Generics> = self.call.subject.bounds.clone();
        bounds.push(item.generics.clone());
        let mut all = fields.to_vec();
        let mut is_changed = false;
        for ((name, value), field) in all.iter_mut().zip(&item.fields) {
            let place = format!("{place}.{name}");
            let new = match collaborator(&field.ty, &bounds, self.declared) {
                Some(own) if self.is_doubled(&place, value) => self.double(&place, &own, false),
                Some(_) => None,
                None => self.value(&place, value),
            };
            is_changed |= new.is_some();
            *value = new.unwrap_or_else(|| value.clone());
        }
        (is_changed && shape != Shape::Unit).then_some(all)
    }

    /// Returns whether a place needs a double: its value cannot be constructed, or a call on it is
    /// a leaf.
    fn is_doubled(&self, place: &str, value: &Value) -> bool {
        let is_leaf =
            |one: &Outgoing<'_>| one.leaf.is_some() && receiver_of(one).as_deref() == Some(place);
        why_lost(value).is_some() || self.call.outgoing.iter().any(is_leaf)
    }

    fn double(&mut self, place: &str, own: &Collaborator<'_>, is_parameter: bool) -> Option<Value> {
        let made = self.made_for(place, own, is_parameter);
        let double = made
            .map_err(|why| self.why_not.get_or_insert(why).clone())
            .ok()?;
        let mut value = variable(&double.variable);
        for wrapper in own.wrappers.iter().rev() {
            value = match wrapper.function() {
                None => Value::Ref {
                    mutable: *wrapper == Wrapper::Exclusive,
                    inner: Box::new(value),
                },
                Some(head) => Value::Built {
                    type_name: String::new(),
                    head: head.to_owned(),
                    args: vec![value],
                    tail: String::new(),
                },
            };
        }
        self.places.push(place.to_owned());
        self.made.push(double);
        Some(value)
    }

    fn made_for(
        &self,
        place: &str,
        own: &Collaborator<'_>,
        is_parameter: bool,
    ) -> Result<Double, CarveRefusal> {
        let (methods, traits) = methods(own, self.declared, &self.call.subject.here, self.types)?;
        let asked = self
            .call
            .outgoing
            .iter()
            .filter(|one| receiver_of(one).as_deref() == Some(place));
        let answers = asked
            .map(|one| answered(one, &methods))
            .collect::<Result<Vec<_>, _>>()?;
        let last = place.rsplit('.').next().unwrap_or(place);
        let plain = if last.starts_with(|first: char| first.is_ascii_digit()) {
            "collaborator"
        } else {
            last
        };
        let taken = self
            .made
            .iter()
            .filter(|double| double.variable.starts_with(plain))
            .count();
        let is_other =
            self.call.subject.is_hidden_by(plain) || matches!(plain, "subject" | "result");
        let variable = match (is_parameter, taken) {
            (true, _) => variable_name(Some(plain), 0, self.call.subject),
            (false, 0) if !is_other => plain.to_owned(),
            (false, 0) => format!("{plain}_double"),
            (false, taken) => format!("{plain}_{}", taken + 1),
        };
        let passed = is_parameter.then(|| own.wrappers.clone());
        let of_what: String = own.arguments.iter().map(words_of_type).collect();
        let named_after = format!("{of_what}{}", own.of_trait.item.ident);
        let place = place.to_owned();
        Ok(Double {
            variable,
            place,
            of_trait: own.of_trait.clone(),
            named_after,
            traits,
            methods,
            answers,
            passed,
        })
    }
}

/// Returns the names in a type, without what stands between them.
fn words_of_type(of_type: &syn::Type) -> String {
    of_type
        .to_token_stream()
        .to_string()
        .chars()
        .filter(|char| char.is_alphanumeric())
        .collect()
}

fn answered(one: &Outgoing<'_>, methods: &[Method]) -> Result<Answer, CarveRefusal> {
    let expression = parse_part::<Expr>(&one.call.site.text).map_err(|_| CarveRefusal::LongCall)?;
    let call = match &expression {
        Expr::Await(waiting) => &*waiting.base,
        other => other,
    };
    let Expr::MethodCall(call) = call else {
        return Err(CarveRefusal::NoMethodCall);
    };
    let name = call.method.to_string();
    let method = methods
        .iter()
        .find(|method| method.name == name)
        .ok_or(CarveRefusal::NoSuchMethod)?;
    let arguments = (0..method.parameters.len())
        .map(|number| one.call.argument(number + 1).cloned())
        .collect();
    Ok(Answer {
        method: name,
        arguments,
        value: answer(&one.call)?,
    })
}

/// Returns an expression that is a variable.
fn variable(name: &str) -> Value {
    Value::Built {
        type_name: String::new(),
        head: String::new(),
        args: Vec::new(),
        tail: marked(name),
    }
}

/// Returns a marked variable name for use inside values, distinct from fields of that name.
pub(super) fn marked(name: &str) -> String {
    format!("__situ_double_{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_said_of_what_a_test_brings_itself() {
        let places = vec!["self.clock".to_owned(), "queue".to_owned()];
        let doubles = Doubles {
            replaced: Vec::new(),
            made: Vec::new(),
            places,
            streams: Vec::new(),
            order: Vec::new(),
        };
        assert!(
            doubles.hold("assert_eq!(subject.clock.hour, 3);")
                && doubles.hold("assert_eq!(queue.0, 0);")
        );
        assert!(
            !doubles.hold("assert_eq!(subject.clock_face, 3);")
                && !doubles.hold("assert_eq!(subject.greeted, 1);")
        );
    }
}
