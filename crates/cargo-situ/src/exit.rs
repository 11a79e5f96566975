//! The exit codes of the command, and how a failure becomes one.

use anyhow::bail;
use situ_engine::base::process::{
    descriptors, free_space, is_for_users_command, keeper, kill_all_groups, sandbox, signals,
};
use situ_engine::base::user_error::UserError;
use situ_engine::record::masking::masked;
use std::io::{self, ErrorKind};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

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

/// Whether a signal is ending this process.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// Ends everything that was started whenever this process ends before it is done: by a signal, of which what runs in groups
/// of its own would not hear, or killed, which the keeper notices. To be called before any thread is started.
///
/// A command that is recorded gets an interrupt itself, and what it did until then is used.
pub fn end_all_with_this_process() {
    descriptors::keep_inherited();
    keeper::start();
    signals::hear(|request| {
        if request == signals::Request::Interrupt && is_for_users_command() {
            return;
        }
        IS_ENDING.store(true, Ordering::SeqCst);
        kill_all_groups();
        sandbox::remove_copies();
        // Without a goodbye, so that the keeper ends what has left its group.
        std::process::exit(request.exit_code());
    });
}

/// Says what could not be confined and which tests had to be left out because of the sandbox, and lets go of everything that watches over this process.
pub fn dismiss() {
    if sandbox::is_on() {
        for missing in sandbox::missed() {
            eprintln!("warning: the sandbox is incomplete: {missing}");
        }
    }
    let left_out: Vec<String> = sandbox::left_out().into_iter().collect();
    if !left_out.is_empty() {
        eprintln!(
            "warning: these tests pass outside the sandbox only, and were left out: {}",
            left_out.join(", ")
        );
        eprintln!(
            "`--allow-write PATH` lets them write to a file or folder, `--memory SIZE` lets them use more memory, `--no-sandbox` \
             lets them do anything"
        );
    }
    sandbox::remove_copies();
    keeper::dismiss();
}

/// Runs the command. A panic is a fault of Situ's own, whatever the user's code made it stumble over; its message has been
/// printed then.
pub fn guarded(command: impl FnOnce() -> anyhow::Result<Exit>) -> anyhow::Result<Exit> {
    let ended = catch_unwind(AssertUnwindSafe(command));
    // What the command says of processes that a signal has ended is not worth hearing.
    while IS_ENDING.load(Ordering::SeqCst) {
        std::thread::park();
    }
    ended.unwrap_or_else(|_| {
        kill_all_groups();
        bail!("Situ itself is at fault; please report it with the message above")
    })
}

/// Says what went wrong, if anything did, and gives the code.
pub fn report(result: anyhow::Result<Exit>) -> ExitCode {
    let exit = result.unwrap_or_else(|error| {
        tell(&error);
        match error.downcast_ref::<UserError>() {
            Some(UserError::Input(_)) => Exit::Input,
            Some(UserError::UserCode(_)) => {
                // A linker that has no room left dies without a word of it.
                if is_disk_full() {
                    eprintln!("{DISK_IS_FULL}");
                }
                Exit::UserCode
            }
            None => match what_to_do(&error) {
                Some(words) => {
                    eprintln!("{words}");
                    Exit::Input
                }
                None => Exit::Internal,
            },
        }
    });
    ExitCode::from(exit as u8)
}

/// Says what went wrong. What begins with the words of a compiler that says itself that they are an error is left as it is.
pub fn tell(error: &anyhow::Error) {
    eprintln!("{}", told(&masked(&format!("{error:#}"))));
}

fn told(text: &str) -> String {
    if text.starts_with("error:") || text.starts_with("error[") {
        text.to_owned()
    } else {
        format!("error: {text}")
    }
}

const DISK_IS_FULL: &str =
    "the disk is full: make room, or set CARGO_TARGET_DIR to a folder on another one";

/// Is there next to no room left where cargo builds?
fn is_disk_full() -> bool {
    const NEXT_TO_NOTHING: u64 = 1 << 20;
    let folder =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    free_space(&folder).is_some_and(|free| free < NEXT_TO_NOTHING)
}

/// What helps where the machine does not let us write, or something else lies where Situ has its files.
fn what_to_do(error: &anyhow::Error) -> Option<&'static str> {
    let kind = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<io::Error>())
        .map(io::Error::kind)?;
    match kind {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Some(DISK_IS_FULL),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem | ErrorKind::NotADirectory => {
            Some(
                "set CARGO_TARGET_DIR to a folder that can be written to; `cargo situ doctor` tells more",
            )
        }
        ErrorKind::IsADirectory
        | ErrorKind::DirectoryNotEmpty
        | ErrorKind::AlreadyExists
        | ErrorKind::InvalidData => Some(
            "Situ did not put that there: remove its folder, `situ` below cargo's target folder; what is in it is made again",
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_said_to_be_one_once() {
        assert_eq!(told("there is no package"), "error: there is no package");
        for said in [
            "error: could not compile `x`",
            "error[E0308]: mismatched types",
        ] {
            assert_eq!(told(said), said);
        }
    }

    #[test]
    fn what_lies_in_the_way_of_our_files_is_for_the_user_to_remove() {
        for kind in [
            ErrorKind::IsADirectory,
            ErrorKind::InvalidData,
            ErrorKind::PermissionDenied,
        ] {
            let error = anyhow::Error::from(io::Error::from(kind)).context("writing the plan");
            assert!(what_to_do(&error).is_some(), "{kind}");
        }
        assert!(what_to_do(&anyhow::anyhow!("a mistake of ours")).is_none());
    }

    #[test]
    fn a_panic_is_our_own_fault() {
        let ended = guarded(|| panic!("on purpose"));
        assert!(
            ended
                .as_ref()
                .is_err_and(|error| error.downcast_ref::<UserError>().is_none()),
            "{ended:?}"
        );
        assert_eq!(report(ended), ExitCode::from(70));
        assert_eq!(report(guarded(|| Ok(Exit::Found))), ExitCode::from(1));
    }
}
