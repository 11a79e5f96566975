//! The statements that a user selects, and their places in the sources.

pub(crate) mod comparison_sides;
pub(crate) mod context;
pub(crate) mod inactive_code;
pub(crate) mod insertion_point;
pub(crate) mod locate;
pub(crate) mod selection;
pub(crate) mod survey;
