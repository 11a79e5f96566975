//! Input that no user writes on purpose: odd items, odd calls, token soup, far too much of everything.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use syn::Item;

use crate::verdict::{Verdict, expand, judge};

fn tokens(text: &str) -> TokenStream {
    text.parse()
        .unwrap_or_else(|error| panic!("{text} is no token stream: {error}"))
}

#[track_caller]
fn judge_text(attribute: &str, item: &str) -> Verdict {
    let item: Item =
        syn::parse_str(item).unwrap_or_else(|error| panic!("{item} is no item: {error}"));
    judge(tokens(attribute), &item).unwrap_or_else(|fault| panic!("{fault}"))
}

/// A function with these statements before its last.
fn function_with(statements: &str) -> String {
    format!("fn f(x: u32, words: &[String]) -> u32 {{ let mut y = x; {statements} y += 1; y }}")
}

#[test]
fn any_item_may_stand_below_the_attribute() {
    let items = [
        "struct S;",
        "enum E { A }",
        "union U { a: u8 }",
        "use a::b;",
        "const C: u8 = 1;",
        "static S: u8 = 1;",
        "type T = u8;",
        "extern crate alloc;",
        "extern \"C\" { fn f(); }",
        "mod elsewhere;",
        "macro_rules! m { () => {} }",
        "thread_local! { static S: u8 = 1; }",
        "trait Alias = Clone;",
        "trait T { fn without_a_body(&self); const C: u8; type A; }",
        "impl T { const C: u8 = { itest!(check_runs()); 1 }; }",
        "mod m { itest!(check_runs()); }",
        "fn nothing() {}",
        "const fn f() -> u8 { 1 }",
        "unsafe extern \"C\" fn f(x: u8, ...) { blocktest!(check_runs()); drop(x) }",
        "impl<'a, T: ?Sized, const N: usize> !Send for X<'a, T, N> where T: 'a {}",
        "fn r#type(r#match: u8) { itest!(check_eq(r#match, 1)); }",
    ];
    for item in items {
        judge_text("", item);
    }
}

#[test]
fn any_attribute_arguments_are_taken_or_refused() {
    for attribute in [
        "name",
        "\"name\"",
        "1",
        "a, b",
        "=",
        "name = 1",
        "a::b",
        "r#fn",
        "self",
        "{ [ ( ) ] }",
        "'a",
        "_",
    ] {
        judge_text(attribute, "fn f() { let x = 1; itest!(check_eq(x, 1)); }");
        judge_text(
            attribute,
            "impl X { fn f() { let x = 1; itest!(check_eq(x, 1)); } }",
        );
    }
}

#[test]
fn a_test_may_stand_in_any_place_and_delimiters() {
    let statements = [
        "itest![check_eq(y, 1)];",
        "itest! { check_eq(y, 1) }",
        "itest! {}",
        "blocktest! { check_runs() };",
        "situ::itest!(check_eq(y, 1));",
        "::situ::prelude::blocktest!(check_runs());",
        "#[cfg(test)] itest!(check_eq(y, 1));",
        "#[allow(unused)] blocktest!(check_runs());",
        "let z = itest!(check_eq(y, 1));",
        "let itest!(z) = y;",
        "let z: itest!(u8) = y;",
        "drop(blocktest!(check_runs()));",
        "println!(\"{}\", itest!(check_eq(y, 1)));",
        "vec![blocktest!(check_runs())];",
        "if itest!(check(cond())) { }",
        "match y { itest!() => {} _ if blocktest!(check_runs()) => {} }",
        "macro_rules! m { () => { itest!(check_eq(y, 1)); } }",
        "struct S; impl S { itest!(check_runs()); }",
        "mod inner { blocktest!(check_runs()); }",
        "#[situ] fn inner() { itest!(check_runs()); }",
        "const { itest!(check_eq(y, 1)); };",
        "async { itest!(check_eq(y, 1)); };",
        "|| { blocktest!(check_value(1)); 1 };",
        "itest!(check_eq(y, 1)) + 1;",
        "itest!(check_eq(y, 1)).await;",
        "endtest!();",
        "endtest!(\"a\", \"b\");",
        "blocktest!(\"a\", check_runs()); endtest!(\"a\"); endtest!(\"a\");",
        "closuretest!(args(1), check_return(1)); drop(|x: u8| x);",
    ];
    for statement in statements {
        judge_text("", &function_with(statement));
    }
}

