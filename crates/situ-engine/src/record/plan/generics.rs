//! Generic parameters in scope. Their actual types and values are inputs of a statement.

use syn::{GenericParam, Generics};

/// Generic parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Generic {
    pub name: String,
    is_constant: bool,
}

impl Generic {
    /// Returns the parameter `Self` of a trait.
    pub(super) fn own_type() -> Generic {
        Generic {
            name: "Self".to_owned(),
            is_constant: false,
        }
    }

    /// Returns the type and const parameters of an item.
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

    /// Returns an expression that evaluates to the type's name or the constant's value.
    pub(super) fn captured(&self) -> String {
        if self.is_constant {
            self.name.clone()
        } else {
            format!("::situ_recorder::probe::name_of::<{}>()", self.name)
        }
    }
}
