//! Names of new tests, which say their case in words.

use super::expected::{Call, Expected};
use super::subject::Subject;
use crate::source::{parse_part, parse_tokens_with};
use syn::punctuated::Punctuated;
use syn::{BinOp, Expr, Lit, Token, UnOp};

/// Words of one value that a name has at most.
const MAX_WORDS: usize = 4;

/// Characters of a case that a name has at most.
const MAX_CASE: usize = 40;

/// Names a new test: its function, the case that the first call is, and what comes of it.
pub(crate) fn case_name(subject: &Subject, calls: &[&Call]) -> String {
    let function = snake_case(&subject.path);
    let [only] = calls else {
        let is_number = |call: &&Call| {
            let mut arguments = call.arguments.iter();
            arguments.any(|one| range_like(one))
        };
        return match calls.iter().all(is_number) {
            true => format!("{function}_at_its_boundaries"),
            false => format!("{function}_of_several_cases"),
        };
    };
    let case: Option<Vec<String>> = only.arguments.iter().map(|one| words(one)).collect();
    let case = case
        .map(|words| words.join("_and_"))
        .filter(|case| !case.is_empty() && case.len() <= MAX_CASE);
    match (case, change(only).or_else(|| outcome(&only.expected))) {
        (Some(case), Some(outcome)) => format!("{function}_of_{case}_{outcome}"),
        (Some(case), None) => format!("{function}_of_{case}"),
        (None, Some(outcome)) => format!("{function}_{outcome}"),
        (None, None) => match only.expected.text() {
            text if words(text).is_some_and(|words| words.len() <= MAX_CASE) => {
                format!("{function}_gives_{}", words(text).unwrap_or_default())
            }
            _ => format!("{function}_gives_its_value"),
        },
    }
}

fn range_like(argument: &str) -> bool {
    argument
        .trim_start_matches('-')
        .starts_with(|first: char| first.is_ascii_digit() || first.is_ascii_uppercase())
}

fn snake_case(path: &str) -> String {
    let mut name = String::new();
    for part in path.split("::") {
        let mut is_after_small = false;
        for letter in part
            .chars()
            .filter(|one| one.is_ascii_alphanumeric() || *one == '_')
        {
            let starts_word = letter.is_ascii_uppercase() && is_after_small;
            if starts_word {
                name.push('_');
            }
            is_after_small = letter.is_ascii_lowercase();
            name.push(letter.to_ascii_lowercase());
        }
        name.push('_');
    }
    name.trim_matches('_').to_owned()
}

/// What a call does to its receiver or to an argument, where that is what is checked.
fn change(call: &Call) -> Option<&'static str> {
    let (Some(written), Expected::Value(after)) = (&call.written, &call.expected) else {
        return None;
    };
    let is_same = |name: &str| written.starts_with(&format!("{{ let mut {name} = {after};"));
    if written.ends_with(" receiver }") {
        Some(match is_same("receiver") {
            true => "leaves_it_as_it_was",
            false => "changes_it",
        })
    } else if written.ends_with(" value }") {
        Some(match is_same("value") {
            true => "leaves_its_argument_as_it_was",
            false => "changes_its_argument",
        })
    } else {
        None
    }
}

/// What is said of an outcome, where one word says it.
fn outcome(expected: &Expected) -> Option<&'static str> {
    match expected {
        Expected::Panic(_) => Some("panics"),
        Expected::Value(value) => match value.as_str() {
            "true" => Some("is_true"),
            "false" => Some("is_false"),
            "None" => Some("is_none"),
            "\"\"" | "vec![]" => Some("is_empty"),
            value if value.starts_with("Err(") => Some("is_an_error"),
            _ => None,
        },
    }
}

/// A value in words; none where they would say nothing.
fn words(value: &str) -> Option<String> {
    in_words(&parse_part(value).ok()?)
}

