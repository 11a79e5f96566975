//! Attempts to bypass the rules: system calls that reach other processes, machines and files by
//! other means than their names.
#![expect(
    unsafe_code,
    reason = "the standard library makes none of these calls, and all of them are to be refused"
)]

use super::*;
use std::os::fd::AsRawFd as _;

/// ioctl that sets the flags of a file, as `chattr` does: `FS_IOC_SETFLAGS`.
const SET_FLAGS: libc::c_ulong = 0x4008_6602;
/// Flag for a descriptor of a thread: `PIDFD_THREAD`.
const OF_THREAD: i32 = libc::O_EXCL;

/// Converts the return value of a system call to a result.
fn said(answer: libc::c_long) -> io::Result<()> {
    if answer < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}

/// Makes a call for each thread of the parent process and returns the first result that is not a
/// refusal.
fn any_thread(call: impl Fn(i32) -> io::Result<()>) -> io::Result<()> {
    let starter = std::os::unix::process::parent_id();
    let threads = fs::read_dir(format!("/proc/{starter}/task")).unwrap();
    let numbers = threads.map(|thread| {
        thread
            .unwrap()
            .file_name()
            .to_str()
            .unwrap()
            .parse()
            .unwrap()
    });
    // Threads of other tests may have ended in the meantime.
    let is_gone =
        |error: &io::Error| matches!(error.raw_os_error(), Some(libc::ENOENT | libc::ESRCH));
    let is_harmless = |result: &io::Result<()>| {
        refused(result) == "refused" || result.as_ref().is_err_and(is_gone)
    };
    let all: Vec<io::Result<()>> = numbers.map(call).collect();
    assert!(all.len() > 1);
    let first = all.into_iter().find(|result| !is_harmless(result));
    first.unwrap_or_else(|| Err(io::ErrorKind::PermissionDenied.into()))
}

fn attacks_on_processes(bystander: i32) -> Vec<(&'static str, io::Result<()>)> {
    let limit = libc::rlimit {
        rlim_cur: 512,
        rlim_max: 512,
    };
    // SAFETY: all bytes zero are a valid set of processors.
    let processors: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    let mut byte = [0_u8];
    let vector = libc::iovec {
        iov_base: byte.as_mut_ptr().cast(),
        iov_len: 1,
    };
    let (none, here) = (std::ptr::null_mut::<libc::c_void>(), &raw const vector);
    // SAFETY: signal 0 signals nobody; memory that is read or written outlives the calls; nothing
    // is traced because the call is refused.
    unsafe {
        vec![
            (
                "limit",
                said(
                    libc::prlimit(
                        bystander,
                        libc::RLIMIT_NOFILE,
                        &raw const limit,
                        none.cast(),
                    )
                    .into(),
                ),
            ),
            (
                "priority",
                said(libc::setpriority(libc::PRIO_PROCESS, bystander as libc::id_t, 19).into()),
            ),
            (
                "priority of all",
                said(libc::setpriority(libc::PRIO_USER, 0, 1).into()),
            ),
            (
                "processors",
                said(
                    libc::sched_setaffinity(
                        bystander,
                        size_of_val(&processors),
                        &raw const processors,
                    )
                    .into(),
                ),
            ),
            (
                "input",
                said(libc::syscall(libc::SYS_ioprio_set, 1, bystander, 3 << 13)),
            ),
            (
                "signal",
                any_thread(|thread| said(libc::kill(thread, 0).into())),
            ),
            (
                "signal to a thread",
                any_thread(|thread| said(libc::syscall(libc::SYS_tkill, thread, 0))),
            ),
            (
                "memory",
                any_thread(|thread| {
                    said(libc::process_vm_readv(thread, here, 1, here, 1, 0) as libc::c_long)
                }),
            ),
            (
                "trace",
                any_thread(|thread| said(libc::ptrace(libc::PTRACE_SEIZE, thread, none, none))),
            ),
            ("descriptor", any_thread(take_descriptor)),
            ("folder", any_thread(signal_by_folder)),
        ]
    }
}

