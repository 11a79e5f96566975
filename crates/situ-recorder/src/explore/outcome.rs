//! The outcome of one execution of a theory.

/// The outcome of one assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The theory holds.
    Held,
    /// An assumption rejected it: its expression, file and line.
    Rejected(&'static str, &'static str, u32),
    /// The theory is violated: the message of the panic or the returned error.
    Violated(String),
    /// A constructor refused its arguments: there is no such value.
    NotBuilt,
}
