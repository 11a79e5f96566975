//! Reads the output of a process until it exits or must be killed.

use super::sandbox::{self, Exceeded, Scratch};
use super::{Limit, Next, group};
use std::io;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

/// Exit status and output of a process.
#[derive(Debug)]
pub(super) struct Followed {
    pub(super) status: ExitStatus,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    pub(super) timed_out: bool,
    pub(super) exceeded: Option<Exceeded>,
    pub(super) next: Next,
}

/// How long to read on after the process has exited and its descendants were killed. A process that
/// escaped and holds the pipe open must not block the command.
const DRAINING: Duration = Duration::from_millis(500);

/// Maximum number of bytes kept of each stream. No test report is that long.
const MAX_KEPT: usize = 256 << 20;

#[cfg(unix)]
pub(super) use unix::follow;

#[cfg(unix)]
mod unix {
    use super::*;
    use std::io::Read;
    use std::os::fd::{AsRawFd as _, OwnedFd};
    use std::process::{ChildStderr, ChildStdout};

    /// Poll interval where the system has no process descriptors (pidfd).
    const PULSE: Duration = Duration::from_millis(20);

    struct Pipe<R> {
        stream: Option<R>,
        kept: Vec<u8>,
    }

    impl<R: Read + std::os::fd::AsRawFd> Pipe<R> {
        fn descriptor(&self) -> libc::pollfd {
            // poll(2) ignores negative descriptors.
            let fd = self
                .stream
                .as_ref()
                .map_or(-1, std::os::fd::AsRawFd::as_raw_fd);
            libc::pollfd {
                fd,
                events: libc::POLLIN,
                revents: 0,
            }
        }

        /// Reads once and returns the number of bytes read. Does not block if poll(2) has reported
        /// data.
        fn read(&mut self, buffer: &mut [u8]) -> usize {
            let Some(stream) = &mut self.stream else {
                return 0;
            };
            match stream.read(buffer) {
                Ok(count @ 1..) => {
                    let room = MAX_KEPT.saturating_sub(self.kept.len());
                    self.kept.extend_from_slice(&buffer[..count.min(room)]);
                    count
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
                _ => {
                    self.stream = None;
                    0
                }
            }
        }
    }

    /// Reads both streams until the process exits. Kills it, with everything that it started, if it
    /// exceeds a limit or if `watch` returns [`Next::Stop`].
    pub(in crate::base::process) fn follow(
        child: &mut Child,
        scratch: Option<&Scratch>,
        (started, limit): (Instant, Limit),
        watch: &mut dyn FnMut(&str, Duration) -> Next,
    ) -> io::Result<Followed> {
        let mut stdout: Pipe<ChildStdout> = Pipe {
            stream: child.stdout.take(),
            kept: Vec::new(),
        };
        let mut stderr: Pipe<ChildStderr> = Pipe {
            stream: child.stderr.take(),
            kept: Vec::new(),
        };
        let process = descriptor_of(child);
        let mut deadline = limit.deadline(started);
        let mut next = Next::Continue;
        let (mut timed_out, mut exceeded) = (false, None);
        let scratch = scratch.filter(|scratch| scratch.confines());
        let mut pulse = scratch.map(|_| started + sandbox::PULSE);
        let mut ended: Option<Instant> = None;
        let mut buffer = vec![0; 65536];
        loop {
            let is_drained = stdout.stream.is_none() && stderr.stream.is_none();
            if ended.is_some_and(|ended| is_drained || ended.elapsed() > DRAINING) {
                break;
            }
            let until = ended
                .map(|ended| ended + DRAINING)
                .or_else(|| deadline.into_iter().chain(pulse).min());
            let mut polled = [
                stdout.descriptor(),
                stderr.descriptor(),
                process_poll(process.as_ref(), ended),
            ];
            wait(
                &mut polled,
                timeout(until, process.is_none() && ended.is_none()),
            )?;
            if polled[1].revents != 0 {
                stderr.read(&mut buffer);
            }
            if polled[0].revents != 0 {
                let count = stdout.read(&mut buffer);
                if count > 0
                    && let Limit::Silent(time) = limit
                {
                    deadline = Some(Instant::now() + time);
                }
                if count > 0 && next == Next::Continue {
                    next = watch(
                        &String::from_utf8_lossy(&buffer[..count]),
                        started.elapsed(),
                    );
                }
            }
            if let (None, Some(scratch), Some(time)) = (ended, scratch, pulse)
                && time <= Instant::now()
            {
                exceeded = sandbox::limits().exceeded(child.id(), scratch.folder());
                pulse = Some(Instant::now() + sandbox::PULSE);
            }
            if ended.is_none() {
                let is_late = deadline.is_some_and(|deadline| deadline <= Instant::now());
                // A process that `watch` has stopped did not time out.
                timed_out |= is_late && next != Next::Stop;
                let is_over = is_late || next == Next::Stop || exceeded.is_some();
                if is_over || has_ended(process.as_ref(), polled[2], child)? {
                    // Until the child is waited for, its process id, and so its group's, is not
                    // reused.
                    group::kill(child);
                    ended = Some(Instant::now());
                }
            }
        }
        let status = child.wait()?;
        group::forget(child);
        Ok(Followed {
            status,
            stdout: stdout.kept,
            stderr: stderr.kept,
            timed_out,
            exceeded,
            next,
        })
    }

