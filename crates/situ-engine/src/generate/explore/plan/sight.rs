//! From where something can be seen, as what is inserted asks: a value is written where its theory stands.

use super::CRATE;
use syn::{ItemStruct, Visibility};

/// From where something can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sight {
    /// From everywhere.
    Everywhere,
    /// From the module so deep below the crate's root that is around it, and from all inside of that.
    Below(usize),
}

impl Sight {
    /// From where an item with this visibility can be seen that stands in a module.
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

    /// From where all fields of a struct can be seen.
    pub(super) fn of_fields(item: &ItemStruct, module: &[String]) -> Sight {
        item.fields
            .iter()
            .map(|field| Sight::of(&field.vis, module))
            .max()
            .unwrap_or(Sight::Everywhere)
    }

    /// A statement that ends a function with `hidden` where the values cannot be written; it stands in the same module.
    pub(super) fn guard(self, hidden: &str) -> String {
        match self {
            Sight::Everywhere => String::new(),
            Sight::Below(depth) => {
                format!("if !shapes.sees(::core::module_path!(), {depth}) {{ return {hidden}; }} ")
            }
        }
    }
}

/// What stands for a variant that cannot be written.
pub(super) fn hidden_variant() -> &'static str {
    "shapes.hidden()"
}

/// What stands for a shape that cannot be written.
pub(super) fn hidden_shape() -> String {
    format!("::{CRATE}::Shape::Impossible")
}