fn in_words(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => Some(number.base10_digits().to_owned()),
            Lit::Float(number) => Some(number.base10_digits().replace('.', "_point_")),
            Lit::Bool(one) => Some(one.value.to_string()),
            Lit::Char(letter) => text_in_words(&letter.value().to_string()),
            Lit::Byte(byte) => text_in_words(&char::from(byte.value()).to_string()),
            Lit::Str(text) => text_in_words(&text.value()),
            Lit::ByteStr(text) => text_in_words(std::str::from_utf8(&text.value()).ok()?),
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            Some(format!("minus_{}", in_words(&unary.expr)?))
        }
        Expr::Reference(reference) => in_words(&reference.expr),
        Expr::Array(array) => list_in_words(array.elems.len()),
        Expr::Macro(call) if call.mac.path.is_ident("vec") => {
            let elements = Punctuated::<Expr, Token![,]>::parse_terminated;
            let elements = parse_tokens_with(elements, call.mac.tokens.clone()).ok()?;
            list_in_words(elements.len())
        }
        Expr::Struct(value) => {
            let name = snake_case(&value.path.segments.last()?.ident.to_string());
            let fields: Vec<String> = value
                .fields
                .iter()
                .filter_map(|field| in_words(&field.expr))
                .collect();
            Some(match fields.as_slice() {
                [only] if value.fields.len() == 1 => format!("{name}_of_{only}"),
                _ => format!("a_{name}"),
            })
        }
        Expr::Path(path) => Some(snake_case(&path.path.segments.last()?.ident.to_string())),
        // A constant and what is beside it.
        Expr::Binary(sum) if matches!(*sum.left, Expr::Path(_)) => match sum.op {
            BinOp::Add(_) => Some(format!("more_than_{}", in_words(&sum.left)?)),
            BinOp::Sub(_) => Some(format!("less_than_{}", in_words(&sum.left)?)),
            _ => None,
        },
        // `"a".to_owned()`.
        Expr::MethodCall(call) if call.args.is_empty() => in_words(&call.receiver),
        Expr::Call(call) => match (&*call.func, call.args.len()) {
            (Expr::Path(path), 1) => {
                let name = snake_case(&path.path.segments.last()?.ident.to_string());
                let inner = in_words(call.args.first()?)?;
                Some(match name.as_str() {
                    "from" => inner,
                    name => format!("{name}_{inner}"),
                })
            }
            _ => None,
        },
        _ => None,
    }
}

fn list_in_words(elements: usize) -> Option<String> {
    Some(match elements {
        0 => "nothing".to_owned(),
        1 => "one_element".to_owned(),
        several => format!("{several}_elements"),
    })
}

fn text_in_words(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some("an_empty_string".to_owned());
    }
    if text.chars().all(char::is_whitespace) {
        return Some("blanks".to_owned());
    }
    let sign = text.chars().find_map(sign);
    let words: Vec<String> = text
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    match (sign, words.len()) {
        (Some(sign), 0) => Some(sign.to_owned()),
        (_, 0) => None,
        (_, 1..=MAX_WORDS) => Some(words.join("_")),
        (Some(sign), _) => Some(format!("a_text_with_{sign}")),
        _ => Some("a_long_text".to_owned()),
    }
}

fn sign(letter: char) -> Option<&'static str> {
    Some(match letter {
        ',' => "a_comma",
        '.' => "a_dot",
        ':' => "a_colon",
        ';' => "a_semicolon",
        '-' => "a_dash",
        '+' => "a_plus",
        '/' => "a_slash",
        '\\' => "a_backslash",
        '=' => "an_equals_sign",
        '#' => "a_hash",
        '"' | '\'' => "a_quote",
        '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' => "a_bracket",
        '_' => "an_underscore",
        '@' => "an_at_sign",
        '%' => "a_percent_sign",
        '&' => "an_ampersand",
        '*' => "an_asterisk",
        '!' => "an_exclamation_mark",
        '?' => "a_question_mark",
        '|' => "a_bar",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::improve::subject::subjects;

    fn name(arguments: &[&str], expected: &str) -> String {
        let call = Call {
            subject: 0,
            arguments: arguments.iter().map(|one| (*one).to_owned()).collect(),
            written: None,
            expected: Expected::Value(expected.to_owned()),
        };
        case_name(&subjects("fn size(x: u8) {}")[0], &[&call])
    }

    #[test]
    fn a_name_says_the_case_and_its_outcome() {
        for (arguments, expected, wanted) in [
            (&["\"\""][..], "None", "size_of_an_empty_string_is_none"),
            (&["\",\""], "Some(\"\")", "size_of_a_comma"),
            (&["1024"], "\"1.0 KB\"", "size_of_1024"),
            (&["-1", "true"], "3", "size_of_minus_1_and_true"),
            (&["MAX + 1"], "false", "size_of_more_than_max_is_false"),
            (&["1984 * 1984"], "true", "size_is_true"),
            (&["1984 * 1984"], "7", "size_gives_7"),
            (&["&[]", "0"], "None", "size_of_nothing_and_0_is_none"),
            (&["&[1]"], "vec![2]", "size_of_one_element"),
            (
                &["Stack { numbers: vec![1, 2] }", "3"],
                "7",
                "size_of_stack_of_2_elements_and_3",
            ),
            (&["|x| x"], "|x| x", "size_gives_its_value"),
        ] {
            assert_eq!(name(arguments, expected), wanted);
        }
    }

    #[test]
    fn a_name_says_whether_an_argument_changes() {
        let mut call = Call {
            subject: 0,
            arguments: vec!["&mut [0, 1]".to_owned()],
            written: Some("{ let mut value = [0, 1]; let _ = size(&mut value); value }".into()),
            expected: Expected::Value("[0, 1]".to_owned()),
        };
        let subject = &subjects("fn size(x: u8) {}")[0];
        assert_eq!(
            case_name(subject, &[&call]),
            "size_of_2_elements_leaves_its_argument_as_it_was"
        );
        call.expected = Expected::Value("[1, 0]".to_owned());
        assert_eq!(
            case_name(subject, &[&call]),
            "size_of_2_elements_changes_its_argument"
        );
    }
}
