//! Errors that the user can fix, as opposed to faults of Situ.

use std::fmt;

/// Failure that the user can fix. Every other error is a fault of Situ.
#[derive(Clone, Debug)]
pub enum UserError {
    /// The user's request cannot be fulfilled; the message says what to do.
    Input(String),
    /// The user's own build or tests fail before Situ changes anything.
    UserCode(String),
}

impl fmt::Display for UserError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (UserError::Input(text) | UserError::UserCode(text)) = self;
        formatter.write_str(text)
    }
}

impl std::error::Error for UserError {}

/// Returns an error that blames the user's input.
pub fn input(text: impl Into<String>) -> anyhow::Error {
    UserError::Input(text.into()).into()
}

/// Returns an error that blames the user's own code.
pub fn user_code(text: impl Into<String>) -> anyhow::Error {
    UserError::UserCode(text.into()).into()
}