#[test]
fn a_test_is_run_or_refused_and_never_dropped() {
    const TEST: &str = "{ let n = 3; itest!(check_eq(n, 3)); n }";
    let items = [
        "fn f(x: [u8; TEST]) {}",
        "fn f() -> [u8; TEST] { [0; 3] }",
        "fn f<const N: usize = TEST>() {}",
        "fn f<T>() where T: Is<TEST> {}",
        "fn f(x: Is<TEST>) {}",
        "fn f(x: m!(itest!(check_runs()))) {}",
        "#[doc = TEST] fn f() {}",
        "#[cfg_attr(all(), itest!(check_runs()))] fn f() {}",
        "fn f(#[allow(itest!(check_runs()))] x: u8) {}",
        "fn f() { let x: [u8; TEST]; }",
        "fn f() { let x: Is<TEST>; }",
        "fn f() { let Is::<TEST> = 1; }",
        "fn f() { let x = |y: [u8; TEST]| 1; }",
        "fn f() { let x = |y| -> [u8; TEST] { y }; }",
        "fn f() { for x in y as [u8; TEST] { let itest!(check_runs()) = x; } }",
        "fn f() { match y { itest!(check_runs()) => {} } }",
        "fn f() { match y { const TEST => {} } }",
        "fn f() { if let itest!(check_runs()) = y {} }",
        "fn f() { #[allow(itest!(check_runs()))] let x = 1; }",
        "fn f() { struct S([u8; TEST]); }",
        "fn f() { impl S { fn g() { m!(itest!(check_runs())) } } }",
        "fn f() { const C: u8 = TEST; }",
        "fn f() { fn g(x: [u8; TEST]) {} }",
        "fn f() { macro_rules! m { () => { itest!(check_runs()) } } }",
        "impl S<TEST> { fn f() {} }",
        "impl Is<TEST> for S { fn f() {} }",
        "impl S { const C: [u8; TEST] = [0; 3]; }",
        "impl S { type T = [u8; TEST]; }",
        "impl S { fn f(&self) -> [u8; TEST] { [0; 3] } }",
        "trait T: Is<TEST> { fn f() {} }",
        "trait T { fn f(x: [u8; TEST]); }",
        "trait T { type A: Is<TEST>; }",
        "mod m { fn f(x: [u8; TEST]) {} }",
    ];
    for item in items {
        let item = item.replace("TEST", TEST);
        assert!(is_run_or_refused(&item), "{item}");
        // Beside tests that do run, too.
        let beside = item.replacen(
            "fn f(",
            "fn h() { let n = 1; itest!(check_eq(n, 1)); } fn f(",
            1,
        );
        if !beside.starts_with("fn h") && !beside.starts_with("#[") {
            assert!(is_run_or_refused(&beside), "{beside}");
        }
    }
}

fn is_run_or_refused(item: &str) -> bool {
    let expanded = expand(TokenStream::new(), tokens(item))
        .unwrap_or_else(|fault| panic!("{fault}"))
        .to_string();
    expanded.contains("compile_error")
        || expanded.matches("# [test]").count() == item.matches("itest!").count()
}

#[test]
fn any_test_name_is_taken_or_refused() {
    let names = [
        "\"größe 🦀\"",
        "\"\"",
        "\"   \"",
        "\"1\"",
        "\"fn\"",
        "\"self\"",
        "\"_\"",
        "\"a\\0b\\n\"",
        "r#\"raw \"name\"\"#",
        "b\"bytes\"",
        "c\"c\"",
        "'c'",
        "1",
        "1.5e300",
        "name",
        "\"суффикс\"suffix",
        "concat!(\"a\", \"b\")",
        "\"🦀🦀🦀\"",
        "\"٣\"",
    ];
    for name in names {
        judge_text(
            "",
            &function_with(&format!("itest!({name}, check_eq(y, 1));")),
        );
        judge_text(
            "",
            &function_with(&format!("blocktest!({name}, check_eq(y, 1));")),
        );
        judge_text(
            "",
            &function_with(&format!(
                "blocktest!({name}, check_runs()); endtest!({name});"
            )),
        );
    }
}

