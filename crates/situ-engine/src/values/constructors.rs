//! Finds functions that construct a type from the values of its fields.

use super::types::Visible;
use situ_recorder::value::{SeqKind, Value};
use syn::{Expr, FnArg, ImplItem, Lit, Member, Pat, Signature, Stmt, Visibility};

/// Arguments of a constructor, and the fields to assign afterwards.
pub(super) type Completed<'v> = (Vec<&'v Value>, Vec<&'v (String, Value)>);

/// Function without receiver whose body sets each field from a parameter or a constant.
#[derive(Clone, Debug)]
pub(super) struct Constructor {
    pub name: String,
    /// Where the function can be called.
    pub visible: Visible,
    /// Number of parameters.
    parameters: usize,
    /// Source of each field's value, by field name.
    fields: Vec<(String, Placed)>,
    /// Field names in the order of the parameters, if each parameter becomes a field unchanged.
    plain: Option<Vec<String>>,
}

/// Source of a field's value in a constructor.
#[derive(Clone, Debug)]
enum Placed {
    /// Parameter, by index.
    Parameter(usize),
    /// Result of a method without arguments on a parameter: `.chars()`.
    Through(usize, String),
    /// Constant.
    Fixed(Fixed),
}

#[derive(Clone, Debug)]
enum Fixed {
    Int(u128),
    Bool(bool),
    Text(String),
    /// `None`, `Vec::new()`, `Default::default()` and the like.
    Default,
}

impl Constructor {
    /// Returns the field names in the order of the parameters, if the function only moves
    /// parameters to fields.
    pub(super) fn plain_fields(&self) -> Option<&[String]> {
        self.plain.as_deref()
    }

    /// Returns the arguments that produce these fields, or `None` if the function cannot produce
    /// them.
    pub(super) fn arguments<'v>(&self, fields: &'v [(String, Value)]) -> Option<Vec<&'v Value>> {
        let mut arguments: Vec<Option<&Value>> = vec![None; self.parameters];
        for (name, placed) in &self.fields {
            let (_, value) = fields.iter().find(|(field, _)| field == name)?;
            let (number, argument) = match placed {
                Placed::Parameter(number) => (*number, value),
                Placed::Through(number, method) => (*number, before(value, method)?),
                Placed::Fixed(fixed) if fixed.is(value) => continue,
                Placed::Fixed(_) => return None,
            };
            match arguments[number] {
                Some(known) if known != argument => return None,
                _ => arguments[number] = Some(argument),
            }
        }
        arguments.into_iter().collect()
    }

    /// Returns arguments that produce most of these fields, and the fields to assign afterwards.
    /// `is_open` says which fields can be assigned.
    pub(super) fn arguments_but<'v>(
        &self,
        fields: &'v [(String, Value)],
        is_open: &dyn Fn(usize) -> bool,
    ) -> Option<Completed<'v>> {
        let mut arguments: Vec<Option<&Value>> = vec![None; self.parameters];
        let mut set = Vec::new();
        for (name, placed) in &self.fields {
            let at = fields.iter().position(|(field, _)| field == name)?;
            let value = &fields[at].1;
            let given = match placed {
                Placed::Parameter(number) => Some((*number, value)),
                Placed::Through(number, method) => {
                    before(value, method).map(|argument| (*number, argument))
                }
                Placed::Fixed(fixed) if fixed.is(value) => continue,
                Placed::Fixed(_) => None,
            };
            match given {
                Some((number, argument))
                    if arguments[number].is_none_or(|known| known == argument) =>
                {
                    arguments[number] = Some(argument);
                }
                _ if is_open(at) => set.push(&fields[at]),
                _ => return None,
            }
        }
        Some((arguments.into_iter().collect::<Option<_>>()?, set))
    }
}

/// Returns the receiver of `method`, if `value` is the result of that call.
fn before<'v>(value: &'v Value, method: &str) -> Option<&'v Value> {
    match value {
        Value::Built {
            head, args, tail, ..
        } if head.is_empty() && tail == method => args.first(),
        // `text.to_owned()` of a `&str`.
        Value::Built { head, args, .. } if head == "String::from" && OWNING.contains(&method) => {
            args.first()
        }
        _ => None,
    }
}

const OWNING: [&str; 3] = [".to_owned()", ".to_string()", ".into()"];

impl Fixed {
    fn is(&self, value: &Value) -> bool {
        match (self, value) {
            (Fixed::Int(number), Value::Int { bits, .. }) => number == bits,
            (Fixed::Bool(fixed), Value::Bool(value)) => fixed == value,
            (Fixed::Text(fixed), value) => {
                matches!(value.behind_references(), Value::Str(text) if text == fixed)
            }
            (Fixed::Default, value) => is_default(value),
            _ => false,
        }
    }
}

