//! Whose fault a failure is, where it is not Situ's own.

use std::fmt;

/// A failure that the user can do something about. Everything else that goes wrong is Situ's own fault.
#[derive(Clone, Debug)]
pub enum UserError {
    /// What the user asked for cannot be done; the text says what to do.
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

/// An error that says the user's input is at fault.
pub fn input(text: impl Into<String>) -> anyhow::Error {
    UserError::Input(text.into()).into()
}

/// An error that says the user's own code fails.
pub fn user_code(text: impl Into<String>) -> anyhow::Error {
    UserError::UserCode(text.into()).into()
}
