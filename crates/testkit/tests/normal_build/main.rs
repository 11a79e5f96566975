//! A normal build pays nothing: no dependency but the tiny macro crate, no byte in the binary.

mod blanked;
mod dependencies;
mod machine_code;
