//! Confinement on Linux: Landlock and seccomp; copies of trees where there is no Landlock.

use super::{Limits, Missing, spawner, tree_copy};
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command};

/// Asks a thread that writes nowhere.
pub fn missing() -> Vec<Missing> {
    spawner::missing(&[], Limits::default()).unwrap_or_else(|_| vec![Missing::Landlock])
}

pub fn missed() -> Vec<Missing> {
    spawner::missed()
}

pub fn spawn(command: &mut Command, writable: &[PathBuf], limits: Limits) -> io::Result<Child> {
    if spawner::missing(writable, limits)?.contains(&Missing::Landlock) {
        tree_copy::redirect(command)?;
    }
    spawner::spawn(command, writable, limits)
}
