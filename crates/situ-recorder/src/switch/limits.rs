//! Limits of a process, and its immediate end.

/// Makes allocations beyond so many bytes fail, and disables core files.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub fn limit_memory(bytes: u64) {
    const CORE: i32 = 4;
    const ADDRESS_SPACE: i32 = if cfg!(target_os = "linux") { 9 } else { 5 };
    let (memory, none) = ([bytes, bytes], [0, 0]);
    // SAFETY: setrlimit(2) reads two 64-bit numbers from the pointer, and both arrays live through the calls.
    unsafe {
        setrlimit(ADDRESS_SPACE, &memory);
        setrlimit(CORE, &none);
    }
}

/// Does nothing: there is no such limit on this system.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub fn limit_memory(_bytes: u64) {}

/// Ends the process without executing anything else, because its other threads may hold any lock.
#[cfg(unix)]
pub fn end_process(code: i32) -> ! {
    // SAFETY: _exit(2) takes a number and does not come back.
    unsafe { _exit(code) }
}

/// Ends the process.
#[cfg(not(unix))]
pub fn end_process(code: i32) -> ! {
    std::process::exit(code)
}

#[cfg(unix)]
unsafe extern "C" {
    fn _exit(code: i32) -> !;
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    fn setrlimit(resource: i32, limit: *const [u64; 2]) -> i32;
}
