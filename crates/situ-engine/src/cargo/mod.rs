//! The user's workspace as cargo sees it, and everything between cargo and the compiler.

pub mod manifest;
pub mod prebuilt;
pub(crate) mod runtime;
mod unreadable;
pub mod workspace;
pub mod wrapper;

pub use unreadable::unreadable_files;
