//! The grammar of Situ's tests and its meaning: tokens in, checked model or spanned errors out.
//!
//! Nothing here does input or output, and nothing panics on user code.

mod analyse;
mod attributes;
mod depth;
mod digest;
mod emit;
mod expand;
mod expected;
mod fragment;
mod generics;
mod grammar;
mod inspect;
mod macros;
mod mistakes;
mod observed;
mod purpose;
mod rename;
mod rewrite;
mod strip;
mod surroundings;
mod test_attributes;
mod text;
pub mod theory;
mod types;
mod unreached;
mod walk;

pub use analyse::{is_block_like, is_compound};
pub use attributes::{
    attributes_of, attributes_of_item, attributes_of_item_mut, attributes_of_statement, is_cfg,
    is_conditional, is_named, is_situ, requires_test, situ_attribute,
};
pub use depth::{Limits, too_deep};
pub use emit::{item_name, module_name};
pub use expand::{expand_situ, expand_situ_for};
pub use expected::{Expected, OracleFound};
pub use fragment::closures_of;
pub use grammar::{Kind, edit_distance, is_test_statement, kind_of_macro};
pub use inspect::{TestFound, inspect};
pub use observed::{OBSERVED, is_observed, observed_digest, observed_literal, without_observed};
pub use purpose::Purpose;
pub use rename::{Edit, NotRenamed, rename_variable, variable_at};
pub use test_attributes::{TestAttribute, is_test_only};
pub use text::source_text;