/// Duplicates the standard output of another process.
fn take_descriptor(thread: i32) -> io::Result<()> {
    // SAFETY: both calls take integers only.
    unsafe {
        let process = libc::syscall(libc::SYS_pidfd_open, thread, OF_THREAD);
        said(process)?;
        said(libc::syscall(libc::SYS_pidfd_getfd, process, 1, 0))
    }
}

fn signal_by_folder(thread: i32) -> io::Result<()> {
    let folder = fs::File::open(format!("/proc/{thread}"))?;
    let none = std::ptr::null::<libc::siginfo_t>();
    // SAFETY: signal 0 signals nobody, and nothing is read.
    said(unsafe { libc::syscall(libc::SYS_pidfd_send_signal, folder.as_raw_fd(), 0, none, 0) })
}

fn attacks_on_the_rest(file: &Path) -> Vec<(&'static str, io::Result<()>)> {
    let opened = fs::File::open(file).unwrap();
    let flags: libc::c_long = 0x40;
    let by_descriptor = |folder: &str| Path::new(folder).join(opened.as_raw_fd().to_string());
    let mode = |path: &Path| fs::set_permissions(path, fs::Permissions::from_mode(0o777));
    let name = c"name";
    // SAFETY: what is read lives as long as the calls.
    unsafe {
        vec![
            (
                "flags",
                said(libc::ioctl(opened.as_raw_fd(), SET_FLAGS, &raw const flags).into()),
            ),
            ("mode from a removed folder", mode_from_removed_folder(file)),
            ("mode by a removed folder", mode_by_removed_folder(file)),
            (
                "terminal",
                fs::OpenOptions::new()
                    .write(true)
                    .open("/dev/tty")
                    .map(drop),
            ),
            (
                "queue",
                said(libc::syscall(libc::SYS_mq_unlink, name.as_ptr())),
            ),
            ("owner of a signal", own_signals(opened.as_raw_fd())),
            ("mode by a link", mode(&by_descriptor("/dev/fd"))),
            (
                "mode by a detour",
                mode(&by_descriptor("/proc/../proc/self/fd")),
            ),
            ("message without a family", message_without_family()),
            (
                "packets",
                said(libc::socket(libc::AF_PACKET, libc::SOCK_RAW, 0).into()),
            ),
            (
                "typing",
                said(libc::ioctl(1, libc::TIOCSTI, name.as_ptr()).into()),
            ),
            (
                "key",
                said(libc::syscall(
                    libc::SYS_add_key,
                    name.as_ptr(),
                    name.as_ptr(),
                    name.as_ptr(),
                    1,
                    -2,
                )),
            ),
        ]
    }
}

/// Changes the mode of a file by a path that starts with `prefix`, in a folder that was removed.
fn mode_in_removed_folder(prefix: &str, file: &Path) -> io::Result<()> {
    let script = format!(
        "mkdir $TMPDIR/gone && cd $TMPDIR/gone && rmdir $TMPDIR/gone && chmod 777 {prefix}{}{}",
        "../".repeat(60),
        file.display()
    );
    let run = Command::new("sh").args(["-c", &script]).output()?;
    let said = String::from_utf8_lossy(&run.stderr);
    match (run.status.success(), said.contains("not permitted")) {
        (true, _) => Ok(()),
        (false, true) => Err(io::ErrorKind::PermissionDenied.into()),
        (false, false) => Err(io::Error::other(said.into_owned())),
    }
}

fn mode_from_removed_folder(file: &Path) -> io::Result<()> {
    mode_in_removed_folder("", file)
}

fn mode_by_removed_folder(file: &Path) -> io::Result<()> {
    mode_in_removed_folder("/proc/self/cwd/", file)
}

