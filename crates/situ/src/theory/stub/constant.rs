//! Constants to guess with: a theory's literals, and those found in `Debug` output.

/// A literal, whatever its exact type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Constant {
    Text(String),
    Char(char),
    Integer(i128),
    Float(f64),
}

/// Returns all literals in `Debug` output, or in a literal of the source itself, in order.
pub(crate) fn constants_in(text: &str) -> Vec<Constant> {
    let mut constants = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '"' | '\'' => quoted_end(rest),
            _ if first.is_alphanumeric() || "-_".contains(first) => word_end(rest),
            _ => first.len_utf8(),
        };
        let (token, after) = rest.split_at(end);
        constants.extend(constant(token));
        rest = after;
    }
    constants
}

fn constant(token: &str) -> Option<Constant> {
    match token.chars().next()? {
        '"' => unescaped(token).map(Constant::Text),
        '\'' => unescaped(token)?.chars().next().map(Constant::Char),
        _ => token
            .parse()
            .map(Constant::Integer)
            .or_else(|_| token.parse().map(Constant::Float))
            .ok(),
    }
}

fn quoted_end(text: &str) -> usize {
    let quote = if text.starts_with('"') { '"' } else { '\'' };
    let mut escaped = false;
    for (at, next) in text.char_indices().skip(1) {
        if next == quote && !escaped {
            return at + 1;
        }
        escaped = next == '\\' && !escaped;
    }
    text.len()
}

fn word_end(text: &str) -> usize {
    text.find(|c: char| !(c.is_alphanumeric() || "-_.+".contains(c)))
        .unwrap_or(text.len())
}

/// Unescapes a literal as `Debug` prints it.
fn unescaped(literal: &str) -> Option<String> {
    let inside = literal.get(1..literal.len().checked_sub(1)?)?;
    let mut text = String::new();
    let mut rest = inside.chars();
    while let Some(next) = rest.next() {
        text.push(if next == '\\' {
            escape(&mut rest)?
        } else {
            next
        });
    }
    Some(text)
}

fn escape(rest: &mut std::str::Chars<'_>) -> Option<char> {
    Some(match rest.next()? {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        '0' => '\0',
        'u' => {
            let (code, after) = rest.as_str().strip_prefix('{')?.split_once('}')?;
            *rest = after.chars();
            char::from_u32(u32::from_str_radix(code, 16).ok()?)?
        }
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::{Constant, constants_in};

    #[test]
    fn literals_are_found_in_debug_texts() {
        let found = constants_in(r#"Some(("a\"\u{301}", -3, 'x', 1.5, true))"#);
        let text = Constant::Text(String::from("a\"\u{301}"));
        assert_eq!(
            found,
            [
                text,
                Constant::Integer(-3),
                Constant::Char('x'),
                Constant::Float(1.5)
            ]
        );
    }

    #[test]
    fn unfinished_text_holds_nothing() {
        assert_eq!(constants_in("\""), []);
        assert_eq!(constants_in("abc - ::"), []);
    }
}
