//! `cargo situ mutants` against cargo-mutants, on published crates: same machine, same run, whole commands, cold.
//!
//! `cargo run --release --manifest-path bench/mutants/Cargo.toml [-- NAME…]` writes the section `mutants` of
//! `bench/RESULTS.md`. Nothing needs to be prepared; everything is made below `bench/mutants/target`. With `--peer-share N`
//! cargo-mutants judges every N-th of its mutants only; its seconds are then those of the share. With `--growth` Situ runs
//! alone: on each crate, and on parts of one crate's mutants.

mod agreement;
mod growth;
mod results;
mod subjects;
mod tools;

use agreement::Agreement;
use anyhow::{Context as _, Result};
use subjects::SUBJECTS;

/// What both tools did with one crate.
pub struct Row {
    pub name: String,
    pub lines: usize,
    pub situ: Side,
    pub peer: Side,
    pub agreement: Agreement,
    /// How long Situ takes, from nothing, for the mutants that both make.
    pub common_seconds: f64,
}

/// What one tool did.
pub struct Side {
    /// Mutants that compile.
    pub mutants: usize,
    /// The whole command.
    pub seconds: f64,
    pub killed: usize,
    pub survived: usize,
}

impl Side {
    pub fn rate(&self) -> f64 {
        self.mutants as f64 / self.seconds * 60.0
    }
}

fn main() -> Result<()> {
    let mut asked: Vec<String> = std::env::args().skip(1).collect();
    let mut share = 1;
    if let Some(at) = asked.iter().position(|word| word == "--peer-share") {
        share = asked
            .get(at + 1)
            .and_then(|number| number.parse().ok())
            .context("`--peer-share` takes a number")?;
        asked.drain(at..=at + 1);
    }
    let tools = tools::Tools::prepare()?;
    if let Some(at) = asked.iter().position(|word| word == "--growth") {
        asked.remove(at);
        return growth::measure(&tools, &asked);
    }
    let mut rows = Vec::new();
    for subject in SUBJECTS
        .iter()
        .filter(|subject| asked.is_empty() || asked.iter().any(|name| name == subject.name))
    {
        let folder = subjects::fetch(&tools, subject)?;
        let situ = tools.situ(&subjects::fresh_copy(&folder, "situ")?, &[])?;
        let peer = tools.peer(&subjects::fresh_copy(&folder, "peer")?, share)?;
        let agreement = agreement::compare(&situ.mutants, &peer.mutants);
        let common_seconds =
            tools.situ_again(&subjects::fresh_copy(&folder, "situ")?, &agreement.common)?;
        println!(
            "{}: {:.1} s against {:.1} s",
            subject.name, situ.side.seconds, peer.side.seconds
        );
        let lines = subjects::lines_of(&folder)?;
        rows.push(Row {
            name: subject.name.to_owned(),
            lines,
            situ: situ.side,
            peer: peer.side,
            agreement,
            common_seconds,
        });
        results::write(&tools, &rows, share)?;
    }
    Ok(())
}
