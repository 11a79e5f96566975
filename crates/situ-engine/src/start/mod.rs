//! The first steps with a workspace: what [`init`] would add to it, and whether a [`doctor`] finds it fit.

pub mod doctor;
pub mod init;
