//! Composing the import.

use super::{check, composed_with};
use crate::edit::{Formatting, compose};
use cargo_metadata::Edition;

/// A function with a proposal, and the result.
const CODE: &str = "fn f() { a();⟨A itest!(check(a));⟩ }\n";
const DONE: &str = "#[situ]\nfn f() { a(); itest!(check(a)); }\n";

#[track_caller]
fn check_head(head: &str, expected: &str) {
    check(&format!("{head}{CODE}"), &format!("{expected}{DONE}"));
}

#[test]
fn an_import_that_is_there_is_enough() {
    for import in [
        "use situ::prelude::*;\n",
        "use ::situ::prelude::*;\n",
        "use situ::*;\n",
        "use situ::{itest, situ};\n",
        "use situ::prelude::{situ, itest};\n",
        "use {situ::prelude::*, x::y};\n",
        "pub(crate) use situ::{prelude::*};\n",
    ] {
        check_head(import, import);
    }
}

#[test]
fn names_that_are_missing_complete_an_import() {
    check_head(
        "use situ::{blocktest, situ,};\n",
        "use situ::{blocktest, situ, itest,};\n",
    );
    check_head("use situ::itest;\n", "use situ::{itest, situ};\n");
    check_head(
        "use situ::prelude::situ;\n",
        "use situ::prelude::{situ, itest};\n",
    );
    check_head(
        "#[cfg(x)]\nuse situ::prelude::*;\n",
        "#[cfg(x)]\nuse situ::prelude::*;\n"
            .replace("#[cfg", "use situ::prelude::*;\n#[cfg")
            .as_str(),
    );
}

#[test]
fn an_import_stands_among_the_others_in_order() {
    check_head(
        "use a::b;\nuse std::c;\n\n",
        "use a::b;\nuse situ::prelude::*;\nuse std::c;\n\n",
    );
    check_head(
        "use std::c; // why\n\n",
        "use situ::prelude::*;\nuse std::c; // why\n\n",
    );
    check_head(
        "use crate::a;\nuse super::b; // why\n\n",
        "use crate::a;\nuse super::b; // why\nuse situ::prelude::*;\n\n",
    );
    check_head(
        "use std::c;\n\nuse b::c;\nuse z::c;\n\nuse crate::d;\n\n",
        "use std::c;\n\nuse b::c;\nuse situ::prelude::*;\nuse z::c;\n\nuse crate::d;\n\n",
    );
    check_head(
        "use std::c;\n\nuse crate::d;\n\n",
        "use std::c;\n\nuse situ::prelude::*;\n\nuse crate::d;\n\n",
    );
    check_head(
        "// A licence.\nuse std::c;\n\n",
        "// A licence.\nuse situ::prelude::*;\nuse std::c;\n\n",
    );
    check_head("use a; use b;\n", "use a; use situ::prelude::*; use b;\n");
}

#[test]
fn without_other_imports_it_stands_at_the_head() {
    check_head("", "use situ::prelude::*;\n\n");
    check_head(
        "//! Says.\n\n#![no_std]\n",
        "//! Says.\n\n#![no_std]\n\nuse situ::prelude::*;\n\n",
    );
    check_head(
        "//! Says.\n\nmod x;\n",
        "//! Says.\n\nuse situ::prelude::*;\n\nmod x;\n",
    );
    check_head(
        "#![no_std]\nextern crate alloc;\nextern crate b; // why\n\n",
        "#![no_std]\nextern crate alloc;\nextern crate b; // why\n\nuse situ::prelude::*;\n\n",
    );
    check_head(
        "// Copyright\n\n// of f\n",
        "// Copyright\n\nuse situ::prelude::*;\n\n// of f\n",
    );
    check_head("// of f\n", "use situ::prelude::*;\n\n// of f\n");
    check_head(
        "// Copyright of all\n",
        "// Copyright of all\nuse situ::prelude::*;\n\n",
    );
    check_head(
        "#!/usr/bin/env run\n",
        "#!/usr/bin/env run\nuse situ::prelude::*;\n\n",
    );
}