    fn process_poll(process: Option<&OwnedFd>, ended: Option<Instant>) -> libc::pollfd {
        let fd = process
            .filter(|_| ended.is_none())
            .map_or(-1, |process| process.as_raw_fd());
        libc::pollfd {
            fd,
            events: libc::POLLIN,
            revents: 0,
        }
    }

    fn has_ended(
        process: Option<&OwnedFd>,
        polled: libc::pollfd,
        child: &mut Child,
    ) -> io::Result<bool> {
        match process {
            Some(_) => Ok(polled.revents != 0),
            None => Ok(child.try_wait()?.is_some()),
        }
    }

    /// Returns the timeout for poll(2) in milliseconds, rounded up; -1 waits without limit.
    fn timeout(until: Option<Instant>, has_pulse: bool) -> i32 {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let left = if has_pulse {
            Some(left.map_or(PULSE, |left| left.min(PULSE)))
        } else {
            left
        };
        left.map_or(-1, |left| {
            i32::try_from(left.as_micros().div_ceil(1000)).unwrap_or(i32::MAX)
        })
    }

    #[expect(
        unsafe_code,
        reason = "the standard library cannot wait for several descriptors"
    )]
    fn wait(polled: &mut [libc::pollfd; 3], timeout: i32) -> io::Result<()> {
        // SAFETY: poll(2) writes to the structures that it is given, which outlive the call.
        let count = unsafe { libc::poll(polled.as_mut_ptr(), 3, timeout) };
        let error = io::Error::last_os_error();
        if count < 0 && error.kind() != io::ErrorKind::Interrupted {
            Err(error)
        } else {
            Ok(())
        }
    }

    /// Returns a descriptor that becomes readable when the process has exited (pidfd).
    #[cfg(target_os = "linux")]
    #[expect(
        unsafe_code,
        reason = "the standard library knows no descriptors of processes on the stable toolchain"
    )]
    fn descriptor_of(child: &Child) -> Option<OwnedFd> {
        use std::os::fd::FromRawFd as _;
        let process = i32::try_from(child.id()).ok()?;
        // SAFETY: pidfd_open(2) takes two integers, and what it returns is nobody else's.
        unsafe {
            let descriptor = i32::try_from(libc::syscall(libc::SYS_pidfd_open, process, 0)).ok()?;
            (descriptor >= 0).then(|| OwnedFd::from_raw_fd(descriptor))
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn descriptor_of(_child: &Child) -> Option<OwnedFd> {
        None
    }
}

/// Reads both streams to their end. Time limits are not enforced on this system.
#[cfg(not(unix))]
pub(super) fn follow(
    child: &mut Child,
    _scratch: Option<&Scratch>,
    (started, _limit): (Instant, Limit),
    watch: &mut dyn FnMut(&str, Duration) -> Next,
) -> io::Result<Followed> {
    use std::io::Read as _;
    let errors = child.stderr.take().map(|mut stream| {
        std::thread::spawn(move || {
            let mut all = Vec::new();
            let _ = stream.read_to_end(&mut all);
            all
        })
    });
    let (mut stdout, mut next) = (Vec::new(), Next::Continue);
    if let Some(mut stream) = child.stdout.take() {
        let mut buffer = [0; 65536];
        while next != Next::Stop
            && let Ok(count @ 1..) = stream.read(&mut buffer)
        {
            stdout.extend_from_slice(&buffer[..count]);
            if next == Next::Continue {
                next = watch(
                    &String::from_utf8_lossy(&buffer[..count]),
                    started.elapsed(),
                );
            }
        }
    }
    if next == Next::Stop {
        group::kill(child);
    }
    let status = child.wait()?;
    group::kill(child);
    group::forget(child);
    let stderr = errors
        .and_then(|errors| errors.join().ok())
        .unwrap_or_default();
    Ok(Followed {
        status,
        stdout,
        stderr,
        timed_out: false,
        exceeded: None,
        next,
    })
}
