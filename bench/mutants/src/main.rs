//! `cargo situ mutants` against cargo-mutants, on published crates: same machine, same run, whole commands, cold.
//!
//! `cargo run --release --manifest-path bench/mutants/Cargo.toml [-- NAME…]` writes the section `mutants` of
//! `bench/RESULTS.md`. Nothing needs to be prepared; everything is made below `bench/mutants/target`.

mod agreement;
mod results;
mod subjects;
mod tools;

use agreement::Agreement;
use anyhow::Result;
use subjects::SUBJECTS;

/// What both tools did with one crate.
pub struct Row {
    pub name: String,
    pub lines: usize,
    pub situ: Side,
    pub peer: Side,
    pub agreement: Agreement,
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
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let tools = tools::Tools::prepare()?;
    let mut rows = Vec::new();
    for subject in SUBJECTS.iter().filter(|subject| asked.is_empty() || asked.iter().any(|name| name == subject.name)) {
        let folder = subjects::fetch(&tools, subject)?;
        let situ = tools.situ(&subjects::fresh_copy(&folder, "situ")?)?;
        let peer = tools.peer(&subjects::fresh_copy(&folder, "peer")?)?;
        let agreement = agreement::compare(&situ.mutants, &peer.mutants);
        println!("{}: {:.1} s against {:.1} s", subject.name, situ.side.seconds, peer.side.seconds);
        let lines = subjects::lines_of(&folder)?;
        rows.push(Row { name: subject.name.to_owned(), lines, situ: situ.side, peer: peer.side, agreement });
        results::write(&tools, &rows)?;
    }
    Ok(())
}
