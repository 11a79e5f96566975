//! Commands that build below `target/situ` of one workspace take turns.

use anyhow::Result;
use situ_engine::base::process::{Alone, alone};
use situ_engine::cargo::workspace::{Workspace, own_folder};

/// Waits for this command's turn, which lasts until what is given is dropped.
pub fn take(workspace: &Workspace) -> Result<Alone> {
    alone(&workspace.situ_folder().join(own_folder::TURN), || {
        eprintln!("waiting for another `cargo situ` in this workspace")
    })
}
