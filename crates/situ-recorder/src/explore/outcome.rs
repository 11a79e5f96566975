//! What one execution of a theory came to.

/// The fate of one assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The theory holds for it.
    Held,
    /// An assumption turned it down: its text, file and line.
    Rejected(&'static str, &'static str, u32),
    /// The theory does not hold for it: what the panic or the returned error says.
    Violated(String),
    /// A constructor refused its arguments: there is no such value.
    NotBuilt,
}
