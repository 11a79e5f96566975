//! Confinement on Linux: Landlock and seccomp.

use super::{Limits, Missing, spawner};
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command};

/// Starts a thread without writable folders and returns what could not be restricted for it.
pub(super) fn missing() -> Vec<Missing> {
    spawner::missing(&[]).unwrap_or_else(|_| vec![Missing::Landlock])
}

pub(super) fn missed() -> Vec<Missing> {
    spawner::missed()
}

pub(super) fn spawn(
    command: &mut Command,
    writable: &[PathBuf],
    limits: Limits,
) -> io::Result<Child> {
    spawner::spawn(command, writable, limits)
}
