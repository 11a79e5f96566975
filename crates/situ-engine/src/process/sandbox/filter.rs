//! The system call filter of a confined process (seccomp): a few calls are refused, and for some the supervisor is asked,
//! because Landlock knows neither network addresses nor modes and owners of files.

use libc::{c_long, sock_filter};
use std::io;
use std::os::fd::{FromRawFd as _, OwnedFd};

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;

/// Calls that change the whole machine. Only root could make them, and no test has a use for them.
const REFUSED: &[c_long] = &[
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_bpf,
];

/// Calls that would go round the filter, or that are so new that every program has another way. By number, where libc has no
/// name for them yet: `setxattrat`, `removexattrat`, `file_setattr`.
const UNKNOWN: &[c_long] = &[libc::SYS_io_uring_setup, 463, 466, 469];

/// Calls that the supervisor decides about.
pub const ASKED: &[c_long] = &[
    libc::SYS_connect,
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_truncate,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

/// The offsets of `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCH: u32 = 4;
const FIFTH_ARGUMENT: u32 = 16 + 4 * 8;

/// Calls of the x32 interface have this bit; nothing else uses it.
#[cfg(target_arch = "x86_64")]
const X32: u32 = 0x4000_0000;

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

fn load(offset: u32) -> sock_filter {
    sock_filter { code: LOAD, jt: 0, jf: 0, k: offset }
}

fn answer(value: u32) -> sock_filter {
    sock_filter { code: RETURN, jt: 0, jf: 0, k: value }
}

/// Goes on with the next instruction where the loaded word is this one, and behind `skipped` instructions where it is not.
fn unless_equal_skip(word: u32, skipped: u8) -> sock_filter {
    sock_filter { code: EQUAL, jt: 0, jf: skipped, k: word }
}

fn refusal(errno: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | errno.unsigned_abs()
}

fn number(call: c_long) -> u32 {
    u32::try_from(call).unwrap_or(u32::MAX)
}

/// The filter as a program of the kernel's packet filter machine. `asks` says whether there is a supervisor.
fn program(asks: bool) -> Vec<sock_filter> {
    let mut program = vec![load(ARCH), unless_equal_skip(ARCHITECTURE, 1)];
    program.push(sock_filter { code: (libc::BPF_JMP | libc::BPF_JA) as u16, jt: 0, jf: 0, k: 1 });
    program.push(answer(refusal(libc::ENOSYS)));
    program.push(load(NUMBER));
    #[cfg(target_arch = "x86_64")]
    program.extend([
        sock_filter { code: (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16, jt: 0, jf: 1, k: X32 },
        answer(refusal(libc::ENOSYS)),
    ]);
    for call in REFUSED {
        program.extend([unless_equal_skip(number(*call), 1), answer(refusal(libc::EPERM))]);
    }
    for call in UNKNOWN {
        program.extend([unless_equal_skip(number(*call), 1), answer(refusal(libc::ENOSYS))]);
    }
    if asks {
        for call in ASKED {
            program.extend([unless_equal_skip(number(*call), 1), answer(libc::SECCOMP_RET_USER_NOTIF)]);
        }
        // `send` is `sendto` without an address: too frequent to ask about, and its socket was connected before.
        program.extend([
            unless_equal_skip(number(libc::SYS_sendto), 6),
            load(FIFTH_ARGUMENT),
            unless_equal_skip(0, 3),
            load(FIFTH_ARGUMENT + 4),
            unless_equal_skip(0, 1),
            answer(libc::SECCOMP_RET_ALLOW),
            answer(libc::SECCOMP_RET_USER_NOTIF),
        ]);
    }
    program.push(answer(libc::SECCOMP_RET_ALLOW));
    program
}

/// Installs the filter for the calling thread and all processes that it starts from now on; returns where the supervisor
/// hears of the calls it decides about. The thread must not gain privileges any more (`no_new_privs`), as Landlock has it.
///
/// # Errors
///
/// Where the kernel refuses, as it does below a supervisor of somebody else's; then nothing is filtered.
pub fn install_on_this_thread() -> io::Result<OwnedFd> {
    set_no_new_privileges()?;
    let listener = install(&program(true), libc::SECCOMP_FILTER_FLAG_NEW_LISTENER)?;
    #[expect(unsafe_code, reason = "a descriptor that the kernel has just made belongs to nobody else")]
    // SAFETY: seccomp(2) has returned a new descriptor, which nothing else closes.
    Ok(unsafe { OwnedFd::from_raw_fd(listener) })
}

/// Installs the part of the filter that needs no supervisor.
///
/// # Errors
///
/// Where the kernel refuses; then nothing is filtered.
pub fn install_without_supervisor() -> io::Result<()> {
    set_no_new_privileges()?;
    install(&program(false), 0).map(drop)
}

#[expect(unsafe_code, reason = "the standard library cannot give up privileges")]
fn set_no_new_privileges() -> io::Result<()> {
    // SAFETY: prctl(2) takes integers here and touches no memory.
    let failed = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) } != 0;
    if failed { Err(io::Error::last_os_error()) } else { Ok(()) }
}

#[expect(unsafe_code, reason = "the standard library knows no system call filters")]
fn install(program: &[sock_filter], flags: libc::c_ulong) -> io::Result<i32> {
    let program = libc::sock_fprog {
        len: u16::try_from(program.len()).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?,
        filter: program.as_ptr().cast_mut(),
    };
    // SAFETY: the kernel only reads the program, which lives as long as the call.
    let answer =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, std::ptr::from_ref(&program)) };
    if answer < 0 { Err(io::Error::last_os_error()) } else { Ok(i32::try_from(answer).unwrap_or(-1)) }
}
