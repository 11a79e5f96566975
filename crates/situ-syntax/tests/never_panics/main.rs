//! Whatever stands below `#[situ]`, the macro gives back items: the user's own, and tests or errors beside it.
//!
//! A macro that panics takes the user's item with it and buries the mistake under a hundred others.

mod clauses;
mod deep;
mod hostile;
mod insertion;
mod published;
mod verdict;
