//! Properties that do not hold, and theories that say the same: each is false or panics for some inputs.

pub mod planted;
pub mod real;
#[cfg(test)]
mod theories;
