//! Reads a diff of one file from standard input and prints what it touches.

use quickstart::{bars, count_changes, parse_diff};

fn main() -> std::io::Result<()> {
    let diff = std::io::read_to_string(std::io::stdin())?;
    let name = parse_diff(&diff).unwrap_or("no file");
    let changes = count_changes(&diff);
    let (added, removed) = changes;
    println!(
        "{name}: {added} added, {removed} removed {}",
        bars(&[changes], 40)[0]
    );
    Ok(())
}
