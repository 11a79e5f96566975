//! System call filter of a confined process (seccomp). It refuses a few calls and leaves others to
//! the supervisor, because Landlock knows neither network addresses nor modes and owners of files.

use libc::{c_long, sock_filter};
use std::io;
use std::os::fd::{FromRawFd as _, OwnedFd};

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;

/// Calls that change the whole machine. Most need root privileges, and no test needs them.
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
    libc::SYS_quotactl_fd,
    libc::SYS_bpf,
    libc::SYS_kexec_file_load,
    libc::SYS_vhangup,
    // Keys of the user's session outlive the program.
    libc::SYS_add_key,
    libc::SYS_keyctl,
    libc::SYS_request_key,
    // Message queues are files that no path leads to. Landlock refuses to open one, but only after
    // it was made.
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
];

/// Calls that would bypass the filter, or that are so new that every program has a fallback.
/// `setxattrat`, `removexattrat`, `open_tree_attr` and `file_setattr` are written as numbers
/// because libc does not name them yet.
const UNKNOWN: &[c_long] = &[libc::SYS_io_uring_setup, 463, 466, 467, 469];

/// Calls that the supervisor decides.
pub(super) const ASKED: &[c_long] = &[
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
    libc::SYS_pidfd_send_signal,
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

/// Calls that act on another process or thread, with the positions of the arguments that hold its
/// id.
const AIMED: &[(c_long, &[u32])] = &[
    (libc::SYS_kill, &[0]),
    (libc::SYS_tkill, &[0]),
    (libc::SYS_tgkill, &[0, 1]),
    (libc::SYS_rt_sigqueueinfo, &[0]),
    (libc::SYS_rt_tgsigqueueinfo, &[0, 1]),
    (libc::SYS_ptrace, &[1]),
    (libc::SYS_process_vm_readv, &[0]),
    (libc::SYS_process_vm_writev, &[0]),
    (libc::SYS_pidfd_open, &[0]),
];

/// Calls that change the scheduling of the process whose id is the first argument; 0 means the
/// calling process.
const SCHEDULING: &[c_long] = &[
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
];

/// Calls that change the priority of a process, a group or all processes of a user. The number is
/// the value of the first argument that selects a single process.
const PRIORITIES: &[(c_long, u32)] = &[(libc::SYS_setpriority, 0), (libc::SYS_ioprio_set, 1)];

/// ioctl commands for file systems that only read, or that only write to a file open for writing:
/// `FS_IOC_GETFLAGS`, `FS_IOC32_GETFLAGS`, `FS_IOC_GETVERSION`, `FS_IOC_FSGETXATTR`,
/// `FS_IOC_FIEMAP`, `FS_IOC_GETFSLABEL`, `FICLONE`, `FICLONERANGE`.
const HARMLESS_COMMANDS: &[u32] = &[
    0x8008_6601,
    0x8004_6601,
    0x8008_7601,
    0x801c_581f,
    0xc020_660b,
    0x8100_9431,
    0x4004_9409,
    0x4020_940d,
];

/// Types of all other ioctl commands for file systems. They change flags, freeze or shut down a
/// file system through a file that is open for reading only.
const FILE_SYSTEM_COMMANDS: &[u32] = &[0x5800, 0x6600, 0x7600, 0x9400];

/// ioctl commands that type into the user's terminal: `TIOCSTI`, `TIOCLINUX`.
const TYPING_COMMANDS: &[u32] = &[0x5412, 0x541c];

/// Command of `fcntl` that names the process or thread to signal.
const F_SETOWN_EX: u32 = 15;

/// Offsets in `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCH: u32 = 4;

/// Returns the offset of the lower half of an argument in `struct seccomp_data`. The upper half
/// follows it.
const fn argument(number: u32) -> u32 {
    16 + number * 8
}

/// Bit that marks calls of the x32 ABI.
#[cfg(target_arch = "x86_64")]
const X32: u32 = 0x4000_0000;

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

fn load(offset: u32) -> sock_filter {
    sock_filter {
        code: LOAD,
        jt: 0,
        jf: 0,
        k: offset,
    }
}

fn answer(value: u32) -> sock_filter {
    sock_filter {
        code: RETURN,
        jt: 0,
        jf: 0,
        k: value,
    }
}

/// Returns a jump that continues with the next instruction if the loaded word equals `word`, and
/// skips `skipped` instructions otherwise.
fn unless_equal_skip(word: u32, skipped: u8) -> sock_filter {
    sock_filter {
        code: EQUAL,
        jt: 0,
        jf: skipped,
        k: word,
    }
}

fn refusal(errno: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | errno.unsigned_abs()
}

fn number(call: c_long) -> u32 {
    u32::try_from(call).unwrap_or(u32::MAX)
}

/// Returns instructions that execute `instructions` for one call only. They must end in an answer
/// for all arguments.
fn for_call(call: c_long, instructions: &[sock_filter]) -> Vec<sock_filter> {
    let skipped = u8::try_from(instructions.len()).unwrap_or(u8::MAX);
    let mut all = vec![unless_equal_skip(number(call), skipped)];
    all.extend_from_slice(instructions);
    all
}

/// Returns instructions that answer `value` if the loaded word equals `word`.
fn if_equal(word: u32, value: u32) -> [sock_filter; 2] {
    [unless_equal_skip(word, 1), answer(value)]
}

/// Returns instructions that answer `value` if an argument is 0.
fn if_null(argument: u32, value: u32) -> [sock_filter; 5] {
    let (lower, upper) = (load(argument), load(argument + 4));
    [
        lower,
        unless_equal_skip(0, 3),
        upper,
        unless_equal_skip(0, 1),
        answer(value),
    ]
}

/// Returns the filter as a BPF program. `asks` says whether there is a supervisor; `own` are the
/// ids of this process and of the calling thread.
fn program(asks: bool, own: [u32; 2]) -> Vec<sock_filter> {
    let mut program = vec![load(ARCH), unless_equal_skip(ARCHITECTURE, 1)];
    program.push(sock_filter {
        code: (libc::BPF_JMP | libc::BPF_JA) as u16,
        jt: 0,
        jf: 0,
        k: 1,
    });
    program.push(answer(refusal(libc::ENOSYS)));
    program.push(load(NUMBER));
    #[cfg(target_arch = "x86_64")]
    program.extend([
        sock_filter {
            code: (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16,
            jt: 0,
            jf: 1,
            k: X32,
        },
        answer(refusal(libc::ENOSYS)),
    ]);
    program.extend(
        REFUSED
            .iter()
            .flat_map(|call| if_equal(number(*call), refusal(libc::EPERM))),
    );
    program.extend(
        UNKNOWN
            .iter()
            .flat_map(|call| if_equal(number(*call), refusal(libc::ENOSYS))),
    );
    program.extend(
        AIMED
            .iter()
            .flat_map(|(call, places)| for_call(*call, &unless_aimed_at(own, places))),
    );
    program.extend(for_call(libc::SYS_ioctl, &device_commands()));
    program.extend(for_call(libc::SYS_fcntl, &descriptor_commands()));
    if asks {
        program.extend(
            ASKED
                .iter()
                .flat_map(|call| if_equal(number(*call), libc::SECCOMP_RET_USER_NOTIF)),
        );
        program.extend(supervised_by_arguments());
    }
    program.push(answer(libc::SECCOMP_RET_ALLOW));
    program
}

/// Refuses calls whose arguments at `places` name Situ's own process or thread.
///
/// The thread that starts confined processes has the same rights as they have, so that Landlock
/// alone would let them signal, trace and read it, and with it all of Situ.
fn unless_aimed_at(own: [u32; 2], places: &[u32]) -> Vec<sock_filter> {
    let mut instructions = Vec::new();
    for place in places {
        instructions.push(load(argument(*place)));
        instructions.extend(
            own.iter()
                .flat_map(|own| if_equal(*own, refusal(libc::EPERM))),
        );
    }
    instructions.push(answer(libc::SECCOMP_RET_ALLOW));
    instructions
}

/// Refuses `F_SETOWN_EX`: it aims signals at any thread, also at the one of this process that has the
/// rights of confined programs.
fn descriptor_commands() -> Vec<sock_filter> {
    let mut instructions = vec![load(argument(1))];
    instructions.extend(if_equal(F_SETOWN_EX, refusal(libc::EPERM)));
    instructions.push(answer(libc::SECCOMP_RET_ALLOW));
    instructions
}

fn device_commands() -> Vec<sock_filter> {
    let mut instructions = vec![load(argument(1))];
    instructions.extend(
        HARMLESS_COMMANDS
            .iter()
            .flat_map(|command| if_equal(*command, libc::SECCOMP_RET_ALLOW)),
    );
    instructions.extend(
        TYPING_COMMANDS
            .iter()
            .flat_map(|command| if_equal(*command, refusal(libc::EPERM))),
    );
    let kind = (libc::BPF_ALU | libc::BPF_AND | libc::BPF_K) as u16;
    instructions.push(sock_filter {
        code: kind,
        jt: 0,
        jf: 0,
        k: 0xff00,
    });
    instructions.extend(
        FILE_SYSTEM_COMMANDS
            .iter()
            .flat_map(|kind| if_equal(*kind, refusal(libc::EPERM))),
    );
    instructions.push(answer(libc::SECCOMP_RET_ALLOW));
    instructions
}

/// Returns instructions for calls that the supervisor decides only if their arguments reach beyond
/// the calling process.
fn supervised_by_arguments() -> Vec<sock_filter> {
    let allow = libc::SECCOMP_RET_ALLOW;
    let ask = answer(libc::SECCOMP_RET_USER_NOTIF);
    let own_process = |place| {
        [
            load(argument(place)),
            unless_equal_skip(0, 1),
            answer(allow),
        ]
    };
    let mut program = Vec::new();
    // `send` is `sendto` without an address. It is too frequent to ask about, and its socket was
    // connected before.
    program.extend(for_call(
        libc::SYS_sendto,
        &[&if_null(argument(4), allow)[..], &[ask]].concat(),
    ));
    // Without new limits, the call only reads the old ones.
    let limits = [&own_process(0)[..], &if_null(argument(2), allow), &[ask]].concat();
    program.extend(for_call(libc::SYS_prlimit64, &limits));
    let scheduling = [&own_process(0)[..], &[ask]].concat();
    program.extend(
        SCHEDULING
            .iter()
            .flat_map(|call| for_call(*call, &scheduling)),
    );
    for (call, process) in PRIORITIES {
        let of_process = [load(argument(0)), unless_equal_skip(*process, 3)];
        program.extend(for_call(
            *call,
            &[&of_process[..], &own_process(1), &[ask]].concat(),
        ));
    }
    program
}

/// Installs the filter for the calling thread and all processes that it starts later. Returns the
/// descriptor on which the supervisor receives requests. Sets `no_new_privs`, as Landlock does.
///
/// # Errors
///
/// Returns an error if the kernel refuses, as it does below another seccomp supervisor; then
/// nothing is filtered.
pub(super) fn install_on_this_thread() -> io::Result<OwnedFd> {
    set_no_new_privileges()?;
    let listener = install(
        &program(true, own_numbers()),
        libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
    )?;
    #[expect(
        unsafe_code,
        reason = "a descriptor that the kernel has just made belongs to nobody else"
    )]
    // SAFETY: seccomp(2) has returned a new descriptor, which nothing else closes.
    Ok(unsafe { OwnedFd::from_raw_fd(listener) })
}

