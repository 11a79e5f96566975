//! The visible type of a value.

use proc_macro2::Ident;
use syn::{Expr, Path, Type, TypePath};

/// Returns the type that an expression visibly has: `Square { .. }`, `Square(2)`, `Square::new(2)`,
/// `5u8`.
pub fn visible_type(value: &Expr) -> Option<Type> {
    let of_path = |path: &Path, is_call: bool| {
        let mut path = path.clone();
        let capital = |name: &Ident| {
            name.to_string()
                .chars()
                .next()
                .is_some_and(char::is_uppercase)
        };
        if is_call
            && path
                .segments
                .last()
                .is_some_and(|last| !capital(&last.ident))
        {
            path.segments.pop();
            path.segments.pop_punct();
        }
        path.segments.last().filter(|last| capital(&last.ident))?;
        Some(Type::Path(TypePath {
            attrs: Vec::new(),
            qself: None,
            path,
        }))
    };
    match value {
        Expr::Struct(value) => of_path(&value.path, false),
        Expr::Path(value) => of_path(&value.path, false),
        Expr::Call(value) => match &*value.func {
            Expr::Path(function) => of_path(&function.path, true),
            _ => None,
        },
        Expr::Paren(value) => visible_type(&value.expr),
        Expr::Lit(literal) => match &literal.lit {
            syn::Lit::Int(number) if !number.suffix().is_empty() => {
                syn::parse_str(number.suffix()).ok()
            }
            syn::Lit::Float(number) if !number.suffix().is_empty() => {
                syn::parse_str(number.suffix()).ok()
            }
            syn::Lit::Str(_) => Some(syn::parse_quote!(&str)),
            syn::Lit::Bool(_) => Some(syn::parse_quote!(bool)),
            syn::Lit::Char(_) => Some(syn::parse_quote!(char)),
            _ => None,
        },
        _ => None,
    }
}
