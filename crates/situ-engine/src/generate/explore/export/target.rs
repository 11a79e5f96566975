//! The target of one theory: the program that passes a fuzzer's bytes to it.

use super::Role;
use crate::generate::explore::theories::Theory;

/// Returns the name of a theory's target: its path without the crate, as one word.
pub(crate) fn target_name(theory: &Theory) -> String {
    let is_plain = theory.module.iter().all(|module| module == "tests");
    let path = if is_plain {
        theory.name.clone()
    } else {
        theory.test_name().replace("::", "_")
    };
    path.chars()
        .map(|one| {
            if one.is_ascii_alphanumeric() {
                one
            } else {
                '_'
            }
        })
        .collect()
}

/// Returns the program.
pub(super) fn text(theory: &Theory, role: Role, library: Option<&str>) -> String {
    let path = match role {
        // As a module of the target, an integration test has the target's name in front.
        Role::Check => format!("{}::checked::{}", target_name(theory), theory.test_name()),
        Role::Library | Role::Program => theory.path(),
    };
    let linked = match (role, library) {
        (Role::Check, _) => {
            let file = theory
                .root
                .file_name()
                .unwrap_or_default()
                .to_string_lossy();
            // Items at the root of a crate are referred to there.
            let answers = "#[allow(unused_imports, reason = \"for theories with stubs\")]\nuse checked::__situ_answers;\n";
            format!(
                "#[path = \"../checks/{file}\"]\n#[allow(dead_code, reason = \"its other tests are not called here\")]\nmod checked;\n{answers}"
            )
        }
        (_, Some(library)) => format!("use {library} as _;\n"),
        (_, None) => String::new(),
    };
    format!(
        "//! Calls the theory `{}` with a fuzzer's bytes. Written by `cargo situ explore --export fuzz`, which writes it anew.\n\
         #![cfg_attr(feature = \"libfuzzer\", no_main)]\n\n\
         {linked}\n\
         {}",
        theory.path(),
        entry(&path)
    )
}

/// Returns what fuzzers call: the theory of this path, with their bytes.
pub(super) fn entry(path: &str) -> String {
    format!(
        "const THEORY: &str = \"{path}\";\n\n\
         #[cfg(feature = \"libfuzzer\")]\n\
         libfuzzer_sys::fuzz_target!(|bytes: &[u8]| situ::theory::generated::fuzz(THEORY, bytes));\n\n\
         #[cfg(all(feature = \"afl\", not(feature = \"libfuzzer\")))]\n\
         fn main() {{\n    afl::fuzz!(|bytes: &[u8]| situ::theory::generated::fuzz(THEORY, bytes));\n}}\n\n\
         #[cfg(not(any(feature = \"libfuzzer\", feature = \"afl\")))]\n\
         fn main() {{\n    let _ = THEORY;\n}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::{target_name, text};
    use crate::generate::explore::export::Role;
    use crate::generate::explore::theories::Theory;

    fn theory(module: &[&str]) -> Theory {
        Theory {
            krate: "shop".to_owned(),
            module: module.iter().map(|one| (*one).to_owned()).collect(),
            name: "sums".to_owned(),
            root: "/shop/tests/till.rs".into(),
            ..Theory::default()
        }
    }

    #[test]
    fn a_target_is_named_after_its_theory() {
        assert_eq!(target_name(&theory(&["tests"])), "sums");
        assert_eq!(target_name(&theory(&["till", "tests"])), "till_tests_sums");
    }

    #[test]
    fn a_target_names_the_theory_as_its_own_program_does() {
        let of_library = text(&theory(&["tests"]), Role::Library, Some("shop"));
        assert!(
            of_library.contains("\"shop::tests::sums\"") && of_library.contains("use shop as _;"),
            "{of_library}"
        );
        let of_test = text(&theory(&[]), Role::Check, Some("shop"));
        assert!(
            of_test.contains("\"sums::checked::sums\"") && of_test.contains("../checks/till.rs"),
            "{of_test}"
        );
    }
}
