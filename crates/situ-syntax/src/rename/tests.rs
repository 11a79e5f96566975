//! Renaming, shown on sources: `$` stands before the variable that is renamed to `new`.

use super::*;

fn rename(source: &str, at: usize, new_name: &str) -> Result<Vec<Edit>, NotRenamed> {
    rename_variable(
        source,
        &syn::parse_str(source).expect("a file"),
        at,
        new_name,
    )
}

#[track_caller]
fn check(marked: &str, expected: &str) {
    let at = marked.find('$').expect("a mark");
    let source = marked.replacen('$', "", 1);
    let edits = rename(&source, at, "new").unwrap_or_else(|why| panic!("{why}"));
    let mut renamed = source;
    for edit in edits.iter().rev() {
        renamed.replace_range(edit.bytes.clone(), &edit.text);
    }
    assert_eq!(renamed, expected);
}

#[test]
fn a_variable_is_renamed_in_its_tests() {
    check(
        "#[situ]\nfn f(a: u8) -> u8 {\n    let $b = a + 1;\n    itest!(given(a = 1), check_eq(b, 2));\n    b\n}\n",
        "#[situ]\nfn f(a: u8) -> u8 {\n    let new = a + 1;\n    itest!(given(a = 1), check_eq(new, 2));\n    new\n}\n",
    );
    check(
        "#[situ]\nfn f($a: u8) -> u8 {\n    let b = a + 1;\n    itest!(given(a = 1), check_eq(b, 2));\n    b\n}\n",
        "#[situ]\nfn f(new: u8) -> u8 {\n    let b = new + 1;\n    itest!(given(new = 1), check_eq(b, 2));\n    b\n}\n",
    );
}

#[test]
fn a_given_is_what_comes_in_and_an_oracle_what_goes_out() {
    let source = |given: &str, let_name: &str, oracle: &str, inner: &str| {
        format!(
            "#[situ]\nfn f({given}: &str) -> &str {{\n    let {let_name} = {inner}.trim();\n    \
             itest!(given({inner} = \" a\"), check_eq({oracle}, \"a\"));\n    {oracle}\n}}\n"
        )
    };
    check(
        &source("$x", "x", "x", "x"),
        &source("new", "x", "x", "new"),
    );
    check(
        &source("x", "$x", "x", "x"),
        &source("x", "new", "new", "x"),
    );
}

#[test]
fn a_block_test_knows_what_its_fragment_will_bind() {
    check(
        "#[situ]\nfn f(a: u8) -> u8 {\n    blocktest!(given(a = 1), check_eq(c, 3));\n    let b = a + 1;\n    let $c = b + 1;\n    c\n}\n",
        "#[situ]\nfn f(a: u8) -> u8 {\n    blocktest!(given(a = 1), check_eq(new, 3));\n    let b = a + 1;\n    let new = b + 1;\n    new\n}\n",
    );
}

#[test]
fn fields_keep_their_names() {
    check(
        "struct P { x: u8 }\nfn f(p: P) -> P {\n    let P { mut x } = p;\n    $x += 1;\n    P { x }\n}\n",
        "struct P { x: u8 }\nfn f(p: P) -> P {\n    let P { x: mut new } = p;\n    new += 1;\n    P { x: new }\n}\n",
    );
}

#[test]
fn other_variables_of_the_name_stay() {
    check(
        "fn f(x: u8) {\n    let g = |$x: u8| x + 1;\n    match x {\n        x if x > 1 => {}\n        _ => drop(g(x)),\n    }\n}\nfn g(x: u8) {}\n",
        "fn f(x: u8) {\n    let g = |new: u8| new + 1;\n    match x {\n        x if x > 1 => {}\n        _ => drop(g(x)),\n    }\n}\nfn g(x: u8) {}\n",
    );
    check(
        "fn f(o: Option<u8>) {\n    if let Some($x) | Some(x) = o { drop(x) }\n    let x = 1;\n    drop(x);\n}\n",
        "fn f(o: Option<u8>) {\n    if let Some(new) | Some(new) = o { drop(new) }\n    let x = 1;\n    drop(x);\n}\n",
    );
}

#[test]
fn macros_and_format_strings_are_looked_into() {
    check(
        "fn f($x: u8, y: P) {\n    println!(\"{x} {x:?} {0} {{x}}\", y.x);\n    custom!(x => y.x, a::x);\n}\n",
        "fn f(new: u8, y: P) {\n    println!(\"{new} {new:?} {0} {{x}}\", y.x);\n    custom!(new => y.x, a::x);\n}\n",
    );
}

#[test]
fn what_is_no_variable_or_would_clash_is_told() {
    let source = "fn f(x: u8) {\n    let y = x;\n    drop(y);\n}\n";
    assert_eq!(rename(source, 0, "new"), Err(NotRenamed::NoVariable));
    assert_eq!(
        rename(source, 5, "y"),
        Err(NotRenamed::Taken("y".to_owned()))
    );
    assert_eq!(
        rename(source, 5, "1x"),
        Err(NotRenamed::NoName("1x".to_owned()))
    );
    let wrong =
        "#[situ]\nfn f(x: u8) {\n    let y = x;\n    itest!(nonsense(1), check_eq(y, 1));\n}\n";
    assert!(matches!(
        rename(wrong, 13, "new"),
        Err(NotRenamed::Unreadable(_))
    ));
    let file = syn::parse_str(source).expect("a file");
    assert_eq!(variable_at(source, &file, 5), Ok((5..6, "x".to_owned())));
}
