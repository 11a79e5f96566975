//! Folding of tests below the line before them.

use super::document::Document;
use super::place::from_one;
use gen_lsp_types::{FoldingRange, FoldingRangeKind};

/// Returns one fold for each run of adjacent tests. The kind is `imports`: editors can fold imports
/// by themselves through one setting, but not comments or regions.
pub fn folds(document: &Document) -> Vec<FoldingRange> {
    let mut folds: Vec<(usize, usize, usize)> = Vec::new();
    for test in document.in_situ() {
        match folds.last_mut() {
            Some((_, last, count)) if *last + 1 == test.line || *last == test.line => {
                *last = test.end_line;
                *count += 1;
            }
            _ => folds.push((test.line, test.end_line, 1)),
        }
    }
    let fold = |(first, last, count): (usize, usize, usize)| FoldingRange {
        start_line: from_one(first.saturating_sub(1)),
        end_line: from_one(last),
        kind: Some(FoldingRangeKind::Imports),
        collapsed_text: Some(format!(
            "… {count} {}",
            if count == 1 { "test" } else { "tests" }
        )),
        ..FoldingRange::default()
    };
    folds
        .into_iter()
        .filter(|(first, ..)| *first > 1)
        .map(fold)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::document::tests::document;
    use super::*;

    #[test]
    fn the_line_before_the_tests_stays() {
        let text = "#[situ]\nfn f(x: u8) -> u8 {\n    let y = x;\n    itest!(given(x = 1), check_eq(y, 1));\n    itest!(\n        \
                    given(x = 2),\n        check_eq(y, 2)\n    );\n    let z = y;\n    itest!(given(y = 1), check_eq(z, 1));\n    z\n}\n";
        let found = folds(&document(text));
        let lines: Vec<_> = found
            .iter()
            .map(|fold| (fold.start_line, fold.end_line))
            .collect();
        assert_eq!(lines, [(2, 7), (8, 9)]);
        assert_eq!(found[0].collapsed_text.as_deref(), Some("… 2 tests"));
    }
}
