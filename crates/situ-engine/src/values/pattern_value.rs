//! Values of patterns.

use situ_recorder::value::Value;
use syn::Pat;

/// Returns the value that a pattern was matched with, rebuilt from the values of its bindings.
/// `ignored` is used for parts that it does not bind.
pub(crate) fn element(
    pattern: &Pat,
    of: &dyn Fn(&str) -> Option<Value>,
    ignored: Option<&Value>,
) -> Option<Value> {
    match pattern {
        Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => {
            of(&name.ident.to_string())
        }
        Pat::Wild(_) => ignored.cloned(),
        Pat::Paren(inner) => element(&inner.pat, of, ignored),
        Pat::Type(typed) => element(&typed.pat, of, ignored),
        Pat::Tuple(tuple) => {
            let parts: Option<Vec<Value>> = tuple
                .elems
                .iter()
                .map(|part| element(part, of, ignored))
                .collect();
            parts.map(Value::Tuple)
        }
        Pat::Reference(reference) => {
            let inner = Box::new(element(&reference.pat, of, ignored)?);
            Some(Value::Ref {
                mutable: reference.mutability.is_some(),
                inner,
            })
        }
        _ => None,
    }
}
