//! Arrange: the values that a call was given, rebuilt in variables that have the names of its parameters.

use super::assertion::Comparison;
use super::collaborator::Wrapper;
use super::double_text::DoubleStyle;
use super::doubles::{Double, Doubles, marked};
use super::scenario::Call;
use super::signature::tidy;
use super::subject::{Parameter, Receiver, Subject};
use crate::extract::candidate::{element, why_lost};
use crate::record::plan::{Phase, bindings_of};
use crate::render::{Style, TypeTable, styled, type_of};
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens as _;
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
    /// What is done with it before it is used.
    pub then: Vec<String>,
}

impl Input {
    /// The lines that make the variable.
    pub fn lines(&self) -> Vec<String> {
        let mutable = if self.is_mutable { "mut " } else { "" };
        let line = (!self.is_inline).then(|| format!("let {mutable}{} = {};", self.variable, self.expression));
        line.into_iter().chain(self.then.iter().cloned()).collect()
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
    /// The doubles that fields hold.
    pub doubles: Vec<Input>,
    /// What it is called on.
    pub subject: Option<Input>,
    /// Its arguments.
    pub arguments: Vec<Argument>,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The variables that it is made of: one, or those that the parameter's pattern takes it apart into.
    pub inputs: Vec<Input>,
    /// The argument as an expression.
    pub text: String,
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

/// The variables that a call was given, in the order of its parameters, each with its value.
pub fn bound<'v>(call: &Call<'v>) -> Vec<(String, &'v Value)> {
    let names = call.subject.parameters.iter().flat_map(|parameter| bindings_of(&parameter.pattern));
    names.filter_map(|(name, _)| before(call, &name).map(|value| (name, value))).collect()
}

/// The value that a variable had when a call began.
pub fn before<'v>(call: &Call<'v>, name: &str) -> Option<&'v Value> {
    let slots = &call.recorded.site.slots;
    let is_it =
        |slot: u32| slots.get(slot as usize).is_some_and(|slot| slot.phase == Phase::Before && slot.name == name);
    call.set.slots.iter().find(|(slot, _)| is_it(*slot)).map(|(_, value)| value)
}

/// How a test is written.
#[derive(Clone, Copy)]
pub struct Wording<'w> {
    /// The types of the crate.
    pub types: &'w TypeTable,
    /// How values are compared.
    pub comparison: Comparison,
    /// What stands for collaborators.
    pub doubles: Option<&'w Doubles>,
    /// What that is made with.
    pub style: DoubleStyle,
}

impl Wording<'_> {
    /// In short words, or with all types written?
    fn is_short(&self) -> bool {
        self.comparison != Comparison::EqualTyped
    }

    fn replaced(&self, name: &str) -> Option<&Value> {
        self.doubles?.replaced.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }
}

/// The variables of a call.
pub fn arrange(call: &Call<'_>, wording: Wording<'_>) -> Result<Arranged, String> {
    let made = wording.doubles.map_or(&[][..], |doubles| &doubles.made);
    let all = made.iter().map(|double| Ok((double, double_input(call, double, wording)?)));
    let all: Vec<(&Double, Input)> = all.collect::<Result<_, String>>()?;
    let subject = match call.subject.receiver {
        None => None,
        Some(taken) => Some(subject(call, taken, wording, &all)?),
    };
    let is_only = call.subject.parameters.len() == 1;
    let mut arguments = Vec::new();
    for (number, parameter) in call.subject.parameters.iter().enumerate() {
        let argument = argument(call, wording, parameter, number, &all)?;
        arguments.push(if is_only { argument.in_line(parameter) } else { argument });
    }
    let is_shown = |(double, input): &(&Double, Input)| double.passed.is_none() && !input.is_inline;
    let doubles = all.iter().filter(|one| is_shown(one)).map(|(_, input)| input.clone()).collect();
    Ok(Arranged { doubles, subject, arguments })
}

