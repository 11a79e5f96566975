//! Givens for trait objects: an oracle needs the concrete value, while the program knows only the
//! traits.

use syn::{GenericArgument, Path, PathArguments, Type, TypeParamBound};

/// Returns the traits of an object: `dyn Write`, behind a mutable reference or in a box.
pub fn traits_of_object(ty: &Type) -> Option<Vec<Path>> {
    let behind = match ty {
        Type::Reference(reference) if reference.mutability.is_some() => &*reference.elem,
        Type::Path(path) => {
            let last = path
                .path
                .segments
                .last()
                .filter(|last| last.ident == "Box")?;
            let PathArguments::AngleBracketed(arguments) = &last.arguments else {
                return None;
            };
            match arguments.args.first()? {
                GenericArgument::Type(boxed) => boxed,
                _ => return None,
            }
        }
        _ => return None,
    };
    match behind {
        Type::TraitObject(object) => Some(object.bounds.iter().filter_map(plain_trait).collect()),
        Type::Paren(inner) => match &*inner.elem {
            Type::TraitObject(object) => {
                Some(object.bounds.iter().filter_map(plain_trait).collect())
            }
            _ => None,
        },
        _ => None,
    }
}

fn plain_trait(bound: &TypeParamBound) -> Option<Path> {
    match bound {
        TypeParamBound::Trait(bound) => Some(bound.path.clone())
            .filter(|path| path.segments.iter().all(|word| word.arguments.is_none())),
        _ => None,
    }
}
