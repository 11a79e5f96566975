//! The elements of a loop that are written in the test: each is a case of its own.

use super::Step;
use super::token_text::{leading_expressions, words_in};
use crate::source::byte_range;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use syn::{Expr, GenericArgument, Item, Lit, Local, Pat, PathArguments, Stmt, Type};

/// The maximum number of elements of one loop that become scopes.
const MAX_ELEMENTS: usize = 4;

/// The maximum number of variables that are followed to their values.
const MAX_NAMES: usize = 3;

/// The places where elements may be written, beside the loop itself.
pub(crate) struct Sources<'s> {
    /// The text of the file.
    pub text: &'s str,
    /// The steps before the loop.
    pub before: &'s [Step],
    /// The items beside the test.
    pub beside: &'s [Item],
    /// Constants of test code elsewhere in the crate.
    pub constants: &'s BTreeMap<String, Constant>,
}

/// A constant, with the text of its file.
#[derive(Clone, Debug)]
pub(crate) struct Constant {
    /// What it is.
    pub expression: Expr,
    /// Its type.
    pub of_type: Type,
    /// The text of its file.
    pub text: Rc<str>,
}

/// Elements as they are written.
struct Written {
    expressions: Vec<Expr>,
    /// Whether the loop iterates over references.
    is_reference: bool,
    /// The source of another file that contains them.
    elsewhere: Option<Rc<str>>,
    /// Their type, if a declaration has it.
    of_type: Option<DeclaredType>,
}

impl Written {
    /// Returns these elements as those of a declaration with this type.
    fn declared(self, of_type: Option<&Type>, is_elsewhere: bool) -> Written {
        let of_type = of_type.and_then(of_elements).map(|of_type| DeclaredType {
            of_type: of_type.clone(),
            is_elsewhere,
        });
        Written {
            of_type: of_type.or(self.of_type),
            ..self
        }
    }
}

/// The type that a declaration gives to elements.
struct DeclaredType {
    of_type: Type,
    /// Whether the declaration stands in another file than the test.
    is_elsewhere: bool,
}

/// One element.
pub(crate) struct Element {
    /// The steps that bind the variables of the loop.
    pub given: Vec<Step>,
}

/// Returns the elements of a loop over an array. Elements that differ only in their first part are
/// represented by one, because the arguments are varied anyway.
pub(crate) fn elements(pattern: &Pat, iterated: &Expr, sources: &Sources<'_>) -> Vec<Element> {
    let Some(written) = sources.written(iterated, 0) else {
        return Vec::new();
    };
    let (pattern, is_reference) = match pattern {
        Pat::Reference(inner) if written.is_reference => (&*inner.pat, false),
        other => (other, written.is_reference),
    };
    let text = written.elsewhere.as_deref().unwrap_or(sources.text);
    let types = written
        .of_type
        .as_ref()
        .filter(|declared| !declared.is_elsewhere)
        .map_or(text, |_| sources.text);
    let giving = Giving {
        text,
        types,
        is_elsewhere: written.elsewhere.is_some(),
        here: sources.text,
    };
    let of_type = written.of_type.as_ref().map(|declared| &declared.of_type);
    let mut seen = BTreeSet::new();
    let mut elements = Vec::new();
    for expression in &written.expressions {
        let mut given = Vec::new();
        if giving.give(pattern, (expression, of_type), is_reference, &mut given)
            && !given.is_empty()
        {
            let is_new = seen.insert(rest_of(&given));
            if is_new && elements.len() < MAX_ELEMENTS {
                elements.push(Element { given });
            }
        }
    }
    elements
}

/// Returns the parts of an element other than the first.
fn rest_of(given: &[Step]) -> Vec<String> {
    let parts = given.iter().flat_map(|step| match step {
        Step::Given { expression, .. } => match &**expression {
            Expr::Tuple(tuple) => tuple
                .elems
                .iter()
                .map(|part| part.to_token_stream().to_string())
                .collect(),
            other => vec![other.to_token_stream().to_string()],
        },
        Step::Statement(_) => Vec::new(),
    });
    parts.skip(1).collect()
}

/// An element with its type.
type Typed<'t> = (&'t Expr, Option<&'t Type>);

struct Giving<'g> {
    /// The text that the elements stand in.
    text: &'g str,
    /// The text that their type stands in.
    types: &'g str,
    /// Whether that is another file than the test's.
    is_elsewhere: bool,
    /// The text of the test's own file.
    here: &'g str,
}

