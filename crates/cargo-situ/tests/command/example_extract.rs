//! The in-situ tests of `examples/extract` and `examples/extract-blocks` are those that `cargo situ extract` makes for them.
//!
//! Run with `UPDATE_EXPECT=1` to write what was really made into the examples.

use crate::project::Project;
use situ_engine::source::{Splice, apply, byte_range};
use std::fs;
use std::ops::Range;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{Attribute, ItemUse, StmtMacro};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn extraction_gives_the_example_its_tests() {
    check("extract", &[]);
}

#[test]
fn extraction_gives_the_example_of_blocks_its_tests() {
    check("extract-blocks", &["--level", "block"]);
}

fn check(example: &str, options: &[&str]) {
    let sources = Path::new(REPOSITORY)
        .join("examples")
        .join(example)
        .join("src");
    let project = Project::with_builds_of_last_run(&format!("example-{example}"));
    let head =
        format!("[package]\nname = \"{example}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    project.write("Cargo.toml", &format!("{head}\n[workspace]\n"));
    project.write(
        "rustfmt.toml",
        &fs::read_to_string(Path::new(REPOSITORY).join("rustfmt.toml")).unwrap(),
    );
    let names = names_in(&sources);
    for name in &names {
        let stripped = without_tests(&fs::read_to_string(sources.join(name)).unwrap());
        assert!(
            !stripped.contains("test!(") && !stripped.contains("situ]"),
            "{name}:\n{stripped}"
        );
        project.write(&format!("src/{name}"), &stripped);
    }
    let arguments = [
        &[
            "extract",
            "--all",
            "--write",
            "--json",
            "--situ-path",
            REPOSITORY,
        ],
        options,
    ]
    .concat();
    let extracted = project.situ(&arguments);
    assert_eq!(extracted.code, 0, "{}", extracted.stderr);
    let number = |key: &str| extracted.summary[key].as_u64().unwrap();
    assert_eq!(
        number("statements_with_tests"),
        number("statements_reached"),
        "{}",
        extracted.summary
    );
    for name in &names {
        let made = project.read(&format!("src/{name}"));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(sources.join(name), &made).unwrap();
        }
        assert_eq!(
            made,
            fs::read_to_string(sources.join(name)).unwrap(),
            "{name} is not what the example has"
        );
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.collect();
    names.sort();
    assert!(names.len() > 1, "{names:?}");
    names
}

/// The text without its in-situ tests and what they need, as its author wrote it.
fn without_tests(text: &str) -> String {
    let mut added = Added::default();
    added.visit_file(&syn::parse_file(text).unwrap());
    let lines = added.0.into_iter().map(|range| Splice {
        range: whole_lines(text, &range),
        text: String::new(),
    });
    apply(text, &lines.collect::<Vec<_>>())
}

/// Whole lines; with an import that stands alone also the empty line that sets it apart.
fn whole_lines(text: &str, range: &Range<usize>) -> Range<usize> {
    let start = text[..range.start]
        .rfind('\n')
        .map_or(0, |newline| newline + 1);
    let end = text[range.end..]
        .find('\n')
        .map_or(text.len(), |newline| range.end + newline + 1);
    let stands_alone = text[..start].ends_with("\n\n") && text[end..].starts_with('\n');
    start..end + usize::from(stands_alone)
}

#[derive(Default)]
struct Added(Vec<Range<usize>>);

impl<'ast> Visit<'ast> for Added {
    fn visit_stmt_macro(&mut self, call: &'ast StmtMacro) {
        if call.mac.path.get_ident().is_some_and(|name| {
            ["itest", "blocktest", "closuretest"]
                .iter()
                .any(|test| name == test)
        }) {
            self.0.push(byte_range(call));
        }
        visit::visit_stmt_macro(self, call);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if attribute.path().is_ident("situ") {
            self.0.push(byte_range(attribute));
        }
    }

    fn visit_item_use(&mut self, import: &'ast ItemUse) {
        if matches!(&import.tree, syn::UseTree::Path(path) if path.ident == "situ") {
            self.0.push(byte_range(import));
        }
    }
}
