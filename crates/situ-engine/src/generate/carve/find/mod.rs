//! The functions that a run called, and which of them a test can call.

pub(crate) mod call_filter;
pub(crate) mod callee;
pub(crate) mod declared;
pub(crate) mod scenario;
pub(crate) mod selection;
pub(crate) mod sources;
pub(crate) mod subject;