#[test]
fn inline_modules_have_their_own() {
    check(
        "mod m {\n    //! Says.\n    fn f() {\n        a();⟨A itest!(check(a));⟩\n    }\n}\n",
        "mod m {\n    //! Says.\n\n    use situ::prelude::*;\n\n    #[situ]\n    fn f() {\n        a();\n        itest!(check(a));\n    }\n}\n",
    );
    check(
        "mod m { fn f() { a();⟨A itest!(check(a));⟩ } }\n",
        "mod m { use situ::prelude::*; #[situ] fn f() { a(); itest!(check(a)); } }\n",
    );
    check(
        &format!("{CODE}mod m {{\n    use super::*;\n    {CODE}}}\n"),
        "use situ::prelude::*;\n\n#[situ]\nfn f() { a(); itest!(check(a)); }\nmod m {\n    use super::*;\n    #[situ]\n    fn f() { a(); itest!(check(a)); }\n}\n",
    );
}

#[test]
fn the_prelude_changes_the_meaning_of_no_name() {
    check_head(
        "use a::*;\nconst X: u8 = points();\n",
        "use a::*;\nuse situ::{itest, situ};\nconst X: u8 = points();\n",
    );
    check_head("assume!(x);\n", "use situ::{itest, situ};\n\nassume!(x);\n");
    check_head(
        "use a::*;\nconst X: u8 = waypoints();\n",
        "use a::*;\nuse situ::prelude::*;\nconst X: u8 = waypoints();\n",
    );
    check_head("mod situ;\n", "use ::situ::prelude::*;\n\nmod situ;\n");
}

#[test]
fn an_import_that_a_module_around_may_have_too_names_its_macros() {
    check_head(
        "use super::*;\n\n",
        "use super::*;\nuse situ::{itest, situ};\n\n",
    );
    check_head(
        "use crate::a::*;\n\n",
        "use crate::a::*;\nuse situ::{itest, situ};\n\n",
    );
}

#[test]
fn an_import_is_there_only_where_an_item_needs_it() {
    let code = |cfg: &str, name: &str| {
        format!("#[cfg({cfg})]\nfn {name}() {{ a();⟨A itest!(check(a));⟩ }}\n")
    };
    let done = |cfg: &str, name: &str| {
        format!("#[cfg({cfg})]\n#[situ]\nfn {name}() {{ a(); itest!(check(a)); }}\n")
    };
    let (one, other) = (r#"feature = "std""#, "any(unix, not(x))");
    check(
        &code(one, "f"),
        &format!("#[cfg({one})] use situ::prelude::*;\n\n{}", done(one, "f")),
    );
    let import = format!("#[cfg({one})]\nuse situ::prelude::*;\n");
    check(
        &format!("{import}{}", code(one, "f")),
        &format!("{import}{}", done(one, "f")),
    );
    check(
        &format!("use a;\n\n{}{}", code(one, "f"), code(other, "g")),
        &format!(
            "use a;\n#[cfg(any({other}, {one}))] use situ::prelude::*;\n\n{}{}",
            done(one, "f"),
            done(other, "g")
        ),
    );
    check(
        &format!("use a;\n\n{}{CODE}", code(one, "g")),
        &format!("use a;\nuse situ::prelude::*;\n\n{}{DONE}", done(one, "g")),
    );
}

#[test]
fn the_root_of_an_old_crate_names_what_it_imports_from() {
    let root = Formatting {
        is_root: true,
        ..Formatting::plain(Edition::E2015)
    };
    let composed = composed_with(
        &format!("extern crate a;\nextern crate z;\n\n{CODE}"),
        &root,
    );
    assert_eq!(
        composed,
        format!(
            "extern crate a;\nextern crate situ;\nextern crate z;\n\nuse situ::prelude::*;\n\n{DONE}"
        )
    );
    let composed = composed_with(&format!("#![no_std]\n{CODE}"), &root);
    assert_eq!(
        composed,
        format!("#![no_std]\n\nextern crate situ;\n\nuse situ::prelude::*;\n\n{DONE}")
    );
    let again = composed_with(
        "extern crate situ;\nuse situ::prelude::*;\n#[situ] fn f() { a();⟨A itest!(check(a));⟩ }",
        &root,
    );
    assert_eq!(again.matches("extern crate").count(), 1);
    assert_eq!(compose("fn f() {}", &[], &root).unwrap(), "fn f() {}");
}
