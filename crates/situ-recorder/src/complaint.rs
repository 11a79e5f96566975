//! Messages of the recorder on standard error, as long as the program has not redirected it.

/// Standard error as it was when recording began.
#[derive(Debug)]
pub(crate) struct Stream {
    #[cfg(unix)]
    identity: Option<(u64, u64)>,
}

#[cfg(unix)]
impl Stream {
    const STANDARD_ERROR: i32 = 2;

    pub(crate) fn of_this_process() -> Stream {
        Stream {
            identity: crate::switch::descriptor::identity(Stream::STANDARD_ERROR),
        }
    }

    /// Writes a string, unless the program has replaced standard error with a file of its own. It
    /// bypasses the lock of `std::io::stderr`: a thread of the program that holds it may be waiting
    /// for this one.
    pub(crate) fn write(&self, text: &str) {
        use std::fs::File;
        use std::io::Write as _;
        use std::mem::ManuallyDrop;
        use std::os::fd::FromRawFd as _;
        let is_as_it_was =
            crate::switch::descriptor::identity(Stream::STANDARD_ERROR) == self.identity;
        if self.identity.is_some() && is_as_it_was {
            // SAFETY: the descriptor is open, as its identity says, and is not closed by this value.
            let mut file = ManuallyDrop::new(unsafe { File::from_raw_fd(Stream::STANDARD_ERROR) });
            let _ = file.write_all(text.as_bytes());
        }
    }
}

#[cfg(not(unix))]
impl Stream {
    pub(crate) fn of_this_process() -> Stream {
        Stream {}
    }

    /// Writes a string.
    pub(crate) fn write(&self, text: &str) {
        use std::io::Write as _;
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}
