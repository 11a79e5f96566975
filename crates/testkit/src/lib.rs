//! What Situ's own tests share. Not published.

pub mod markdown;
pub mod project;
pub mod published;
pub mod repository;
