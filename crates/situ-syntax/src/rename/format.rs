//! Variables in the braces of format strings.

use std::ops::Range;

/// Returns the names in a string literal of the source, each with its byte range: `{x}`, `{x:?}`,
/// `{:width$}`.
pub fn names(literal: &str) -> Vec<(Range<usize>, &str)> {
    let mut found = Vec::new();
    let bytes = literal.as_bytes();
    let mut at = 0;
    while let Some(open) = literal[at..].find('{').map(|offset| at + offset) {
        if bytes.get(open + 1) == Some(&b'{') {
            at = open + 2;
            continue;
        }
        let Some(close) = literal[open..].find('}').map(|offset| open + offset) else {
            break;
        };
        // `\u{e9}` is a character.
        if !literal[..open].ends_with("\\u") {
            inside(literal, open + 1..close, &mut found);
        }
        at = close + 1;
    }
    found
}

fn inside<'l>(literal: &'l str, range: Range<usize>, found: &mut Vec<(Range<usize>, &'l str)>) {
    let text = &literal[range.clone()];
    let name = text.split(':').next().unwrap_or_default();
    push(
        name.trim(),
        range.start + (name.len() - name.trim_start().len()),
        found,
    );
    let mut start = name.len() + 1;
    for part in text.get(start..).unwrap_or_default().split_inclusive('$') {
        if let Some(part) = part.strip_suffix('$') {
            let is_word = |char: char| char.is_alphanumeric() || char == '_';
            let word = part
                .rfind(|char| !is_word(char))
                .map_or(0, |before| before + 1);
            push(&part[word..], range.start + start + word, found);
        }
        start += part.len();
    }
}

fn push<'l>(name: &'l str, start: usize, found: &mut Vec<(Range<usize>, &'l str)>) {
    let is_name = name
        .chars()
        .next()
        .is_some_and(|first| first.is_alphabetic() || first == '_');
    if is_name
        && name
            .chars()
            .all(|char| char.is_alphanumeric() || char == '_')
    {
        found.push((start..start + name.len(), name));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_found_where_they_stand() {
        let literal = r#""{x} {{y}} {z:>width$.2} \u{e9} {0} {}""#;
        let found: Vec<&str> = super::names(literal)
            .into_iter()
            .map(|(bytes, _)| &literal[bytes])
            .collect();
        assert_eq!(found, ["x", "z", "width"]);
    }
}
