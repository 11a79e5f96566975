//! Calls that a test of a fragment may have to stand in for: of the workspace's own functions, with something that cannot be
//! given. Only what they give is kept, and plain arguments.

use super::walk::Walk;
use syn::{Expr, GenericArgument, Local, Pat, PatType, PathArguments, Type, TypeParamBound};

impl Walk<'_, '_> {
    /// Whether a record shows all of a parameter or variable, as far as its type tells that.
    pub fn bind_typed(&mut self, typed: &PatType) {
        let Pat::Ident(name) = &*typed.pat else { return };
        if let Some(variable) = self.scope.get_mut(&name.ident.to_string()) {
            variable.is_plain = is_plain(&typed.ty);
        }
    }

    /// The same of the variable of a `let`; where it has no type, what it is made of tells it.
    pub fn bind_made(&mut self, local: &Local) {
        let (name, is_plain) = match &local.pat {
            Pat::Type(typed) => return self.bind_typed(typed),
            Pat::Ident(name) => (name, local.init.as_ref().is_some_and(|init| makes_plain(&init.expr))),
            _ => return,
        };
        if let Some(variable) = self.scope.get_mut(&name.ident.to_string()) {
            variable.is_plain = is_plain;
        }
    }

    /// Whether the call is made on the function's own receiver, or on or with something of which a record shows nothing.
    pub fn is_behind(&self, call: &Expr) -> bool {
        self.planner.wanted.fragments
            && match call {
                Expr::Call(call) => {
                    let is_own = |word: &syn::Ident| word == "self" || self.is_hidden_name(&word.to_string());
                    let calls_variable =
                        matches!(&*call.func, Expr::Path(path) if path.path.get_ident().is_some_and(is_own));
                    calls_variable || call.args.iter().any(|argument| self.hides(argument))
                }
                Expr::MethodCall(call) => {
                    self.shows_nothing(&call.receiver)
                        || self.is_part_of_hidden(&call.receiver)
                        || is_field_of_self(&call.receiver)
                        || self.comes_from_behind(&call.receiver)
                        || call.args.iter().any(|argument| self.hides(argument))
                }
                _ => false,
            }
    }

    /// Whether a value is what such a call gave, or a part of it: where nothing is known of that, the call that is made with it
    /// may give something that is.
    fn comes_from_behind(&self, value: &Expr) -> bool {
        match value {
            Expr::Call(_) | Expr::MethodCall(_) => self.is_behind(value),
            Expr::Try(inner) => self.comes_from_behind(&inner.expr),
            Expr::Paren(inner) => self.comes_from_behind(&inner.expr),
            Expr::Reference(inner) => self.comes_from_behind(&inner.expr),
            Expr::Unary(inner) => self.comes_from_behind(&inner.expr),
            Expr::Field(inner) => self.comes_from_behind(&inner.base),
            Expr::Index(inner) => self.comes_from_behind(&inner.expr),
            _ => false,
        }
    }

    /// Whether an argument is such a thing, or lends a part of one to be changed.
    pub fn hides(&self, argument: &Expr) -> bool {
        let lends_part = || match argument {
            Expr::Reference(lent) if lent.mutability.is_some() => {
                is_field_of_self(&lent.expr) || self.is_part_of_hidden(&lent.expr)
            }
            _ => false,
        };
        self.shows_nothing(argument) || lends_part() || self.comes_from_behind(argument)
    }

