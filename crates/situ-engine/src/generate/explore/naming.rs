//! Names for data points, after the special properties of the value.

use crate::source::{parse_part, parse_tokens_with};
use std::collections::BTreeSet;
use syn::{Expr, Lit, UnOp};

/// Returns an unused name in capitals for the data point with this expression.
pub(super) fn name_of(expression: &str, parameter: &str, taken: &BTreeSet<String>) -> String {
    let words = parse_part::<Expr>(expression)
        .ok()
        .map(|expression| words_of(&expression))
        .unwrap_or_default();
    let words: Vec<&str> = words
        .split('_')
        .filter(|word| !word.is_empty())
        .take(6)
        .collect();
    let base = words.join("_").to_uppercase();
    let parameter: String = parameter
        .chars()
        .filter(|one| one.is_alphanumeric() || *one == '_')
        .collect();
    let is_short = base.is_empty() || base.starts_with(|one: char| one.is_ascii_digit());
    let base = if is_short {
        format!("{}_{base}", parameter.to_uppercase())
    } else {
        base
    };
    let base = base.trim_matches('_').to_owned();
    let candidates = [base.clone(), format!("{}_{base}", parameter.to_uppercase())];
    let free = |name: &String| !taken.contains(name) && !taken.contains(&name.to_lowercase());
    let numbered = (2..).map(|number| format!("{base}_{number}"));
    candidates
        .into_iter()
        .chain(numbered)
        .find(free)
        .unwrap_or(base)
}

fn words_of(expression: &Expr) -> String {
    match expression {
        Expr::Lit(literal) => literal_words(&literal.lit),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            let words = words_of(&unary.expr);
            match words
                .strip_prefix("beyond_")
                .and_then(|end| end.strip_suffix("_max"))
            {
                Some(of) => format!("{of}_min"),
                None => format!("minus_{words}"),
            }
        }
        Expr::Reference(reference) => words_of(&reference.expr),
        Expr::Paren(inner) => words_of(&inner.expr),
        Expr::Array(array) => list_words(&array.elems.iter().collect::<Vec<_>>()),
        Expr::Tuple(tuple) => joined(tuple.elems.iter()),
        Expr::Macro(call) => {
            let parser = syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated;
            let elements = parse_tokens_with(parser, call.mac.tokens.clone()).unwrap_or_default();
            list_words(&elements.iter().collect::<Vec<_>>())
        }
        Expr::Path(path) => path_words(&path.path),
        Expr::Call(call) => match &*call.func {
            Expr::Path(function) => {
                call_words(&function.path, &call.args.iter().collect::<Vec<_>>())
            }
            _ => String::new(),
        },
        Expr::Struct(made) => {
            let name = made
                .path
                .segments
                .last()
                .map(|last| snake(&last.ident.to_string()))
                .unwrap_or_default();
            let special = made
                .fields
                .iter()
                .map(|field| (&field.member, words_of(&field.expr)));
            let special = special
                .filter(|(_, words)| !words.is_empty() && words != "zero")
                .take(2);
            let special = special.map(|(member, words)| match member {
                syn::Member::Named(field) => format!("{field}_{words}"),
                syn::Member::Unnamed(_) => words,
            });
            format!("{name}_{}", special.collect::<Vec<_>>().join("_"))
        }
        Expr::Block(made) => made_words(&made.block),
        Expr::MethodCall(call) => chain_words(call),
        Expr::Range(range) => {
            let end = |side: &Option<Box<Expr>>| {
                side.as_ref().map(|side| words_of(side)).unwrap_or_default()
            };
            format!("{}_to_{}", end(&range.start), end(&range.end))
        }
        _ => String::new(),
    }
}

/// Returns the words of a chain of calls, without uninformative steps.
fn chain_words(call: &syn::ExprMethodCall) -> String {
    let before = words_of(&call.receiver);
    let inside = joined(call.args.iter());
    if inside.is_empty() {
        before
    } else {
        format!("{before}_{}_{inside}", call.method)
    }
}

/// Returns the words of a value and its method calls.
fn made_words(block: &syn::Block) -> String {
    let mut words: Vec<String> = Vec::new();
    for statement in &block.stmts {
        let word = match statement {
            syn::Stmt::Local(local) => local.init.as_ref().map(|init| words_of(&init.expr)),
            syn::Stmt::Expr(Expr::MethodCall(call), _) => Some(format!("after_{}", call.method)),
            syn::Stmt::Expr(Expr::Assign(assign), _) => match &*assign.right {
                Expr::MethodCall(call) => Some(format!("after_{}", call.method)),
                _ => None,
            },
            _ => None,
        };
        words.extend(word.filter(|word| !words.contains(word)));
    }
    words.join("_").replace("__", "_")
}

