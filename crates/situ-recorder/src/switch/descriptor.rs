//! Files that stay open in a program that may close every descriptor and then open files of its
//! own.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::PathBuf;

/// The mode of created files: only the user may read recorded values.
#[cfg(unix)]
const FOR_THE_USER_ALONE: u32 = 0o600;

/// An open file. Its bytes never end up in a file of the program that got the same descriptor
/// number.
#[derive(Debug)]
pub struct Descriptor {
    own: own::Own,
    /// The path under which it is reopened after the program has closed it.
    path: Option<PathBuf>,
}

impl Descriptor {
    /// Opens a file for appending, and creates it if necessary.
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

    /// Wraps a file that cannot be reopened.
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

    /// Writes everything, with one system call if possible.
    pub fn write_all(&self, bytes: &[u8]) -> io::Result<()> {
        self.with(|mut file| file.write_all(bytes))
    }

    /// Calls `work` with the file, which is reopened if the program has closed it.
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

/// Returns the device and inode of a descriptor's file, which identify it.
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

    /// Descriptor numbers that a program rarely uses, and that a loop over all descriptors often
    /// does not reach. The highest that the limits of the process allow is used.
    const HIGH: [i32; 3] = [4000, 1000, 200];

    /// A descriptor that belongs to the recorder as long as it refers to the same file.
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

    /// Returns a file that is not closed when it is dropped.
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

        /// Replaces the descriptor by another one of the same file.
        pub fn reopen(&self, file: File) -> io::Result<()> {
            let file = raised(file);
            if identity(file.as_raw_fd()) != Some(self.identity) {
                return Err(super::closed());
            }
            let new = file.into_raw_fd();
            let earlier = self.number.swap(new, Ordering::Relaxed);
            // The closed number is mostly free again; and another thread may have reopened the file
            // too.
            if earlier != new {
                self.close(earlier);
            }
            Ok(())
        }

        /// Closes a descriptor, unless it now refers to another file.
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

    /// Duplicates a file to a high number with close-on-exec.
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

    /// A file on systems without small descriptor numbers, which cannot be mistaken for another
    /// one.
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

    /// Replaces the file of a descriptor, as in a program that closes all descriptors and opens
    /// others.
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
