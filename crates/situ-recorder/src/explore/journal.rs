//! A journal of each input before its execution, readable after the process has died.

use super::tree::Tree;
use std::fs::File;
use std::path::Path;

/// The maximum length of an input in the journal, in bytes.
const ROOM: usize = 1 << 20;

/// A memory-mapped file.
pub struct Journal {
    memory: Option<*mut u8>,
    buffer: Vec<u8>,
}

impl Journal {
    /// Opens a journal; without a path it records nothing.
    pub fn open(path: Option<&Path>) -> Journal {
        let memory = path.and_then(|path| {
            let file = File::options()
                .read(true)
                .write(true)
                .create(true)
                .truncate(true)
                .open(path)
                .ok()?;
            file.set_len(ROOM as u64).ok()?;
            map(&file)
        });
        Journal {
            memory,
            buffer: Vec::new(),
        }
    }

    /// Records an input.
    #[inline]
    pub fn note(&mut self, tree: &Tree) {
        let Some(memory) = self.memory else { return };
        self.buffer.clear();
        tree.write(&mut self.buffer);
        let length = if self.buffer.len() + 8 <= ROOM {
            self.buffer.len()
        } else {
            0
        };
        // SAFETY: the memory has room for a length and so many bytes, and is this journal's alone.
        unsafe {
            memory.cast::<u64>().write_unaligned(length as u64);
            std::ptr::copy_nonoverlapping(self.buffer.as_ptr(), memory.add(8), length);
        }
    }

    /// Notes that nothing is being executed.
    pub fn clear(&mut self) {
        if let Some(memory) = self.memory {
            // SAFETY: the memory has room for a length.
            unsafe { memory.cast::<u64>().write_unaligned(0) };
        }
    }
}

/// Returns the input that was being executed, if there is one.
pub fn read(bytes: &[u8]) -> Option<&[u8]> {
    let (length, rest) = bytes.split_at_checked(8)?;
    let length = usize::try_from(u64::from_le_bytes(length.try_into().ok()?)).ok()?;
    rest.get(..length).filter(|noted| !noted.is_empty())
}

#[cfg(unix)]
fn map(file: &File) -> Option<*mut u8> {
    use std::os::fd::AsRawFd as _;
    unsafe extern "C" {
        fn mmap(
            at: *mut u8,
            length: usize,
            protection: i32,
            flags: i32,
            file: i32,
            offset: i64,
        ) -> *mut u8;
    }
    const READ_AND_WRITE: i32 = 3;
    const SHARED: i32 = 1;
    // SAFETY: a new mapping of a file of that length; nothing else knows its address.
    let memory = unsafe {
        mmap(
            std::ptr::null_mut(),
            ROOM,
            READ_AND_WRITE,
            SHARED,
            file.as_raw_fd(),
            0,
        )
    };
    (memory as isize != -1).then_some(memory)
}

#[cfg(not(unix))]
fn map(_: &File) -> Option<*mut u8> {
    None
}

#[cfg(test)]
mod tests {
    use super::{Journal, read};
    use crate::explore::Tree;

    #[test]
    #[cfg(unix)]
    fn the_last_input_can_be_read_from_outside() {
        let path = std::env::temp_dir().join(format!("situ-journal-{}", std::process::id()));
        let mut journal = Journal::open(Some(&path));
        journal.note(&Tree::Text("longer than the next".into()));
        journal.note(&Tree::Int(5));
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(read(&bytes).and_then(Tree::from_bytes), Some(Tree::Int(5)));
        journal.clear();
        assert_eq!(read(&std::fs::read(&path).unwrap()), None);
        std::fs::remove_file(path).unwrap();
    }
}
