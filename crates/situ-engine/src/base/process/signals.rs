//! Signals that ask this process to terminate, handled on a separate thread.

/// Request of a signal to terminate this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Interrupt, usually from the terminal, which sends it to the whole process group.
    Interrupt,
    /// Signal that asks only this process to terminate, or that reports a closed terminal.
    Terminate(i32),
}

impl Request {
    /// Returns the exit code that shells use for the signal.
    pub fn exit_code(self) -> i32 {
        match self {
            Request::Interrupt => 130,
            Request::Terminate(signal) => 128 + signal,
        }
    }
}

/// Calls `answer` for each request from now on, on a separate thread.
///
/// Signals are caught, not blocked: child processes inherit blocked signals but not handlers.
#[cfg(unix)]
pub fn hear(answer: impl Fn(Request) + Send + 'static) {
    use std::io::Read as _;
    // Without a pipe, the signals terminate this process at once, and the keeper kills the rest.
    let Ok((mut reader, writer)) = std::io::pipe() else {
        return;
    };
    catch(writer);
    std::thread::spawn(move || {
        let mut signal = [0];
        while reader.read_exact(&mut signal).is_ok() {
            let signal = i32::from(signal[0]);
            answer(if signal == libc::SIGINT {
                Request::Interrupt
            } else {
                Request::Terminate(signal)
            });
        }
    });
}

/// Write end of the pipe to the answering thread.
#[cfg(unix)]
static PIPE: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new(-1);

#[cfg(unix)]
#[expect(unsafe_code, reason = "the standard library knows no signals")]
fn catch(writer: std::io::PipeWriter) {
    use std::os::fd::IntoRawFd as _;
    PIPE.store(writer.into_raw_fd(), std::sync::atomic::Ordering::SeqCst);
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: all bytes zero are a valid `sigaction`; both structures outlive the calls; the
        // handler makes one system call that may be made in a handler, and allocates nothing.
        unsafe {
            let mut current: libc::sigaction = std::mem::zeroed();
            libc::sigaction(signal, std::ptr::null(), &raw mut current);
            // A signal that the parent has ignored, as `nohup` does, stays ignored.
            if current.sa_sigaction != libc::SIG_IGN {
                let mut caught: libc::sigaction = std::mem::zeroed();
                caught.sa_sigaction = note as extern "C" fn(i32) as usize;
                caught.sa_flags = libc::SA_RESTART;
                libc::sigaction(signal, &raw const caught, std::ptr::null_mut());
            }
        }
    }
}

/// Signal handler: passes the signal to the answering thread.
#[cfg(unix)]
#[expect(unsafe_code, reason = "a handler may make system calls only")]
extern "C" fn note(signal: i32) {
    let pipe = PIPE.load(std::sync::atomic::Ordering::SeqCst);
    let byte = signal as u8;
    // SAFETY: write(2) reads one byte, which outlives the call; the pipe is never closed.
    unsafe { libc::write(pipe, (&raw const byte).cast(), 1) };
}

/// Does nothing: the system terminates this process by itself.
#[cfg(not(unix))]
pub fn hear(_answer: impl Fn(Request) + Send + 'static) {}
