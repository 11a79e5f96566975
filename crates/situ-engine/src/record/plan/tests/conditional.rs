//! Code under `#[cfg(…)]`: if it is not compiled, no insertion for it remains before, after or
//! around it.

use super::*;
use quote::ToTokens as _;
use situ_syntax::{attributes_of, attributes_of_statement};
use syn::visit_mut::{self, VisitMut};

/// Visitor that removes code under `#[cfg(off)]`, as the compiler does.
struct Remover;

fn is_off(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute
            .meta
            .to_token_stream()
            .to_string()
            .replace(' ', "")
            == "cfg(off)"
    })
}

impl VisitMut for Remover {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block
            .stmts
            .retain(|statement| !is_off(attributes_of_statement(statement)));
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_expr_match_mut(&mut self, choice: &mut syn::ExprMatch) {
        choice.arms.retain(|arm| !is_off(&arm.attrs));
        visit_mut::visit_expr_match_mut(self, choice);
    }

    fn visit_expr_struct_mut(&mut self, made: &mut syn::ExprStruct) {
        made.fields = std::mem::take(&mut made.fields)
            .into_iter()
            .filter(|field| !is_off(&field.attrs))
            .collect();
        visit_mut::visit_expr_struct_mut(self, made);
    }

    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        let arguments = std::mem::take(&mut call.args).into_iter();
        call.args = arguments
            .filter(|argument| !is_off(attributes_of(argument)))
            .collect();
        visit_mut::visit_expr_call_mut(self, call);
    }
}

fn compiled(text: &str) -> String {
    let mut file = syn::parse_file(text).unwrap();
    Remover.visit_file_mut(&mut file);
    file.to_token_stream().to_string()
}

/// Returns the code of the only function, without the numbers of probes, slots and marks.
fn unnumbered(text: &str) -> String {
    let code = text
        .split("# [allow (warnings)] pub (crate) fn __situ_types")
        .next()
        .unwrap();
    let mut shown = String::new();
    for word in code.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_') {
        let name = word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
        let is_numbered =
            name.starts_with("__situ_") || name.starts_with(|first: char| first.is_ascii_digit());
        shown.push_str(if is_numbered {
            name.trim_end_matches(|c: char| c.is_ascii_hexdigit() || c == 'x')
        } else {
            name
        });
        shown.push_str(&word[name.len()..]);
    }
    shown
}

/// Checks that without `off` a function is instrumented as if the code under it had never been
/// written. That code must not mention variables that nothing else mentions: a fragment counts them
/// as inputs anyway.
fn check_left_alone(body: &str) {
    let ways = [
        Wanted {
            all_statements: true,
            ..targets()
        },
        Wanted {
            functions: true,
            ..Wanted::default()
        },
        Wanted {
            fragments: true,
            calls: true,
            ..Wanted::default()
        },
        Wanted {
            answers: true,
            functions: true,
            all_statements: true,
            fragments: true,
            calls: true,
            ..targets()
        },
    ];
    let source = format!("fn f(v: &mut Vec<u8>, mut n: usize, password: &str) -> u8 {{ {body} }}");
    for wanted in ways {
        let (_, woven) = planned(&source, &wanted);
        let (_, plain) = planned(&compiled(&source), &wanted);
        assert_eq!(
            unnumbered(&compiled(&woven)),
            unnumbered(&compiled(&plain)),
            "{body}\n{wanted:?}"
        );
    }
}

#[test]
fn a_statement_of_any_kind_leaves_nothing_behind() {
    for statement in [
        "match v.first() { Some(x) => g(*x), None => {} }",
        "if v.len() > n { g(n) }",
        "if let Some(x) = v.first() { g(x) }",
        "for x in v.iter() { g(x) }",
        "while v.len() > n { n += 1; }",
        "loop { g(n); break }",
        "{ g(n); g(v); }",
        "unsafe { g(n); g(v); }",
        "n = v.len();",
        "n += v.len();",
        "v[0] = 1;",
        "*v = Vec::new();",
        "v.sort();",
        "dep::send(v, n);",
        "std::fs::read(v)?;",
        "let m = v.len() & 1;",
        "let Some(m) = v.first() else { return 1 };",
        "return 1;",
        "println!(\"{}\", dep::send(v)?);",
        "(v.len() > n).then(|| g(n));",
        "let token = v.len();",
        "async { v.len() & n };",
        "const { 1 }",
        "&v[n];",
        "v?;",
    ] {
        check_left_alone(&format!(
            "g(v, n); #[cfg(off)] {statement} v.push(1); v.len() as u8"
        ));
        check_left_alone(&format!(
            "g(v, n); v.push(1); #[cfg(off)] {statement} #[cfg(on)] {{ v.len() as u8 }}"
        ));
    }
}