/// An argument, by the variable that has the parameter's name, or by those that its pattern binds.
fn argument(
    call: &Call<'_>,
    wording: Wording<'_>,
    parameter: &Parameter,
    number: usize,
    doubles: &[(&Double, Input)],
) -> Result<Argument, String> {
    let own_name = parameter.name();
    let names = match &own_name {
        Some(name) => vec![name.clone()],
        None => bindings_of(&parameter.pattern).into_iter().map(|(name, _)| name).collect(),
    };
    if names.is_empty() || has_gaps(parameter.pattern.to_token_stream()) {
        return Err("an argument was not recorded".to_owned());
    }
    let mut inputs = Vec::new();
    for name in &names {
        let variable = variable_name(Some(name), number, call.subject);
        if let Some((_, own)) =
            doubles.iter().find(|(double, _)| double.passed.is_some() && double.variable == variable)
        {
            inputs.push(own.clone());
            continue;
        }
        let value = wording.replaced(name).or_else(|| before(call, name)).ok_or("an argument was not recorded")?;
        let mut input = input(call, wording, &variable, value, wording.is_short() && parameter.is_typed)
            .map_err(|reason| format!("an argument cannot be rebuilt: {reason}"))?;
        in_place(&mut input, doubles);
        inputs.push(input);
    }
    let text = said(parameter, &names, &inputs);
    Ok(Argument { inputs, text })
}

/// The argument that a parameter takes, said by the names that it binds.
fn said(parameter: &Parameter, names: &[String], inputs: &[Input]) -> String {
    if parameter.name().is_some() {
        return inputs[0].argument();
    }
    fn replaced(tokens: TokenStream, names: &[String], inputs: &[Input]) -> TokenStream {
        let is_mode = |tree: &TokenTree| matches!(tree.to_string().as_str(), "mut" | "ref");
        let one = |tree: TokenTree| -> TokenStream {
            let at = names.iter().position(|name| tree.to_string() == *name);
            match (at.and_then(|at| inputs[at].argument().parse().ok()), tree) {
                (Some(argument), _) => argument,
                (None, TokenTree::Group(group)) => {
                    TokenTree::Group(Group::new(group.delimiter(), replaced(group.stream(), names, inputs))).into()
                }
                (None, tree) => tree.into(),
            }
        };
        tokens.into_iter().filter(|tree| !is_mode(tree)).flat_map(one).collect()
    }
    tidy(&replaced(parameter.pattern.to_token_stream(), names, inputs).to_string())
}

/// Whether a pattern leaves something out.
fn has_gaps(pattern: TokenStream) -> bool {
    pattern.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => has_gaps(group.stream()),
        TokenTree::Ident(word) => word == "_",
        TokenTree::Punct(sign) => matches!(sign.as_char(), '.' | '|' | '@'),
        TokenTree::Literal(_) => true,
    })
}

impl Argument {
    /// The same, written where it is passed if it is short.
    fn in_line(mut self, parameter: &Parameter) -> Argument {
        if let [input] = self.inputs.as_mut_slice()
            && !input.is_mutable
            && input.then.is_empty()
            && input.expression.len() <= LONGEST_INLINE
        {
            input.is_inline = true;
            let names: Vec<String> = bindings_of(&parameter.pattern).into_iter().map(|(name, _)| name).collect();
            self.text = said(parameter, &names, &self.inputs);
        }
        self
    }
}

fn subject(
    call: &Call<'_>,
    taken: Receiver,
    wording: Wording<'_>,
    doubles: &[(&Double, Input)],
) -> Result<Input, String> {
    let value = wording.replaced("self").or_else(|| receiver(call)).ok_or("the subject was not recorded")?;
    let mut input = input(call, wording, "subject", value, wording.is_short())
        .map_err(|reason| format!("the subject cannot be rebuilt: {reason}"))?;
    in_place(&mut input, doubles);
    input.is_mutable = matches!(taken, Receiver::Exclusive | Receiver::MutableValue);
    input.passed = if input.passed == "&mut " { "" } else { input.passed };
    Ok(input)
}

