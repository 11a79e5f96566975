//! Small random programs: what they are, what they do, where their fragments end, how they are written.

pub mod fragment;
pub mod interpreter;
pub mod needed;
pub mod program;
pub mod random;
pub mod render;
