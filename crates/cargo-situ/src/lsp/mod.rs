//! The language server: what an editor shows of in-situ tests, theories and recordings.
//!
//! [`server`] exchanges messages with the editor. Everything that takes time is one of its
//! [`jobs`], a child process of this same command. [`folds`], [`lenses`], [`hover`], [`actions`]
//! and [`rename`] each answer one kind of request from an open [`document`].

mod actions;
mod document;
mod folds;
mod givens;
mod hover;
mod jobs;
mod lenses;
mod outcomes;
mod patch;
mod place;
mod recorded;
mod rename;
mod server;
mod transport;

pub use server::serve;
