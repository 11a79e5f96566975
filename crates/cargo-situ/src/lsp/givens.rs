//! Givens that a test still lacks, taken from the recording at its statement.

use super::document::Document;
use situ_engine::cargo::workspace::Workspace;
use situ_engine::record::plan::Phase;
use situ_engine::record::read::RecordedSite;
use situ_engine::record::show::here;
use situ_engine::values::{Style, TypeTable, expression, styled};

/// A test in the document: where clauses can be inserted, as a byte offset, and the clauses that it
/// has.
pub struct OpenTest<'d> {
    pub insert_at: usize,
    pub clauses: &'d str,
}

/// Finds the `itest!` at a line, complete or not.
pub fn test_at(document: &Document, line: usize) -> Option<OpenTest<'_>> {
    let start: usize = document
        .text
        .split_inclusive('\n')
        .take(line.checked_sub(1)?)
        .map(str::len)
        .sum();
    let content = document.text.get(start..)?;
    let indent = content.len() - content.trim_start().len();
    let open = content.trim_start().strip_prefix("itest!(")?;
    let clauses = &open[..end_of_call(open)?];
    let name = quoted_at_start(clauses);
    let insert_at = start + indent + "itest!(".len() + name;
    Some(OpenTest { insert_at, clauses })
}

/// Returns the length of the source before the parenthesis that closes a call.
fn end_of_call(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut in_text = false;
    let mut escaped = false;
    for (at, char) in text.char_indices() {
        match char {
            _ if escaped => escaped = false,
            '\\' if in_text => escaped = true,
            '"' => in_text = !in_text,
            _ if in_text => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return Some(at),
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Returns the length of a test's name together with the comma after it, or 0 without a name.
fn quoted_at_start(clauses: &str) -> usize {
    let rest = clauses.trim_start();
    let Some(after) = rest.strip_prefix('"') else {
        return 0;
    };
    let Some(end) = after.find('"') else { return 0 };
    let behind = &after[end + 1..];
    let comma = behind.len()
        - behind
            .trim_start()
            .trim_start_matches(',')
            .trim_start()
            .len();
    clauses.len() - rest.len() + 1 + end + 1 + comma
}

/// Returns the clauses to insert: the missing givens, and if the test has no oracle yet, the
/// recorded outputs as `check_eq`.
pub fn missing(test: &OpenTest<'_>, site: &RecordedSite, workspace: &Workspace) -> Option<String> {
    let here = here(&site.site, workspace);
    let types = TypeTable::default();
    let written =
        |name: &str, value: &_| Some((name.to_owned(), expression(value, &here, &types).ok()?));
    // Comparison already determines the type, so a literal needs no suffix.
    let compared = |value: &_| {
        styled(
            value,
            &here,
            &types,
            Style {
                typed_by_place: true,
                ..Style::default()
            },
        )
        .ok()
    };
    let set = site.sets.iter().find(|set| site.is_exact(set))?;
    let has = |name: &str| {
        test.clauses.contains(&format!("{name} =")) || test.clauses.contains(&format!("{name}="))
    };
    let inputs: Option<Vec<_>> = site
        .values(set, Phase::Before)
        .into_iter()
        .filter(|(name, _)| !has(name))
        .map(|(name, value)| written(name, value))
        .collect();
    let mut clauses = Vec::new();
    let inputs: Vec<String> = inputs?
        .into_iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    if !inputs.is_empty() {
        clauses.push(format!("given({})", inputs.join(", ")));
    }
    if !test.clauses.contains("check") {
        let outputs = site
            .outputs(set)
            .into_iter()
            .filter_map(|(name, value)| Some((name, compared(value)?)));
        clauses.extend(outputs.map(|(name, value)| match (name, value.as_str()) {
            ("condition", "true") => "check_true(cond())".to_owned(),
            ("condition", "false") => "check_false(cond())".to_owned(),
            ("items", _) => format!("check_eq(items(), {value})"),
            (name, value) => format!("check_eq({name}, {value})"),
        }));
    }
    if clauses.is_empty() {
        return None;
    }
    let (name, others) = test.clauses.split_at(quoted_at_start(test.clauses));
    let after_name = if name.is_empty() || name.trim_end().ends_with(',') {
        ""
    } else {
        ", "
    };
    let before_others = if others.trim().is_empty() { "" } else { ", " };
    Some(format!("{after_name}{}{before_others}", clauses.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::super::document::tests::document;
    use super::*;

    #[test]
    fn a_test_that_is_not_complete_yet_is_found() {
        let text = "fn f() {\n    let y = 1;\n    itest!(\"a (name)\", check_eq(y, \")\"));\n    itest!();\n}\n";
        let document = document(text);
        let named = test_at(&document, 3).unwrap();
        assert_eq!(&text[named.insert_at..named.insert_at + 8], "check_eq");
        assert_eq!(named.clauses, "\"a (name)\", check_eq(y, \")\")");
        let empty = test_at(&document, 4).unwrap();
        assert_eq!(&text[empty.insert_at..empty.insert_at + 1], ")");
        assert!(test_at(&document, 2).is_none());
    }
}
