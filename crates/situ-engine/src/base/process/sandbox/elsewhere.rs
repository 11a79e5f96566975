//! Fallback for systems without Landlock and seccomp: programs run in copies of their trees.

use super::{Limits, Missing, tree_copy};
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command};

pub fn missing() -> Vec<Missing> {
    vec![
        Missing::Landlock,
        Missing::Signals,
        Missing::Network,
        Missing::Modes,
        Missing::Filter,
    ]
}

pub fn missed() -> Vec<Missing> {
    missing()
}

pub fn spawn(command: &mut Command, _writable: &[PathBuf], limits: Limits) -> io::Result<Child> {
    tree_copy::redirect(command)?;
    let child = command.spawn()?;
    limits.apply_to(child.id());
    Ok(child)
}
