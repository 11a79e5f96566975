//! Arguments: the expression for each parameter, including patterns.

use super::arrange::{Wording, in_place};
use super::input::{Input, before, input, variable_name};
use crate::generate::carve::doubles::Double;
use crate::generate::carve::doubles::signature::tidy;
use crate::generate::carve::find::scenario::Call;
use crate::generate::carve::find::subject::Parameter;
use crate::generate::carve::refusal::CarveRefusal;
use crate::record::plan::bindings_of;
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens as _;

/// The maximum length of a value that is written inline, in chars.
const LONGEST_INLINE: usize = 40;

/// An argument of a call.
#[derive(Clone, Debug)]
pub(crate) struct Argument {
    /// Its variables: one, or those that the parameter's pattern binds.
    pub inputs: Vec<Input>,
    /// The argument as an expression.
    pub text: String,
}

/// Returns an argument, made from the variable with the parameter's name, or from those that its
/// pattern binds.
pub(crate) fn argument(
    call: &Call<'_>,
    wording: Wording<'_>,
    parameter: &Parameter,
    number: usize,
    doubles: &[(&Double, Input)],
) -> Result<Argument, CarveRefusal> {
    let own_name = parameter.name();
    let names = match &own_name {
        Some(name) => vec![name.clone()],
        None => bindings_of(&parameter.pattern)
            .into_iter()
            .map(|(name, _)| name)
            .collect(),
    };
    if names.is_empty() || has_gaps(parameter.pattern.to_token_stream()) {
        return Err(CarveRefusal::NoArgument);
    }
    let mut inputs = Vec::new();
    for name in &names {
        let variable = variable_name(Some(name), number, call.subject);
        if let Some((_, own)) = doubles
            .iter()
            .find(|(double, _)| double.passed.is_some() && double.variable == variable)
        {
            inputs.push(own.clone());
            continue;
        }
        let value = wording
            .replaced(name)
            .or_else(|| before(call, name))
            .ok_or(CarveRefusal::NoArgument)?;
        let mut input = input(
            call,
            wording,
            &variable,
            value,
            wording.is_short() && parameter.is_typed,
        )
        .map_err(CarveRefusal::Argument)?;
        in_place(&mut input, doubles);
        inputs.push(input);
    }
    let text = said(parameter, &names, &inputs);
    Ok(Argument { inputs, text })
}

/// Returns the argument as an expression of the names that its pattern binds.
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
                (None, TokenTree::Group(group)) => TokenTree::Group(Group::new(
                    group.delimiter(),
                    replaced(group.stream(), names, inputs),
                ))
                .into(),
                (None, tree) => tree.into(),
            }
        };
        tokens
            .into_iter()
            .filter(|tree| !is_mode(tree))
            .flat_map(one)
            .collect()
    }
    tidy(&replaced(parameter.pattern.to_token_stream(), names, inputs).to_string())
}

/// Returns whether a pattern ignores a part.
fn has_gaps(pattern: TokenStream) -> bool {
    pattern.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => has_gaps(group.stream()),
        TokenTree::Ident(word) => word == "_",
        TokenTree::Punct(sign) => matches!(sign.as_char(), '.' | '|' | '@'),
        TokenTree::Literal(_) => true,
    })
}

impl Argument {
    /// Writes the argument inline if it is short.
    pub(crate) fn in_line(mut self, parameter: &Parameter) -> Argument {
        if let [input] = self.inputs.as_mut_slice()
            && !input.is_mutable
            && input.then.is_empty()
            && input.expression.len() <= LONGEST_INLINE
        {
            input.is_inline = true;
            let names: Vec<String> = bindings_of(&parameter.pattern)
                .into_iter()
                .map(|(name, _)| name)
                .collect();
            self.text = said(parameter, &names, &self.inputs);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_says_its_argument() {
        let parameter = |pattern: &str| {
            let signature: syn::Signature = syn::parse_str(&format!("fn f({pattern}: T)")).unwrap();
            let syn::FnArg::Typed(typed) = signature.inputs[0].clone() else {
                panic!("no argument")
            };
            Parameter {
                pattern: *typed.pat,
                is_typed: true,
                of_type: *typed.ty,
            }
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
        assert_eq!(
            said(&parameter("Path((a, mut b))"), &names, &inputs),
            "Path((a_1, &b_1))"
        );
        assert!(has_gaps(parameter("(a, _)").pattern.to_token_stream()));
        assert!(has_gaps(
            parameter("Point { a, .. }").pattern.to_token_stream()
        ));
        assert!(!has_gaps(parameter("State(a)").pattern.to_token_stream()));
    }
}