impl Giving<'_> {
    /// Binds the names of a pattern to the parts of an element; returns whether every name has one.
    fn give(
        &self,
        pattern: &Pat,
        (element, of_type): Typed<'_>,
        is_reference: bool,
        given: &mut Vec<Step>,
    ) -> bool {
        match (pattern, element) {
            (Pat::Wild(_), _) => true,
            (Pat::Type(typed), _) => self.give(&typed.pat, (element, of_type), is_reference, given),
            (Pat::Ident(name), _) if name.by_ref.is_none() && name.subpat.is_none() => {
                let mutable = if name.mutability.is_some() {
                    "mut "
                } else {
                    ""
                };
                let reference = if is_reference { "&" } else { "" };
                let said = of_type.and_then(|of_type| self.said(element, of_type));
                let said = said
                    .map(|of_type| format!(": {reference}{of_type}"))
                    .unwrap_or_default();
                let is_known = !said.is_empty() || !is_of_unknown_type(element);
                given.push(Step::Given {
                    name: name.ident.to_string(),
                    binding: format!("let {mutable}{}{said} = {reference}", name.ident),
                    text: self.text[byte_range(element)].to_owned(),
                    expression: Box::new(element.clone()),
                    of_type: None,
                });
                is_known && self.means_the_same_here(element)
            }
            (Pat::Tuple(patterns), Expr::Tuple(parts))
                if patterns.elems.len() == parts.elems.len() =>
            {
                let types = match of_type {
                    Some(Type::Tuple(types)) => types.elems.iter().map(Some).collect(),
                    _ => vec![None; parts.elems.len()],
                };
                let mut pairs = patterns.elems.iter().zip(parts.elems.iter().zip(types));
                pairs.all(|(pattern, part)| self.give(pattern, part, is_reference, given))
            }
            (Pat::Reference(inner), _) if is_reference => {
                self.give(&inner.pat, (element, of_type), false, given)
            }
            (Pat::Reference(inner), Expr::Reference(reference)) => {
                let of_type = match of_type {
                    Some(Type::Reference(of_type)) => Some(&*of_type.elem),
                    _ => None,
                };
                self.give(&inner.pat, (&reference.expr, of_type), false, given)
            }
            _ => false,
        }
    }

    /// Returns the type of an element for the test, or `None` if the element determines it or the
    /// test's file cannot name it.
    fn said(&self, element: &Expr, of_type: &Type) -> Option<&str> {
        let is_plain = matches!(element, Expr::Lit(literal) if matches!(literal.lit, Lit::Str(_) | Lit::Bool(_) | Lit::Char(_)));
        let said = &self.types[byte_range(of_type)];
        let here: BTreeSet<String> = words_in(self.here).into_iter().collect();
        let is_known = || words_in(said).iter().all(|word| here.contains(word));
        let has_lifetime = said.replace("'static", "").contains('\'');
        (!is_plain && !has_lifetime && !said.contains("impl ") && is_known()).then_some(said)
    }

    /// Returns whether the test's file knows all names of an element too.
    fn means_the_same_here(&self, element: &Expr) -> bool {
        let known = |path: &syn::ExprPath| {
            let here: BTreeSet<String> = words_in(self.here).into_iter().collect();
            path.path
                .segments
                .iter()
                .all(|segment| here.contains(&segment.ident.to_string()))
        };
        let is_same = |inner: &Expr| self.means_the_same_here(inner);
        match element {
            _ if !self.is_elsewhere => true,
            Expr::Lit(_) => true,
            Expr::Path(path) => known(path),
            Expr::Reference(reference) => is_same(&reference.expr),
            Expr::Unary(unary) => is_same(&unary.expr),
            Expr::Tuple(tuple) => tuple.elems.iter().all(is_same),
            Expr::Array(array) => array.elems.iter().all(is_same),
            _ => false,
        }
    }
}

