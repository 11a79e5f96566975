//! Source files: their text, their syntax tree, and edits by byte range that leave everything else as it is.

mod allocators;
mod declared_name;
mod literals;
mod macro_rules;
mod modules;
mod named_place;
mod parse;
mod splice;
mod swap;

pub use allocators::AllocatorCode;
pub use declared_name::declared_name;
pub use literals::literals;
pub use macro_rules::MacroRules;
pub use modules::{SourceFile, module_files};
pub use named_place::NamedPlace;
pub use parse::parse;
pub use splice::{Splice, apply};
pub use swap::write_swap_folder;

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
