//! Source files: text, syntax trees, and edits by byte range that change nothing else.
//!
//! All text of users is parsed here and nowhere else: [`parse()`] handles byte order marks, limits
//! the nesting depth, and says why a file cannot be used. [`read_crate`] then continues with the
//! other files.

mod allocators;
mod bare_range;
pub(crate) mod cfg;
mod declared_name;
mod error;
mod given_types;
mod imports;
pub(crate) mod lines;
mod literals;
mod macro_rules;
mod modules;
mod named_place;
mod nearest;
mod parse;
mod read;
pub(crate) mod row_name;
mod splice;
mod stack;
mod swap;
pub(crate) mod targets;
mod tests_in;
mod unreadable;

pub use allocators::AllocatorCode;
pub use bare_range::{bare_range, bare_statement_range, behind_attributes};
pub use declared_name::declared_name;
pub use error::SourceError;
pub use given_types::{Given, Gives, TypeNames};
pub use imports::Imports;
pub use literals::literals;
pub use macro_rules::MacroRules;
pub use modules::{CrateSources, SourceFile, module_files, read_crate};
pub use named_place::NamedPlace;
pub use nearest::nearest_names;
pub use parse::{lex, parse, parse_part, parse_part_with, parse_tokens, parse_tokens_with};
pub use read::{read_file, read_text};
pub use splice::{Splice, apply};
pub use stack::with_large_stack;
pub use swap::write_swap_folder;
pub use tests_in::tests_in;
pub use unreadable::UnreadableFile;

use proc_macro2::Span;
use std::ops::Range;

/// Returns the byte range of a node in its file.
pub fn byte_range(node: &impl syn::spanned::Spanned) -> Range<usize> {
    range_of(node.span())
}

/// Returns the byte range of a span in its file.
pub fn range_of(span: Span) -> Range<usize> {
    span.byte_range()
}
