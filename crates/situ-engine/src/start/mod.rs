//! First steps with a workspace: [`init`] prepares it, and [`doctor`] checks it.

pub mod doctor;
pub mod init;
