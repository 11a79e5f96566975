//! The generic parameters in scope: what each is when a statement runs is one of its inputs.

use syn::{GenericParam, Generics};

/// A generic parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Generic {
    /// Its name.
    pub name: String,
    is_constant: bool,
}

impl Generic {
    /// The type that implements the trait around.
    pub(super) fn own_type() -> Generic {
        Generic {
            name: "Self".to_owned(),
            is_constant: false,
        }
    }

    /// The types and constants among parameters.
    pub(super) fn all(generics: &Generics) -> impl Iterator<Item = Generic> + '_ {
        generics
            .params
            .iter()
            .filter_map(|parameter| match parameter {
                GenericParam::Type(parameter) => Some(Generic {
                    name: parameter.ident.to_string(),
                    is_constant: false,
                }),
                GenericParam::Const(parameter) => Some(Generic {
                    name: parameter.ident.to_string(),
                    is_constant: true,
                }),
                GenericParam::Lifetime(_) => None,
            })
    }

    /// The expression whose value says what it is.
    pub(super) fn captured(&self) -> String {
        if self.is_constant {
            self.name.clone()
        } else {
            format!("::situ_recorder::probe::name_of::<{}>()", self.name)
        }
    }
}
