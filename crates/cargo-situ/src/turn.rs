//! Commands that build below `target/situ` of one workspace take turns.

use anyhow::Result;
use situ_engine::process::{Alone, alone};
use situ_engine::workspace::Workspace;

/// Waits for this command's turn, which lasts until what is given is dropped.
pub fn take(workspace: &Workspace) -> Result<Alone> {
    alone(&workspace.situ_folder().join("turn"), || eprintln!("waiting for another `cargo situ` in this workspace"))
}
