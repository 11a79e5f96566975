//! A program for each thing that a recorder may disturb; each says `fine` if it was not.

mod system;

use fragile::{mixed, recursion, threads};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::thread;

fn main() {
    let mut words = std::env::args().skip(1);
    let what = words.next().unwrap_or_default();
    let folder = PathBuf::from(words.next().unwrap_or_default());
    let is_fine = match what.as_str() {
        "descriptors" => descriptors(&folder),
        "few-descriptors" => few_descriptors(&folder),
        "elsewhere" => elsewhere(&folder),
        "forks" => forks(),
        "signals" => signals(),
        "daemon" => system::in_fork(|| only_in_child(50) > 0),
        "cleared" => cleared(),
        "deep" => recursion::depth(60_000) == 60_000,
        "loud" => threads::loudness(5) == 10,
        "number" => sum_below(100) > 0,
        _ => exit(2),
    };
    println!("{}", if is_fine { "fine" } else { "disturbed" });
}

fn sum_below(end: u32) -> u64 {
    (0..end).map(|number| u64::from(mixed(number))).sum()
}

fn only_in_child(end: u32) -> u64 {
    let doubled = end << 1;
    sum_below(doubled)
}

/// Closes everything that it has not opened, as a daemon does, and writes to a file of its own.
fn descriptors(folder: &Path) -> bool {
    let before = sum_below(10);
    system::close_from(3);
    let path = folder.join("own");
    let mut own = File::create(&path).unwrap();
    // Whatever descriptor somebody else had, it is the file's now.
    system::duplicate_onto_most(&own, 3);
    own.write_all(b"first\n").unwrap();
    let after = sum_below(200);
    own.write_all(b"second\n").unwrap();
    drop(own);
    before < after && fs::read(&path).unwrap() == b"first\nsecond\n"
}

/// Allows itself next to no descriptors.
fn few_descriptors(folder: &Path) -> bool {
    system::limit_descriptors(8);
    let written = fs::write(folder.join("few"), "few").is_ok();
    written && sum_below(100) > 0
}

/// Goes to another root, where it may, or another folder.
fn elsewhere(folder: &Path) -> bool {
    let is_root = system::change_root(folder);
    std::env::set_current_dir(if is_root { Path::new("/") } else { folder }).unwrap();
    let children: Vec<bool> = (0..3).map(|_| system::in_fork(|| sum_below(100) > 0)).collect();
    sum_below(100) > 0 && children == [true; 3]
}

static IS_OVER: AtomicBool = AtomicBool::new(false);

/// Forks while other threads are at work.
fn forks() -> bool {
    let busy: Vec<_> = (0..3)
        .map(|start| {
            thread::spawn(move || {
                let mut number = start;
                while !IS_OVER.load(Relaxed) {
                    number = mixed(number).wrapping_add(sum_below(3) as u32);
                }
            })
        })
        .collect();
    let children: Vec<bool> = (0..100).map(|_| system::in_fork(|| sum_below(300) > 0)).collect();
    IS_OVER.store(true, Relaxed);
    busy.into_iter().all(|thread| thread.join().is_ok()) && children.iter().all(|is_fine| *is_fine)
}

static TICKS: AtomicU32 = AtomicU32::new(0);

extern "C" fn tick(_signal: i32) {
    count_tick(TICKS.load(Relaxed));
}

fn count_tick(ticks: u32) {
    let next = (ticks + 1) | ticks & 1;
    TICKS.store(next, Relaxed);
}

/// Allocates while signals arrive.
fn signals() -> bool {
    system::every_hundred_microseconds(tick);
    let mut kept = Vec::new();
    while TICKS.load(Relaxed) < 1000 {
        kept.push(format!("{}", mixed(kept.len() as u32)));
        if kept.len() > 1000 {
            kept.clear();
        }
    }
    true
}

/// Starts itself without its environment.
fn cleared() -> bool {
    let mut child = Command::new(std::env::current_exe().unwrap());
    let output = child.arg("number").env_clear().output().unwrap();
    output.status.success() && output.stdout == b"fine\n" && output.stderr.is_empty()
}