#[test]
fn numbers_of_any_size_are_taken_or_refused() {
    for number in [
        "0",
        "1",
        "-1",
        "1_000",
        "0xff",
        "1u8",
        "1.5",
        "99999999999999999999999999",
        "\"1\"",
        "n",
        "i64::MAX",
        "",
        "1, 2",
    ] {
        let clauses = [
            format!("next({number})"),
            format!("end(first_block, {number})"),
            format!("start(first_block, {number})"),
            format!("repeat({number})"),
            format!("timeout_ms({number})"),
            format!("delay_ms({number})"),
            format!("check(cond({number}))"),
            format!("check_flow(If({number}).ElseIf({number}).Then)"),
            format!("check_flow(For.Body.times({number}))"),
            format!("check_flow(Match.Arm({number}))"),
            format!("mock(f(), 1), check_called(f(), {number})"),
        ];
        for clause in clauses {
            judge_text(
                "",
                &function_with(&format!(
                    "blocktest!({clause}, given(y = 1), check_runs());"
                )),
            );
            judge_text(
                "",
                &function_with(&format!("itest!({clause}, given(x = 1), check_runs());")),
            );
        }
        judge_text(
            "",
            &function_with(&format!("closuretest!(nth({number}), check_return(1));")),
        );
    }
}

#[test]
fn broken_commas_and_missing_arguments_are_refused() {
    let calls = [
        ",",
        ",,",
        "given",
        "given,",
        "given()",
        "given(x)",
        "given(x = )",
        "given(= 1)",
        "given(x = 1 y = 2)",
        "given(x == 1)",
        "given(x += 1)",
        "given[x = 1]",
        "given{x = 1}",
        "given(1 = 1)",
        "given((a, b) = (1, 2))",
        "given(f() = 1)",
        "given(x = 1, x = 2)",
        "check_eq(y)",
        "check_eq(y, 1, 2, 3)",
        "check_eq(y, )",
        "check_eq y",
        "check_matches(y, 1 + )",
        "check_flow(If..Then)",
        "check_flow(.If)",
        "check_flow(If.Then.)",
        "check_flow(\"If\")",
        "check_flow(If::Then)",
        "check_flow(Then)",
        "each(x)",
        "each(x, )",
        "each(1 + 1, [1])",
        "mock(1, 2)",
        "mock(f, 2)",
        "mock(f(.., ..), 2)",
        "mock(f(.., 1), 2)",
        "mock_seq(f(), 1)",
        "mock_seq(f(), [])",
        "setup(1)",
        "setup()",
        "setup({ let x = ; })",
        "tag(a)",
        "ignore()",
        "runtime()",
        "runtime(\"tokio\")",
        "assume()",
        "end()",
        "end(first)",
        "start(next)",
        "end(first_block), start(first_block)",
        "check_runs(1)",
        "check_return()",
        "check_value()",
        "check_break(outer)",
        "check_panic(1)",
        "name(1)",
        "::given(x = 1)",
        "situ::given(x = 1)",
        "given::<u8>(x = 1)",
        "given!(x = 1)",
        "if x { 1 }",
        "#[cfg(test)] given(x = 1)",
        "..",
        "'a",
        "=>",
    ];
    for call in calls {
        for oracle in ["", ", check_eq(y, 1)"] {
            judge_text("", &function_with(&format!("itest!({call}{oracle});")));
            judge_text("", &function_with(&format!("blocktest!({call}{oracle});")));
            judge_text(
                "",
                &function_with(&format!("closuretest!({call}{oracle}); drop(|z: u8| z);")),
            );
        }
    }
}

#[test]
fn a_thousand_clauses_and_a_thousand_tests_are_no_matter() {
    let oracles = "check_eq(y, 1), ".repeat(1_000);
    assert_eq!(
        judge_text(
            "",
            &function_with(&format!("itest!(given(x = 1), {oracles});"))
        ),
        Verdict::Expanded
    );
    let tests = "itest!(given(x = 1), check_eq(y, 1));".repeat(1_000);
    assert_eq!(judge_text("", &function_with(&tests)), Verdict::Expanded);
    let wrong = "given(q = 1), nonsense(), ".repeat(500);
    assert_eq!(
        judge_text("", &function_with(&format!("itest!({wrong});"))),
        Verdict::Refused
    );
}

