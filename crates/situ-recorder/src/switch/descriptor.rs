//! Files that are kept open in a program that may close every descriptor, and then open files of its own.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::PathBuf;

/// The mode of files that are made: what a program computes is nobody else's business.
#[cfg(unix)]
const FOR_THE_USER_ALONE: u32 = 0o600;

/// A file that is written to. What is written never ends up in a file of the program's that has got the same descriptor.
#[derive(Debug)]
pub struct Descriptor {
    own: own::Own,
    /// Where it is opened again after the program has closed it.
    path: Option<PathBuf>,
}

impl Descriptor {
    /// Opens a file to append to it, and makes it if it is not there.
    pub fn append(path: PathBuf) -> io::Result<Descriptor> {
        let mut options = File::options();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, FOR_THE_USER_ALONE);
        let file = options.open(&path)?;
        Ok(Descriptor {
            own: own::Own::new(file)?,
            path: Some(path),
        })
    }

    /// Keeps a file that cannot be opened again.
    #[allow(
        dead_code,
        reason = "not all crates that this file belongs to have such files"
    )]
    pub fn of(file: File) -> io::Result<Descriptor> {
        Ok(Descriptor {
            own: own::Own::new(file)?,
            path: None,
        })
    }

    /// Writes everything with one call of the system, where that takes it all.
    pub fn write_all(&self, bytes: &[u8]) -> io::Result<()> {
        self.with(|mut file| file.write_all(bytes))
    }

    /// Does something with the file, which is opened again where the program has closed it.
    pub fn with<T>(&self, work: impl FnOnce(&File) -> io::Result<T>) -> io::Result<T> {
        if !self.own.is_open() {
            let path = self.path.as_ref().ok_or_else(closed)?;
            self.own.reopen(File::options().append(true).open(path)?)?;
        }
        self.own.with(work)
    }
}

fn closed() -> io::Error {
    io::Error::new(
        io::ErrorKind::NotFound,
        "the program has closed the file, and another one is in its place",
    )
}

/// What tells the file of a descriptor from others: its device and its number there.
#[cfg(unix)]
pub fn identity(descriptor: i32) -> Option<(u64, u64)> {
    own::identity(descriptor)
}

#[cfg(unix)]
mod own {
    use std::fs::File;
    use std::io;
    use std::mem::ManuallyDrop;
    use std::os::fd::{AsRawFd as _, FromRawFd as _, IntoRawFd as _};
    use std::os::unix::fs::MetadataExt as _;
    use std::sync::atomic::{AtomicI32, Ordering};

    /// Numbers that a program rarely reaches, and that a loop over all of them often does not: the highest that the limits of
    /// the process allow is taken.
    const HIGH: [i32; 3] = [4000, 1000, 200];

    /// A descriptor that belongs to the run time as long as it is that of the same file.
    #[derive(Debug)]
    pub struct Own {
        number: AtomicI32,
        identity: (u64, u64),
    }

    pub fn identity(descriptor: i32) -> Option<(u64, u64)> {
        borrowed(descriptor)
            .metadata()
            .ok()
            .map(|data| (data.dev(), data.ino()))
    }

    /// A file that is not closed when it is dropped.
    fn borrowed(descriptor: i32) -> ManuallyDrop<File> {
        // SAFETY: it is never closed by this value, and only asked what it is where it may belong to somebody else.
        ManuallyDrop::new(unsafe { File::from_raw_fd(descriptor) })
    }

    impl Own {
        pub fn new(file: File) -> io::Result<Own> {
            let file = raised(file);
            let identity = identity(file.as_raw_fd()).ok_or_else(super::closed)?;
            Ok(Own {
                number: AtomicI32::new(file.into_raw_fd()),
                identity,
            })
        }

        pub fn is_open(&self) -> bool {
            identity(self.number.load(Ordering::Relaxed)) == Some(self.identity)
        }

        pub fn with<T>(&self, work: impl FnOnce(&File) -> io::Result<T>) -> io::Result<T> {
            work(&borrowed(self.number.load(Ordering::Relaxed)))
        }

        /// Takes another descriptor of the same file.
        pub fn reopen(&self, file: File) -> io::Result<()> {
            let file = raised(file);
            if identity(file.as_raw_fd()) != Some(self.identity) {
                return Err(super::closed());
            }
            let new = file.into_raw_fd();
            let earlier = self.number.swap(new, Ordering::Relaxed);
            // Mostly the number that was closed is free; and another thread may have opened the file again too.
            if earlier != new {
                self.close(earlier);
            }
            Ok(())
        }

