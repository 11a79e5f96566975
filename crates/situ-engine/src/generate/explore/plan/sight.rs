//! Visibility of items, because a value is written in the module of its theory.

use super::CRATE;
use syn::{ItemStruct, Visibility};

/// The visibility of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sight {
    /// From everywhere.
    Everywhere,
    /// In the enclosing module at this depth below the crate's root, and inside it.
    Below(usize),
}

impl Sight {
    /// Returns the visibility of an item in a module.
    pub(super) fn of(visibility: &Visibility, module: &[String]) -> Sight {
        match visibility {
            Visibility::Public(_) => Sight::Everywhere,
            Visibility::Inherited => Sight::Below(module.len()),
            Visibility::Restricted(restricted) => {
                let mut depth = module.len();
                for segment in &restricted.path.segments {
                    match segment.ident.to_string().as_str() {
                        "crate" => depth = 0,
                        "self" => {}
                        "super" => depth = depth.saturating_sub(1),
                        _ => depth += 1,
                    }
                }
                Sight::Below(depth)
            }
        }
    }

    /// Returns the visibility of a struct's fields together.
    pub(super) fn of_fields(item: &ItemStruct, module: &[String]) -> Sight {
        item.fields
            .iter()
            .map(|field| Sight::of(&field.vis, module))
            .max()
            .unwrap_or(Sight::Everywhere)
    }

    /// Returns a statement that returns `hidden` if the values cannot be written in the theory's
    /// module.
    pub(super) fn guard(self, hidden: &str) -> String {
        match self {
            Sight::Everywhere => String::new(),
            Sight::Below(depth) => {
                format!("if !shapes.sees(::core::module_path!(), {depth}) {{ return {hidden}; }} ")
            }
        }
    }
}

/// Returns the replacement of a variant that cannot be written.
pub(super) fn hidden_variant() -> &'static str {
    "shapes.hidden()"
}

/// Returns the replacement of a shape that cannot be written.
pub(super) fn hidden_shape() -> String {
    format!("::{CRATE}::Shape::Impossible")
}
