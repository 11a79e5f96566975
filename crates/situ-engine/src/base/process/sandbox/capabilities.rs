//! What root may do, taken from the threads that start confined processes: these keep what concerns files and users, and lose
//! what concerns the machine, its network and its other processes.

/// Capabilities that are kept, by their numbers: to change owners, modes and identities of whatever Landlock lets be written, to
/// read everything, to signal, to bind to low ports, to lock memory.
const KEPT: [u32; 11] = [0, 1, 2, 3, 4, 5, 6, 7, 10, 14, 31];
/// No kernel has more of them.
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

/// Gives up everything but [`KEPT`], for the calling thread and all processes that it starts from now on. Whoever is not root
/// has nothing to give up.
pub(super) fn give_up() {
    let kept = KEPT
        .iter()
        .fold(0_u64, |kept, capability| kept | 1 << capability);
    for capability in (0..MAX_COUNT).filter(|capability| !KEPT.contains(capability)) {
        // Programs that root starts get what is left of this set.
        control(libc::PR_CAPBSET_DROP, capability.into(), 0);
    }
    control(
        libc::PR_CAP_AMBIENT,
        libc::PR_CAP_AMBIENT_CLEAR_ALL as libc::c_ulong,
        0,
    );
    restrict_to(kept);
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
    // SAFETY: capget(2) writes two structures, which live as long as the call; so does the header that it reads.
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
