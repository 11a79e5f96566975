//! Free space of a disk.

use std::path::Path;

/// Returns how many bytes can be written to the disk of this folder, or `None` if the system does
/// not say.
#[cfg(unix)]
#[expect(
    unsafe_code,
    reason = "the standard library does not ask for the free space of a disk"
)]
pub fn free_space(folder: &Path) -> Option<u64> {
    use std::ffi::CString;
    use std::mem::MaybeUninit;
    use std::os::unix::ffi::OsStrExt as _;
    let path = CString::new(folder.as_os_str().as_bytes()).ok()?;
    let mut answer = MaybeUninit::<libc::statvfs>::uninit();
    // SAFETY: the path ends with a zero byte, and statvfs(3) only writes to the structure that it
    // is given.
    let failed = unsafe { libc::statvfs(path.as_ptr(), answer.as_mut_ptr()) } != 0;
    if failed {
        return None;
    }
    // SAFETY: the call succeeded, so it has filled the structure.
    let answer = unsafe { answer.assume_init() };
    #[allow(
        clippy::unnecessary_cast,
        reason = "the widths of these fields differ between systems"
    )]
    Some((answer.f_bavail as u64).saturating_mul(answer.f_frsize as u64))
}

/// Returns `None`: this system is not supported.
#[cfg(not(unix))]
pub fn free_space(_folder: &Path) -> Option<u64> {
    None
}
