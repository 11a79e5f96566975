//! What the recorder has to say to the user: on standard error, as long as that is what it was when recording began.

/// Standard error, as it was.
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

    /// Writes a text, unless the program has put a file of its own in the place of standard error. The lock of the standard
    /// library's stream is not taken: a thread of the program that has it may wait for this one.
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

    /// Writes a text.
    pub(crate) fn write(&self, text: &str) {
        use std::io::Write as _;
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}
