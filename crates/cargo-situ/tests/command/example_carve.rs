//! The tests of `examples/carve-cli` and `examples/carve-web` are those that `cargo situ carve` makes from their end-to-end
//! scripts.
//!
//! Run with `UPDATE_EXPECT=1` to write what was really made into the examples.

use crate::project::{Project, Ran};
use situ_engine::source::{Splice, apply, byte_range};
use std::fs;
use std::ops::Range;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Attribute, ItemMod, ItemUse, StmtMacro};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const CLI_MANIFEST: &str =
    "[package]\nname = \"carve-cli\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";

#[test]
fn carving_gives_the_program_its_tests() {
    let example = Example {
        name: "carve-cli",
        files: &["basket.rs", "catalog.rs", "main.rs", "money.rs"],
    };
    let project = example.without_tests();
    project.write("Cargo.toml", CLI_MANIFEST);
    let (carved, html) = example.carve(&project, &[]);
    let number = |key: &str| carved.summary[key].as_u64().unwrap();
    assert_eq!(
        number("rebuildable_shown"),
        number("rebuildable"),
        "{}",
        carved.summary
    );
    assert_eq!(
        number("branches_taken"),
        number("branches"),
        "{}",
        carved.summary
    );
    assert!(
        html.contains("\"trees\":[{\"function\":\"main\"")
            && html.contains("\"leaves\":[\"fs::read_to_string(path)\"]")
    );
    example.has_what_was_made(&project);
}

#[test]
fn carving_gives_the_service_tests_of_its_controllers() {
    let example = Example {
        name: "carve-web",
        files: &["controllers.rs", "main.rs", "people.rs", "weather.rs"],
    };
    let project = example.without_tests();
    for file in ["Cargo.toml", "Cargo.lock"] {
        project.write(
            file,
            &fs::read_to_string(example.folder().join(file)).unwrap(),
        );
    }
    let (carved, html) = example.carve(&project, &["--in", "controllers"]);
    let number = |key: &str| carved.summary[key].as_u64().unwrap();
    assert_eq!(number("functions_with_tests"), 3, "{}", carved.summary);
    assert_eq!(
        number("with_doubles"),
        number("shown"),
        "{}",
        carved.summary
    );
    assert_eq!(
        number("branches_taken"),
        number("branches"),
        "{}",
        carved.summary
    );
    // The call stands on several lines.
    let html = html.replace(" .", ".");
    assert!(html.contains("\"leaves\":[\"app.weather.fetch_weather().await\"]"));
    assert_eq!(
        project.read("Cargo.toml"),
        fs::read_to_string(example.folder().join("Cargo.toml")).unwrap()
    );
    example.has_what_was_made(&project);
}

/// An example with an end-to-end script.
struct Example {
    name: &'static str,
    files: &'static [&'static str],
}

impl Example {
    fn folder(&self) -> PathBuf {
        Path::new(REPOSITORY).join("examples").join(self.name)
    }

    /// The example as it was before its tests were carved, without a manifest.
    fn without_tests(&self) -> Project {
        let project = Project::with_builds_of_last_run(&format!("example-{}", self.name));
        project.write(
            "rustfmt.toml",
            &fs::read_to_string(Path::new(REPOSITORY).join("rustfmt.toml")).unwrap(),
        );
        project.write(
            "end-to-end.sh",
            &fs::read_to_string(self.folder().join("end-to-end.sh")).unwrap(),
        );
        let script = project.path().join("end-to-end.sh");
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        for name in self.files {
            let stripped =
                without_tests(&fs::read_to_string(self.folder().join("src").join(name)).unwrap());
            assert!(
                !stripped.contains("test") && !stripped.contains("situ"),
                "{name}:\n{stripped}"
            );
            project.write(&format!("src/{name}"), &stripped);
        }
        project
    }

    /// Carves from its script; gives what was said, and the page.
    fn carve(&self, project: &Project, more: &[&str]) -> (Ran, String) {
        let page = project.path().join("target/tree.html");
        let page_argument = page.to_str().unwrap();
        let options = [
            "carve",
            "--write",
            "--json",
            "--html",
            page_argument,
            "--situ-path",
            REPOSITORY,
        ];
        let carved = project.situ(&[&options[..], more, &["--", "./end-to-end.sh"]].concat());
        assert_eq!(carved.code, 0, "{}", carved.stderr);
        let refused = carved.summary["refused"].as_object().unwrap().values();
        let refused: u64 = refused.filter_map(|count| count.as_u64()).sum();
        let number = |key: &str| carved.summary[key].as_u64().unwrap();
        assert_eq!(
            number("attempted"),
            number("shown") + refused,
            "{}",
            carved.summary
        );
        (carved, fs::read_to_string(page).unwrap())
    }

    fn has_what_was_made(&self, project: &Project) {
        for name in self.files {
            let made = project.read(&format!("src/{name}"));
            let own = self.folder().join("src").join(name);
            if std::env::var_os("UPDATE_EXPECT").is_some() {
                fs::write(&own, &made).unwrap();
            }
            assert_eq!(
                made,
                fs::read_to_string(own).unwrap(),
                "{name} is not what the example has"
            );
        }
    }
}

/// The text without its tests and what they need, as its author wrote it.
fn without_tests(text: &str) -> String {
    let mut added = Added::default();
    added.visit_file(&syn::parse_file(text).unwrap());
    let lines = added.0.into_iter().map(|range| Splice {
        range: whole_lines(text, &range),
        text: String::new(),
    });
    let stripped = apply(text, &lines.collect::<Vec<_>>());
    format!("{}\n", stripped.trim_end())
}

fn whole_lines(text: &str, range: &Range<usize>) -> Range<usize> {
    let start = text[..range.start]
        .rfind('\n')
        .map_or(0, |newline| newline + 1);
    let end = text[range.end..]
        .find('\n')
        .map_or(text.len(), |newline| range.end + newline + 1);
    start..end
}

#[derive(Default)]
struct Added(Vec<Range<usize>>);

impl<'ast> Visit<'ast> for Added {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        match item.ident == "carved_tests" {
            true => self.0.push(byte_range(item)),
            false => visit::visit_item_mod(self, item),
        }
    }

    fn visit_stmt_macro(&mut self, call: &'ast StmtMacro) {
        if call
            .mac
            .path
            .get_ident()
            .is_some_and(|name| name == "blocktest")
        {
            self.0.push(byte_range(call));
        }
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
