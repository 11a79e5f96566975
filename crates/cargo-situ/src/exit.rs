//! The exit codes of the command, and how a failure becomes one.

use situ_engine::fault::Fault;
use std::process::ExitCode;

/// How the command ends. The numbers are part of its interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done = 0,
    /// Something is wrong with the code under test.
    Found = 1,
    /// The user's input is at fault.
    Input = 2,
    /// The user's own tests or build fail before Situ changes anything.
    UserCode = 3,
    /// Situ's own fault.
    Internal = 70,
}

/// Says what went wrong, if anything did, and gives the code.
pub fn report(result: anyhow::Result<Exit>) -> ExitCode {
    let exit = result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        match error.downcast_ref::<Fault>() {
            Some(Fault::Input(_)) => Exit::Input,
            Some(Fault::UserCode(_)) => Exit::UserCode,
            None => Exit::Internal,
        }
    });
    ExitCode::from(exit as u8)
}
