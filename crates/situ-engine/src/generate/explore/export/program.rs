//! The target for a theory of a program: the program itself with the fuzzer's `main`.

use super::target::{entry, target_name};
use crate::generate::explore::theories::Theory;
use crate::source::{Splice, apply, byte_range, parse};
use syn::Item;

/// The new name of the program's own `main`.
const OWN_MAIN: &str = "situ_main_of_the_program";

/// Returns the root file of the target, or `None` if the program has no `main`.
pub(super) fn text(program: &str, theory: &Theory) -> Option<String> {
    let tree = parse(program).ok()?;
    let main = tree.items.iter().find_map(|item| match item {
        Item::Fn(function) if function.sig.ident == "main" => Some(byte_range(&function.sig.ident)),
        _ => None,
    })?;
    // After the program's own attributes, so that a lint that it denies does not reject the unused
    // `main`.
    let behind = tree.attrs.last().map_or(0, |last| byte_range(last).end);
    let inner =
        "\n#![cfg_attr(feature = \"libfuzzer\", no_main)]\n#![allow(warnings, clippy::all)]\n"
            .to_owned();
    let splices = [
        Splice {
            range: behind..behind,
            text: inner,
        },
        Splice {
            range: main,
            text: OWN_MAIN.to_owned(),
        },
    ];
    // As a program of its own its paths begin with the target's name.
    let path = format!("{}::{}", target_name(theory), theory.test_name());
    Some(format!(
        "{}\n{}",
        apply(program, &splices),
        entry(&path).replace("THEORY", "SITU_THEORY")
    ))
}

#[cfg(test)]
mod tests {
    use super::text;
    use crate::generate::explore::theories::Theory;
    use crate::source::parse;

    fn theory() -> Theory {
        let module = vec!["tests".to_owned()];
        Theory {
            krate: "shop".to_owned(),
            module,
            name: "sums".to_owned(),
            ..Theory::default()
        }
    }

    #[test]
    fn a_program_is_its_own_target_with_another_main() {
        let program = "//! A shop.\n#![deny(warnings)]\nmod till;\n#[cfg(test)]\nmod tests {}\nfn main() { till::open() }\n";
        let target = text(program, &theory()).expect("a target");
        parse(&target).expect("it is Rust");
        assert!(
            target.contains("fn situ_main_of_the_program() { till::open() }"),
            "{target}"
        );
        assert!(
            target.contains("#![deny(warnings)]\n#![cfg_attr(feature = \"libfuzzer\", no_main)]"),
            "{target}"
        );
        assert!(
            target.contains("SITU_THEORY: &str = \"sums::tests::sums\""),
            "{target}"
        );
    }

    #[test]
    fn without_a_main_there_is_none() {
        assert_eq!(text("mod tests {}", &theory()), None);
    }
}
