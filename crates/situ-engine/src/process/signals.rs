//! Signals that ask this process to end, heard by a thread of their own.

/// A request to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// The user has interrupted, at the terminal mostly; the whole group has heard of it.
    Interrupt,
    /// Somebody else wants this process to end, or the terminal is gone.
    Terminate(i32),
}

impl Request {
    /// The exit code by which shells know the signal.
    pub fn exit_code(self) -> i32 {
        match self {
            Request::Interrupt => 130,
            Request::Terminate(signal) => 128 + signal,
        }
    }
}

/// Calls `answer` for each request from now on. To be called while there is only one thread: others inherit that they do not
/// hear these signals themselves.
#[cfg(unix)]
#[expect(unsafe_code, reason = "the standard library knows no signals")]
pub fn hear(answer: impl Fn(Request) + Send + 'static) {
    // SAFETY: the set is made by sigemptyset(3) before anything reads it, and all calls write to places that outlive them.
    let set = unsafe {
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            // What the parent lets us ignore, as `nohup` does, stays ignored.
            let mut current = std::mem::zeroed();
            libc::sigaction(signal, std::ptr::null(), &raw mut current);
            if current.sa_sigaction != libc::SIG_IGN {
                libc::sigaddset(&raw mut set, signal);
            }
        }
        libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut());
        set
    };
    std::thread::spawn(move || {
        loop {
            let mut signal = 0;
            // SAFETY: sigwait(3) reads the set and writes one integer; both outlive the call.
            let failed = unsafe { libc::sigwait(&raw const set, &raw mut signal) } != 0;
            if failed {
                return;
            }
            answer(if signal == libc::SIGINT { Request::Interrupt } else { Request::Terminate(signal) });
        }
    });
}

/// Elsewhere the system ends this process by itself.
#[cfg(not(unix))]
pub fn hear(_answer: impl Fn(Request) + Send + 'static) {}