/// Installs the part of the filter that needs no supervisor.
///
/// # Errors
///
/// Returns an error if the kernel refuses; then nothing is filtered.
pub(super) fn install_without_supervisor() -> io::Result<()> {
    set_no_new_privileges()?;
    install(&program(false, own_numbers()), 0).map(drop)
}

/// Returns the ids of this process and of the calling thread.
#[expect(
    unsafe_code,
    reason = "the standard library does not tell the numbers of threads"
)]
fn own_numbers() -> [u32; 2] {
    // SAFETY: gettid(2) takes nothing and touches no memory.
    let thread = unsafe { libc::syscall(libc::SYS_gettid) };
    [std::process::id(), number(thread)]
}

#[expect(unsafe_code, reason = "the standard library cannot give up privileges")]
fn set_no_new_privileges() -> io::Result<()> {
    // SAFETY: prctl(2) takes integers here and touches no memory.
    let failed = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) } != 0;
    if failed {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}

#[expect(
    unsafe_code,
    reason = "the standard library knows no system call filters"
)]
fn install(program: &[sock_filter], flags: libc::c_ulong) -> io::Result<i32> {
    let program = libc::sock_fprog {
        len: u16::try_from(program.len())
            .map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?,
        filter: program.as_ptr().cast_mut(),
    };
    // SAFETY: the kernel only reads the program, which lives as long as the call.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            flags,
            std::ptr::from_ref(&program),
        )
    };
    if answer < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(i32::try_from(answer).unwrap_or(-1))
    }
}
