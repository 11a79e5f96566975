//! Situ and its peers on every property: found or not, median time over seeds, size of the shown input; a table.
//!
//! `cargo run --release --features peers --bin bench-explore -- [--seconds 10] [--seeds 5] [--only NAME] [--lanes 1]`; with
//! `--features hegel` there is one more peer. The command `cargo situ` must be built before, and is taken from `SITU` or
//! the path. `--lanes 2` makes two tries at a time, for machines with that many cores to spare.

mod lanes;
mod speed;
mod table;
mod tools;

use anyhow::{Context as _, Result};
use std::env;

/// Every property, by name.
const PROPERTIES: [&str; 30] = [
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
    "wildmatch_states",
    "wildmatch_restart",
    "wildmatch_older",
    "jaro_of_itself",
    "jaro_winkler_of_different",
    "triangle",
    "indent_by_nothing",
    "dedent_without_newline",
    "wrapping",
    "least_common_multiple",
    "multiple_of_any",
    "quoted_word",
    "units",
    "encoded_label",
    "change_of_case",
    "title_of_title",
];

fn option(name: &str) -> Option<String> {
    let arguments: Vec<String> = env::args().collect();
    let at = arguments.iter().position(|argument| argument == name)?;
    arguments.get(at + 1).cloned()
}

fn number(name: &str, otherwise: u64) -> Result<u64> {
    option(name)
        .map_or(Ok(otherwise), |text| text.parse())
        .with_context(|| format!("reading {name}"))
}

fn main() -> Result<()> {
    let plan = lanes::Plan {
        seconds: number("--seconds", 10)?,
        seeds: number("--seeds", 5)?,
        lanes: number("--lanes", 1)?.max(1),
    };
    let situ = env::var("SITU").unwrap_or_else(|_| "cargo-situ".to_owned());
    let only = option("--only");
    let asked = |name: &&str| {
        only.as_ref()
            .is_none_or(|only| only.split(',').any(|only| name.contains(only)))
    };
    let properties: Vec<&str> = PROPERTIES.into_iter().filter(asked).collect();
    println!("{}", table::header());
    let tries = plan.run(&situ, &properties, &|property, tries| {
        println!("{}", table::row(property, tries))
    })?;
    println!("\n{}", table::verdict(&tries));
    if only.is_none() {
        println!("\n{}", speed::table(&situ)?);
    }
    Ok(())
}
