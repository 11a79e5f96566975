//! Parents and descendants of processes.

use std::fs;

/// Maximum number of ancestors to look at.
const MAX_DEPTH: usize = 64;

/// Returns whether the process or thread `target` belongs to the process of `thread`, or descends
/// from it.
pub(super) fn belongs_to(target: u32, thread: u32) -> bool {
    let Some((own, _)) = group_and_parent(thread) else {
        return false;
    };
    let mut at = target;
    for _ in 0..MAX_DEPTH {
        match group_and_parent(at) {
            Some((group, _)) if group == own => return true,
            Some((_, parent)) if parent > 1 => at = parent,
            _ => return false,
        }
    }
    false
}

/// Returns the process id of a thread and the id of that process's parent.
fn group_and_parent(thread: u32) -> Option<(u32, u32)> {
    let status = fs::read_to_string(format!("/proc/{thread}/status")).ok()?;
    let number = |name: &str| {
        status
            .lines()
            .find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
    };
    Some((number("Tgid:")?, number("PPid:")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_belong_to_their_parent_and_not_the_other_way_round() {
        let own = std::process::id();
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .unwrap();
        let found = (
            belongs_to(child.id(), own),
            belongs_to(own, own),
            belongs_to(own, child.id()),
        );
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(found, (true, true, false));
        assert!(!belongs_to(u32::MAX, own));
    }
}