        /// Closes a descriptor, unless it has become somebody else's.
        fn close(&self, number: i32) {
            if identity(number) == Some(self.identity) {
                drop(ManuallyDrop::into_inner(borrowed(number)));
            }
        }
    }

    impl Drop for Own {
        fn drop(&mut self) {
            self.close(self.number.load(Ordering::Relaxed));
        }
    }

    /// Gives a file a high number, and keeps it from programs that this one starts.
    fn raised(file: File) -> File {
        unsafe extern "C" {
            fn fcntl(descriptor: i32, command: i32, ...) -> i32;
        }
        const DUPLICATE: i32 = if cfg!(target_os = "linux") { 1030 } else { 67 };
        if !cfg!(any(target_os = "linux", target_os = "macos")) {
            return file;
        }
        let duplicate = |lowest: i32| {
            // SAFETY: fcntl(2) takes numbers here and touches no memory; what it gives is a new descriptor of nobody else's.
            let number = unsafe { fcntl(file.as_raw_fd(), DUPLICATE, lowest) };
            // SAFETY: as above.
            (number >= 0).then(|| unsafe { File::from_raw_fd(number) })
        };
        HIGH.into_iter().find_map(duplicate).unwrap_or(file)
    }
}

#[cfg(not(unix))]
mod own {
    use std::fs::File;
    use std::io;

    /// Where descriptors have no small numbers, nobody else's is mistaken for it.
    #[derive(Debug)]
    pub struct Own(File);

    impl Own {
        pub fn new(file: File) -> io::Result<Own> {
            Ok(Own(file))
        }

        pub fn is_open(&self) -> bool {
            true
        }

        pub fn with<T>(&self, work: impl FnOnce(&File) -> io::Result<T>) -> io::Result<T> {
            work(&self.0)
        }

        pub fn reopen(&self, _: File) -> io::Result<()> {
            Ok(())
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::fd::{AsRawFd as _, FromRawFd as _};

    fn folder(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("situ-descriptor-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn number(descriptor: &Descriptor) -> i32 {
        descriptor.with(|file| Ok(file.as_raw_fd())).unwrap()
    }

    /// Puts another file in the place of a descriptor, as a program does that closes all of them.
    fn replace(descriptor: &Descriptor, by: &std::path::Path) -> File {
        unsafe extern "C" {
            fn dup2(from: i32, to: i32) -> i32;
        }
        let (other, number) = (File::create(by).unwrap(), number(descriptor));
        // SAFETY: dup2(2) takes two numbers, and what it gives belongs to the file that is returned.
        unsafe {
            assert_eq!(dup2(other.as_raw_fd(), number), number);
            File::from_raw_fd(number)
        }
    }

    #[test]
    fn a_file_of_the_programs_with_the_same_descriptor_is_left_alone() {
        let folder = folder("replaced");
        let own = Descriptor::append(folder.join("own")).unwrap();
        own.write_all(b"one ").unwrap();
        let other = replace(&own, &folder.join("other"));
        own.write_all(b"two").unwrap();
        assert_eq!(fs::read(folder.join("own")).unwrap(), b"one two");
        drop(own);
        assert!(other.metadata().is_ok(), "it was not closed either");
        assert_eq!(fs::read(folder.join("other")).unwrap(), b"");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_descriptor_that_was_closed_is_taken_again() {
        let folder = folder("closed");
        let own = Descriptor::append(folder.join("own")).unwrap();
        for part in [b"one ", b"two "] {
            own.write_all(part).unwrap();
            // SAFETY: the program closes what belongs to somebody else: this is what is tested.
            drop(unsafe { File::from_raw_fd(number(&own)) });
        }
        assert_eq!(fs::read(folder.join("own")).unwrap(), b"one two ");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_is_gone_is_an_error() {
        let folder = folder("gone");
        let path = folder.join("own");
        let own = Descriptor::append(path.clone()).unwrap();
        let _other = replace(&own, &folder.join("other"));
        fs::remove_file(&path).unwrap();
        assert!(own.write_all(b"lost").is_err());
        assert!(
            !path.exists(),
            "and is not made again: nobody could read what has no beginning"
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn its_number_is_high_and_it_is_for_the_user_alone() {
        let folder = folder("high");
        let own = Descriptor::append(folder.join("own")).unwrap();
        assert!(number(&own) >= 200);
        let mode = std::os::unix::fs::PermissionsExt::mode(
            &fs::metadata(folder.join("own")).unwrap().permissions(),
        );
        assert_eq!(mode & 0o077, 0, "{mode:o}");
        fs::remove_dir_all(folder).unwrap();
    }
}