fn path_words(path: &syn::Path) -> String {
    let words: Vec<String> = path
        .segments
        .iter()
        .map(|segment| snake(&segment.ident.to_string()))
        .collect();
    match words.as_slice() {
        // `f64::NAN` needs no type, but `Colour::Red` does.
        [.., number, constant] if number.starts_with('f') && number.len() == 3 => constant.clone(),
        [.., of, variant] => format!("{of}_{variant}"),
        _ => words.concat(),
    }
}

fn call_words(path: &syn::Path, arguments: &[&Expr]) -> String {
    let names: Vec<String> = path
        .segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect();
    let inside = joined(arguments.iter().copied());
    let of = names
        .len()
        .checked_sub(2)
        .and_then(|at| names.get(at))
        .map(|name| snake(name))
        .unwrap_or_default();
    match names.last().map(String::as_str) {
        Some("from" | "new" | "from_iter")
            if ["string", "box", "rc", "arc", "cow"].contains(&of.as_str()) =>
        {
            inside
        }
        Some("from" | "new" | "from_iter" | "default") => format!("{of}_{inside}"),
        Some(name) => format!("{}_{inside}", snake(name)),
        None => inside,
    }
}

fn joined<'e>(expressions: impl Iterator<Item = &'e Expr>) -> String {
    expressions
        .map(words_of)
        .filter(|words| !words.is_empty())
        .take(3)
        .collect::<Vec<_>>()
        .join("_")
}

fn list_words(elements: &[&Expr]) -> String {
    use quote::ToTokens as _;
    let texts: Vec<String> = elements
        .iter()
        .map(|element| element.to_token_stream().to_string())
        .collect();
    let distinct: BTreeSet<&String> = texts.iter().collect();
    match elements {
        [] => "empty".to_owned(),
        [one] => format!("only_{}", words_of(one)),
        _ if distinct.len() == 1 => format!("{}_times_{}", elements.len(), words_of(elements[0])),
        _ if distinct.len() < elements.len() => "with_repetition".to_owned(),
        _ if elements.len() <= 3 => joined(elements.iter().copied()),
        _ => format!("list_of_{}", elements.len()),
    }
}

fn literal_words(literal: &Lit) -> String {
    match literal {
        Lit::Int(number) => match number.base10_digits() {
            "0" => "zero".to_owned(),
            "1" => "one".to_owned(),
            digits => known_number(digits).unwrap_or_else(|| digits.to_owned()),
        },
        Lit::Float(number) => match number.base10_digits() {
            "0.0" => "zero".to_owned(),
            digits => digits
                .replace('.', "_point_")
                .replace("e-", "_e_minus_")
                .replace('-', "minus_"),
        },
        Lit::Bool(value) => value.value.to_string(),
        Lit::Char(one) => character_words(one.value()),
        Lit::Str(text) => text_words(&text.value()),
        _ => String::new(),
    }
}

/// Returns the name of a number that is the limit of a type.
fn known_number(digits: &str) -> Option<String> {
    let ends = [
        ("i8_max", i8::MAX as u128),
        ("u8_max", u8::MAX as u128),
        ("i16_max", i16::MAX as u128),
        ("u16_max", u16::MAX as u128),
        ("i32_max", i32::MAX as u128),
        ("u32_max", u32::MAX as u128),
        ("i64_max", i64::MAX as u128),
        ("u64_max", u64::MAX as u128),
        ("i128_max", i128::MAX as u128),
        ("u128_max", u128::MAX),
    ];
    let number: u128 = digits.parse().ok()?;
    if let Some((name, _)) = ends.iter().find(|(_, end)| *end == number && number > 255) {
        return Some((*name).to_owned());
    }
    // A minus before it makes it the other end.
    ends.iter()
        .find(|(name, end)| name.starts_with('i') && *end + 1 == number && number > 256)
        .map(|(name, _)| format!("beyond_{name}"))
}