/// The variable of a double; one that is asked nothing is written where it is needed.
fn double_input(call: &Call<'_>, double: &Double, wording: Wording<'_>) -> Result<Input, String> {
    let mut lines = wording.style.lines(double, &call.subject.here, wording.types, wording.comparison)?.into_iter();
    let mut expression = lines.next().unwrap_or_default();
    let then: Vec<String> = lines.collect();
    let mut passed = "";
    for wrapper in double.passed.iter().flatten().rev() {
        match wrapper.function() {
            Some(function) if then.is_empty() => expression = format!("{function}({expression})"),
            Some(_) => return Err("a double is passed in a box".to_owned()),
            None => passed = borrow(*wrapper == Wrapper::Exclusive),
        }
    }
    let is_mutable = !then.is_empty() || passed == "&mut ";
    let is_inline = double.answers.is_empty() && !is_mutable;
    let variable = double.variable.clone();
    Ok(Input { variable, expression, passed, is_mutable, is_inline, of_type: None, then })
}

/// Writes doubles where a value holds them.
fn in_place(input: &mut Input, doubles: &[(&Double, Input)]) {
    let before = input.expression.clone();
    let mut all: Vec<&Input> = doubles.iter().map(|(_, input)| input).collect();
    all.sort_by_key(|double| std::cmp::Reverse(double.variable.len()));
    for double in all {
        let (name, mark) = (&double.variable, marked(&double.variable));
        let written = if double.is_inline { &double.expression } else { name };
        if !double.is_inline {
            input.expression = input.expression.replace(&format!("{name}: {mark}"), name);
        }
        input.expression = input.expression.replace(&mark, written);
    }
    if input.expression != before {
        // What names variables of the test cannot be shared with others.
        input.of_type = None;
    }
}

/// The name of a parameter where it can be one of a variable beside `subject`, `result` and the function itself.
pub fn variable_name(name: Option<&str>, number: usize, subject: &Subject) -> String {
    let name = name.unwrap_or_default().trim_start_matches('_');
    match name {
        "" => format!("argument_{}", number + 1),
        "subject" | "result" | "value" | "error" => format!("{name}_argument"),
        name if subject.is_hidden_by(name) => format!("{name}_argument"),
        name => name.to_owned(),
    }
}

fn input(call: &Call<'_>, wording: Wording<'_>, name: &str, value: &Value, short: bool) -> Result<Input, String> {
    let types = wording.types;
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
    Ok(Input { variable: name.to_owned(), expression, passed, is_mutable, is_inline: false, of_type, then: Vec::new() })
}

fn borrow(mutable: bool) -> &'static str {
    if mutable { "&mut " } else { "&" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carve::sources::{Source, subjects};
    use crate::source::SourceFile;

    #[test]
    fn variables_are_called_like_parameters_unless_the_test_has_that_name() {
        let text = "fn digits() {}";
        let tree = syn::parse_file(text).unwrap();
        let path = std::path::PathBuf::from("src/lib.rs");
        let file =
            SourceFile { path: path.clone(), module: Vec::new(), conditions: Vec::new(), text: text.to_owned(), tree };
        let subjects = subjects(&[Source { path, krate: "shop".to_owned(), file, has_tokio: false }]);
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

    #[test]
    fn a_pattern_says_its_argument() {
        let parameter = |pattern: &str| {
            let signature: syn::Signature = syn::parse_str(&format!("fn f({pattern}: T)")).unwrap();
            let syn::FnArg::Typed(typed) = signature.inputs[0].clone() else { panic!("no argument") };
            Parameter { pattern: *typed.pat, is_typed: true, of_type: *typed.ty }
        };
        let input = |name: &str, passed: &'static str| Input {
            variable: format!("{name}_1"),
            expression: String::new(),
            passed,
            is_mutable: false,
            is_inline: false,
            of_type: None,
            then: Vec::new(),
        };
        let names = ["a".to_owned(), "b".to_owned()];
        let inputs = [input("a", ""), input("b", "&")];
        assert_eq!(said(&parameter("Path((a, mut b))"), &names, &inputs), "Path((a_1, &b_1))");
        assert!(has_gaps(parameter("(a, _)").pattern.to_token_stream()));
        assert!(has_gaps(parameter("Point { a, .. }").pattern.to_token_stream()));
        assert!(!has_gaps(parameter("State(a)").pattern.to_token_stream()));
    }
}
