//! Situ and its peers on every property: found or not, median time over seeds, size of the shown input; a table.
//!
//! `cargo run --release --features peers --bin bench-explore -- [--seconds 10] [--seeds 5] [--only NAME]`; the command
//! `cargo situ` must be built before, and is taken from `SITU` or the path.

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::env;
use std::process::Command;

const PEERS: [&str; 3] = ["proptest", "quickcheck", "bolero"];
const PROPERTIES: [&str; 22] = [
    "range",
    "magic",
    "two_magics",
    "prefix",
    "number_in_text",
    "checksum",
    "hash",
    "length",
    "order",
    "deep",
    "float",
    "letters",
    "wildmatch_itself",
    "wildmatch_branches",
    "jaro_of_itself",
    "jaro_winkler_of_different",
    "triangle",
    "indent_by_nothing",
    "wrapping",
    "least_common_multiple",
    "change_of_case",
    "title_of_title",
];

/// One try.
struct Try {
    seconds: f64,
    size: usize,
}

fn option(name: &str) -> Option<String> {
    let arguments: Vec<String> = env::args().collect();
    let at = arguments.iter().position(|argument| argument == name)?;
    arguments.get(at + 1).cloned()
}

fn main() -> Result<()> {
    let seconds: u64 = option("--seconds").map_or(Ok(10), |text| text.parse()).context("reading --seconds")?;
    let seeds: u64 = option("--seeds").map_or(Ok(5), |text| text.parse()).context("reading --seeds")?;
    let only = option("--only");
    let situ = env::var("SITU").unwrap_or_else(|_| "cargo-situ".to_owned());
    println!("| property | {} | tenth of the best peer over a second |", header());
    println!("|---|{}--:|", "--:|".repeat(PEERS.len() + 1));
    for property in PROPERTIES.iter().filter(|name| only.as_ref().is_none_or(|only| name.contains(only.as_str()))) {
        let mut tries: BTreeMap<&str, Vec<Option<Try>>> = BTreeMap::new();
        for seed in 0..seeds {
            tries.entry("situ").or_default().push(by_situ(&situ, property, seed, seconds)?);
            for peer in PEERS {
                tries.entry(peer).or_default().push(by_peer(property, peer, seed, seconds)?);
            }
        }
        let cells: Vec<String> = ["situ"].iter().chain(&PEERS).map(|tool| cell(&tries[tool])).collect();
        println!("| {property} | {} | {} |", cells.join(" | "), verdict(&tries));
    }
    Ok(())
}

fn header() -> String {
    ["Situ"].iter().chain(&PEERS).map(|tool| format!("{tool}: found, seconds, size")).collect::<Vec<_>>().join(" | ")
}

/// How often it was found, the median time, the smallest size.
fn cell(tries: &[Option<Try>]) -> String {
    let found: Vec<&Try> = tries.iter().flatten().collect();
    let size = found.iter().map(|found| found.size).min();
    match (median(tries), size) {
        (Some(median), Some(size)) => format!("{}/{}, {median:.3}, {size}", found.len(), tries.len()),
        _ => format!("{}/{}", found.len(), tries.len()),
    }
}

/// The median over all tries, those that found nothing last; none where that is one of them.
fn median(tries: &[Option<Try>]) -> Option<f64> {
    let mut times: Vec<f64> =
        tries.iter().map(|found| found.as_ref().map_or(f64::INFINITY, |found| found.seconds)).collect();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().filter(|time| time.is_finite())
}

fn verdict(tries: &BTreeMap<&str, Vec<Option<Try>>>) -> String {
    let own = median(&tries["situ"]);
    let best = PEERS.iter().filter_map(|peer| median(&tries[peer])).min_by(f64::total_cmp);
    match (own, best) {
        (None, Some(_)) => "missed".to_owned(),
        (Some(own), Some(best)) if best > 1.0 => format!("{:.4} × its time", own / best),
        (Some(_), None) => "no peer finds it".to_owned(),
        (Some(_), Some(_)) => "under a second".to_owned(),
        (None, None) => "nobody finds it".to_owned(),
    }
}

fn by_situ(situ: &str, property: &str, seed: u64, seconds: u64) -> Result<Option<Try>> {
    let mut command = Command::new(situ);
    command.args(["situ", "explore", &format!("theories::{property}"), "--json", "-j1"]);
    command.args(["--seed", &seed.to_string(), "--time", &format!("{seconds}s")]);
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().context("starting cargo situ")?;
    let code = output.status.code();
    ensure!(matches!(code, Some(0 | 1)), "cargo situ explore: {}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let found = lines.filter_map(|line| {
        let seconds = line["found_after_seconds"].as_f64()?;
        Some(Try { seconds, size: line["arguments"].as_str()?.len() })
    });
    Ok(found.min_by(|one, other| one.seconds.total_cmp(&other.seconds)))
}

fn by_peer(property: &str, peer: &str, seed: u64, seconds: u64) -> Result<Option<Try>> {
    let program = env::current_exe().context("finding this program")?.with_file_name("peer");
    let mut command = Command::new(program);
    command.args([property, peer, &seed.to_string(), &seconds.to_string()]);
    command.env("BOLERO_RANDOM_SEED", seed.to_string()).env("BOLERO_RANDOM_ITERATIONS", "1000000000");
    command.env("BOLERO_RANDOM_TEST_TIME_MS", (1_000 * seconds).to_string());
    let output = command.output().context("starting a peer")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().rev().find_map(|line| serde_json::from_str::<Value>(line).ok());
    Ok(line.and_then(|line| {
        let seconds = line["seconds"].as_f64()?;
        Some(Try { seconds, size: line["shown"].as_str()?.len() })
    }))
}
