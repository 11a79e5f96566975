//! The section `mutants` of `bench/RESULTS.md`.

use crate::agreement::Agreement;
use crate::tools::Tools;
use crate::{Row, Side};
use anyhow::Result;
use std::fmt::Write as _;
use std::fs;

const HEADING: &str = "## mutants\n";
const GROWTH_HEADING: &str = "## mutants: growth\n";

/// Writes the section anew, and leaves the others as they are.
pub fn write(tools: &Tools, rows: &[Row], share: usize) -> Result<()> {
    replace(tools, HEADING, &section(tools, rows, share)?)
}

/// Writes what `--growth` found out.
pub fn write_growth(tools: &Tools, tables: &str) -> Result<()> {
    replace(
        tools,
        GROWTH_HEADING,
        &format!("{GROWTH_HEADING}\n{tables}"),
    )
}

fn replace(tools: &Tools, heading: &str, section: &str) -> Result<()> {
    let path = tools.root.join("bench/RESULTS.md");
    let text = fs::read_to_string(&path).unwrap_or_else(|_| "# Results\n".to_owned());
    let (before, after) = match text.find(heading) {
        Some(start) => {
            let rest = &text[start + heading.len()..];
            let end = rest.find("\n## ").map_or(rest.len(), |end| end + 1);
            (text[..start].to_owned(), rest[end..].to_owned())
        }
        None => (format!("{}\n\n", text.trim_end()), String::new()),
    };
    fs::write(path, before + section + &after)?;
    Ok(())
}

fn section(tools: &Tools, rows: &[Row], share: usize) -> Result<String> {
    let mut text = format!(
        "{HEADING}\n`cargo run --release --manifest-path bench/mutants/Cargo.toml`: `cargo situ mutants` against {} on {} cores, whole \
         commands from nothing built, one after the other; mutants that compile, per minute.\n\n\
         | crate | lines | Situ: mutants | seconds | a minute | cargo-mutants: mutants | seconds | a minute | rate | made by both | same verdict | Situ: seconds for these | wall time |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
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
        line(&mut text, row)?;
    }
    line(&mut text, &pooled(rows))?;
    text.push_str(
        "\nThe last two columns are about cargo-mutants' own set: Situ, again from nothing built, judging only the mutants \
         that both make, against the whole command of cargo-mutants.\n",
    );
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

/// All crates together.
fn pooled(rows: &[Row]) -> Row {
    let pool = |side: fn(&Row) -> &Side| Side {
        mutants: rows.iter().map(|row| side(row).mutants).sum(),
        seconds: rows.iter().map(|row| side(row).seconds).sum(),
        killed: rows.iter().map(|row| side(row).killed).sum(),
        survived: rows.iter().map(|row| side(row).survived).sum(),
    };
    let agreement = Agreement {
        both: rows.iter().map(|row| row.agreement.both).sum(),
        same: rows.iter().map(|row| row.agreement.same).sum(),
        ..Agreement::default()
    };
    Row {
        name: "**pooled**".to_owned(),
        lines: rows.iter().map(|row| row.lines).sum(),
        situ: pool(|row| &row.situ),
        peer: pool(|row| &row.peer),
        agreement,
        common_seconds: rows.iter().map(|row| row.common_seconds).sum(),
    }
}

fn line(text: &mut String, row: &Row) -> Result<()> {
    let (situ, peer, agreement) = (&row.situ, &row.peer, &row.agreement);
    writeln!(
        text,
        "| {} | {} | {} | {:.1} | {:.0} | {} | {:.1} | {:.0} | {:.0} × | {} | {} | {:.1} | {:.1} × |",
        row.name,
        row.lines,
        situ.mutants,
        situ.seconds,
        situ.rate(),
        peer.mutants,
        peer.seconds,
        peer.rate(),
        situ.rate() / peer.rate(),
        agreement.both,
        agreement.same,
        row.common_seconds,
        peer.seconds / row.common_seconds,
    )?;
    Ok(())
}
