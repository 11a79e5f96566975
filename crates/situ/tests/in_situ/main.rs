//! In-situ tests of all kinds, one module for each clause or place. What depends on the root of its crate, names of tests and
//! macros in scope, has a program of its own.
#![cfg(feature = "test")]
#![deny(warnings)]
#![allow(
    dead_code,
    reason = "nothing calls the functions themselves: only their fragments run"
)]

mod assignment;
mod async_code;
mod closures;
mod conditions;
mod each;
mod edges;
mod flow;
mod formatters;
mod generics;
mod given_places;
mod givens;
mod impls;
mod interplay;
mod leaving;
#[path = "../listing/mod.rs"]
mod listing;
mod mocks;
mod objects;
mod oracles;
mod ownership;
mod places;
mod scope_clauses;
mod scope_default;
mod services;
mod steps;
mod targets;
mod types;
mod unsafe_code;
