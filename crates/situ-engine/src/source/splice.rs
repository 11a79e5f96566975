//! Edits a text by byte range.

use std::ops::Range;

/// Replacement of a byte range; an empty range inserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    pub range: Range<usize>,
    pub text: String,
}

/// Applies all splices to `text`. They must not overlap; insertions at one offset keep their order.
pub fn apply(text: &str, splices: &[Splice]) -> String {
    let mut ordered: Vec<&Splice> = splices.iter().collect();
    ordered.sort_by_key(|splice| (splice.range.start, splice.range.end));
    let mut result = String::with_capacity(
        text.len()
            + splices
                .iter()
                .map(|splice| splice.text.len())
                .sum::<usize>(),
    );
    let mut done = 0;
    for splice in ordered {
        debug_assert!(
            splice.range.start >= done,
            "splices overlap at byte {}",
            splice.range.start
        );
        result.push_str(&text[done..splice.range.start]);
        result.push_str(&splice.text);
        done = splice.range.end;
    }
    result.push_str(&text[done..]);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splices_change_only_what_they_name() {
        let splice = |range: Range<usize>, text: &str| Splice {
            range,
            text: text.to_owned(),
        };
        let splices = [
            splice(6..9, "eine"),
            splice(0..0, "<"),
            splice(0..0, "!"),
            splice(12..12, ">"),
        ];
        assert_eq!(apply("das ä und mehr", &splices[1..3]), "<!das ä und mehr");
        assert_eq!(apply("let a=foo(x);", &splices), "<!let a=eine(x)>;");
    }
}
