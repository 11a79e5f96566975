//! The section `mutants` of `bench/RESULTS.md`.

use crate::tools::Tools;
use crate::{Row, Side};
use anyhow::Result;
use std::fmt::Write as _;
use std::fs;

const HEADING: &str = "## mutants\n";

/// Writes the section anew, and leaves the others as they are.
pub fn write(tools: &Tools, rows: &[Row], share: usize) -> Result<()> {
    let path = tools.root.join("bench/RESULTS.md");
    let text = fs::read_to_string(&path).unwrap_or_else(|_| "# Results\n".to_owned());
    let (before, after) = match text.find(HEADING) {
        Some(start) => {
            let rest = &text[start + HEADING.len()..];
            let end = rest.find("\n## ").map_or(rest.len(), |end| end + 1);
            (text[..start].to_owned(), rest[end..].to_owned())
        }
        None => (format!("{}\n\n", text.trim_end()), String::new()),
    };
    fs::write(path, before + &section(tools, rows, share)? + &after)?;
    Ok(())
}

fn section(tools: &Tools, rows: &[Row], share: usize) -> Result<String> {
    let mut text = format!(
        "{HEADING}\n`cargo run --release --manifest-path bench/mutants/Cargo.toml`: `cargo situ mutants` against {} on {} cores, whole \
         commands from nothing built, one after the other; mutants that compile, per minute.\n\n\
         | crate | lines | Situ: mutants | seconds | a minute | cargo-mutants: mutants | seconds | a minute | rate | wall time | made by both | same verdict |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        tools.peer_version,
        std::thread::available_parallelism().map_or(1, usize::from),
    );
    let mut wall = String::new();
    if share > 1 {
        wall = format!(
            "\ncargo-mutants judged every {share}th of its mutants only. Its build and its tests without mutants \
             count in full, so its rate is lower, and the ratio higher, than a whole run would give.\n"
        );
    }
    for row in rows {
        line(&mut text, &row.name, row.lines, &row.situ, &row.peer, row.agreement.both, row.agreement.same)?;
    }
    let pool = |side: fn(&Row) -> &Side| Side {
        mutants: rows.iter().map(|row| side(row).mutants).sum(),
        seconds: rows.iter().map(|row| side(row).seconds).sum(),
        killed: rows.iter().map(|row| side(row).killed).sum(),
        survived: rows.iter().map(|row| side(row).survived).sum(),
    };
    let (situ, peer) = (pool(|row| &row.situ), pool(|row| &row.peer));
    let lines = rows.iter().map(|row| row.lines).sum();
    let both = rows.iter().map(|row| row.agreement.both).sum();
    let same = rows.iter().map(|row| row.agreement.same).sum();
    line(&mut text, "**pooled**", lines, &situ, &peer, both, same)?;
    text.push_str(&wall);
    text.push_str("\nEvery mutant on which they differ:\n\n");
    let mut any = false;
    for row in rows {
        for difference in &row.agreement.different {
            any = true;
            writeln!(text, "- {}: {difference}", row.name)?;
        }
    }
    text.push_str(if any { "" } else { "none\n" });
    Ok(text)
}

fn line(text: &mut String, name: &str, lines: usize, situ: &Side, peer: &Side, both: usize, same: usize) -> Result<()> {
    let rate = situ.rate() / peer.rate();
    writeln!(
        text,
        "| {name} | {lines} | {} | {:.1} | {:.0} | {} | {:.1} | {:.0} | {rate:.0} × | {:.1} × | {both} | {same} |",
        situ.mutants,
        situ.seconds,
        situ.rate(),
        peer.mutants,
        peer.seconds,
        peer.rate(),
        peer.seconds / situ.seconds,
    )?;
    Ok(())
}