#[test]
fn token_soup_is_refused_in_peace() {
    let mut soup = Soup(0x5175_u64);
    for _ in 0..12_000 {
        let on_soup = expand(TokenStream::new(), soup.tokens(4));
        let with_soup = expand(
            soup.tokens(2),
            tokens("fn f() { let x = 1; itest!(check_eq(x, 1)); }"),
        );
        on_soup
            .and(with_soup)
            .unwrap_or_else(|fault| panic!("{fault}"));
    }
}

#[test]
fn token_soup_inside_a_test_never_loses_the_function() {
    let mut soup = Soup(0x7e57_u64);
    for name in ["itest", "blocktest", "closuretest", "endtest"].repeat(4_000) {
        let name = Ident::new(name, Span::call_site());
        let (whole, part) = (soup.tokens(3), soup.tokens(2));
        let clauses: TokenStream = if soup.next(2) == 0 {
            whole
        } else {
            let clause = Ident::new(CLAUSES[soup.next(CLAUSES.len())], Span::call_site());
            quote::quote!(given(x = 1), #clause(#part), check_eq(y, 1))
        };
        let function = quote::quote!(
            fn f(x: u32) -> u32 {
                let mut y = x;
                #name!(#clauses);
                y += 1;
                y
            }
        );
        let function = syn::parse2(function).expect("soup in a macro call parses");
        judge(TokenStream::new(), &function).unwrap_or_else(|fault| panic!("{fault}"));
    }
}

const CLAUSES: &[&str] = &[
    "given",
    "each",
    "setup",
    "mock",
    "mock_seq",
    "check",
    "check_eq",
    "check_matches",
    "check_return",
    "check_value",
    "check_flow",
    "check_called",
    "check_order",
    "check_break",
    "check_panic",
    "assume",
    "runtime",
    "next",
    "end",
    "start",
    "args",
    "nth",
    "of",
    "tag",
    "ignore",
];

/// Random tokens, the same ones in every run.
struct Soup(u64);

impl Soup {
    fn next(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn tokens(&mut self, depth: usize) -> TokenStream {
        (0..self.next(9)).map(|_| self.token(depth)).collect()
    }

    fn token(&mut self, depth: usize) -> TokenTree {
        const WORDS: &[&str] = &[
            "fn",
            "impl",
            "trait",
            "mod",
            "let",
            "if",
            "else",
            "match",
            "for",
            "in",
            "loop",
            "return",
            "self",
            "Self",
            "x",
            "y",
            "async",
            "move",
            "unsafe",
            "itest",
            "blocktest",
            "check_eq",
            "given",
            "If",
            "Then",
            "where",
            "_",
            "größe",
        ];
        const SIGNS: &[char] = &[
            '!', '#', '=', ',', ';', '.', ':', '|', '&', '?', '<', '>', '+', '-', '*', '@', '$',
        ];
        const DELIMITERS: &[Delimiter] = &[
            Delimiter::Parenthesis,
            Delimiter::Brace,
            Delimiter::Bracket,
            Delimiter::None,
        ];
        match self.next(if depth == 0 { 6 } else { 9 }) {
            0..3 => Ident::new(WORDS[self.next(WORDS.len())], Span::call_site()).into(),
            3 | 4 => {
                let spacing = if self.next(2) == 0 {
                    Spacing::Alone
                } else {
                    Spacing::Joint
                };
                Punct::new(SIGNS[self.next(SIGNS.len())], spacing).into()
            }
            5 => match self.next(4) {
                0 => Literal::string("naïve {x} {").into(),
                1 => Literal::u64_suffixed(self.0).into(),
                2 => Literal::f64_unsuffixed(0.5).into(),
                _ => Literal::character('\u{1F980}').into(),
            },
            _ => Group::new(
                DELIMITERS[self.next(DELIMITERS.len())],
                self.tokens(depth - 1),
            )
            .into(),
        }
    }
}
