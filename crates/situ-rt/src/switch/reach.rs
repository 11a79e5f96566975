//! Writes down which threads reach which sites: a line for each first time, so that a crash loses nothing.
//!
//! `T tag name` introduces a thread, `H tag site` says that it reached a site, `C tag calls` how many it passed.

use std::cell::RefCell;
use std::env;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

static FILE: OnceLock<File> = OnceLock::new();
static THREADS: AtomicU32 = AtomicU32::new(0);

thread_local! {
    static REACHED: RefCell<Option<Reached>> = const { RefCell::new(None) };
}

/// What this thread has reached so far.
struct Reached {
    tag: String,
    sites: Vec<u64>,
    calls: u64,
}

/// Opens the file; without one nothing is written.
pub fn open() {
    let Some(path) = env::var_os("SITU_REACH") else { return };
    if let Ok(file) = OpenOptions::new().append(true).create(true).open(path) {
        let _ = FILE.set(file);
    }
}

/// Notes that this thread is at a site.
pub fn hit(site: u32) {
    with_own(|reached| reached.add(site));
}

/// Notes that this thread begins a loop's body.
pub fn pass() {
    with_own(|reached| reached.calls += 1);
}

fn with_own(note: impl FnOnce(&mut Reached)) {
    // At the end of a thread its storage is gone, and while it is written to, a site inside cannot be noted.
    let _ = REACHED.try_with(|reached| {
        if let Ok(mut reached) = reached.try_borrow_mut() {
            note(reached.get_or_insert_with(Reached::of_this_thread));
        }
    });
}

impl Reached {
    fn of_this_thread() -> Reached {
        let tag = format!("{}.{}", std::process::id(), THREADS.fetch_add(1, Ordering::Relaxed));
        let thread = std::thread::current();
        write(&format!("T {tag} {}\n", thread.name().unwrap_or("").replace('\n', " ")));
        Reached { tag, sites: Vec::new(), calls: 0 }
    }

    fn add(&mut self, site: u32) {
        self.calls += 1;
        let (word, bit) = (site as usize / 64, 1 << (site % 64));
        if self.sites.len() <= word {
            self.sites.resize(word + 1, 0);
        }
        if self.sites[word] & bit == 0 {
            self.sites[word] |= bit;
            write(&format!("H {} {site}\n", self.tag));
        }
    }
}

impl Drop for Reached {
    fn drop(&mut self) {
        write(&format!("C {} {}\n", self.tag, self.calls));
    }
}

fn write(line: &str) {
    if let Some(mut file) = FILE.get() {
        let _ = file.write_all(line.as_bytes());
    }
}
