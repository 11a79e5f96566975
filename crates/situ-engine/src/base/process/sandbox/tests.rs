//! What a confined program cannot do, and what it still can. The confined program is this test
//! program itself, executing one ignored test. The harm that it tries is aimed at a temporary
//! folder.

mod round_about;

use super::*;
use crate::base::process::{Finished, run_confined};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::CommandExt as _;
use std::time::Duration;

/// Environment variables for the folder that the confined program tries to damage, the process that
/// it signals, and the port that it connects to.
const VICTIM: &str = "SITU_TEST_VICTIM";
const BYSTANDER: &str = "SITU_TEST_BYSTANDER";
const PORT: &str = "SITU_TEST_PORT";

fn run_inside(test: &str, scratch: &Scratch, variables: &[(&str, &str)]) -> Finished {
    let mut command = Command::new(env::current_exe().unwrap());
    let (_, module) = module_path!()
        .split_once("::")
        .expect("the path begins with the name of the crate");
    command.args([
        "--exact",
        &format!("{module}::{test}"),
        "--ignored",
        "--nocapture",
    ]);
    scratch.prepare(&mut command);
    command.envs(variables.iter().copied());
    run_confined(&mut command, scratch, Some(Duration::from_secs(120))).unwrap()
}

/// Does what a mutated program might do, and prints which of it the system allowed.
#[test]
#[ignore = "run in a sandbox by another test"]
fn attack() {
    let victim = PathBuf::from(env::var_os(VICTIM).expect("only for a sandbox"));
    let bystander: i32 = env::var(BYSTANDER).unwrap().parse().unwrap();
    let path = |name: &str| victim.join(name);
    let own = env::temp_dir();
    let attacks: [(&str, io::Result<()>); 16] = [
        ("write", fs::write(path("new"), "x")),
        ("overwrite", fs::write(path("file"), "x")),
        (
            "append",
            fs::OpenOptions::new()
                .append(true)
                .open(path("file"))
                .map(drop),
        ),
        (
            "truncate",
            fs::OpenOptions::new()
                .write(true)
                .truncate(true)
                .open(path("file"))
                .map(drop),
        ),
        ("remove", fs::remove_file(path("file"))),
        ("remove all", fs::remove_dir_all(path("folder"))),
        ("make a folder", fs::create_dir(path("made"))),
        ("rename", fs::rename(path("file"), path("other"))),
        ("move in", fs::rename(path("file"), own.join("stolen"))),
        ("link", fs::hard_link(path("file"), own.join("linked"))),
        ("make a link", symlink("/", path("link"))),
        (
            "write through a link",
            symlink(path("file"), own.join("alias"))
                .and_then(|()| fs::write(own.join("alias"), "x")),
        ),
        (
            "change the mode",
            fs::set_permissions(path("file"), fs::Permissions::from_mode(0o777)),
        ),
        (
            "change the owner",
            std::os::unix::fs::chown(path("file"), Some(12345), None),
        ),
        (
            "change the time",
            fs::File::open(path("file")).and_then(|file| file.set_modified(std::time::UNIX_EPOCH)),
        ),
        (
            "remove the home",
            env::home_dir().map_or(Ok(()), |home| fs::remove_dir_all(home).and(Ok(()))),
        ),
    ];
    for (name, result) in attacks {
        println!(
            "\n{name}: {}",
            if result.is_ok() { "done" } else { "refused" }
        );
    }
    println!(
        "\nsignal: {}",
        if signal(bystander) { "done" } else { "refused" }
    );
    // Neither sends anything even if it is allowed: connecting a UDP socket only sets its address,
    // and no packet from loopback leaves the machine.
    let outside = "192.0.2.1:9";
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    println!(
        "\nsend: {}",
        refused(&socket.send_to(b"x", outside).map(drop))
    );
    let connected = UdpSocket::bind("0.0.0.0:0").and_then(|socket| socket.connect(outside));
    println!("\nconnect: {}", refused(&connected));
    println!(
        "\nlocal socket: {}",
        refused(&UnixStream::connect(path("socket")).map(drop))
    );
}

