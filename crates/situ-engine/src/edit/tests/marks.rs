//! Adding `#[situ]`, and names of items.

use super::check;

/// Checks a file that has the import already.
#[track_caller]
fn check_marks(marked: &str, expected: &str) {
    let with_import = |text: &str| format!("use situ::prelude::*;\n\n{text}");
    check(&with_import(marked), &with_import(expected));
}

const TEST: &str = "⟨A itest!(check(a));⟩";

#[test]
fn the_outermost_item_is_marked_below_its_attributes_and_once() {
    check_marks(
        &format!(
            "/// Says.\n#[inline]\n// near\npub fn f() {{\n    a();{TEST}\n    b();⟨A itest!(check(b));⟩\n}}\n"
        ),
        "/// Says.\n#[inline]\n// near\n#[situ]\npub fn f() {\n    a();\n    itest!(check(a));\n    b();\n    itest!(check(b));\n}\n",
    );
    check_marks(
        &format!(
            "impl X {{\n    fn f() {{\n        fn g() {{\n            a();{TEST}\n        }}\n    }}\n}}\n"
        ),
        "#[situ]\nimpl X {\n    fn f() {\n        fn g() {\n            a();\n            itest!(check(a));\n        }\n    }\n}\n",
    );
    check_marks(
        &format!("#[inline] fn f() {{ a();{TEST} }}\n"),
        "#[inline] #[situ] fn f() { a(); itest!(check(a)); }\n",
    );
}

#[test]
fn what_is_marked_is_not_marked_again() {
    for mark in [
        "#[situ]",
        "#[situ(other)]",
        "#[situ::situ]",
        "#[cfg_attr(test, situ)]",
    ] {
        check_marks(
            &format!("{mark}\nfn f() {{\n    a();{TEST}\n}}\n"),
            &format!("{mark}\nfn f() {{\n    a();\n    itest!(check(a));\n}}\n"),
        );
    }
    check(
        &format!(
            "#[situ::situ]\nmod m {{\n    use situ::prelude::*;\n    mod n {{ use super::*; impl X {{ fn f() {{ a();{TEST} }} }} }}\n}}\n"
        ),
        "#[situ::situ]\nmod m {\n    use situ::prelude::*;\n    mod n { use super::*; impl X { fn f() { a(); itest!(check(a)); } } }\n}\n",
    );
}

#[test]
fn a_second_block_of_a_type_gets_a_name() {
    check_marks(
        &format!(
            "impl X {{ fn f() {{ a();{TEST} }} }}\nimpl X {{ fn g() {{ a();{TEST} }} }}\nimpl X {{ fn g() {{ a();{TEST} }} }}\n"
        ),
        "#[situ]\nimpl X { fn f() { a(); itest!(check(a)); } }\n#[situ(X_g)]\nimpl X { fn g() { a(); itest!(check(a)); } }\n#[situ(X_2)]\nimpl X { fn g() { a(); itest!(check(a)); } }\n",
    );
    check_marks(
        &format!(
            "impl From<u8> for X {{ fn f() {{ a();{TEST} }} }}\nimpl From<[i16; 2]> for X {{ fn f() {{ a();{TEST} }} }}\n"
        ),
        "#[situ]\nimpl From<u8> for X { fn f() { a(); itest!(check(a)); } }\n#[situ(From_i16_2_for_X)]\nimpl From<[i16; 2]> for X { fn f() { a(); itest!(check(a)); } }\n",
    );
    check_marks(
        &format!(
            "#[situ(X_g)]\nimpl X {{ fn f() {{ a(); }} }}\nmod situ_X {{}}\nimpl X {{ fn g() {{ a();{TEST} }} }}\n"
        ),
        "#[situ(X_g)]\nimpl X { fn f() { a(); } }\nmod situ_X {}\n#[situ(X_2)]\nimpl X { fn g() { a(); itest!(check(a)); } }\n",
    );
}

#[test]
fn an_item_marked_later_yields_to_one_that_is_marked() {
    check_marks(
        &format!("impl X {{ fn f() {{ a();{TEST} }} }}\n#[situ]\nimpl X {{ fn g() {{ a(); }} }}\n"),
        "#[situ(X_f)]\nimpl X { fn f() { a(); itest!(check(a)); } }\n#[situ]\nimpl X { fn g() { a(); } }\n",
    );
}

#[test]
fn in_a_marked_module_only_a_second_block_gets_a_name() {
    check(
        &format!(
            "#[situ::situ]\nmod m {{\n    use situ::prelude::*;\n    impl X {{ fn f() {{ a();{TEST} }} }}\n    impl X {{ fn g() {{ a();{TEST} }} }}\n}}\n"
        ),
        "#[situ::situ]\nmod m {\n    use situ::prelude::*;\n    impl X { fn f() { a(); itest!(check(a)); } }\n    #[situ(X_g)]\n    impl X { fn g() { a(); itest!(check(a)); } }\n}\n",
    );
}
