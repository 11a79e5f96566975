//! Watchdog process that outlives the command. If the command is gone without having dismissed it,
//! for instance because it was killed, the keeper kills everything that the command has started.

#[cfg(unix)]
pub use unix::{adopt_orphans, dismiss, start};
#[cfg(unix)]
pub(super) use unix::{is_keeper, note_ended, note_started};

#[cfg(not(unix))]
pub use elsewhere::{adopt_orphans, dismiss, start};
#[cfg(not(unix))]
pub(super) use elsewhere::{is_keeper, note_ended, note_started};

#[cfg(unix)]
mod unix {
    use crate::base::process::{group, orphans};
    use std::collections::BTreeSet;
    use std::fs::File;
    use std::io::{BufRead as _, BufReader, PipeReader, PipeWriter, Write as _};
    use std::sync::atomic::{AtomicI32, Ordering};
    use std::sync::{Mutex, PoisonError};

    /// Line that dismisses the keeper.
    const GOODBYE: &str = "bye";

    /// Process id of the keeper, or 0.
    static KEEPER: AtomicI32 = AtomicI32::new(0);

    /// Returns whether a process is the keeper, which must not be killed with the others.
    pub(in crate::base::process) fn is_keeper(process: u32) -> bool {
        i32::try_from(process).is_ok_and(|process| process == KEEPER.load(Ordering::Relaxed))
    }

    static PIPE: Mutex<Option<PipeWriter>> = Mutex::new(None);

    /// Makes this process adopt the orphans of its descendants, so that it can find them.
    pub fn adopt_orphans() {
        orphans::adopt(&group::mark_of_this_process());
    }

    /// Starts the keeper and adopts orphans as [`adopt_orphans`] does. Must be called while this
    /// process has only one thread.
    #[expect(unsafe_code, reason = "the standard library cannot fork")]
    pub fn start() {
        adopt_orphans();
        let Ok((reader, writer)) = std::io::pipe() else {
            return;
        };
        let mark = group::mark_of_this_process();
        // SAFETY: this process has one thread, so the child may continue with any code.
        match unsafe { libc::fork() } {
            0 => {
                drop(writer);
                keep(reader, &mark);
                // SAFETY: no destructor or exit handler of the forked copy must run.
                unsafe { libc::_exit(0) };
            }
            // Without a keeper, process groups still end with the command unless it is killed.
            -1 => {}
            keeper => {
                KEEPER.store(keeper, Ordering::Relaxed);
                *pipe() = Some(writer);
            }
        }
    }

    /// Ends the keeper without killing anything.
    pub fn dismiss() {
        tell(GOODBYE);
        *pipe() = None;
    }

    pub(in crate::base::process) fn note_started(leader: u32) {
        tell(&format!("+{leader}"));
    }

    pub(in crate::base::process) fn note_ended(leader: u32) {
        tell(&format!("-{leader}"));
    }

    fn tell(line: &str) {
        if let Some(pipe) = &mut *pipe() {
            // A keeper that has died is no reason to fail.
            let _ = pipe.write_all(format!("{line}\n").as_bytes());
        }
    }

    fn pipe() -> std::sync::MutexGuard<'static, Option<PipeWriter>> {
        PIPE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs the main loop of the keeper: collects the started groups, and kills them if the pipe
    /// closes before [`GOODBYE`].
    fn keep(reader: PipeReader, mark: &str) {
        let reader = detach(reader);
        let mut leaders = BTreeSet::new();
        for line in BufReader::new(reader).lines().map_while(Result::ok) {
            match (
                line.as_str(),
                line.get(..1),
                line.get(1..).and_then(|number| number.parse::<u32>().ok()),
            ) {
                (GOODBYE, ..) => return,
                (_, Some("+"), Some(leader)) => drop(leaders.insert(leader)),
                (_, Some("-"), Some(leader)) => drop(leaders.remove(&leader)),
                _ => {}
            }
        }
        for leader in leaders {
            group::kill_group(leader);
        }
        orphans::end_all_marked(mark);
    }

    /// Leaves the terminal, the working folder and all descriptors of the command, so that nobody
    /// waits for the keeper.
    #[expect(
        unsafe_code,
        reason = "the standard library can neither leave a session nor close what it did not open"
    )]
    fn detach(reader: PipeReader) -> File {
        use std::os::fd::{FromRawFd as _, IntoRawFd as _};
        const OWN: i32 = 3;
        let inherited = reader.into_raw_fd();
        // SAFETY: the forked copy has one thread and uses none of these descriptors but the one
        // that is moved to `OWN`, which the returned file owns. Signals are ignored because the
        // closed pipe tells the keeper when the command ends.
        unsafe {
            libc::setsid();
            for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGPIPE] {
                libc::signal(signal, libc::SIG_IGN);
            }
            if inherited != OWN {
                libc::dup2(inherited, OWN);
            }
            let nothing = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
            for stream in 0..OWN {
                libc::dup2(nothing, stream);
            }
            for descriptor in OWN + 1..1024 {
                libc::close(descriptor);
            }
            libc::chdir(c"/".as_ptr());
            File::from_raw_fd(OWN)
        }
    }
}

#[cfg(not(unix))]
mod elsewhere {
    pub fn adopt_orphans() {}

    pub fn start() {}

    pub fn dismiss() {}

    pub(in crate::base::process) fn is_keeper(_process: u32) -> bool {
        false
    }

    pub(in crate::base::process) fn note_started(_leader: u32) {}

    pub(in crate::base::process) fn note_ended(_leader: u32) {}
}