/// Aims the signals of a descriptor at this thread itself, by the command that could aim them at any.
fn own_signals(descriptor: i32) -> io::Result<()> {
    const F_SETOWN_EX: i32 = 15;
    // SAFETY: gettid(2) takes nothing; fcntl(2) reads two integers, which outlive the call.
    unsafe {
        let owner = [0, libc::syscall(libc::SYS_gettid) as i32];
        said(libc::fcntl(descriptor, F_SETOWN_EX, owner.as_ptr()).into())
    }
}

/// Sends nothing even if it is allowed: no packet from loopback leaves the machine.
fn message_without_family() -> io::Result<()> {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    // Family 0, port 9, address 192.0.2.1.
    let address: [u8; 16] = [0, 0, 0, 9, 192, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0];
    // SAFETY: the kernel reads one byte and an address, which live as long as the call.
    let sent = unsafe {
        libc::sendto(
            socket.as_raw_fd(),
            [0_u8].as_ptr().cast(),
            1,
            0,
            address.as_ptr().cast(),
            16,
        )
    };
    said(sent as libc::c_long)
}

#[test]
#[ignore = "run in a sandbox by another test"]
fn attack_round_about() {
    let victim = PathBuf::from(env::var_os(VICTIM).expect("only for a sandbox"));
    let bystander: i32 = env::var(BYSTANDER).unwrap().parse().unwrap();
    for (name, result) in attacks_on_processes(bystander)
        .into_iter()
        .chain(attacks_on_the_rest(&victim.join("file")))
    {
        println!(
            "\n{name}: {}{}",
            refused(&result),
            result
                .err()
                .map_or(String::new(), |error| format!(" ({error})"))
        );
    }
}

#[test]
fn nothing_outside_is_reached_by_other_ways() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "untouched").unwrap();
    let mut bystander = Command::new("sleep").arg("600").spawn().unwrap();
    let scratch = Scratch::new(&folder.path().join("scratch")).unwrap();
    let variables = [
        (VICTIM, folder.path().to_str().unwrap()),
        (BYSTANDER, &bystander.id().to_string()),
    ];
    let finished = run_inside("round_about::attack_round_about", &scratch, &variables);
    bystander.kill().unwrap();
    bystander.wait().unwrap();
    let said: Vec<&str> = finished
        .stdout
        .lines()
        .filter(|line| line.contains(": ") && !line.contains("test"))
        .collect();
    let done: Vec<&&str> = said
        .iter()
        .filter(|line| !line.contains(": refused"))
        .collect();
    assert!(
        done.is_empty() && said.len() == 23,
        "{done:#?}\n{}\n{}",
        finished.stdout,
        finished.stderr
    );
}

/// Does to itself and to its children what a program must not do to others.
#[test]
#[ignore = "run in a sandbox by another test"]
fn own_affairs() {
    let mut child = Command::new("sleep").arg("600").spawn().unwrap();
    let number = i32::try_from(child.id()).unwrap();
    let limit = libc::rlimit {
        rlim_cur: 512,
        rlim_max: 512,
    };
    // SAFETY: what is read and written lives as long as the calls.
    unsafe {
        let mut processors: libc::cpu_set_t = std::mem::zeroed();
        let size = size_of_val(&processors);
        said(libc::sched_getaffinity(0, size, &raw mut processors).into()).unwrap();
        let thread = i32::try_from(libc::syscall(libc::SYS_gettid)).unwrap();
        for process in [0, number, thread] {
            said(
                libc::prlimit(
                    process,
                    libc::RLIMIT_NOFILE,
                    &raw const limit,
                    std::ptr::null_mut(),
                )
                .into(),
            )
            .unwrap();
            said(libc::sched_setaffinity(process, size, &raw const processors).into()).unwrap();
            said(libc::setpriority(libc::PRIO_PROCESS, process as libc::id_t, 5).into()).unwrap();
        }
        let descriptor = libc::syscall(libc::SYS_pidfd_open, number, 0);
        let none = std::ptr::null::<libc::siginfo_t>();
        said(libc::syscall(
            libc::SYS_pidfd_send_signal,
            descriptor,
            libc::SIGKILL,
            none,
            0,
        ))
        .unwrap();
    }
    child.wait().unwrap();
}

