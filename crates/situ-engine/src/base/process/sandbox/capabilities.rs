//! Drops root's capabilities from the threads that start confined processes. Capabilities for files
//! and users remain; those for the machine, its network and its other processes go.

/// Numbers of the capabilities that are kept: changing owners, modes and identities of files that
/// Landlock lets a process write, reading everything, sending signals, binding to low ports,
/// locking memory.
const KEPT: [u32; 11] = [0, 1, 2, 3, 4, 5, 6, 7, 10, 14, 31];
/// Upper bound of capability numbers in all kernels.
const MAX_COUNT: u32 = 64;
/// `_LINUX_CAPABILITY_VERSION_3`.
const VERSION: u32 = 0x2008_0522;

/// `struct __user_cap_header_struct`.
#[repr(C)]
struct Header {
    version: u32,
    process: i32,
}

/// `struct __user_cap_data_struct`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Data {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}

/// Drops all capabilities but [`KEPT`] from the calling thread and from processes that it starts
/// later. Without root privileges there is nothing to drop.
pub(super) fn give_up() {
    let kept = KEPT
        .iter()
        .fold(0_u64, |kept, capability| kept | 1 << capability);
    for capability in (0..MAX_COUNT).filter(|capability| !KEPT.contains(capability)) {
        // A program executed as root gets no capability outside its bounding set.
        control(libc::PR_CAPBSET_DROP, capability.into(), 0);
    }
    control(
        libc::PR_CAP_AMBIENT,
        libc::PR_CAP_AMBIENT_CLEAR_ALL as libc::c_ulong,
        0,
    );
    restrict_to(kept);
}

/// Gives the processes that the calling thread starts shared memory, semaphores and message queues of
/// their own, so that they cannot remove those of others. Only root may do that.
#[expect(unsafe_code, reason = "the standard library knows no namespaces")]
pub(super) fn leave_shared_memory() {
    // SAFETY: unshare(2) takes an integer and touches no memory; only the calling thread changes.
    unsafe { libc::unshare(libc::CLONE_NEWIPC) };
}

#[expect(unsafe_code, reason = "the standard library knows no capabilities")]
fn control(what: i32, first: libc::c_ulong, second: libc::c_ulong) {
    // SAFETY: prctl(2) takes integers here and touches no memory.
    unsafe { libc::prctl(what, first, second, 0, 0) };
}

#[expect(unsafe_code, reason = "the standard library knows no capabilities")]
fn restrict_to(kept: u64) {
    let header = Header {
        version: VERSION,
        process: 0,
    };
    let mut data = [Data::default(); 2];
    // SAFETY: capget(2) writes two structures, which live as long as the call; so does the header
    // that it reads.
    let failed =
        unsafe { libc::syscall(libc::SYS_capget, &raw const header, data.as_mut_ptr()) } != 0;
    if failed {
        return;
    }
    for (data, kept) in data.iter_mut().zip([kept as u32, (kept >> 32) as u32]) {
        data.effective &= kept;
        data.permitted &= kept;
        data.inheritable &= kept;
    }
    // SAFETY: capset(2) reads the header and two structures, which live as long as the call.
    unsafe { libc::syscall(libc::SYS_capset, &raw const header, data.as_ptr()) };
}
