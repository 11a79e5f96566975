//! The results as a table, and what they say about the bar.

use crate::lanes::Tries;
use crate::tools::{Found, TOOLS};
use std::collections::BTreeMap;

/// The first two lines.
pub fn header() -> String {
    let cells: Vec<String> = TOOLS
        .iter()
        .map(|tool| format!("{tool}: found, seconds, size"))
        .collect();
    format!(
        "| property | {} | against a peer over a second |\n|---|{}--:|",
        cells.join(" | "),
        "--:|".repeat(TOOLS.len())
    )
}

/// A line for a property.
pub fn row(property: &str, tries: &Tries) -> String {
    let cells: Vec<String> = TOOLS.iter().map(|tool| cell(&tries[tool])).collect();
    format!(
        "| {property} | {} | {} |",
        cells.join(" | "),
        against(tries)
    )
}

/// How often it was found, the median time, the smallest size.
fn cell(tries: &[Option<Found>]) -> String {
    let found: Vec<&Found> = tries.iter().flatten().collect();
    match (median(tries), smallest(tries)) {
        (Some(median), Some(size)) => {
            format!("{}/{}, {median:.4}, {size}", found.len(), tries.len())
        }
        (None, Some(size)) => format!("{}/{}, –, {size}", found.len(), tries.len()),
        _ => format!("{}/{}", found.len(), tries.len()),
    }
}

/// The median over all tries, those that found nothing last; none where that is one of them.
fn median(tries: &[Option<Found>]) -> Option<f64> {
    let mut times: Vec<f64> = tries
        .iter()
        .map(|found| found.as_ref().map_or(f64::INFINITY, |found| found.seconds))
        .collect();
    times.sort_by(f64::total_cmp);
    times
        .get(times.len() / 2)
        .copied()
        .filter(|time| time.is_finite())
}

fn smallest(tries: &[Option<Found>]) -> Option<usize> {
    tries.iter().flatten().map(Found::size).min()
}

fn peers() -> impl Iterator<Item = &'static &'static str> {
    TOOLS.iter().filter(|tool| **tool != "situ")
}

/// The least time of a peer that needs over a second; faster ones ask for nothing.
fn slow_peer(tries: &Tries) -> Option<f64> {
    peers()
        .filter_map(|peer| median(&tries[peer]))
        .filter(|seconds| *seconds > 1.0)
        .min_by(f64::total_cmp)
}

fn against(tries: &Tries) -> String {
    let any_peer = peers().any(|peer| tries[peer].iter().any(Option::is_some));
    match (median(&tries["situ"]), any_peer, slow_peer(tries)) {
        (None, true, _) => "missed".to_owned(),
        (None, false, _) => "nobody finds it".to_owned(),
        (Some(_), false, _) => "no peer finds it".to_owned(),
        (Some(own), true, Some(peer)) => format!("{:.3} of its time", own / peer),
        (Some(_), true, None) => "under a second".to_owned(),
    }
}

/// What the bar asks, and which properties fall short.
pub fn verdict(all: &BTreeMap<&str, Tries>) -> String {
    let those = |wrong: &dyn Fn(&Tries) -> bool| {
        let names: Vec<&str> = all
            .iter()
            .filter(|(_, tries)| wrong(tries))
            .map(|(name, _)| *name)
            .collect();
        if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        }
    };
    let found = |tool: &str| {
        all.values()
            .filter(|tries| tries[tool].iter().any(Option::is_some))
            .count()
    };
    let counts: Vec<String> = TOOLS
        .iter()
        .map(|tool| format!("{tool} {}", found(tool)))
        .collect();
    let is_missed = |tries: &Tries| {
        let often = |tool: &str| {
            let tries = &tries[tool];
            tries.iter().flatten().count() as f64 / tries.len().max(1) as f64
        };
        peers().any(|peer| often(peer) > often("situ"))
    };
    let is_slow = |tries: &Tries| {
        slow_peer(tries)
            .zip(median(&tries["situ"]))
            .is_some_and(|(peer, own)| own > peer / 10.0)
    };
    let is_longer = |tries: &Tries| {
        let own = smallest(&tries["situ"]);
        let best = peers().filter_map(|peer| smallest(&tries[peer])).min();
        own.zip(best).is_some_and(|(own, best)| own > best)
    };
    let repeats = |tries: &Tries| {
        tries["situ"]
            .iter()
            .flatten()
            .any(|found| found.failures > 1)
    };
    format!(
        "Found of {}: {}.\nFound by a peer more often than by Situ: {}.\nOver a tenth of a peer's time over a second: {}.\n\
         A shorter input shown by a peer: {}.\nMore than one failure told: {}.",
        all.len(),
        counts.join(", "),
        those(&is_missed),
        those(&is_slow),
        those(&is_longer),
        those(&repeats),
    )
}