fn refused(result: &io::Result<()>) -> &'static str {
    match result {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => "refused",
        Err(_) => "failed in another way",
        Ok(()) => "done",
    }
}

#[expect(
    unsafe_code,
    reason = "the standard library can only signal its own children"
)]
fn signal(process: i32) -> bool {
    // SAFETY: kill(2) takes two integers and touches no memory.
    unsafe { libc::kill(process, libc::SIGKILL) == 0 }
}

#[test]
fn nothing_outside_is_changed_signalled_or_reached() {
    let folder = tempfile::tempdir().unwrap();
    let victim = folder.path().join("victim");
    fs::create_dir_all(victim.join("folder/inner")).unwrap();
    fs::write(victim.join("file"), "untouched").unwrap();
    let _socket = UnixListener::bind(victim.join("socket")).unwrap();
    let mut bystander = Command::new("sleep").arg("600").spawn().unwrap();
    let before = fs::metadata(victim.join("file")).unwrap();
    let scratch = Scratch::new(&folder.path().join("scratch")).unwrap();
    let variables = [
        (VICTIM, victim.to_str().unwrap()),
        (BYSTANDER, &bystander.id().to_string()),
    ];
    let finished = run_inside("attack", &scratch, &variables);
    let is_running = bystander.try_wait().unwrap().is_none();
    bystander.kill().unwrap();
    bystander.wait().unwrap();
    let said = &finished.stdout;
    let told: Vec<&str> = said
        .lines()
        .filter(|line| line.ends_with(": done") || line.contains("other way"))
        .collect();
    // The home is a scratch folder, so the program may remove it.
    assert_eq!(
        told,
        ["remove the home: done"],
        "{said}\n{}\n{:?} {:?}",
        finished.stderr,
        finished.status,
        finished.exceeded
    );
    assert_eq!(
        said.lines()
            .filter(|line| line.ends_with(": refused"))
            .count(),
        19,
        "{said}"
    );
    assert!(is_running);
    assert_eq!(
        fs::read_to_string(victim.join("file")).unwrap(),
        "untouched"
    );
    let names: BTreeSet<_> = fs::read_dir(&victim)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["file", "folder", "socket"].map(Into::into).into());
    let after = fs::metadata(victim.join("file")).unwrap();
    assert_eq!(
        (before.permissions(), before.modified().unwrap()),
        (after.permissions(), after.modified().unwrap())
    );
}

/// Does what ordinary tests do.
#[test]
#[ignore = "run in a sandbox by another test"]
fn ordinary_work() {
    let own = env::temp_dir();
    fs::write(own.join("a"), "x").unwrap();
    fs::set_permissions(own.join("a"), fs::Permissions::from_mode(0o600)).unwrap();
    fs::create_dir_all(own.join("b/c")).unwrap();
    fs::rename(own.join("a"), own.join("b/c/d")).unwrap();
    fs::hard_link(own.join("b/c/d"), own.join("e")).unwrap();
    fs::File::options()
        .write(true)
        .open(own.join("e"))
        .unwrap()
        .set_len(0)
        .unwrap();
    fs::write(env::home_dir().unwrap().join("settings"), "x").unwrap();
    fs::remove_dir_all(own.join("b")).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let outer: u16 = env::var(PORT).unwrap().parse().unwrap();
    TcpStream::connect(("127.0.0.1", outer)).unwrap();
    let (one, two) = (
        UdpSocket::bind("127.0.0.1:0").unwrap(),
        UdpSocket::bind("[::1]:0"),
    );
    one.send_to(b"x", one.local_addr().unwrap()).unwrap();
    if let Ok(two) = two {
        two.send_to(b"x", two.local_addr().unwrap()).unwrap();
    }
    let _listener = UnixListener::bind("socket")
        .or_else(|_| UnixListener::bind(own.join("socket")))
        .unwrap();
    UnixStream::connect(own.join("socket")).unwrap();
    let mut child = Command::new("sleep").arg("600").spawn().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(
        Command::new("sh")
            .args(["-c", "echo x > /dev/null"])
            .status()
            .unwrap()
            .success()
    );
}

