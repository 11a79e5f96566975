//! What can be read off code without running it: which variables it mentions and assigns, whether it can leave.

mod assigned;
mod definite;
mod exits;
mod mentions;

pub use assigned::{assigned_names, is_compound, root_name};
pub use definite::Definite;
pub use exits::Exits;
pub use mentions::{Mentions, mentions_any, mentions_of};
