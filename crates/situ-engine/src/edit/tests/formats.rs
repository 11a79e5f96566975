//! Composing files that rustfmt has formatted, and others.

use super::{composed_with, read};
use crate::edit::Formatting;
use cargo_metadata::Edition;
use std::fs;

fn formatting(folder: &std::path::Path) -> Formatting {
    Formatting {
        edition: Edition::E2021,
        folder: Some(folder.to_path_buf()),
        is_root: false,
        verbatim: false,
    }
}

const LONG: &str = "itest!(given(one = \"a long text of some thirty letters\"),check_eq( another , \"a text of some thirty letters, too\"));";

#[test]
fn a_formatted_file_stays_formatted() {
    let folder = tempfile::tempdir().unwrap();
    let options = formatting(folder.path());
    let marked = format!(
        "use std::fmt;\n\npub fn f(x: bool) -> u8 {{\n    let a = if x {{⟨S itest!(check(cond()));⟩ 1 }} else {{ 2 }};⟨A {LONG}⟩\n    match a {{\n        1 => ⟨B itest!(check(scrutinee()==1));⟩2,\n        _ => 3,\n    }}\n}}\n"
    );
    let (original, _) = read(&marked);
    assert_eq!(
        options.formatted(&original).unwrap(),
        original,
        "the example is formatted"
    );
    let composed = composed_with(&marked, &options);
    assert_eq!(options.formatted(&composed).unwrap(), composed);
    let expected = expect_test::expect![[r#"
        use situ::prelude::*;
        use std::fmt;

        #[situ]
        pub fn f(x: bool) -> u8 {
            let a = if x {
                itest!(check(cond()));
                1
            } else {
                2
            };
            itest!(
                given(one = "a long text of some thirty letters"),
                check_eq(another, "a text of some thirty letters, too")
            );
            match a {
                1 => {
                    itest!(check(scrutinee() == 1));
                    2
                }
                _ => 3,
            }
        }
    "#]];
    expected.assert_eq(&composed);
}

#[test]
fn the_settings_of_the_folder_hold() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("rustfmt.toml"),
        "hard_tabs = true\nmax_width = 200\nuse_small_heuristics = \"Max\"\n",
    )
    .unwrap();
    let options = formatting(folder.path());
    let composed = composed_with(
        &format!("fn f() {{\n\tlet a = 1;⟨A {LONG}⟩\n}}\n"),
        &options,
    );
    assert!(composed.contains("\n\titest!(given(one = "), "{composed}");
    assert_eq!(options.formatted(&composed).unwrap(), composed);
}

#[test]
fn in_a_file_that_is_not_formatted_only_the_tests_are() {
    let folder = tempfile::tempdir().unwrap();
    let options = formatting(folder.path());
    let composed = composed_with(
        &format!(
            "fn f() {{\n      let  a=1;⟨A {LONG}⟩\n if  a {{⟨S itest!( check(  cond() ) );⟩ }}\n}}\n"
        ),
        &options,
    );
    let expected = expect_test::expect![[r#"
        use situ::prelude::*;

        #[situ]
        fn f() {
              let  a=1;
              itest!(
                  given(one = "a long text of some thirty letters"),
                  check_eq(another, "a text of some thirty letters, too")
              );
         if  a { itest!(check(cond())); }
        }
    "#]];
    expected.assert_eq(&composed);
}

#[test]
fn line_endings_and_marks_survive_rustfmt() {
    let folder = tempfile::tempdir().unwrap();
    let options = formatting(folder.path());
    let composed = composed_with(
        "\u{feff}fn f() {\r\n    a();⟨A itest!(check( a ));⟩\r\n}\r\n",
        &options,
    );
    assert_eq!(
        composed,
        "\u{feff}use situ::prelude::*;\r\n\r\n#[situ]\r\nfn f() {\r\n    a();\r\n    itest!(check(a));\r\n}\r\n"
    );
}

#[test]
fn without_rustfmt_nothing_is_formatted() {
    let missing = Formatting {
        folder: Some("no/such/folder".into()),
        ..Formatting::plain(Edition::E2021)
    };
    let composed = composed_with("fn f() {\n    a();⟨A itest!(check( a ));⟩\n}\n", &missing);
    assert!(composed.contains("    itest!(check( a ));\n"), "{composed}");
}