#[test]
fn own_processes_are_a_program_s_own_concern() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = Scratch::new(&folder.path().join("scratch")).unwrap();
    let finished = run_inside("round_about::own_affairs", &scratch, &[]);
    assert!(
        finished.stdout.contains("1 passed"),
        "{}\n{}",
        finished.stdout,
        finished.stderr
    );
}

#[test]
fn a_process_that_clears_its_environment_is_ended_and_so_is_what_it_started() {
    crate::base::process::keeper::adopt_orphans();
    let folder = tempfile::tempdir().unwrap();
    let scratch = Scratch::new(&folder.path().join("scratch")).unwrap();
    let mut command = Command::new("sh");
    // The outer shell starts the inner one, and both log their process ids.
    let inner = "echo process $$ >> $0/log; exec sleep 600";
    let outer = format!("setsid sh -c '{inner}' $0 & echo process $$ >> $0/log; exec sleep 600");
    // A process that is started before its parent's limit is set would be killed later, so wait for
    // it.
    let limits = fs::read_to_string("/proc/self/limits").unwrap();
    let bound = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max realtime timeout"))
        .unwrap();
    let script = "while grep -q \"realtime timeout  *$BOUND \" /proc/self/limits; do sleep 0.01; done; \
                  env -i PATH=\"$PATH\" setsid sh -c \"$OUTER\" $TMPDIR & \
                  while [ \"$(grep -c process $TMPDIR/log)\" != 2 ]; do sleep 0.01; done; cat $TMPDIR/log";
    command
        .args(["-c", script])
        .env("OUTER", outer)
        .env("BOUND", bound.split_whitespace().next().unwrap());
    scratch.prepare(&mut command);
    let finished = run_confined(&mut command, &scratch, Some(Duration::from_secs(120))).unwrap();
    assert!(finished.status.success(), "{}", finished.stderr);
    let left: Vec<&str> = finished
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("process "))
        .collect();
    assert_eq!(left.len(), 2, "{}", finished.stdout);
    for process in left {
        let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        assert!(state.is_empty() || state.contains(") Z "), "{state}");
    }
}

#[test]
fn what_a_program_has_left_or_removed_is_not_what_the_next_one_finds() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = Scratch::new(&folder.path().join("scratch")).unwrap();
    let outside = folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("left"), "untouched").unwrap();
    let link = "rm -r $TMPDIR && ln -s $OUTSIDE $TMPDIR";
    for script in [
        "touch $TMPDIR/left $HOME/left",
        "rm -rf $TMPDIR $HOME",
        link,
        "exit 0",
    ] {
        let mut command = Command::new("sh");
        let is_clear =
            "test -z \"$(ls -A $TMPDIR/ $HOME/ | grep left)\" && touch $TMPDIR/x $HOME/x";
        command
            .args(["-c", &format!("{is_clear} && {script}")])
            .env("OUTSIDE", &outside);
        scratch.clear();
        scratch.prepare(&mut command);
        let finished = run_confined(&mut command, &scratch, None).unwrap();
        assert!(finished.status.success(), "{script}: {}", finished.stderr);
        assert_eq!(
            fs::read_to_string(outside.join("left")).unwrap(),
            "untouched"
        );
    }
}

#[test]
fn a_program_that_is_stopped_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = Scratch::new(&folder.path().join("scratch")).unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "kill -STOP $$; exit 0"]);
    scratch.prepare(&mut command);
    let finished = run_confined(&mut command, &scratch, Some(Duration::from_secs(120))).unwrap();
    assert_eq!(finished.exceeded, Some(Exceeded::Stopped));
    assert!(!finished.timed_out);
}
