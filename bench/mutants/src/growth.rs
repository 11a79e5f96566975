//! How Situ's time grows with the size of a crate, and with the number of mutants that are judged.

use crate::results;
use crate::subjects::{self, SUBJECTS};
use crate::tools::{Judged, Tools};
use anyhow::Result;
use std::ffi::OsStr;
use std::fmt::Write as _;

/// Of so many parts of its mutants, one is judged.
const PARTS: &[usize] = &[16, 8, 4, 2, 1];

/// Measures each crate from nothing, and the largest crate's mutants by parts.
pub fn measure(tools: &Tools, asked: &[String]) -> Result<()> {
    let mut text = format!(
        "`cargo run --release --manifest-path bench/mutants/Cargo.toml -- --growth`, Situ alone, whole commands from nothing \
         built, on {} cores.\n\n| crate | lines | mutants | seconds | of these: building | tests without mutants | judging | \
         ms a mutant, judging |\n|---|--:|--:|--:|--:|--:|--:|--:|\n",
        std::thread::available_parallelism().map_or(1, usize::from),
    );
    let mut largest: Option<(usize, &str, std::path::PathBuf)> = None;
    for subject in SUBJECTS
        .iter()
        .filter(|subject| asked.is_empty() || asked.iter().any(|name| name == subject.name))
    {
        let folder = subjects::fetch(tools, subject)?;
        let judged = tools.situ(&subjects::fresh_copy(&folder, "growth")?, &[])?;
        row(
            &mut text,
            subject.name,
            subjects::lines_of(&folder)?,
            &judged,
        )?;
        println!("{}: {:.1} s", subject.name, judged.side.seconds);
        if largest
            .as_ref()
            .is_none_or(|(mutants, ..)| *mutants < judged.side.mutants)
        {
            largest = Some((judged.side.mutants, subject.name, folder));
        }
    }
    if let Some((_, name, folder)) = largest {
        let lines = subjects::lines_of(&folder)?;
        for parts in PARTS {
            let shard = format!("1/{parts}");
            let arguments: [&OsStr; 2] = ["--shard".as_ref(), shard.as_ref()];
            let judged = tools.situ(&subjects::fresh_copy(&folder, "growth")?, &arguments)?;
            row(
                &mut text,
                &format!("{name}, {shard} of its mutants"),
                lines,
                &judged,
            )?;
        }
    }
    results::write_growth(tools, &text)
}

fn row(text: &mut String, name: &str, lines: usize, judged: &Judged) -> Result<()> {
    let step = |name: &str| judged.steps[name].as_f64().unwrap_or(0.0);
    let judging = step("judging");
    writeln!(
        text,
        "| {name} | {lines} | {} | {:.1} | {:.1} | {:.1} | {judging:.1} | {:.1} |",
        judged.side.mutants,
        judged.side.seconds,
        step("building"),
        step("running the tests without mutants"),
        judging * 1000.0 / judged.side.mutants.max(1) as f64,
    )?;
    Ok(())
}