    /// Whether an operand is the function's own receiver or something of which a record shows nothing.
    pub fn shows_nothing(&self, operand: &Expr) -> bool {
        match operand {
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| {
                let name = name.to_string();
                name == "self" && self.scope.contains_key("self") || self.is_hidden_name(&name)
            }),
            Expr::Reference(reference) => self.shows_nothing(&reference.expr),
            Expr::Unary(unary) => self.shows_nothing(&unary.expr),
            Expr::Paren(inner) => self.shows_nothing(&inner.expr),
            _ => false,
        }
    }

    /// Whether a place is a field or an element of something of which a record shows nothing.
    fn is_part_of_hidden(&self, place: &Expr) -> bool {
        match place {
            Expr::Field(field) => self.is_part_of_hidden(&field.base),
            Expr::Index(index) => self.is_part_of_hidden(&index.expr),
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| self.is_hidden_name(&name.to_string())),
            _ => false,
        }
    }

    fn is_hidden_name(&self, name: &str) -> bool {
        name != "self" && self.scope.get(name).is_some_and(|variable| !variable.is_plain && !variable.is_stream)
    }
}

/// Whether an expression is a field of the function's receiver, or one inside of that.
fn is_field_of_self(expression: &Expr) -> bool {
    match expression {
        Expr::Field(field) => match &*field.base {
            Expr::Path(path) => path.path.is_ident("self"),
            inner => is_field_of_self(inner),
        },
        _ => false,
    }
}

/// Whether an expression makes something that a record shows, as far as its text tells that.
fn makes_plain(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(_) | Expr::Binary(_) | Expr::Cast(_) => true,
        Expr::Paren(inner) => makes_plain(&inner.expr),
        Expr::Reference(inner) => makes_plain(&inner.expr),
        Expr::Unary(inner) => makes_plain(&inner.expr),
        Expr::Array(array) => array.elems.iter().all(makes_plain),
        Expr::Repeat(repeat) => makes_plain(&repeat.expr),
        Expr::Tuple(tuple) => tuple.elems.iter().all(makes_plain),
        Expr::Macro(call) => call.mac.path.is_ident("format"),
        Expr::MethodCall(call) => PLAINLY.iter().any(|name| call.method == name),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => {
                path.path.segments.iter().rev().nth(1).is_some_and(|owner| PLAIN.iter().any(|name| owner.ident == name))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Methods that give something that a record shows.
const PLAINLY: [&str; 12] = [
    "as_bytes",
    "as_str",
    "count",
    "is_empty",
    "len",
    "repeat",
    "to_lowercase",
    "to_string",
    "to_uppercase",
    "trim",
    "trim_end",
    "trim_start",
];

/// Types whose values a record always shows.
const PLAIN: [&str; 18] = [
    "String", "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16", "u32",
    "u64", "u8", "usize",
];

/// Types whose values a record shows where it shows what is in them.
const HOLDING: [&str; 4] = ["Box", "Cow", "Option", "Vec"];

/// Whether a record shows all values of a type, as far as its text tells that.
fn is_plain(of_type: &Type) -> bool {
    match of_type {
        Type::Reference(reference) => is_plain(&reference.elem),
        Type::Paren(inner) => is_plain(&inner.elem),
        Type::Slice(slice) => is_plain(&slice.elem),
        Type::Array(array) => is_plain(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_plain),
        Type::ImplTrait(object) => is_value(object.bounds.iter()),
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            let is_among = |names: &[&str]| names.iter().any(|name| last.ident == name);
            is_among(&PLAIN) || is_among(&HOLDING) && types_in(&last.arguments).all(is_plain)
        }),
        _ => false,
    }
}

fn types_in(arguments: &PathArguments) -> impl Iterator<Item = &Type> {
    let given = match arguments {
        PathArguments::AngleBracketed(given) => Some(&given.args),
        _ => None,
    };
    given.into_iter().flatten().filter_map(|argument| match argument {
        GenericArgument::Type(of_type) => Some(of_type),
        _ => None,
    })
}

/// Whether bounds are met by plain values, which a record shows.
fn is_value<'b>(mut bounds: impl Iterator<Item = &'b TypeParamBound>) -> bool {
    bounds.any(|bound| match bound {
        TypeParamBound::Trait(bound) => bound
            .path
            .segments
            .last()
            .is_some_and(|last| ["AsRef", "Into", "Display", "ToString"].iter().any(|name| last.ident == name)),
        _ => false,
    })
}
