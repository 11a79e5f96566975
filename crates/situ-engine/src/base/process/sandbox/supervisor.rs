//! Decides system calls of confined processes that their filter forwards. Connections may go to
//! this machine only. Modes, owners, times and attributes may change below the writable folders
//! only, limits and priorities for own processes only.
//!
//! The arguments are read from the memory of the process that waits for the answer. A process with
//! several threads could change them in between. So this protects from programs that misbehave by
//! accident, such as mutated ones, not from attackers.

use super::kin;
use super::paths::{self, Unresolved};
use std::cell::Cell;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::mem;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// Maximum length of a socket address in bytes.
const MAX_ADDRESS: usize = 128;
/// `PATH_MAX`.
const MAX_PATH: usize = 4096;
/// `AT_EMPTY_PATH`: the call means the descriptor itself.
const EMPTY_PATH: u64 = libc::AT_EMPTY_PATH as u64;
/// Link to the working folder in the folder of a process below `/proc`.
const WORKING_FOLDER: &str = "cwd";
const NO_FOLLOW: u64 = libc::AT_SYMLINK_NOFOLLOW as u64;

/// Values by which `setpriority` and `ioprio_set` select a process group.
const PRIORITY_OF_GROUP: u64 = libc::PRIO_PGRP as u64;
const IO_PRIORITY_OF_PROCESS: u64 = 1;
const IO_PRIORITY_OF_GROUP: u64 = 2;

/// Purpose of a socket address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// For `connect`. Without a family, it ends a connection.
    Connection,
    /// For a message. Without a family, sockets treat the address as IPv4.
    Message,
}

/// Decision about one system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Allow,
    Refuse(i32),
}

/// Answers requests until no filtered process is left.
pub(super) fn serve(listener: &OwnedFd, writable: &[PathBuf]) {
    while let Some(request) = receive(listener) {
        let (process, arguments) = (request.pid, request.data.args);
        let call = Call {
            process,
            arguments,
            writable,
            is_hidden: Cell::new(false),
        };
        let answer = call.decide(libc::c_long::from(request.data.nr));
        send(listener, request.id, answer);
    }
}

#[expect(
    unsafe_code,
    reason = "the standard library knows no system call filters"
)]
fn receive(listener: &OwnedFd) -> Option<libc::seccomp_notif> {
    loop {
        // SAFETY: all bytes zero are a valid request, and the kernel asks for them to be zero.
        let mut request: libc::seccomp_notif = unsafe { mem::zeroed() };
        // SAFETY: the kernel writes one request to the place that it is given, which lives as long
        // as the call.
        let answer = unsafe {
            libc::ioctl(
                listener.as_raw_fd(),
                libc::SECCOMP_IOCTL_NOTIF_RECV,
                &raw mut request,
            )
        };
        if answer == 0 {
            return Some(request);
        }
        match io::Error::last_os_error().raw_os_error() {
            // The process was killed before its request was read.
            Some(libc::ENOENT) if has_users(listener) => {}
            Some(libc::EINTR) => {}
            _ => return None,
        }
    }
}

/// Returns whether any process with the filter is left.
#[expect(
    unsafe_code,
    reason = "the standard library cannot wait for a descriptor"
)]
fn has_users(listener: &OwnedFd) -> bool {
    let mut polled = libc::pollfd {
        fd: listener.as_raw_fd(),
        events: libc::POLLIN,
        revents: 0,
    };
    // SAFETY: poll(2) writes to the one structure that it is given, which lives as long as the
    // call.
    unsafe { libc::poll(&raw mut polled, 1, 0) };
    polled.revents & libc::POLLHUP == 0
}