fn text_words(text: &str) -> String {
    let is_word = |one: char| one.is_ascii_alphanumeric() || one == '_';
    match text {
        "" => "empty".to_owned(),
        _ if text.trim().is_empty() => "blank".to_owned(),
        _ if text.chars().count() == 1 => text.chars().map(character_words).collect(),
        _ if text.len() <= 24 && text.chars().all(is_word) => {
            let lower = text.to_lowercase();
            if lower.starts_with(|one: char| one.is_ascii_digit()) {
                format!("digits_{lower}")
            } else {
                lower
            }
        }
        _ if !text.is_ascii() => "not_ascii".to_owned(),
        _ if text.chars().count() > 60 => "long_text".to_owned(),
        _ => {
            let words: Vec<String> = text
                .split(|one: char| !one.is_ascii_alphanumeric())
                .filter(|word| !word.is_empty())
                .map(str::to_lowercase)
                .collect();
            let marks = text
                .chars()
                .filter(|one| !one.is_ascii_alphanumeric())
                .map(character_words);
            let marks: Vec<String> = marks.take(1).collect();
            let all = words
                .into_iter()
                .take(3)
                .chain(marks)
                .collect::<Vec<_>>()
                .join("_");
            if all.starts_with(|one: char| one.is_ascii_digit()) {
                format!("text_{all}")
            } else {
                all
            }
        }
    }
}

fn character_words(one: char) -> String {
    let name = match one {
        'a'..='z' => return format!("letter_{one}"),
        'A'..='Z' => return format!("capital_{}", one.to_ascii_lowercase()),
        '0'..='9' => return format!("digit_{one}"),
        ' ' => "space",
        '\n' => "newline",
        '\t' => "tab",
        '\r' => "carriage_return",
        '\0' => "nul",
        '/' => "slash",
        '\\' => "backslash",
        '-' => "hyphen",
        '_' => "underscore",
        '.' => "dot",
        ',' => "comma",
        ':' => "colon",
        ';' => "semicolon",
        '"' | '\'' => "quote",
        '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' => "bracket",
        '*' => "star",
        '+' => "plus",
        '=' => "equals",
        '%' => "percent",
        '#' => "hash",
        '@' => "at_sign",
        '!' => "exclamation",
        '?' => "question",
        '&' => "ampersand",
        '$' => "dollar",
        _ if one.is_ascii() => "control_character",
        _ => return format!("u_{:x}", u32::from(one)),
    };
    name.to_owned()
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for (at, one) in name.chars().enumerate() {
        if one.is_uppercase()
            && at > 0
            && !out.ends_with('_')
            && name.chars().any(char::is_lowercase)
        {
            out.push('_');
        }
        out.extend(one.to_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::name_of;
    use std::collections::BTreeSet;

    #[track_caller]
    fn check(expression: &str, name: &str) {
        assert_eq!(
            name_of(expression, "n", &BTreeSet::new()),
            name,
            "{expression}"
        );
    }

    #[test]
    fn a_name_tells_what_is_special() {
        check("\"\"", "EMPTY");
        check("0", "ZERO");
        check("-1", "MINUS_ONE");
        check("2147483647", "I32_MAX");
        check("-2147483648", "I32_MIN");
        check("4711", "N_4711");
        check("f64::NAN", "NAN");
        check("\"€\"", "U_20AC");
        check("String::from(\"magic\")", "MAGIC");
        check("\"a/b\"", "A_B_SLASH");
        check("vec![]", "EMPTY");
        check("vec![0, 0]", "N_2_TIMES_ZERO");
        check("&[1, 2, 1]", "WITH_REPETITION");
        check("Some(0)", "SOME_ZERO");
        check("Colour::DarkRed", "COLOUR_DARK_RED");
        check("Point { x: 0, y: -1 }", "POINT_Y_MINUS_ONE");
        check(
            "{ let mut made = Stack::new(); made.push(1); made.mark(); made.push(2); made }",
            "STACK_AFTER_PUSH_AFTER_MARK",
        );
        check(
            "ServerBuilder::default().port(80).build().unwrap()",
            "SERVER_BUILDER_PORT_80",
        );
        check("BTreeMap::from([(1, 2)])", "B_TREE_MAP_ONLY_ONE_2");
    }

    #[test]
    fn a_name_that_is_taken_gets_the_parameter_then_a_number() {
        let taken: BTreeSet<String> = ["EMPTY".to_owned()].into();
        assert_eq!(name_of("\"\"", "line", &taken), "LINE_EMPTY");
        let taken: BTreeSet<String> = ["EMPTY".to_owned(), "line_empty".to_owned()].into();
        assert_eq!(name_of("\"\"", "line", &taken), "EMPTY_2");
    }
}
