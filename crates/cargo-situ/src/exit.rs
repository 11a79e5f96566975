//! The exit codes of the command, and the mapping from failures to them.

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

/// The exit code of the command. The numbers are part of its interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The command did what was asked.
    Done = 0,
    /// The command found something wrong with the code under test.
    Found = 1,
    /// The user's input is at fault.
    Input = 2,
    /// The user's own tests or build fail before Situ changes anything.
    UserCode = 3,
    /// Situ itself is at fault.
    Internal = 70,
}

/// Set once a signal has begun to end this process.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// Makes sure that every process that this one starts ends with it. Processes in groups of their
/// own do not receive the terminal's signals, so a handler forwards them; if this process is killed
/// outright, the keeper process notices. Must be called before any thread is started.
///
/// A command that is being recorded receives an interrupt itself, and its recording so far is used.
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
        // `dismiss` is not called here: the keeper then ends processes that have left its group.
        std::process::exit(request.exit_code());
    });
}

/// Reports which parts of the sandbox are missing and which tests were dropped because of it, then
/// dismisses the keeper of this process.
pub fn dismiss() {
    if sandbox::is_on() {
        for missing in sandbox::missed() {
            eprintln!("warning: the sandbox is incomplete: {missing}");
        }
    }
    let left_out: Vec<String> = sandbox::left_out().into_iter().collect();
    if !left_out.is_empty() {
        eprintln!(
            "warning: these tests pass only outside the sandbox and were dropped: {}",
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

/// Runs the command and turns a panic into an internal error, because a panic is Situ's own fault.
/// The panic hook has printed its message by then.
pub fn guarded(command: impl FnOnce() -> anyhow::Result<Exit>) -> anyhow::Result<Exit> {
    let ended = catch_unwind(AssertUnwindSafe(command));
    // Messages about processes that a signal has just ended would only confuse: wait for the end.
    while IS_ENDING.load(Ordering::SeqCst) {
        std::thread::park();
    }
    ended.unwrap_or_else(|_| {
        kill_all_groups();
        bail!("Situ itself is at fault; please report it with the message above")
    })
}

/// Prints the error, if there is one, and returns the exit code.
pub fn report(result: anyhow::Result<Exit>) -> ExitCode {
    let exit = result.unwrap_or_else(|error| {
        tell(&error);
        match error.downcast_ref::<UserError>() {
            Some(UserError::Input(_)) => Exit::Input,
            Some(UserError::UserCode(_)) => {
                // A linker that finds no space left dies without saying so.
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

/// Prints an error on standard error, prefixed with `error: ` unless it begins with compiler output
/// that already has such a prefix.
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
    "the disk is full: free some space, or set CARGO_TARGET_DIR to a folder on another disk";

/// Returns whether the disk that cargo builds on has next to no space left.
fn is_disk_full() -> bool {
    const NEXT_TO_NOTHING: u64 = 1 << 20;
    let folder =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    free_space(&folder).is_some_and(|free| free < NEXT_TO_NOTHING)
}

/// Returns advice for errors about files that cannot be written, or that lie where Situ keeps its
/// own.
fn what_to_do(error: &anyhow::Error) -> Option<&'static str> {
    let kind = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<io::Error>())
        .map(io::Error::kind)?;
    match kind {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Some(DISK_IS_FULL),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem | ErrorKind::NotADirectory => {
            Some(
                "set CARGO_TARGET_DIR to a folder that can be written to; `cargo situ doctor` shows more",
            )
        }
        ErrorKind::IsADirectory
        | ErrorKind::DirectoryNotEmpty
        | ErrorKind::AlreadyExists
        | ErrorKind::InvalidData => Some(
            "Situ did not put that there: remove the folder `situ` below cargo's target folder; Situ creates it again",
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
