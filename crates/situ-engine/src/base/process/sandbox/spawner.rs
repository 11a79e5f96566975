//! Threads that have given up their rights, and start the confined processes: a process inherits what its thread may do, so
//! that starting it costs no more than starting any other.

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

/// A command on its way to a thread that starts it, and back.
struct Job {
    command: Command,
    answer: Sender<(Command, io::Result<Child>)>,
}

/// A thread with few rights.
#[derive(Clone)]
struct Spawner {
    jobs: Sender<Job>,
    missing: Vec<Missing>,
}

/// More threads are not kept; they end when nobody holds them any more.
const MAX_SPAWNERS: usize = 16;

/// One thread for each set of writable folders that was asked for. There are few at a time: a worker keeps its folder.
static SPAWNERS: Mutex<BTreeMap<Vec<Place>, Spawner>> = Mutex::new(BTreeMap::new());

/// A file or folder with its device and number: a folder that was removed and made again is another one, in which a thread that
/// was restricted before cannot write.
type Place = (PathBuf, u64, u64);

fn place(path: &Path) -> Place {
    let (device, number) = fs::metadata(path).map_or((0, 0), |data| (data.dev(), data.ino()));
    (path.to_path_buf(), device, number)
}

/// Starts a command that can write below these folders only, which must exist and be absolute and free of links; where there is
/// no Landlock, in a copy of its tree.
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
    // Bounds are set as soon as a process is there. To have the supervisor set them before the program begins would cost more
    // than all the rest, and nothing that they are for happens in the first moment.
    started.inspect(|child| limits.apply_to(child.id()))
}

/// What this system cannot enforce on a process that may write below these folders.
pub(super) fn missing(writable: &[PathBuf]) -> io::Result<Vec<Missing>> {
    spawner(writable).map(|spawner| spawner.missing)
}

/// What could not be enforced on the processes that were started so far.
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
        // Started from here, because a thread has the rights of the one that starts it.
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
        // Whoever asked has waited for it.
        let _ = answer.send((command, started));
    }
}

/// What became of a thread that has given up its rights.
struct Restricted {
    missing: Vec<Missing>,
    listener: Option<OwnedFd>,
}

/// Gives up all rights of this thread that its processes shall not have.
fn restrict_this_thread(writable: &[PathBuf]) -> Restricted {
    let mut missing = rules::restrict_this_thread(writable).unwrap_or_else(|missing| vec![missing]);
    let listener = filter::install_on_this_thread().ok();
    if listener.is_some() {
        // The supervisor decides about truncation too, where Landlock does not know it.
        missing.retain(|missing| *missing != Missing::Truncation);
    } else {
        missing.extend([Missing::Network, Missing::Modes]);
        if filter::install_without_supervisor().is_err() {
            missing.push(Missing::Filter);
        }
    }
    // Last, because some of what is done before is for privileged threads only.
    capabilities::give_up();
    Restricted { missing, listener }
}
