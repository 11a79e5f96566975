//! Threads that have dropped their rights and start the confined processes. A process inherits the
//! restrictions of its thread, so that starting it costs no more than starting any other.

use super::{Limits, Missing, capabilities, filter, rules, supervisor, tree_copy};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::mem;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Command for a spawner thread, and the channel on which it returns the command with its child.
struct Job {
    command: Command,
    answer: Sender<(Command, io::Result<Child>)>,
}

/// Restricted thread that starts processes.
#[derive(Clone)]
struct Spawner {
    jobs: Sender<Job>,
    missing: Vec<Missing>,
}

/// Maximum number of threads. An evicted thread ends when its last user drops the channel.
const MAX_SPAWNERS: usize = 16;

/// One thread for each set of writable folders. There are few at a time, because each worker keeps
/// its folder.
static SPAWNERS: Mutex<BTreeMap<Vec<Place>, Spawner>> = Mutex::new(BTreeMap::new());

/// Path with device and inode. A folder that was removed and created again is another one, in which
/// a thread that was restricted before cannot write.
type Place = (PathBuf, u64, u64);

fn place(path: &Path) -> Place {
    let (device, number) = fs::metadata(path).map_or((0, 0), |data| (data.dev(), data.ino()));
    (path.to_path_buf(), device, number)
}

/// Starts a command that can write only below `writable`: existing, absolute paths without links.
/// Without Landlock, the command runs in a copy of its tree.
pub(super) fn spawn(
    command: &mut Command,
    writable: &[PathBuf],
    limits: Limits,
) -> io::Result<Child> {
    let spawner = spawner(writable)?;
    if spawner.missing.contains(&Missing::Landlock) {
        tree_copy::redirect(command)?;
    }
    let (answer, answered) = channel();
    let owned = mem::replace(command, Command::new(""));
    let is_gone = || io::Error::other("the thread that starts confined processes has ended");
    spawner
        .jobs
        .send(Job {
            command: owned,
            answer,
        })
        .map_err(|_| is_gone())?;
    let (owned, started) = answered.recv().map_err(|_| is_gone())?;
    *command = owned;
    // Limits are set just after the process was started. Letting the supervisor set them before the
    // program begins would cost more than all the rest of the start, and no program exceeds them in
    // its first moment.
    started.inspect(|child| limits.apply_to(child.id()))
}

/// Returns what this system cannot enforce for a process that may write below these folders.
pub(super) fn missing(writable: &[PathBuf]) -> io::Result<Vec<Missing>> {
    spawner(writable).map(|spawner| spawner.missing)
}

/// Returns what could not be enforced for the processes that were started so far.
pub(super) fn missed() -> Vec<Missing> {
    let spawners = SPAWNERS.lock().unwrap_or_else(PoisonError::into_inner);
    let missed: BTreeSet<Missing> = spawners
        .values()
        .flat_map(|spawner| &spawner.missing)
        .copied()
        .collect();
    missed.into_iter().collect()
}

fn spawner(writable: &[PathBuf]) -> io::Result<Spawner> {
    let key: Vec<Place> = writable.iter().map(|path| place(path)).collect();
    let mut spawners = SPAWNERS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(spawner) = spawners.get(&key) {
        return Ok(spawner.clone());
    }
    let (jobs, received) = channel();
    let (ready, is_ready) = channel();
    let folders = writable.to_vec();
    thread::Builder::new()
        .name("sandbox".to_owned())
        .spawn(move || {
            let restricted = restrict_this_thread(&folders);
            if ready.send(restricted).is_ok() {
                start_all(&received);
            }
        })?;
    let Restricted { missing, listener } = is_ready.recv().map_err(io::Error::other)?;
    if let Some(listener) = listener {
        let folders = writable.to_vec();
        // Started from here, not from the restricted thread: a thread inherits the restrictions of
        // the one that starts it.
        let serve = move || supervisor::serve(&listener, &folders);
        thread::Builder::new()
            .name("sandbox supervisor".to_owned())
            .spawn(serve)?;
    }
    let spawner = Spawner { jobs, missing };
    if spawners.len() >= MAX_SPAWNERS {
        spawners.pop_first();
    }
    spawners.insert(key, spawner.clone());
    Ok(spawner)
}

fn start_all(jobs: &Receiver<Job>) {
    for Job {
        mut command,
        answer,
    } in jobs
    {
        let started = command.spawn();
        // The receiver waits for this answer, so sending cannot fail.
        let _ = answer.send((command, started));
    }
}

/// What a thread could not be restricted from, and the descriptor of its supervisor.
struct Restricted {
    missing: Vec<Missing>,
    listener: Option<OwnedFd>,
}

/// Drops all rights of this thread that its processes must not have.
fn restrict_this_thread(writable: &[PathBuf]) -> Restricted {
    capabilities::leave_shared_memory();
    let mut missing = rules::restrict_this_thread(writable).unwrap_or_else(|missing| vec![missing]);
    let listener = filter::install_on_this_thread().ok();
    if listener.is_some() {
        // The supervisor also checks truncation, which an old Landlock does not.
        missing.retain(|missing| *missing != Missing::Truncation);
    } else {
        missing.extend([Missing::Network, Missing::Modes]);
        if filter::install_without_supervisor().is_err() {
            missing.push(Missing::Filter);
        }
    }
    // Last, because some of the steps before need these privileges.
    capabilities::give_up();
    Restricted { missing, listener }
}
