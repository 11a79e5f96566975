//! Kills all descendants of this process, whatever process groups and sessions they are in.

#[cfg(target_os = "linux")]
use super::group::is_running;
#[cfg(target_os = "linux")]
use super::keeper::is_keeper;

/// Number of scans of the process table. A process may have forked just before it was killed, so
/// one scan is not enough.
#[cfg(target_os = "linux")]
const ROUNDS: usize = 10;

/// Kills every descendant of this process.
#[cfg(target_os = "linux")]
pub fn kill_descendants() {
    for _ in 0..ROUNDS {
        let found = descendants(std::process::id());
        if found.is_empty() {
            return;
        }
        found.into_iter().for_each(kill);
    }
}

/// Kills the process groups that this process started. Without `/proc`, nothing tells which other
/// processes descend from them.
#[cfg(not(target_os = "linux"))]
pub fn kill_descendants() {
    super::kill_all_groups();
}

/// Returns all descendants of the process `of`, without zombies.
#[cfg(target_os = "linux")]
fn descendants(of: u32) -> Vec<u32> {
    let processes: Vec<(u32, u32)> = running()
        .into_iter()
        .map(|(process, parent, _)| (process, parent))
        .collect();
    let mut found = vec![of];
    let mut at = 0;
    while at < found.len() {
        let parent = found[at];
        let children = processes
            .iter()
            .filter(|(process, of)| *of == parent && !found.contains(process));
        let children: Vec<u32> = children.map(|(process, _)| *process).collect();
        found.extend(children);
        at += 1;
    }
    let mut found = found.split_off(1);
    found.retain(|process| !is_keeper(*process));
    found
}

/// Returns how many processes and threads belong to a process that this process started: its own,
/// and those of its descendants. Orphans that were reparented to this process count too, because
/// they may come from it.
#[cfg(target_os = "linux")]
pub(super) fn tasks_of(process: u32) -> u64 {
    let processes = running();
    let own = std::process::id();
    let is_first = |(number, parent, _): &&(u32, u32, u64)| {
        *number == process || *parent == own && !is_running(*number) && !is_keeper(*number)
    };
    let mut found: Vec<(u32, u32, u64)> = processes.iter().filter(is_first).copied().collect();
    let mut children: std::collections::BTreeMap<u32, Vec<(u32, u32, u64)>> =
        std::collections::BTreeMap::new();
    for child in processes {
        children.entry(child.1).or_default().push(child);
    }
    let mut at = 0;
    while let Some((number, ..)) = found.get(at) {
        found.extend(children.remove(number).unwrap_or_default());
        at += 1;
    }
    found.iter().map(|(.., threads)| threads).sum()
}

/// Returns 0: only `/proc` tells who started whom.
#[cfg(not(target_os = "linux"))]
pub(super) fn tasks_of(_process: u32) -> u64 {
    0
}

/// Returns all running processes as (process id, parent's id, number of threads).
#[cfg(target_os = "linux")]
fn running() -> Vec<(u32, u32, u64)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers.filter_map(parent_and_threads).collect()
}

/// Returns (process id, parent's id, number of threads), or `None` for a zombie or a process that
/// is gone.
#[cfg(target_os = "linux")]
fn parent_and_threads(process: u32) -> Option<(u32, u32, u64)> {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The process name comes first, in parentheses, and may contain parentheses itself.
    let mut words = status.rsplit_once(") ")?.1.split(' ');
    let state = words.next()?;
    let parent = words
        .next()?
        .parse()
        .ok()
        .filter(|_| !matches!(state, "Z" | "X"))?;
    Some((process, parent, words.nth(15)?.parse().ok()?))
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the standard library can only kill children")]
fn kill(process: u32) {
    if let Ok(process) = i32::try_from(process) {
        // SAFETY: kill(2) takes two integers and touches no memory of ours.
        unsafe { libc::kill(process, libc::SIGKILL) };
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::io::Read as _;
    use std::process::{Command, Stdio};

    #[test]
    fn what_left_its_group_is_found_by_who_started_it() {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "setsid sleep 60 & echo started; wait"])
            .stdout(Stdio::piped());
        let mut child = shell.spawn().unwrap();
        let mut started = [0; 7];
        child
            .stdout
            .take()
            .unwrap()
            .read_exact(&mut started)
            .unwrap();
        let found = descendants(child.id());
        assert_eq!(found.len(), 1, "{found:?}");
        // The shell first: it would exit successfully once its descendant is gone.
        [child.id()].into_iter().chain(found).for_each(kill);
        assert!(!child.wait().unwrap().success());
    }
}
