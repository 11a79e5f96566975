//! Notes of the code that a process executes to capture a value, in a memory-mapped file: a
//! supervisor sees which code does not return.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

/// The extension of a file of notes; its name begins with the process id.
pub const EXTENSION: &str = "note";

/// The number of threads whose notes are kept at the same time.
const ENTRIES: usize = 32;

/// The size of an entry in bytes: its state, the length of a name, and the name.
const ENTRY: usize = 256;
const LONGEST_NAME: usize = ENTRY - 8;

/// The state of a free entry. Every state but `FREE` and `CLAIMED` is a ticket.
const FREE: u32 = 0;
const CLAIMED: u32 = 1;

/// Code that is being executed for a capture.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Noted {
    /// The index of the entry.
    pub entry: usize,
    /// Distinguishes this call from earlier ones in the same entry.
    pub ticket: u32,
    /// The type whose code it is, or the expression.
    pub name: String,
}

/// Returns the part of a name that fits into a note.
pub fn shortened(name: &str) -> &str {
    let mut length = name.len().min(LONGEST_NAME);
    while !name.is_char_boundary(length) {
        length -= 1;
    }
    &name[..length]
}

/// Reads the notes of a process.
pub fn read(bytes: &[u8]) -> Vec<Noted> {
    let number = |bytes: &[u8]| {
        bytes
            .first_chunk()
            .map_or(0, |four| u32::from_ne_bytes(*four))
    };
    let entries = bytes.chunks_exact(ENTRY).enumerate().take(ENTRIES);
    let noted = entries.filter_map(|(entry, bytes)| {
        let (ticket, length) = (number(bytes), number(&bytes[4..]) as usize);
        let name = bytes[8..].get(..length)?;
        let name = || String::from_utf8_lossy(name).replace(char::is_control, " ");
        (ticket > CLAIMED).then(|| Noted {
            entry,
            ticket,
            name: name(),
        })
    });
    noted.collect()
}

static MEMORY: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
/// The process that created the memory; a forked child inherits it.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// A note, removed when it is dropped.
#[derive(Debug)]
pub(super) struct Note(*mut u8);

/// Notes that code of this name begins. Returns `None` if no entry is free.
pub(super) fn note(folder: &Path, name: &str) -> Option<Note> {
    let memory = memory(folder)?;
    for entry in 0..ENTRIES {
        // SAFETY: the memory has room for so many entries, and lives as long as the process.
        let entry = unsafe { memory.add(entry * ENTRY) };
        if state(entry)
            .compare_exchange(FREE, CLAIMED, Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
        {
            write(entry, name);
            return Some(Note(entry));
        }
    }
    None
}

fn write(entry: *mut u8, name: &str) {
    let name = shortened(name);
    // SAFETY: the entry was claimed by this thread and has room for a length and so many bytes.
    unsafe {
        entry.add(4).cast::<u32>().write(name.len() as u32);
        std::ptr::copy_nonoverlapping(name.as_ptr(), entry.add(8), name.len());
    }
    state(entry).store(ticket(), Ordering::Release);
}

/// Returns a number that no earlier call of this process had and that is no other state.
fn ticket() -> u32 {
    static TICKETS: AtomicU32 = AtomicU32::new(CLAIMED + 1);
    TICKETS.fetch_add(1, Ordering::Relaxed).max(CLAIMED + 1)
}

impl Drop for Note {
    fn drop(&mut self) {
        state(self.0).store(FREE, Ordering::Release);
    }
}

fn state<'m>(entry: *mut u8) -> &'m AtomicU32 {
    // SAFETY: entries begin at multiples of their size in memory that begins at a page, live as long as the process, and their
    // first four bytes are used in this way only.
    unsafe { &*entry.cast::<AtomicU32>() }
}

/// Returns the memory of this process, created at the first call.
fn memory(folder: &Path) -> Option<*mut u8> {
    let own = std::process::id();
    let known = MEMORY.load(Ordering::Acquire);
    if !known.is_null() && PROCESS.load(Ordering::Relaxed) == own {
        return Some(known);
    }
    // Threads that call this at the same time create a file each; all but one stay empty.
    let path = folder.join(format!("{own}-{}.{EXTENSION}", ticket()));
    let mut file = File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(path)
        .ok()?;
    // Without space on the disk, writing to the mapping would end the process.
    file.write_all(&[0; ENTRIES * ENTRY]).ok()?;
    let made = map(&file, ENTRIES * ENTRY)?;
    MEMORY.store(made, Ordering::Release);
    PROCESS.store(own, Ordering::Relaxed);
    Some(made)
}

#[cfg(unix)]
fn map(file: &File, length: usize) -> Option<*mut u8> {
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
    // SAFETY: a new mapping of a file of that length, which is never unmapped.
    let memory = unsafe {
        mmap(
            std::ptr::null_mut(),
            length,
            READ_AND_WRITE,
            SHARED,
            file.as_raw_fd(),
            0,
        )
    };
    (memory as isize != -1).then_some(memory)
}

#[cfg(not(unix))]
fn map(_: &File, _: usize) -> Option<*mut u8> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_is_running_can_be_seen_from_outside() {
        let folder = std::env::temp_dir().join(format!("situ-notes-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let seen = || {
            let path = fs::read_dir(&folder)
                .unwrap()
                .next()
                .unwrap()
                .unwrap()
                .path();
            assert_eq!(path.extension().unwrap(), EXTENSION);
            read(&fs::read(path).unwrap())
                .into_iter()
                .map(|noted| (noted.ticket, noted.name))
                .collect::<Vec<_>>()
        };
        let outer = note(&folder, "first").unwrap();
        let inner = note(&folder, &"long ".repeat(100)).unwrap();
        let both = seen();
        assert_eq!(
            (both.len(), both[0].1.as_str(), both[1].1.len()),
            (2, "first", LONGEST_NAME)
        );
        drop(outer);
        let again = note(&folder, "again").unwrap();
        let later = seen();
        assert_eq!(
            (later[0].1.as_str(), later[1].clone()),
            ("again", both[1].clone())
        );
        assert_ne!(later[0].0, both[0].0);
        drop((inner, again));
        assert_eq!(seen(), []);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn garbage_is_no_note() {
        assert_eq!(read(&[0xff; 40]), []);
        assert_eq!(read(&[0xff; ENTRY]), [], "a length beyond the entry");
    }
}
