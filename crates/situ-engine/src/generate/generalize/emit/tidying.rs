//! Rewriting of a `match` with one remaining arm as an `if`, after the assertion in the other arm
//! was removed.

use crate::source::{byte_range, parse_part};
use syn::{Arm, Expr, Pat, Stmt};

/// Returns the statement in its simplest form.
pub(super) fn tidy(statement: &str) -> String {
    tidied(statement).unwrap_or_else(|| statement.to_owned())
}

fn tidied(text: &str) -> Option<String> {
    let Ok(Stmt::Expr(Expr::Match(choice), _)) = parse_part::<Stmt>(text) else {
        return None;
    };
    let [first, last] = &choice.arms[..] else {
        return None;
    };
    let is_guarded = |arm: &Arm| matches!(arm.pat, Pat::Guard(_));
    let is_plain = !is_guarded(first) && !is_guarded(last) && !matches_anything(&first.pat);
    let matched = &text[byte_range(&choice.expr)];
    if !is_plain || !is_empty(&last.body) || matched.contains('{') {
        return None;
    }
    let body = &text[byte_range(&first.body)];
    let body = if matches!(&*first.body, Expr::Block(_)) {
        body.to_owned()
    } else {
        format!("{{ {body}; }}")
    };
    let pattern = &text[byte_range(&first.pat)];
    Some(
        match asking(pattern).filter(|_| is_called_easily(&choice.expr)) {
            Some(method) => format!("if {matched}.{method}() {body}"),
            None => format!("if let {pattern} = {matched} {body}"),
        },
    )
}

/// Returns the method that tests for a variant, if the pattern binds nothing.
fn asking(pattern: &str) -> Option<&'static str> {
    match pattern.split_whitespace().collect::<String>().as_str() {
        "Ok(_)" => Some("is_ok"),
        "Err(_)" => Some("is_err"),
        "Some(_)" => Some("is_some"),
        "None" => Some("is_none"),
        _ => None,
    }
}

fn matches_anything(pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) => true,
        Pat::Ident(name) => name.ident.to_string().starts_with(char::is_lowercase),
        _ => false,
    }
}

fn is_empty(body: &Expr) -> bool {
    match body {
        Expr::Block(block) => block.block.stmts.is_empty(),
        Expr::Tuple(tuple) => tuple.elems.is_empty(),
        _ => false,
    }
}

fn is_called_easily(expression: &Expr) -> bool {
    matches!(
        expression,
        Expr::Call(_)
            | Expr::MethodCall(_)
            | Expr::Path(_)
            | Expr::Paren(_)
            | Expr::Field(_)
            | Expr::Index(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_with_one_arm_left_is_an_if() {
        let tidied = [
            (
                "match f(x) { Err(_) => { panic!(); } Ok(_) => {  } }",
                "if f(x).is_err() { panic!(); }",
            ),
            (
                "match f(x) { Err(e) => panic!(\"{e}\"), Ok(_) => (), }",
                "if let Err(e) = f(x) { panic!(\"{e}\"); }",
            ),
            (
                "match x { None => panic!(), Some(_) => {} }",
                "if x.is_none() { panic!(); }",
            ),
            (
                "match a + b { Some(_) => g(), _ => {} }",
                "if let Some(_) = a + b { g(); }",
            ),
        ];
        for (before, after) in tidied {
            assert_eq!(tidy(before), after);
        }
        let kept = [
            "match f(x) { Ok(n) => assert_eq!(n, 1), Err(e) => panic!(\"{e}\") }",
            "match f(x) { Ok(n) if n > 1 => g(n), _ => {} }",
            "match f(x) { A => g(), B => h(), C => {} }",
            "let n = match f(x) { Ok(n) => n, Err(_) => {} };",
        ];
        for text in kept {
            assert_eq!(tidy(text), text);
        }
    }
}
