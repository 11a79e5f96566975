//! Every operator does what its page in the book says, and the page says what it does.

use expect_test::expect_file;
use situ_engine::mutate::mutant::FileMutants;
use situ_engine::mutate::operators::{OPERATORS, Operator};
use situ_engine::mutate::sites::mutants_of;
use situ_engine::source::{SourceFile, Splice, apply};
use std::path::PathBuf;

fn mutants(text: &str) -> FileMutants {
    let tree = syn::parse_file(text).unwrap();
    let path = PathBuf::from("example.rs");
    let file = SourceFile {
        path: path.clone(),
        module: Vec::new(),
        conditions: Vec::new(),
        text: text.to_owned(),
        tree,
    };
    mutants_of(&file, path, 1, &[])
}

/// What a reader sees of the operator's mutants.
fn after(operator: &Operator) -> Vec<String> {
    let found = mutants(operator.before);
    let own = found
        .mutants
        .into_iter()
        .filter(|mutant| mutant.operator == operator.name);
    own.map(|mutant| {
        apply(
            operator.before,
            &[Splice {
                range: mutant.shown_range,
                text: mutant.shown_text,
            }],
        )
    })
    .collect()
}

fn without_spaces(text: &str) -> String {
    text.chars()
        .filter(|letter| !letter.is_whitespace())
        .collect()
}

#[test]
fn each_operator_makes_the_mutants_of_its_example() {
    for operator in OPERATORS {
        let made: Vec<String> = after(operator)
            .iter()
            .map(|text| without_spaces(text))
            .collect();
        let expected: Vec<String> = operator
            .after
            .iter()
            .map(|text| without_spaces(text))
            .collect();
        assert_eq!(made, expected, "{}", operator.name);
    }
}

#[test]
fn the_book_has_a_section_for_each_operator() {
    let mut page = String::from(
        "# Mutation operators\n\nThis page is written by a test from the operators themselves.\n",
    );
    for operator in OPERATORS {
        page.push_str(&format!(
            "\n## {}\n\n{}\n\n```rust,ignore\n{}\n```\n\nbecomes\n\n```rust,ignore\n",
            operator.name, operator.about, operator.before
        ));
        operator
            .after
            .iter()
            .for_each(|text| page.push_str(&format!("{text}\n")));
        page.push_str("```\n");
    }
    expect_file!["../../../book/src/operators.md"].assert_eq(&page);
}

#[test]
fn code_that_tests_cannot_be_blamed_for_has_no_mutants() {
    let dull = "
        impl std::fmt::Debug for X { fn fmt(&self, f: &mut F) -> R { f.write_str(\"x\") } }
        #[cfg(test)] mod tests { fn helper(x: u32) -> u32 { x + 1 } }
        #[test] fn check() { assert_eq!(1 + 1, 2); }
        #[mutants::skip] fn skipped(x: u32) -> u32 { x + 1 }
    ";
    assert!(
        mutants(dull).mutants.is_empty(),
        "{:?}",
        mutants(dull).mutants
    );
    let quiet =
        "fn f(v: &mut Vec<u8>) { v.reserve(8); log::debug!(\"{}\", 1 + 1); println!(\"x\"); }";
    let found = mutants(quiet).mutants;
    assert!(
        found
            .iter()
            .all(|mutant| mutant.operator == "body" || mutant.operator == "exits"),
        "{found:?}"
    );
}

#[test]
fn what_cannot_be_switched_is_counted_and_never_woven() {
    use situ_engine::mutate::operators::Form;
    let text =
        "const N: u32 = 1 + 2; fn f(x: u8) -> [u8; 3] { match x { 1 => [0; 2 + 1], _ => A } }";
    let found = mutants(text).mutants;
    let fixed: Vec<&str> = found
        .iter()
        .filter(|mutant| mutant.form == Form::Unswitchable)
        .map(|mutant| &text[mutant.range.clone()])
        .collect();
    for part in ["1 + 2", "2 + 1", "1"] {
        assert!(fixed.contains(&part), "{part} in {fixed:?}");
    }
}
