//! Finds every test in the sources of a workspace without building anything.

use crate::cargo::workspace::{Workspace, is_tested};
use crate::source::{SourceError, SourceFile, parse, read_crate};
use anyhow::Result;
use proc_macro2::Span;
use serde::{Serialize, Serializer};
use situ_syntax::{TestAttribute, inspect};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Attribute, Ident, ItemFn, ItemMod};

/// Kind of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `itest!`, `blocktest!` or `closuretest!`.
    InSitu(situ_syntax::Kind),
    /// `#[theory]`.
    Theory,
    /// Any other `#[test]`.
    Unit,
    /// Doctest.
    Doc,
}

impl Kind {
    /// Kinds that a user can select by name.
    pub const SELECTABLE: [Kind; 5] = [
        Kind::InSitu(situ_syntax::Kind::Inline),
        Kind::InSitu(situ_syntax::Kind::Block),
        Kind::InSitu(situ_syntax::Kind::Closure),
        Kind::Theory,
        Kind::Unit,
    ];

    /// Returns the name of the macro or attribute.
    pub fn name(self) -> &'static str {
        match self {
            Kind::InSitu(kind) => kind.macro_name(),
            Kind::Theory => "theory",
            Kind::Unit => "test",
            Kind::Doc => "doctest",
        }
    }

    /// Returns whether the test is inside the code that it checks.
    pub fn is_in_situ(self) -> bool {
        matches!(self, Kind::InSitu(_))
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Test found in the sources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// Name, as the test runner prints it.
    pub name: String,
    pub kind: Kind,
    pub package: String,
    /// Kind and name of the target that contains the test: `lib situ`.
    pub target: String,
    /// Path relative to the workspace root.
    pub file: PathBuf,
    /// First line of the test, counted from one.
    pub line: usize,
    /// Last line of the test.
    pub end_line: usize,
    /// First line of the code under test.
    pub first_line: usize,
    /// Last line of the code under test.
    pub last_line: usize,
    pub tags: Vec<String>,
    /// Whether the test was generated and is unedited since.
    pub observed: bool,
}

/// Tests of a workspace, and what could not be read.
#[derive(Debug, Default)]
pub struct Catalog {
    /// Tests in the order of packages, targets, files and lines.
    pub tests: Vec<Listed>,
    /// Mistakes in in-situ tests: file, line and message.
    pub mistakes: Vec<(PathBuf, usize, String)>,
    /// All files that were read.
    pub files: BTreeSet<PathBuf>,
}

impl Catalog {
    /// Reads the sources of the selected packages. Skips files that cannot be read.
    pub fn read(workspace: &Workspace) -> Result<Catalog> {
        let mut catalog = Catalog::default();
        for package in workspace.packages() {
            for target in package
                .targets
                .iter()
                .filter(|target| is_tested(target) && target.test)
            {
                let kinds: Vec<String> = target.kind.iter().map(ToString::to_string).collect();
                let name = format!("{} {}", kinds.join(" "), target.name);
                for file in read_crate(target.src_path.as_std_path()).files {
                    let path = file
                        .path
                        .strip_prefix(workspace.root())
                        .unwrap_or(&file.path)
                        .to_path_buf();
                    catalog.add(&file, &path, &package.name, &name);
                    catalog.files.insert(path);
                }
            }
        }
        Ok(catalog)
    }

    /// Reads one text, which may be an unsaved buffer of an editor.
    pub fn of_text(path: &Path, text: &str) -> Result<Catalog, SourceError> {
        let file = SourceFile {
            path: path.to_path_buf(),
            module: Vec::new(),
            conditions: Vec::new(),
            text: text.to_owned(),
            tree: parse(text)?,
        };
        let mut catalog = Catalog::default();
        catalog.add(&file, path, "", "");
        Ok(catalog)
    }

    fn add(&mut self, file: &SourceFile, path: &Path, package: &str, target: &str) {
        let above: String = file.module.iter().map(|name| format!("{name}::")).collect();
        let mut functions = Functions::default();
        functions.visit_file(&file.tree);
        let mut found = match inspect(&file.tree) {
            Ok(tests) => tests.iter().map(in_situ).collect(),
            Err(errors) => {
                let said = errors
                    .into_iter()
                    .map(|error| (path.to_path_buf(), line(error.span()), error.to_string()));
                self.mistakes.extend(said);
                Vec::new()
            }
        };
        found.extend(functions.tests.iter().cloned());
        found.sort_by_key(|found| found.line);
        self.tests.extend(found.into_iter().map(|found| Listed {
            name: format!("{above}{}", found.name),
            kind: found.kind,
            package: package.to_owned(),
            target: target.to_owned(),
            file: path.to_path_buf(),
            line: found.line,
            end_line: found.end_line,
            first_line: found.target.0,
            last_line: found.target.1,
            tags: found.tags,
            observed: found.observed,
        }));
    }
}

