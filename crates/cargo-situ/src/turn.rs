//! The workspace lock: commands that build below `target/situ` of one workspace run one after the
//! other.

use anyhow::Result;
use situ_engine::base::process::{Alone, alone};
use situ_engine::cargo::workspace::{Workspace, own_folder};

/// Waits for the workspace lock, which is held until the returned guard is dropped.
pub fn take(workspace: &Workspace) -> Result<Alone> {
    alone(&workspace.situ_folder().join(own_folder::TURN), || {
        eprintln!("waiting for another `cargo situ` in this workspace")
    })
}
