//! The return types of theories.

use std::fmt::Debug;

/// The outcome of a theory's body.
#[diagnostic::on_unimplemented(
    message = "a theory cannot return `{Self}`",
    label = "return `()`, `bool` or `Result<(), E>` where `E: Debug`, and assert the rest"
)]
pub trait Conclusion {
    /// Converts the value into nothing, or the failure message.
    fn failure(self) -> Result<(), String>;
}

impl Conclusion for () {
    #[inline]
    fn failure(self) -> Result<(), String> {
        Ok(())
    }
}

impl Conclusion for bool {
    #[inline]
    fn failure(self) -> Result<(), String> {
        if self {
            Ok(())
        } else {
            Err(String::from("returned false"))
        }
    }
}

impl<E: Debug> Conclusion for Result<(), E> {
    fn failure(self) -> Result<(), String> {
        self.map_err(|error| format!("returned Err({error:?})"))
    }
}
