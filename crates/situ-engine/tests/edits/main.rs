//! Edits of the user's files, on published sources and on projects that are really built.

mod builds;
mod patches;
mod project;
mod published;
mod writes;
