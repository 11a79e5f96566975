//! Landlock rules: the calling thread can write only in some folders and cannot signal processes
//! outside. Children inherit both.

use super::Missing;
use landlock::{
    ABI, Access as _, AccessFs, BitFlags, RestrictionStatus, Ruleset, RulesetAttr as _,
    RulesetCreatedAttr as _, RulesetStatus, Scope, path_beneath_rules,
};
use std::path::PathBuf;

/// Newest version of Landlock that the rules are written for. An older kernel enforces the part it
/// knows.
const NEWEST: ABI = ABI::V7;

/// Devices that store nothing: programs write to them, or open terminals of their own by them. The
/// user's terminal (`/dev/tty`) is not among them: programs could change its modes.
const DEVICES: [&str; 7] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/ptmx",
    "/dev/pts",
];

/// Restricts the calling thread and all processes that it starts later. Returns what this kernel
/// cannot enforce.
///
/// # Errors
///
/// Returns an error if the kernel has no Landlock or refuses it; then nothing is restricted.
pub(super) fn restrict_this_thread(writable: &[PathBuf]) -> Result<Vec<Missing>, Missing> {
    let handled = AccessFs::from_write(NEWEST);
    // Root could create a device file and write to the disk through it.
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