#[test]
fn ordinary_tests_do_not_notice_the_sandbox() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = Scratch::new(&folder.path().join("scratch")).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let finished = run_inside("ordinary_work", &scratch, &[(PORT, &port)]);
    assert!(
        finished.status.success(),
        "{}\n{}",
        finished.stdout,
        finished.stderr
    );
    assert!(finished.stdout.contains("1 passed"), "{}", finished.stdout);
}

/// Starts a process that leaves the session and holds the pipes open.
#[test]
#[ignore = "run in a sandbox by another test"]
fn leave_a_daemon() {
    let mut command = Command::new("sleep");
    command.arg("600").process_group(0);
    #[expect(unsafe_code, reason = "the standard library cannot start a session")]
    // SAFETY: setsid(2) takes nothing and touches no memory.
    unsafe {
        command.pre_exec(|| {
            libc::setsid();
            Ok(())
        })
    };
    println!("\ndaemon {}", command.spawn().unwrap().id());
}

#[test]
fn a_process_that_leaves_its_group_is_ended_and_keeps_nobody_waiting() {
    super::super::keeper::adopt_orphans();
    let folder = tempfile::tempdir().unwrap();
    let scratch = Scratch::new(&folder.path().join("scratch")).unwrap();
    let finished = run_inside("leave_a_daemon", &scratch, &[]);
    assert!(
        finished.status.success() && !finished.timed_out,
        "{}",
        finished.stderr
    );
    assert!(
        finished.took < Duration::from_secs(60),
        "{:?}",
        finished.took
    );
    let daemon = finished
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix("daemon "))
        .unwrap();
    let state = fs::read_to_string(format!("/proc/{daemon}/stat")).unwrap_or_default();
    assert!(state.is_empty() || state.contains(") Z "), "{state}");
}

/// Writes until it is stopped.
#[test]
#[ignore = "run in a sandbox by another test"]
fn fill_the_disk() {
    // The limit is set just after the process was started.
    let is_bounded = || {
        fs::read_to_string("/proc/self/limits")
            .unwrap()
            .lines()
            .any(|line| line.starts_with("Max file size") && !line.contains("unlimited"))
    };
    while !is_bounded() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let file = fs::File::create(env::temp_dir().join("large")).unwrap();
    // Sparse, so that no disk is filled if the limit is missing.
    file.set_len(1 << 40).unwrap();
}

#[test]
fn a_file_cannot_grow_without_bound() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = Scratch::new(&folder.path().join("scratch")).unwrap();
    let finished = run_inside("fill_the_disk", &scratch, &[]);
    assert!(!finished.status.success(), "{}", finished.stdout);
    let size =
        fs::metadata(scratch.folder().join(TEMPORARY).join("large")).map_or(0, |data| data.len());
    assert!(size <= Limits::default().file_size, "{size}");
}

/// Starts processes that start processes, up to a limit of its own.
#[test]
#[ignore = "run in a sandbox by another test"]
fn start_many_processes() {
    let script = "i=0; while [ $i -lt 1200 ]; do sleep 600 & i=$((i+1)); done; wait";
    Command::new("sh").args(["-c", script]).status().unwrap();
}

#[test]
fn a_program_that_starts_too_many_processes_is_ended_with_all_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let scratch = Scratch::new(&folder.path().join("scratch")).unwrap();
    let few = Limits {
        processes: 300,
        ..Limits::default()
    };
    // Other tests start few processes at a time.
    configure(true, &[], few);
    let finished = run_inside("start_many_processes", &scratch, &[]);
    configure(true, &[], Limits::default());
    assert_eq!(
        finished.exceeded,
        Some(Exceeded::Processes(300)),
        "{}",
        finished.stderr
    );
    assert!(!finished.status.success());
}

#[test]
fn a_scratch_folder_that_is_made_again_can_be_written_to_again() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let scratch = Scratch::new(&folder.path().join("scratch")).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "echo x > \"$TMPDIR/file\""]);
        scratch.prepare(&mut command);
        let finished = run_confined(&mut command, &scratch, None).unwrap();
        assert!(finished.status.success(), "{}", finished.stderr);
        fs::remove_dir_all(scratch.folder()).unwrap();
    }
}
