//! The measurements and their table.

use std::time::{Duration, Instant};

use super::{loops, theories};

/// The best of several runs of each, in turn: what else the machine does can only add, and falls on both.
fn best<const N: usize>(runs: [&dyn Fn(); N]) -> [Duration; N] {
    let mut best = [Duration::MAX; N];
    for _ in 0..15 {
        for (best, run) in best.iter_mut().zip(runs) {
            let start = Instant::now();
            run();
            *best = start.elapsed().min(*best);
        }
    }
    best
}

fn nanoseconds(total: Duration, assignments: u32) -> f64 {
    total.as_secs_f64() * 1e9 / f64::from(assignments)
}

#[test]
fn figures() {
    println!("| theory | assignments | ns each | by nested loops | ratio |");
    println!("|---|---|---|---|---|");
    let against = |name: &str, assignments: u32, theory: fn(), by_loops: fn() -> u64| {
        let times = best([&theory, &|| assert_eq!(by_loops(), 0)]);
        let [theory, by_loops] = times.map(|time| nanoseconds(time, assignments));
        println!(
            "| {name} | {assignments} | {theory:.1} | {by_loops:.1} | {:.2} |",
            theory / by_loops
        );
        (theory, theory / by_loops)
    };
    let (trivial, _) = against("trivial", 1_000_000, theories::trivial, loops::trivial);
    let (_, small_unit) = against(
        "a small unit",
        50_000,
        theories::words_are_found,
        loops::words_are_found,
    );
    against(
        "the same, values made anew",
        50_000,
        theories::texts_are_found,
        loops::texts_are_found,
    );
    let alone = |name: &str, assignments: u32, theory: fn()| {
        let [time] = best([&theory]);
        println!(
            "| {name} | {assignments} | {:.1} | | |",
            nanoseconds(time, assignments)
        );
    };
    alone("half rejected", 1_000_000, theories::half_rejected);
    alone("one parameter", 10, theories::one);
    alone("three parameters", 1_000, theories::three);
    alone("six parameters", 1_000_000, theories::six);
    assert!(
        trivial < 1_000.0,
        "a million assignments a second: {trivial:.1} ns"
    );
    assert!(small_unit <= 1.2, "against nested loops: {small_unit:.2}");
}