/// Returns whether a value equals the default of its type.
pub(super) fn is_default(value: &Value) -> bool {
    match value {
        Value::Unit
        | Value::Bool(false)
        | Value::Int { bits: 0, .. }
        | Value::Float { bits: 0, .. } => true,
        Value::Char(value) => *value == '\0',
        Value::Str(text) => text.is_empty(),
        Value::Ref { inner, .. } => {
            matches!(
                &**inner,
                Value::Str(_)
                    | Value::Seq {
                        kind: SeqKind::Slice,
                        ..
                    }
            ) && is_default(inner)
        }
        Value::Seq { items, kind, .. } => {
            items.is_empty() || (*kind == SeqKind::Array && items.iter().all(is_default))
        }
        Value::Struct { variant, .. } => variant.as_deref() == Some("None"),
        Value::Built {
            head, args, tail, ..
        } => {
            tail == "std::marker::PhantomData"
                || (matches!(head.as_str(), "String::from" | "std::path::PathBuf::from")
                    && args.iter().all(is_default))
        }
        Value::Tuple(parts) => parts.iter().all(is_default),
        _ => false,
    }
}

/// Returns the constructor that an item of an `impl` block defines, if any. `constructs` says
/// whether a signature returns the type itself.
pub(super) fn constructor_of(
    item: &ImplItem,
    constructs: impl FnOnce(&Signature) -> bool,
    visible: impl FnOnce(&Visibility) -> Visible,
) -> Option<Constructor> {
    let ImplItem::Fn(function) = item else {
        return None;
    };
    if !constructs(&function.sig) {
        return None;
    }
    let mut parameters = Vec::new();
    for input in &function.sig.inputs {
        let FnArg::Typed(typed) = input else {
            return None;
        };
        let Pat::Ident(name) = &*typed.pat else {
            return None;
        };
        parameters.push(name.ident.to_string());
    }
    let [Stmt::Expr(body, None)] = function.block.stmts.as_slice() else {
        return None;
    };
    let fields = placed_fields(body, &parameters)?;
    let plain = plain_order(&fields, parameters.len());
    Some(Constructor {
        name: function.sig.ident.to_string(),
        visible: visible(&function.vis),
        parameters: parameters.len(),
        fields,
        plain,
    })
}

fn plain_order(fields: &[(String, Placed)], parameters: usize) -> Option<Vec<String>> {
    let field_of = |number: usize| {
        let mut found = fields
            .iter()
            .filter(|(_, placed)| matches!(placed, Placed::Parameter(at) if *at == number));
        found.next().map(|(field, _)| field.clone())
    };
    let order: Vec<String> = (0..parameters).map(field_of).collect::<Option<_>>()?;
    (order.len() == fields.len()).then_some(order)
}

/// Parses `Self { a, b: c.chars(), d: 0 }` or `Self(a, b)` into fields and their sources.
fn placed_fields(body: &Expr, parameters: &[String]) -> Option<Vec<(String, Placed)>> {
    match body {
        Expr::Struct(literal) if literal.dot2_token.is_none() => {
            let fields = literal.fields.iter().map(|field| {
                let name = match &field.member {
                    Member::Named(name) => name.to_string(),
                    Member::Unnamed(index) => index.index.to_string(),
                };
                Some((name, placed(&field.expr, parameters)?))
            });
            fields.collect()
        }
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else {
                return None;
            };
            let named = path.path.segments.last()?.ident.to_string();
            let is_type = named == "Self" || named.starts_with(char::is_uppercase);
            let fields = call.args.iter().enumerate();
            let fields = fields
                .map(|(number, value)| Some((number.to_string(), placed(value, parameters)?)));
            if is_type { fields.collect() } else { None }
        }
        _ => None,
    }
}

fn placed(value: &Expr, parameters: &[String]) -> Option<Placed> {
    let parameter = |value: &Expr| match value {
        Expr::Path(path) => {
            let name = path.path.get_ident()?.to_string();
            parameters.iter().position(|parameter| *parameter == name)
        }
        _ => None,
    };
    if let Some(number) = parameter(value) {
        return Some(Placed::Parameter(number));
    }
    match value {
        Expr::MethodCall(call) if call.args.is_empty() => Some(Placed::Through(
            parameter(&call.receiver)?,
            format!(".{}()", call.method),
        )),
        Expr::Lit(literal) => fixed(&literal.lit).map(Placed::Fixed),
        Expr::Path(path) if path.path.is_ident("None") => Some(Placed::Fixed(Fixed::Default)),
        Expr::Macro(made) if made.mac.path.is_ident("vec") && made.mac.tokens.is_empty() => {
            Some(Placed::Fixed(Fixed::Default))
        }
        Expr::Call(call) if call.args.is_empty() => {
            let Expr::Path(path) = &*call.func else {
                return None;
            };
            let words: Vec<String> = path
                .path
                .segments
                .iter()
                .map(|segment| segment.ident.to_string())
                .collect();
            let is_empty = matches!(words.last()?.as_str(), "new" | "default");
            // The result of `new` is assumed to equal the default; `Fixed::is` compares the
            // captured value.
            is_empty.then_some(Placed::Fixed(Fixed::Default))
        }
        _ => None,
    }
}

fn fixed(literal: &Lit) -> Option<Fixed> {
    match literal {
        Lit::Int(number) => number.base10_parse().ok().map(Fixed::Int),
        Lit::Bool(value) => Some(Fixed::Bool(value.value)),
        Lit::Str(text) => Some(Fixed::Text(text.value())),
        _ => None,
    }
}
