//! One try of one tool at one property.

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use std::env;
use std::process::Command;

/// All tools, Situ first.
pub const TOOLS: &[&str] = if cfg!(feature = "hegel") {
    &["situ", "proptest", "quickcheck", "bolero", "hegel"]
} else {
    &["situ", "proptest", "quickcheck", "bolero"]
};

/// What a try found.
#[derive(Clone, Debug)]
pub struct Found {
    /// When.
    pub seconds: f64,
    /// The input, as the tool shows it.
    pub shown: String,
    /// How many failures are told.
    pub failures: usize,
}

impl Found {
    /// How long the shown input is, without what languages of tools add to values.
    pub fn size(&self) -> usize {
        size(&self.shown)
    }
}

/// Lists, references and names of types are written in different ways for the same value.
fn size(shown: &str) -> usize {
    let notation = [
        "String::from",
        "Box::new",
        "vec!",
        "QuickStep",
        "QuickTerm",
        "Step::",
        "Term::",
        "&",
        "(",
        ")",
    ];
    let text = notation
        .iter()
        .fold(shown.to_owned(), |text, word| text.replace(word, ""));
    text.replace(", ", ",").chars().count()
}

/// Lets a tool try.
pub fn attempt(
    situ: &str,
    tool: &str,
    property: &str,
    seed: u64,
    seconds: u64,
) -> Result<Option<Found>> {
    if tool == "situ" {
        by_situ(situ, property, seed, seconds)
    } else {
        by_peer(property, tool, seed, seconds)
    }
}

/// The lines that `cargo situ explore` prints for a theory.
pub fn explored(situ: &str, property: &str, seed: u64, seconds: u64) -> Result<Vec<Value>> {
    let mut command = Command::new(situ);
    command.args([
        "situ",
        "explore",
        &format!("theories::{property}"),
        "--json",
        "-j1",
    ]);
    command.args([
        "--seed",
        &seed.to_string(),
        "--time",
        &format!("{seconds}s"),
    ]);
    let output = command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .context("starting cargo situ")?;
    let is_done = matches!(output.status.code(), Some(0 | 1));
    ensure!(
        is_done,
        "cargo situ explore: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect())
}

fn by_situ(situ: &str, property: &str, seed: u64, seconds: u64) -> Result<Option<Found>> {
    let lines = explored(situ, property, seed, seconds)?;
    let found = lines.iter().filter_map(|line| {
        Some((
            line["found_after_seconds"].as_f64()?,
            line["arguments"].as_str()?.to_owned(),
        ))
    });
    let found: Vec<(f64, String)> = found.collect();
    let first = found
        .iter()
        .map(|(seconds, _)| *seconds)
        .min_by(f64::total_cmp);
    let smallest = found.iter().min_by_key(|(_, shown)| size(shown));
    Ok(first.zip(smallest).map(|(seconds, (_, shown))| Found {
        seconds,
        shown: shown.clone(),
        failures: found.len(),
    }))
}

/// Starts the program that has the peers in it.
pub fn peer(arguments: &[&str]) -> Result<Option<Value>> {
    let program = env::current_exe()
        .context("finding this program")?
        .with_file_name("peer");
    let mut command = Command::new(program);
    command.args(arguments);
    if let [_, _, seed, seconds] = arguments {
        let milliseconds = 1_000 * seconds.parse::<u64>().context("reading the seconds")?;
        command
            .env("BOLERO_RANDOM_SEED", seed)
            .env("BOLERO_RANDOM_ITERATIONS", "1000000000");
        command.env("BOLERO_RANDOM_TEST_TIME_MS", milliseconds.to_string());
    }
    let output = command.output().context("starting a peer")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text
        .lines()
        .rev()
        .find_map(|line| serde_json::from_str(line).ok()))
}

fn by_peer(property: &str, peer: &str, seed: u64, seconds: u64) -> Result<Option<Found>> {
    let line = self::peer(&[property, peer, &seed.to_string(), &seconds.to_string()])?;
    let line = line.with_context(|| format!("{peer} says nothing about {property}"))?;
    Ok(line["seconds"]
        .as_f64()
        .zip(line["shown"].as_str())
        .map(|(seconds, shown)| Found {
            seconds,
            shown: shown.to_owned(),
            failures: 1,
        }))
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn the_same_value_has_one_size_however_it_is_written() {
        assert_eq!(size("&vec![1, 2]"), size("[1, 2]"));
        assert_eq!(
            size("Term::Negated(Box::new(Term::Number(-1)))"),
            size("Negated(Number(-1))")
        );
        assert_eq!(size("\"a\", 3"), size("(\"a\", 3)"));
    }
}
