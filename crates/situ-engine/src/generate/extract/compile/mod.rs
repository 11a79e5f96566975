//! All rows in a mirror of the workspace, without what the compiler rejects.

pub(crate) mod bisect;
pub(crate) mod blame;
pub(crate) mod recheck;
pub(crate) mod settle;
pub(crate) mod verify;
