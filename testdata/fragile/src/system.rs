//! Calls of the system that the standard library does not make.

use std::ffi::CString;
use std::fs::File;
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

const HIGHEST: i32 = 4200;

unsafe extern "C" {
    fn close(descriptor: i32) -> i32;
    fn dup2(from: i32, to: i32) -> i32;
    fn setrlimit(resource: i32, limit: *const [u64; 2]) -> i32;
    fn chroot(path: *const std::ffi::c_char) -> i32;
    fn fork() -> i32;
    fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
    fn alarm(seconds: u32) -> u32;
    fn _exit(code: i32) -> !;
    fn signal(signal: i32, handler: extern "C" fn(i32)) -> usize;
    fn setitimer(which: i32, new: *const [i64; 4], old: *mut [i64; 4]) -> i32;
}

pub fn close_from(first: i32) {
    (first..HIGHEST).for_each(|descriptor| _ = unsafe { close(descriptor) });
}

/// Puts a file in the place of all descriptors but a few that are free.
pub fn duplicate_onto_most(file: &File, first: i32) {
    let (own, free) = (file.as_raw_fd(), 100..110);
    let others = (first..HIGHEST).filter(|descriptor| *descriptor != own && !free.contains(descriptor));
    others.for_each(|to| _ = unsafe { dup2(own, to) });
}

pub fn limit_descriptors(most: u64) {
    const DESCRIPTORS: i32 = 7;
    unsafe { setrlimit(DESCRIPTORS, &[most, most]) };
}

pub fn change_root(folder: &Path) -> bool {
    let path = CString::new(folder.as_os_str().as_bytes()).unwrap();
    unsafe { chroot(path.as_ptr()) == 0 }
}

/// Runs something in a child, which is ended where it hangs.
pub fn in_fork(work: impl FnOnce() -> bool) -> bool {
    const SECONDS: u32 = 30;
    unsafe {
        let child = fork();
        if child == 0 {
            alarm(SECONDS);
            _exit(if work() { 0 } else { 1 });
        }
        let mut status = 1;
        waitpid(child, &mut status, 0) == child && status == 0
    }
}

pub fn every_hundred_microseconds(handler: extern "C" fn(i32)) {
    const ALARM: i32 = 14;
    const REAL: i32 = 0;
    unsafe {
        signal(ALARM, handler);
        setitimer(REAL, &[0, 100, 0, 100], &mut [0; 4]);
    }
}
