//! Static analysis of code: the variables that it mentions and assigns, and its exits.

mod assigned;
mod block_like;
mod definite;
mod exits;
mod mentions;

pub use assigned::{assigned_names, is_compound, root_name};
pub use block_like::is_block_like;
pub use definite::{Definite, Unassigned};
pub use exits::Exits;
pub use mentions::{Mentions, mentions_any, mentions_of};
