//! Source files: their text, their syntax tree, and edits by byte range that leave everything else as it is.

mod declared_name;
mod literals;
mod macro_rules;
mod modules;
mod named_place;
mod nearest;
mod parse;
mod splice;
mod swap;
mod test_attribute;

pub use declared_name::declared_name;
pub use literals::literals;
pub use macro_rules::MacroRules;
pub use modules::{SourceFile, UnreadableModule, module_files, read_modules, why_unreadable};
pub use named_place::NamedPlace;
pub use nearest::nearest_names;
pub use parse::parse;
pub use splice::{Splice, apply};
pub use swap::write_swap_folder;
pub use test_attribute::is_test_attribute;

use proc_macro2::Span;
use std::ops::Range;

/// The bytes of a file that a node of its syntax tree covers.
pub fn byte_range(node: &impl syn::spanned::Spanned) -> Range<usize> {
    range_of(node.span())
}

/// The bytes of a file that a span covers.
pub fn range_of(span: Span) -> Range<usize> {
    span.byte_range()
}
