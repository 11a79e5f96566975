//! The log of which threads reach which sites: a line at each first time, so that a crash loses
//! nothing.
//!
//! `T tag name` introduces a thread, `H tag site` says that it reached a site, `C tag calls` how
//! many it passed.
//!
//! A site may be in code that the program's own allocator calls with a lock held, so nothing here
//! uses that allocator.

use super::descriptor::Descriptor;
use std::alloc::{GlobalAlloc as _, Layout, System};
use std::cell::RefCell;
use std::env;
use std::fmt::{self, Write as _};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

static FILE: OnceLock<Descriptor> = OnceLock::new();
static THREADS: AtomicU32 = AtomicU32::new(0);

thread_local! {
    static REACHED: RefCell<Option<Reached>> = const { RefCell::new(None) };
}

/// Opens the file; without one nothing is logged.
pub fn open() {
    let Some(path) = env::var_os("SITU_REACH") else {
        return;
    };
    if let Ok(file) = Descriptor::append(path.into()) {
        let _ = FILE.set(file);
    }
}

/// Logs that this thread is at a site.
pub fn hit(site: u32) {
    with_own(|reached| reached.add(site));
}

/// Counts that this thread begins a loop's body.
pub fn pass() {
    with_own(|reached| reached.calls += 1);
}

fn with_own(note: impl FnOnce(&mut Reached)) {
    // At the end of a thread its storage is gone; and while the log is written, a site inside
    // cannot be logged.
    let _ = REACHED.try_with(|reached| {
        if let Ok(mut reached) = reached.try_borrow_mut() {
            note(reached.get_or_insert_with(Reached::of_this_thread));
        }
    });
}

/// The sites that this thread has reached so far.
struct Reached {
    tag: Tag,
    sites: Bits,
    calls: u64,
}

/// An identifier of a thread that is unique in the file.
#[derive(Clone, Copy)]
struct Tag {
    process: u32,
    thread: u32,
}

impl fmt::Display for Tag {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.process, self.thread)
    }
}

impl Reached {
    fn of_this_thread() -> Reached {
        let tag = Tag {
            process: std::process::id(),
            thread: THREADS.fetch_add(1, Ordering::Relaxed),
        };
        let thread = std::thread::current();
        write_line(format_args!(
            "T {tag} {}",
            OneLine(thread.name().unwrap_or(""))
        ));
        Reached {
            tag,
            sites: Bits::NONE,
            calls: 0,
        }
    }

    fn add(&mut self, site: u32) {
        self.calls += 1;
        if self.sites.insert(site) {
            write_line(format_args!("H {} {site}", self.tag));
        }
    }
}

impl Drop for Reached {
    fn drop(&mut self) {
        write_line(format_args!("C {} {}", self.tag, self.calls));
    }
}

/// A name without line breaks.
struct OneLine<'n>(&'n str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .chars()
            .try_for_each(|char| formatter.write_char(if char == '\n' { ' ' } else { char }))
    }
}

/// Writes a line with one system call.
fn write_line(text: fmt::Arguments<'_>) {
    let Some(file) = FILE.get() else { return };
    let mut line = Line {
        bytes: [0; LONGEST_LINE],
        length: 0,
    };
    if writeln!(line, "{text}").is_ok() {
        let _ = file.write_all(&line.bytes[..line.length]);
    }
}

/// The maximum length of a line; paths of tests are far shorter.
const LONGEST_LINE: usize = 2048;

struct Line {
    bytes: [u8; LONGEST_LINE],
    length: usize,
}

impl fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.length + text.len();
        self.bytes
            .get_mut(self.length..end)
            .ok_or(fmt::Error)?
            .copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

/// A set of numbers, allocated by the system's own allocator.
struct Bits {
    words: *mut u64,
    length: usize,
}

impl Bits {
    const NONE: Bits = Bits {
        words: ptr::null_mut(),
        length: 0,
    };

    /// Adds a number; returns whether it is new.
    fn insert(&mut self, number: u32) -> bool {
        let (word, bit) = (number as usize / 64, 1 << (number % 64));
        if word >= self.length && !self.grow(word + 1) {
            return false;
        }
        // SAFETY: there are more words than that, all initialised, and nobody else knows them.
        let word = unsafe { &mut *self.words.add(word) };
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Grows to at least so many words, all new ones zero; returns whether that succeeded.
    fn grow(&mut self, length: usize) -> bool {
        let length = length.next_power_of_two();
        let Ok(layout) = Layout::array::<u64>(length) else {
            return false;
        };
        // SAFETY: the layout is not empty; the old words are copied into more new ones, and freed with their own layout.
        unsafe {
            let words = System.alloc_zeroed(layout).cast::<u64>();
            if words.is_null() {
                return false;
            }
            ptr::copy_nonoverlapping(self.words, words, self.length);
            self.free();
            (self.words, self.length) = (words, length);
        }
        true
    }

    fn free(&mut self) {
        if let (1.., Ok(layout)) = (self.length, Layout::array::<u64>(self.length)) {
            // SAFETY: so many words were allocated in this way, and are not used any more.
            unsafe { System.dealloc(self.words.cast(), layout) };
        }
    }
}

impl Drop for Bits {
    fn drop(&mut self) {
        self.free();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_new_once_however_large_it_is() {
        let mut bits = Bits::NONE;
        let numbers = [0, 63, 64, 5000, 1, 100_000, 63, 0];
        assert_eq!(
            numbers.map(|number| bits.insert(number)),
            [true, true, true, true, true, true, false, false]
        );
    }

    #[test]
    fn a_name_stays_on_its_line() {
        let mut line = Line {
            bytes: [0; LONGEST_LINE],
            length: 0,
        };
        writeln!(line, "T 1.2 {}", OneLine("a\nb")).unwrap();
        assert_eq!(&line.bytes[..line.length], b"T 1.2 a b\n");
        assert!(line.write_str(&"x".repeat(LONGEST_LINE)).is_err());
    }
}
