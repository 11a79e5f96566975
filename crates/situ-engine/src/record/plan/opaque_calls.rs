//! Calls of the workspace's own functions that a test of a fragment may have to mock: their
//! receiver or an argument is opaque, that is, a recording may not hold all of its value. Of such a
//! call the result and the plain arguments are recorded.

use super::walk::Walk;
use syn::{Expr, GenericArgument, Local, Pat, PatType, PathArguments, Type, TypeParamBound};

impl Walk<'_, '_> {
    /// Records whether the recorder captures a parameter or variable completely, judged by its
    /// declared type.
    pub(super) fn bind_typed(&mut self, typed: &PatType) {
        let Pat::Ident(name) = &*typed.pat else {
            return;
        };
        if let Some(variable) = self.scope.get_mut(&name.ident.to_string()) {
            variable.is_plain = is_plain(&typed.ty);
        }
    }

    /// Records whether the recorder captures the variable of a `let` completely, judged by its
    /// declared type, otherwise by its initialiser.
    pub(super) fn bind_made(&mut self, local: &Local) {
        let (name, is_plain) = match &local.pat {
            Pat::Type(typed) => return self.bind_typed(typed),
            Pat::Ident(name) => (
                name,
                local
                    .init
                    .as_ref()
                    .is_some_and(|init| makes_plain(&init.expr)),
            ),
            _ => return,
        };
        if let Some(variable) = self.scope.get_mut(&name.ident.to_string()) {
            variable.is_plain = is_plain;
        }
    }

    /// Returns whether a call is made on `self` or a field of it, or with something opaque.
    pub(super) fn is_opaque_call(&self, call: &Expr) -> bool {
        self.planner.wanted.fragments
            && match call {
                Expr::Call(call) => {
                    let is_own = |word: &syn::Ident| {
                        word == "self" || self.is_opaque_variable(&word.to_string())
                    };
                    let calls_variable = matches!(&*call.func, Expr::Path(path) if path.path.get_ident().is_some_and(is_own));
                    calls_variable
                        || call
                            .args
                            .iter()
                            .any(|argument| self.is_opaque_argument(argument))
                }
                Expr::MethodCall(call) => {
                    self.is_opaque(&call.receiver)
                        || self.is_part_of_opaque(&call.receiver)
                        || is_field_of_self(&call.receiver)
                        || self.is_from_opaque_call(&call.receiver)
                        || call
                            .args
                            .iter()
                            .any(|argument| self.is_opaque_argument(argument))
                }
                _ => false,
            }
    }

    /// Returns whether a value is the result of an opaque call, or a part of it. Such a value may
    /// be opaque itself, while the call that it is passed to may return a plain one.
    fn is_from_opaque_call(&self, value: &Expr) -> bool {
        match value {
            Expr::Call(_) | Expr::MethodCall(_) => self.is_opaque_call(value),
            Expr::Try(inner) => self.is_from_opaque_call(&inner.expr),
            Expr::Paren(inner) => self.is_from_opaque_call(&inner.expr),
            Expr::Reference(inner) => self.is_from_opaque_call(&inner.expr),
            Expr::Unary(inner) => self.is_from_opaque_call(&inner.expr),
            Expr::Field(inner) => self.is_from_opaque_call(&inner.base),
            Expr::Index(inner) => self.is_from_opaque_call(&inner.expr),
            _ => false,
        }
    }

    /// Returns whether an argument is opaque, or mutably borrows a part of something opaque.
    pub(super) fn is_opaque_argument(&self, argument: &Expr) -> bool {
        let borrows_part = || match argument {
            Expr::Reference(borrow) if borrow.mutability.is_some() => {
                is_field_of_self(&borrow.expr) || self.is_part_of_opaque(&borrow.expr)
            }
            _ => false,
        };
        self.is_opaque(argument) || borrows_part() || self.is_from_opaque_call(argument)
    }

    /// Returns whether an operand is `self` or an opaque variable.
    pub(super) fn is_opaque(&self, operand: &Expr) -> bool {
        match operand {
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| {
                let name = name.to_string();
                name == "self" && self.scope.contains_key("self") || self.is_opaque_variable(&name)
            }),
            Expr::Reference(reference) => self.is_opaque(&reference.expr),
            Expr::Unary(unary) => self.is_opaque(&unary.expr),
            Expr::Paren(inner) => self.is_opaque(&inner.expr),
            _ => false,
        }
    }

    /// Returns whether a place is a field or an element of an opaque variable.
    fn is_part_of_opaque(&self, place: &Expr) -> bool {
        match place {
            Expr::Field(field) => self.is_part_of_opaque(&field.base),
            Expr::Index(index) => self.is_part_of_opaque(&index.expr),
            Expr::Path(path) => path
                .path
                .get_ident()
                .is_some_and(|name| self.is_opaque_variable(&name.to_string())),
            _ => false,
        }
    }

    fn is_opaque_variable(&self, name: &str) -> bool {
        name != "self"
            && self
                .scope
                .get(name)
                .is_some_and(|variable| !variable.is_plain && !variable.is_stream)
    }
}

/// Returns whether an expression is a field of `self`, at any depth.
fn is_field_of_self(expression: &Expr) -> bool {
    match expression {
        Expr::Field(field) => match &*field.base {
            Expr::Path(path) => path.path.is_ident("self"),
            inner => is_field_of_self(inner),
        },
        _ => false,
    }
}

/// Returns whether a recording holds all of an expression's value, as far as the syntax tells.
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
        Expr::MethodCall(call) => PLAIN_RESULTS.iter().any(|name| call.method == name),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => path
                .path
                .segments
                .iter()
                .rev()
                .nth(1)
                .is_some_and(|owner| PLAIN_TYPES.iter().any(|name| owner.ident == name)),
            _ => false,
        },
        _ => false,
    }
}

/// Methods whose results a recording always holds.
const PLAIN_RESULTS: [&str; 12] = [
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

/// Types whose values a recording always holds.
const PLAIN_TYPES: [&str; 18] = [
    "String", "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str",
    "u128", "u16", "u32", "u64", "u8", "usize",
];

/// Types whose values a recording holds if it holds their elements.
const CONTAINERS: [&str; 4] = ["Box", "Cow", "Option", "Vec"];

/// Returns whether a recording holds all values of a type, as far as its syntax tells.
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
            is_among(&PLAIN_TYPES)
                || is_among(&CONTAINERS) && types_in(&last.arguments).all(is_plain)
        }),
        _ => false,
    }
}

fn types_in(arguments: &PathArguments) -> impl Iterator<Item = &Type> {
    let given = match arguments {
        PathArguments::AngleBracketed(given) => Some(&given.args),
        _ => None,
    };
    given
        .into_iter()
        .flatten()
        .filter_map(|argument| match argument {
            GenericArgument::Type(of_type) => Some(of_type),
            _ => None,
        })
}

/// Returns whether plain values meet the bounds of an `impl Trait`.
fn is_value<'b>(mut bounds: impl Iterator<Item = &'b TypeParamBound>) -> bool {
    bounds.any(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|last| {
            ["AsRef", "Into", "Display", "ToString"]
                .iter()
                .any(|name| last.ident == name)
        }),
        _ => false,
    })
}