impl Sources<'_> {
    /// Returns the elements that an expression iterates over.
    fn written(&self, iterated: &Expr, depth: usize) -> Option<Written> {
        let here = |expressions: Vec<Expr>| {
            Some(Written {
                expressions,
                is_reference: false,
                elsewhere: None,
                of_type: None,
            })
        };
        let as_references = |inner: &Expr, is_reference: bool| {
            self.written(inner, depth).map(|written| Written {
                is_reference,
                ..written
            })
        };
        match iterated {
            Expr::Array(array) => here(array.elems.iter().cloned().collect()),
            Expr::Macro(call)
                if call.mac.path.is_ident("vec") && !is_repeated(&call.mac.tokens) =>
            {
                here(leading_expressions(&call.mac.tokens))
            }
            // The start of a range is one of its elements.
            Expr::Range(range) => here(vec![(**range.start.as_ref()?).clone()]),
            Expr::Reference(reference) => as_references(&reference.expr, true),
            Expr::Paren(inner) => self.written(&inner.expr, depth),
            Expr::MethodCall(call) => match call.method.to_string().as_str() {
                "iter" => as_references(&call.receiver, true),
                "copied" | "cloned" => as_references(&call.receiver, false),
                _ => None,
            },
            Expr::Path(path) if depth < MAX_NAMES => {
                self.named(&path.path.segments.last()?.ident.to_string(), depth + 1)
            }
            _ => None,
        }
    }

    fn named(&self, name: &str, depth: usize) -> Option<Written> {
        let of_statement = |step: &Step| match step {
            Step::Statement(Stmt::Local(Local {
                pat,
                init: Some(init),
                ..
            })) => {
                let (pattern, of_type) = match pat {
                    Pat::Type(typed) => (&*typed.pat, Some((*typed.ty).clone())),
                    other => (other, None),
                };
                match pattern {
                    Pat::Ident(bound) if bound.ident == name && bound.mutability.is_none() => {
                        Some(((*init.expr).clone(), of_type))
                    }
                    _ => None,
                }
            }
            Step::Statement(Stmt::Item(item)) => {
                constant(item, name).map(|(value, of_type)| (value, Some(of_type)))
            }
            Step::Given {
                name: given,
                expression,
                of_type,
                ..
            } if given == name => Some(((**expression).clone(), of_type.as_deref().cloned())),
            _ => None,
        };
        let inside = self.before.iter().rev().find_map(of_statement);
        let beside = || self.beside.iter().find_map(|item| constant(item, name));
        match inside.or_else(|| beside().map(|(value, of_type)| (value, Some(of_type)))) {
            Some((found, of_type)) => Some(
                self.written(&found, depth)?
                    .declared(of_type.as_ref(), false),
            ),
            None => {
                let Constant {
                    expression,
                    of_type,
                    text,
                } = self.constants.get(name)?;
                let written = self
                    .written(expression, MAX_NAMES)?
                    .declared(Some(of_type), true);
                Some(Written {
                    elsewhere: Some(Rc::clone(text)),
                    ..written
                })
            }
        }
    }
}

/// Returns the type of the elements of an array, a slice or a vector.
fn of_elements(of_type: &Type) -> Option<&Type> {
    match of_type {
        Type::Reference(inner) => of_elements(&inner.elem),
        Type::Paren(inner) => of_elements(&inner.elem),
        Type::Array(array) => Some(&array.elem),
        Type::Slice(slice) => Some(&slice.elem),
        Type::Path(path) => match &path.path.segments.last()?.arguments {
            PathArguments::AngleBracketed(arguments)
                if path.path.segments.last()?.ident == "Vec" =>
            {
                arguments.args.iter().find_map(|argument| match argument {
                    GenericArgument::Type(inner) => Some(inner),
                    _ => None,
                })
            }
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether only the neighbouring elements determine the type, as for `[]`.
fn is_of_unknown_type(element: &Expr) -> bool {
    match element {
        Expr::Array(array) => array.elems.is_empty(),
        Expr::Macro(call) => call.mac.path.is_ident("vec") && call.mac.tokens.is_empty(),
        Expr::Reference(reference) => is_of_unknown_type(&reference.expr),
        _ => false,
    }
}

/// Returns whether the tokens have the form `element; count`.
fn is_repeated(tokens: &TokenStream) -> bool {
    tokens
        .clone()
        .into_iter()
        .any(|token| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ';'))
}

/// Returns the value and type of a constant.
pub(crate) fn constant(item: &Item, name: &str) -> Option<(Expr, Type)> {
    match item {
        Item::Const(constant) if constant.ident == name => {
            Some(((*constant.expr).clone(), (*constant.ty).clone()))
        }
        Item::Static(constant) if constant.ident == name => {
            Some(((*constant.expr).clone(), (*constant.ty).clone()))
        }
        _ => None,
    }
}
