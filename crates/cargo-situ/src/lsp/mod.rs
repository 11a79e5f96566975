//! The language server: what an editor shows of in-situ tests, theories and recordings.
//!
//! [`server`] speaks with the editor; everything that takes time is one of its [`jobs`], a run of this same command. Of the
//! questions, [`folds`], [`lenses`], [`hover`], [`actions`] and [`rename`] answer one each from an open [`document`].

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
