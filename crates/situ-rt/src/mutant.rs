//! The mutant switch: which mutant is on in this process.

/// The alternative to run at a site whose mutants are `low..=high`: the mutant that is on, or 0 for the original.
#[inline(never)]
pub fn s(low: u32, high: u32) -> u32 {
    let _ = (low, high);
    0
}

/// What the arm of a site does that no mutant selects.
pub fn no() -> ! {
    unreachable!("a site was asked for a mutant that it does not have")
}
