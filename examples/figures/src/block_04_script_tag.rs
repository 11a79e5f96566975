//! Block tests, Fig. 4: oracles name variables that are declared only further down, wherever the test stands.

use situ::prelude::*;

/// The character at a place of a JSON text, and how many bytes it takes there: an escaped one takes two.
fn unescaped_char(jsonish: &str, at: usize) -> (char, usize) {
    let mut rest = jsonish[at..].chars();
    match rest.next() {
        Some('\\') => rest
            .next()
            .map_or(('\\', 1), |escaped| (escaped, 1 + escaped.len_utf8())),
        Some(plain) => (plain, plain.len_utf8()),
        None => ('\0', 0),
    }
}

/// Whether the tag that opens at `i` is a script, in any case and with any letter escaped.
#[situ]
pub fn opens_script(jsonish: &str, i: usize) -> bool {
    blocktest!(
        "up to the last mention",
        given(jsonish = r"hi<s\cript>test</script>", i = 2),
        check_eq(lc1, 's'),
        check_eq(lc2, 'c'),
        check_eq(lc3, 'r'),
    );
    blocktest!(
        "until all are assigned",
        given(jsonish = r"hi<\S\C\R>", i = 2),
        check_eq((lc1, lc2, lc3), ('s', 'c', 'r')),
        end(first_assign),
    );
    let mut at = i + 1;
    let (c1, width) = unescaped_char(jsonish, at);
    at += width;
    let (c2, width) = unescaped_char(jsonish, at);
    at += width;
    let (c3, _) = unescaped_char(jsonish, at);
    let lc1 = c1.to_ascii_lowercase();
    let lc2 = c2.to_ascii_lowercase();
    let lc3 = c3.to_ascii_lowercase();
    blocktest!(
        "looking back",
        given(jsonish = r"hi<s\cript>test</script>", i = 2),
        check_eq(lc1, 's'),
        check_eq(lc2, 'c'),
        check_eq(lc3, 'r'),
        start(first_block),
    );
    (lc1, lc2, lc3) == ('s', 'c', 'r')
}
