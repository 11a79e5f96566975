//! How a mutant looks to a reader.

use super::mutant::{FileMutants, Mutant};

/// The mutant as a unified diff of the lines that it changes.
pub fn unified(file: &FileMutants, mutant: &Mutant, text: &str) -> String {
    let range = &mutant.shown_range;
    let start = text[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |newline| range.end + newline);
    let old = &text[start..end];
    let new = format!("{}{}{}", &text[start..range.start], mutant.shown_text, &text[range.end..end]);
    let line = text[..start].matches('\n').count() + 1;
    let new_lines: Vec<&str> = new.lines().filter(|line| !line.trim().is_empty() || old.lines().count() == 1).collect();
    let new_lines: Vec<&str> = if new.trim().is_empty() { Vec::new() } else { new_lines };
    let new_lines = insertion_on_its_own_line(mutant, new_lines, &text[start..range.start]);
    let path = file.path.display();
    let header = format!("--- {path}\n+++ {path}\n@@ -{line},{} +{line},{} @@\n", old.lines().count(), new_lines.len());
    let old_lines = old.lines().map(|line| format!("-{line}\n"));
    header + &old_lines.chain(new_lines.iter().map(|line| format!("+{line}\n"))).collect::<String>()
}

/// A statement put before another one reads better on a line of its own.
fn insertion_on_its_own_line(mutant: &Mutant, lines: Vec<&str>, indent: &str) -> Vec<String> {
    let is_insertion = mutant.shown_range.is_empty() && indent.trim().is_empty();
    match (is_insertion, lines.split_first()) {
        (true, Some((first, rest))) => {
            let original = first.trim_start().strip_prefix(&mutant.shown_text).unwrap_or(first);
            let both = [format!("{indent}{}", mutant.shown_text), format!("{indent}{original}")];
            both.into_iter().chain(rest.iter().map(ToString::to_string)).collect()
        }
        _ => lines.into_iter().map(str::to_owned).collect(),
    }
}