#[expect(
    unsafe_code,
    reason = "the standard library knows no system call filters"
)]
fn send(listener: &OwnedFd, id: u64, answer: Answer) {
    let (error, flags) = match answer {
        Answer::Allow => (0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32),
        Answer::Refuse(errno) => (-errno, 0),
    };
    let mut response = libc::seccomp_notif_resp {
        id,
        val: 0,
        error,
        flags,
    };
    // SAFETY: the kernel reads one response, which lives as long as the call. It fails where the
    // process is gone, which is no concern of ours.
    unsafe {
        libc::ioctl(
            listener.as_raw_fd(),
            libc::SECCOMP_IOCTL_NOTIF_SEND,
            &raw mut response,
        )
    };
}

/// System call that waits for its answer.
struct Call<'c> {
    process: u32,
    arguments: [u64; 6],
    writable: &'c [PathBuf],
    /// Whether it cannot be known what the process means: the kernel refused to let Situ read its
    /// memory, or a path leads through a folder that was removed.
    is_hidden: Cell<bool>,
}

impl Call<'_> {
    fn decide(&self, call: libc::c_long) -> Answer {
        let answer = self.decide_by_arguments(call);
        if self.is_hidden.get() {
            Answer::Refuse(libc::EPERM)
        } else {
            answer
        }
    }

    fn decide_by_arguments(&self, call: libc::c_long) -> Answer {
        let arguments = &self.arguments;
        match call {
            libc::SYS_connect => self.decide_address(arguments[1], arguments[2], Use::Connection),
            libc::SYS_sendto => self.decide_address(arguments[4], arguments[5], Use::Message),
            libc::SYS_sendmsg => self.decide_message(arguments[1]),
            libc::SYS_sendmmsg => self.decide_messages(arguments[1], arguments[2]),
            libc::SYS_fchmod | libc::SYS_fchown | libc::SYS_fsetxattr | libc::SYS_fremovexattr => {
                self.decide_path(self.descriptor(arguments[0]))
            }
            libc::SYS_fchmodat => self.decide_path(self.path_at(arguments[0], arguments[1], 0)),
            libc::SYS_fchmodat2 | libc::SYS_utimensat => {
                self.decide_path(self.path_at(arguments[0], arguments[1], arguments[3]))
            }
            libc::SYS_fchownat => {
                self.decide_path(self.path_at(arguments[0], arguments[1], arguments[4]))
            }
            libc::SYS_lsetxattr | libc::SYS_lremovexattr => {
                self.decide_path(self.own_path(arguments[0], NO_FOLLOW))
            }
            libc::SYS_pidfd_send_signal => self.decide_signal(arguments[0]),
            libc::SYS_prlimit64
            | libc::SYS_sched_setaffinity
            | libc::SYS_sched_setscheduler
            | libc::SYS_sched_setparam
            | libc::SYS_sched_setattr => self.decide_process(arguments[0]),
            libc::SYS_setpriority => match (arguments[0], arguments[1]) {
                (0, process) => self.decide_process(process),
                (PRIORITY_OF_GROUP, 0) => Answer::Allow,
                _ => Answer::Refuse(libc::EPERM),
            },
            libc::SYS_ioprio_set => match (arguments[0], arguments[1]) {
                (IO_PRIORITY_OF_PROCESS, process) => self.decide_process(process),
                (IO_PRIORITY_OF_GROUP, 0) => Answer::Allow,
                _ => Answer::Refuse(libc::EPERM),
            },
            #[cfg(target_arch = "x86_64")]
            libc::SYS_lchown => self.decide_path(self.own_path(arguments[0], NO_FOLLOW)),
            #[cfg(target_arch = "x86_64")]
            libc::SYS_futimesat => self.decide_path(self.path_at(arguments[0], arguments[1], 0)),
            _ => self.decide_path(self.own_path(arguments[0], 0)),
        }
    }

    /// Allows changes below the writable folders. If the file does not exist, the kernel reports
    /// it. A pipe or anonymous memory is private to the process.
    fn decide_path(&self, path: Option<PathBuf>) -> Answer {
        let is_inside = |path: &Path| self.writable.iter().any(|folder| path.starts_with(folder));
        let is_file = |path: &Path| {
            path.is_absolute() && !path.as_os_str().as_bytes().starts_with(b"/memfd:")
        };
        match path {
            Some(path) if is_file(&path) && !is_inside(&path) => Answer::Refuse(libc::EPERM),
            _ => Answer::Allow,
        }
    }

    /// Allows calls on the caller's own processes and threads.
    fn decide_process(&self, number: u64) -> Answer {
        // The kernel reads the id as an `int`, and 0 as the caller.
        let number = number as u32;
        match number == 0 || kin::belongs_to(number, self.process) {
            true => Answer::Allow,
            false => Answer::Refuse(libc::EPERM),
        }
    }

    /// Refuses signals through a folder of `/proc`. Such a folder serves as a process descriptor,
    /// and opening it was not checked.
    fn decide_signal(&self, descriptor: u64) -> Answer {
        match self.descriptor(descriptor) {
            Some(path) if path.is_absolute() => Answer::Refuse(libc::EPERM),
            _ => Answer::Allow,
        }
    }

    fn decide_address(&self, address: u64, length: u64, purpose: Use) -> Answer {
        let length = usize::try_from(length)
            .unwrap_or(MAX_ADDRESS)
            .min(MAX_ADDRESS);
        match self.read(address, length) {
            Some(bytes) => match self.allows(&bytes, purpose) {
                true => Answer::Allow,
                false => Answer::Refuse(libc::EACCES),
            },
            // The kernel reports an address that cannot be read.
            None => Answer::Allow,
        }
    }

    /// Allows a message without an address: it goes where its socket is connected to.
    fn decide_message(&self, message: u64) -> Answer {
        let Some(bytes) = self.read(message, 12) else {
            return Answer::Allow;
        };
        let (name, length) = (word(&bytes, 0), u64::from(half_word(&bytes, 8)));
        if name == 0 {
            Answer::Allow
        } else {
            self.decide_address(name, length, Use::Message)
        }
    }

    fn decide_messages(&self, messages: u64, count: u64) -> Answer {
        let size = size_of::<libc::mmsghdr>() as u64;
        // The kernel sends at most this number of messages at once.
        let answers =
            (0..count.min(1024)).map(|at| self.decide_message(messages.wrapping_add(at * size)));
        answers
            .into_iter()
            .find(|answer| *answer != Answer::Allow)
            .unwrap_or(Answer::Allow)
    }

    /// Returns whether an address is on this machine: loopback, a socket in a writable folder, or
    /// the kernel itself.
    fn allows(&self, address: &[u8], purpose: Use) -> bool {
        let Some(family) = address.get(..2) else {
            return true;
        };
        match i32::from(u16::from_ne_bytes([family[0], family[1]])) {
            libc::AF_UNSPEC if purpose == Use::Connection => true,
            libc::AF_NETLINK => true,
            libc::AF_UNSPEC | libc::AF_INET => address
                .get(4..8)
                .and_then(|bytes| <[u8; 4]>::try_from(bytes).ok())
                .is_none_or(|bytes| {
                    let ip = Ipv4Addr::from(bytes);
                    ip.is_loopback() || ip.is_unspecified()
                }),
            libc::AF_INET6 => address
                .get(8..24)
                .and_then(|bytes| <[u8; 16]>::try_from(bytes).ok())
                .is_none_or(|bytes| {
                    let ip = Ipv6Addr::from(bytes);
                    let ip = ip.to_ipv4_mapped().map_or(IpAddr::V6(ip), IpAddr::V4);
                    ip.is_loopback() || ip.is_unspecified()
                }),
            libc::AF_UNIX => self.allows_local_socket(&address[2..]),
            _ => false,
        }
    }

    /// Returns whether a Unix socket may be used. Abstract names are allowed, because Landlock
    /// limits them to the sandbox where it can.
    fn allows_local_socket(&self, name: &[u8]) -> bool {
        let path = name.split(|byte| *byte == 0).next().unwrap_or_default();
        if path.is_empty() {
            return true;
        }
        let path = self.resolved(WORKING_FOLDER, Path::new(OsStr::from_bytes(path)), 0);
        self.decide_path(path) == Answer::Allow
    }

    fn own_path(&self, path: u64, flags: u64) -> Option<PathBuf> {
        self.resolved(WORKING_FOLDER, &self.read_path(path)?, flags)
    }

    fn path_at(&self, folder: u64, path: u64, flags: u64) -> Option<PathBuf> {
        if path == 0 {
            return self.descriptor(folder);
        }
        let path = self.read_path(path)?;
        if path.as_os_str().is_empty() {
            return if flags & EMPTY_PATH == 0 {
                None
            } else {
                self.descriptor(folder)
            };
        }
        // The kernel reads the descriptor as an `int`.
        let is_working_folder = folder as u32 as i32 == libc::AT_FDCWD;
        let above = if is_working_folder {
            WORKING_FOLDER.to_owned()
        } else {
            format!("fd/{}", folder as u32)
        };
        self.resolved(&above, &path, flags)
    }

    fn descriptor(&self, number: u64) -> Option<PathBuf> {
        fs::read_link(format!("/proc/{}/fd/{}", self.process, number as u32)).ok()
    }

    /// Resolves a path of the process, following links. `above` is the folder that a relative path
    /// starts from, as a link in the folder of the process below `/proc`. Returns `None` if there is
    /// no such file.
    fn resolved(&self, above: &str, path: &Path, flags: u64) -> Option<PathBuf> {
        let above = PathBuf::from(format!("/proc/{}/{above}", self.process));
        match paths::resolved(self.process, &above.join(path), flags & NO_FOLLOW == 0) {
            Ok(path) => path,
            Err(Unresolved::Missing) => None,
            Err(Unresolved::Unknown) => {
                self.is_hidden.set(true);
                None
            }
        }
    }

    fn read_path(&self, address: u64) -> Option<PathBuf> {
        // The string may end just before unreadable memory, so the first read stops at the page's
        // end.
        let to_page = usize::try_from(4096 - address % 4096).unwrap_or(1);
        let mut bytes = self.read(address, to_page)?;
        if !bytes.contains(&0) {
            bytes.extend(self.read(address.wrapping_add(to_page as u64), MAX_PATH)?);
        }
        let end = bytes.iter().position(|byte| *byte == 0)?;
        Some(PathBuf::from(OsStr::from_bytes(&bytes[..end])))
    }

    #[expect(
        unsafe_code,
        reason = "the standard library cannot read the memory of another process"
    )]
    fn read(&self, address: u64, length: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; length];
        let local = libc::iovec {
            iov_base: bytes.as_mut_ptr().cast(),
            iov_len: length,
        };
        let address = usize::try_from(address).ok()?;
        let remote = libc::iovec {
            iov_base: std::ptr::without_provenance_mut(address),
            iov_len: length,
        };
        let process = i32::try_from(self.process).ok()?;
        // SAFETY: the kernel writes at most `length` bytes to the vector, and reads the other
        // process's memory itself.
        let count = unsafe {
            libc::process_vm_readv(process, &raw const local, 1, &raw const remote, 1, 0)
        };
        if count < 0 && io::Error::last_os_error().raw_os_error() == Some(libc::EPERM) {
            self.is_hidden.set(true);
        }
        bytes.truncate(usize::try_from(count).ok()?);
        Some(bytes)
    }
}

fn word(bytes: &[u8], at: usize) -> u64 {
    bytes
        .get(at..at + 8)
        .and_then(|bytes| bytes.try_into().ok())
        .map_or(0, u64::from_ne_bytes)
}

fn half_word(bytes: &[u8], at: usize) -> u32 {
    bytes
        .get(at..at + 4)
        .and_then(|bytes| bytes.try_into().ok())
        .map_or(0, u32::from_ne_bytes)
}
