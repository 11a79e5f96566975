//! The exit codes of the command, and how a failure becomes one.

use situ_engine::fault::Fault;
use situ_engine::process::{kill_all_groups, runs_users_command};
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

/// Ends everything that is running when the user interrupts; what runs in groups of its own would not hear of it. A
/// command that is recorded gets the interrupt itself, and what it did until then is used.
pub fn end_on_interrupt() {
    const INTERRUPTED: i32 = 130;
    // Without a handler the command still ends, and its processes end by their time limits.
    let _ = ctrlc::set_handler(|| {
        if runs_users_command() {
            return;
        }
        kill_all_groups();
        std::process::exit(INTERRUPTED);
    });
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