#[derive(Clone)]
struct Found {
    name: String,
    kind: Kind,
    line: usize,
    end_line: usize,
    target: (usize, usize),
    tags: Vec<String>,
    observed: bool,
}

fn in_situ(test: &situ_syntax::TestFound) -> Found {
    Found {
        name: format!("{}::{}", test.module, test.name),
        kind: Kind::InSitu(test.kind),
        line: test.line,
        end_line: test.end_line,
        target: (test.first_line, test.last_line),
        tags: test.tags.clone(),
        observed: test.is_observed,
    }
}

/// Visitor that collects the test functions of a file.
#[derive(Default)]
struct Functions {
    module: Vec<String>,
    tests: Vec<Found>,
}

fn line(span: Span) -> usize {
    span.start().line
}

fn lines_of(attributes: &[Attribute], name: &Ident, whole: Span) -> (usize, usize) {
    let first = attributes
        .iter()
        .map(|attribute| line(attribute.span()))
        .min();
    (first.unwrap_or_else(|| line(name.span())), whole.end().line)
}

/// Returns the kind of a test function, or `None` if its attributes do not make it a test.
fn kind_of(attributes: &[Attribute]) -> Option<Kind> {
    attributes
        .iter()
        .find_map(|attribute| match TestAttribute::of(attribute)? {
            TestAttribute::Theory => Some(Kind::Theory),
            TestAttribute::Test | TestAttribute::Framework => Some(Kind::Unit),
            TestAttribute::Support => None,
        })
}

impl<'tree> Visit<'tree> for Functions {
    fn visit_item_mod(&mut self, item: &'tree ItemMod) {
        self.module
            .push(item.ident.to_string().trim_start_matches("r#").to_owned());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_fn(&mut self, item: &'tree ItemFn) {
        let lines = lines_of(&item.attrs, &item.sig.ident, item.block.span());
        if let Some(kind) = kind_of(&item.attrs) {
            let path: String = self.module.iter().map(|name| format!("{name}::")).collect();
            let name = item.sig.ident.to_string();
            self.tests.push(Found {
                name: format!("{path}{}", name.trim_start_matches("r#")),
                kind,
                line: line(item.sig.ident.span()),
                end_line: lines.1,
                target: lines,
                tags: Vec::new(),
                observed: false,
            });
        }
        // A `#[test]` inside a function's body is never executed.
        let tests = self.tests.len();
        visit::visit_item_fn(self, item);
        self.tests.truncate(tests);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalog(text: &str) -> Catalog {
        let file = SourceFile {
            path: "src/a.rs".into(),
            module: vec!["a".to_owned()],
            conditions: Vec::new(),
            text: text.to_owned(),
            tree: parse(text).unwrap(),
        };
        let mut catalog = Catalog::default();
        catalog.add(&file, Path::new("src/a.rs"), "p", "lib p");
        catalog
    }

    #[test]
    fn every_kind_of_test_is_found_in_the_order_of_lines() {
        let found = catalog(
            "#[situ]\nfn f(x: u8) -> u8 {\n    let y = x + 1;\n    itest!(given(x = 1), check_eq(y, 2), tag(\"fast\"));\n    y\n}\n\
             #[theory]\nfn holds(x: u8) {}\nmod tests {\n    #[test]\n    fn passes() {}\n    fn helper() {}\n}\n",
        );
        let shown: Vec<_> = found
            .tests
            .iter()
            .map(|test| {
                (
                    test.name.as_str(),
                    test.kind.name(),
                    test.line,
                    (test.first_line, test.last_line),
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                ("a::situ_f::y_when_x_1", "itest", 4, (3, 3)),
                ("a::holds", "theory", 8, (7, 8)),
                ("a::tests::passes", "test", 11, (10, 11)),
            ]
        );
        assert_eq!(found.tests[0].tags, ["fast"]);
    }

    #[test]
    fn a_mistake_is_told_with_its_line() {
        let found = catalog(
            "#[situ]\nfn f() {\n    let y = 1;\n    itest!(nonsense(1), check_eq(y, 1));\n}\n",
        );
        assert_eq!(found.mistakes.len(), 1);
        assert_eq!(found.mistakes[0].1, 4);
    }
}
