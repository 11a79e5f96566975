//! A small process beside the command that outlives it: when the command is gone without having said goodbye, because it was
//! killed say, the keeper ends everything that the command has started.

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

    /// The line that ends the keeper's work.
    const GOODBYE: &str = "bye";

    /// The keeper's process.
    static KEEPER: AtomicI32 = AtomicI32::new(0);

    /// Whether a process is the keeper, which must outlive all others.
    pub(in crate::base::process) fn is_keeper(process: u32) -> bool {
        i32::try_from(process).is_ok_and(|process| process == KEEPER.load(Ordering::Relaxed))
    }

    static PIPE: Mutex<Option<PipeWriter>> = Mutex::new(None);

    /// Makes this process find the orphans of its descendants.
    pub fn adopt_orphans() {
        orphans::adopt(&group::mark_of_this_process());
    }

    /// Starts the keeper, and makes this process find the orphans of its descendants. To be called first of all, while there is
    /// only one thread.
    #[expect(unsafe_code, reason = "the standard library cannot fork")]
    pub fn start() {
        adopt_orphans();
        let Ok((reader, writer)) = std::io::pipe() else {
            return;
        };
        let mark = group::mark_of_this_process();
        // SAFETY: this process has one thread, so the copy can go on as it likes.
        match unsafe { libc::fork() } {
            0 => {
                drop(writer);
                keep(reader, &mark);
                // SAFETY: nothing of the copied process is to be run at the end.
                unsafe { libc::_exit(0) };
            }
            // Without a keeper, process groups still end with the command in all ways but one.
            -1 => {}
            keeper => {
                KEEPER.store(keeper, Ordering::Relaxed);
                *pipe() = Some(writer);
            }
        }
    }

    /// Tells the keeper that all is well.
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
            // A keeper that is gone is no reason to stop.
            let _ = pipe.write_all(format!("{line}\n").as_bytes());
        }
    }

    fn pipe() -> std::sync::MutexGuard<'static, Option<PipeWriter>> {
        PIPE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the keeper does all its life.
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

    /// Leaves the terminal, the folder and all descriptors of the command: nobody shall wait for the keeper.
    #[expect(
        unsafe_code,
        reason = "the standard library can neither leave a session nor close what it did not open"
    )]
    fn detach(reader: PipeReader) -> File {
        use std::os::fd::{FromRawFd as _, IntoRawFd as _};
        const OWN: i32 = 3;
        let inherited = reader.into_raw_fd();
        // SAFETY: the copied process has one thread and uses none of these descriptors but the one that is moved to `OWN`,
        // which the file that is returned owns from now on. Signals are for the command; the keeper hears of its end.
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
