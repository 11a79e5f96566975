//! The grammar of Situ's tests and its meaning: tokens in, checked model or spanned errors out.
//!
//! Nothing here does input or output, and nothing panics on user code.

mod analyse;
mod depth;
mod emit;
mod expand;
mod fragment;
mod generics;
mod grammar;
mod inspect;
mod macros;
mod mistakes;
mod purpose;
mod rename;
mod rewrite;
mod strip;
mod surroundings;
mod text;
pub mod theory;
mod types;
mod walk;

pub use analyse::is_compound;
pub use depth::too_deep;
pub use emit::{item_name, module_name};
pub use expand::{expand_situ, expand_situ_for};
pub use fragment::closures_of;
pub use grammar::Kind;
pub use inspect::{TestFound, inspect};
pub use purpose::Purpose;
pub use rename::{Edit, NotRenamed, rename_variable, variable_at};
pub use text::source_text;
pub use walk::is_block_like;
