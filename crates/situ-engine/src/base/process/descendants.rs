//! Ends all processes that descend from this one, whatever groups and sessions they are in.

#[cfg(target_os = "linux")]
use super::group::is_running;
#[cfg(target_os = "linux")]
use super::keeper::is_keeper;

/// Rounds in which processes are looked for: one that is ended may have started another one just before.
#[cfg(target_os = "linux")]
const ROUNDS: usize = 10;

/// Ends every process that descends from this one. Where the system does not tell who started whom, the children that are
/// known are ended.
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

/// Ends every process that descends from this one, as far as it is known.
#[cfg(not(target_os = "linux"))]
pub fn kill_descendants() {
    super::kill_all_groups();
}

/// The processes that descend from one, without those that have ended and wait for being asked how.
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

/// How many processes and threads a process that was started from here has by now, with all that descend from it. What has lost
/// its parents may be its too, and counts.
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

/// Elsewhere nobody counts.
#[cfg(not(target_os = "linux"))]
pub(super) fn tasks_of(_process: u32) -> u64 {
    0
}

/// All running processes, each with the one that started it and the number of its threads.
#[cfg(target_os = "linux")]
fn running() -> Vec<(u32, u32, u64)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers.filter_map(parent_and_threads).collect()
}

/// A process that is running, who started it, and how many threads it has.
#[cfg(target_os = "linux")]
fn parent_and_threads(process: u32) -> Option<(u32, u32, u64)> {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name before it is in parentheses, and may hold some itself.
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
        found.into_iter().chain([child.id()]).for_each(kill);
        assert!(!child.wait().unwrap().success());
    }
}
