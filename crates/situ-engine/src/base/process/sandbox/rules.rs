//! Landlock: from the calling thread on, nothing can be written outside some folders, and no process outside can be
//! signalled. Children inherit both.

use super::Missing;
use landlock::{
    ABI, Access as _, AccessFs, BitFlags, RestrictionStatus, Ruleset, RulesetAttr as _,
    RulesetCreatedAttr as _, RulesetStatus, Scope, path_beneath_rules,
};
use std::path::PathBuf;

/// The newest version of Landlock that the rules are written for; a kernel that has less enforces what it can.
const NEWEST: ABI = ABI::V7;

/// Devices that hold nothing: programs write to them or talk to their own terminals by them.
const DEVICES: [&str; 8] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/ptmx",
    "/dev/pts",
];

/// Restricts the calling thread and all processes that it starts from now on; returns what this kernel cannot enforce.
///
/// # Errors
///
/// Where the kernel has no Landlock at all, or refuses it: nothing is restricted then.
pub(super) fn restrict_this_thread(writable: &[PathBuf]) -> Result<Vec<Missing>, Missing> {
    let handled = AccessFs::from_write(NEWEST);
    // A device file that root could make would be a door to the disk.
    let inside: BitFlags<AccessFs> = handled & !(AccessFs::MakeChar | AccessFs::MakeBlock);
    let status = Ruleset::default()
        .handle_access(handled)
        .and_then(|rules| rules.scope(Scope::from_all(NEWEST)))
        .and_then(Ruleset::create)
        .and_then(|rules| rules.add_rules(path_beneath_rules(writable, inside)))
        .and_then(|rules| {
            rules.add_rules(path_beneath_rules(
                DEVICES,
                AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev,
            ))
        })
        .and_then(landlock::RulesetCreated::restrict_self);
    match status {
        Ok(status) if status.ruleset != RulesetStatus::NotEnforced => Ok(missing_in(&status)),
        _ => Err(Missing::Landlock),
    }
}

fn missing_in(status: &RestrictionStatus) -> Vec<Missing> {
    let landlock::LandlockStatus::Available { effective_abi, .. } = status.landlock else {
        return Vec::new();
    };
    let mut missing = Vec::new();
    if effective_abi < ABI::V3 {
        missing.push(Missing::Truncation);
    }
    if effective_abi < ABI::V6 {
        missing.push(Missing::Signals);
    }
    missing
}
