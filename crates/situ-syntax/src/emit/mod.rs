//! Generation of the code that runs a test on its target.

mod any;
mod body;
mod case_name;
mod formatter;
mod inputs;
mod item;
mod leaving;
mod objects;
mod oracles;
mod parts;
mod target;
mod test_name;

pub use any::any_values;
pub use item::{expand_item, item_name, module_name};
pub use test_name::TestNames;
