//! TEMPORARY
use situ_engine::{edit::Proposal, workspace::Workspace};
pub fn review(_: &Workspace, p: &[Proposal]) -> anyhow::Result<Vec<Proposal>> { Ok(p.to_vec()) }