#[test]
fn ways_out_under_conditions_are_told_where_they_are_there_only() {
    for body in [
        "loop { #[cfg(off)] break; #[cfg(off)] continue; g(v, n); if v.len() > n { break } } 1",
        "loop { g(v, n); #[cfg(off)] return 1; v.push(1); }",
        "let m = loop { #[cfg(off)] break 1; g(v); break v.len(); }; m as u8",
    ] {
        check_left_alone(body);
    }
    let unit = "fn f(v: &mut Vec<u8>) { g(v); #[cfg(off)] return; v.push(1); }";
    let (_, woven) = planned(
        unit,
        &Wanted {
            functions: true,
            fragments: true,
            ..Wanted::default()
        },
    );
    let compiled = compiled(&woven);
    assert!(!compiled.contains("leave"), "{compiled}");
    assert_eq!(
        compiled.matches("__situ_1 . end ()").count(),
        1,
        "the function ends once: {compiled}"
    );
}

#[test]
fn parts_of_a_statement_under_conditions_are_left_alone() {
    for body in [
        "match n { 0 => g(v), #[cfg(off)] 1 if v.len() > n => dep::send(v), _ => {} } 1",
        "let s = S { a: n, #[cfg(off)] b: g(n) }; g(s); 1",
        "g(v); dep::send(n, #[cfg(off)] g(n)); 1",
    ] {
        let source = format!("fn f(v: &mut Vec<u8>, n: usize) -> u8 {{ {body} }}");
        let wanted = Wanted {
            functions: true,
            calls: true,
            answers: true,
            ..targets()
        };
        let (_, woven) = planned(&source, &wanted);
        let (_, plain) = planned(&compiled(&source), &wanted);
        let calls = |text: &str| compiled(text).matches("calls :: begin").count();
        let ends = |text: &str| compiled(text).matches(". end ()").count();
        assert!(calls(&woven) <= calls(&plain), "{body}");
        assert!(ends(&woven) <= ends(&plain), "{body}");
    }
}

#[test]
fn each_tail_under_conditions_is_the_result_where_it_is_there() {
    let source = "fn f(n: usize) -> u8 { g(n); #[cfg(off)] { 1 } #[cfg(not(off))] { 2 } }";
    let wanted = Wanted {
        functions: true,
        fragments: true,
        ..Wanted::default()
    };
    let (_, woven) = planned(source, &wanted);
    for tail in [
        "#[cfg(off)] match ::situ_recorder::probe::same",
        "#[cfg(not(off))] match ::situ_recorder::probe::same",
    ] {
        assert!(woven.contains(tail), "{woven}");
    }
    check_left_alone("g(v, n); #[cfg(off)] { 1 } #[cfg(not(off))] { 2 }");
    check_left_alone("g(v, n); #[cfg(off)] return 1; #[cfg(not(off))] { 2 }");
    let unit = "fn f(n: usize) { g(n); #[cfg(off)] println!(\"{n}\") }";
    let compiled = compiled(&planned(unit, &wanted).1);
    assert_eq!(
        compiled.matches("__situ_1 . end ()").count(),
        1,
        "{compiled}"
    );
    assert_eq!(
        compiled.matches("__situ_2 . end ()").count(),
        1,
        "{compiled}"
    );
}

#[test]
fn what_is_put_around_code_stands_behind_its_other_attributes() {
    let source = "fn f(v: &str) -> u8 { g(); #[allow(x)] match v.trim() { _ => 1 } }";
    let (_, woven) = planned(
        source,
        &Wanted {
            fragments: true,
            functions: true,
            ..targets()
        },
    );
    assert!(
        woven.contains("#[allow(x)] match ::situ_recorder::probe::same"),
        "{woven}"
    );
    assert!(!woven.contains("(#[allow"), "{woven}");
}
