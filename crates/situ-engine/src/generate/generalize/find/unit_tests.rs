//! The tests that a user wrote: each `#[test]` function with where it stands.

use super::macro_tests::{Macros, MadeTest, behind_the_file};
use crate::cargo::workspace::{Workspace, is_tested};
use crate::source::{SourceFile, byte_range, module_files};
use cargo_metadata::TargetKind;
use situ_syntax::{TestAttribute, is_named};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use syn::{Attribute, Item, ItemFn, Meta, ReturnType};

/// A crate that holds tests.
#[derive(Debug)]
pub struct TestCrate {
    /// Its name, with underscores.
    pub name: String,
    /// The library that it tests, if it is an integration test.
    pub outside_of: Option<String>,
    /// Its root file.
    pub root: PathBuf,
}

/// A file that holds tests.
pub struct TestFile {
    /// Where it is, relative to the workspace.
    pub path: PathBuf,
    /// Its crate.
    pub krate: Rc<TestCrate>,
    /// Its text and tree.
    pub source: SourceFile,
}

/// A test function.
#[derive(Clone)]
pub struct UnitTest {
    /// Its file.
    pub file: Rc<TestFile>,
    /// The module that it stands in, from the crate on.
    pub module: Vec<String>,
    /// The function.
    pub item: ItemFn,
    /// The items beside it, in its module.
    pub beside: Rc<Vec<Item>>,
    /// All of it in its file, with its attributes, or the call of the macro that makes it.
    pub range: Range<usize>,
    /// If a macro generates it or some of its statements: the source of the file, followed by the
    /// expansions.
    pub expanded: Option<Rc<str>>,
}

impl UnitTest {
    /// Its name.
    pub fn name(&self) -> String {
        self.item.sig.ident.to_string()
    }

    /// Its path, as a test program calls it.
    pub fn path(&self) -> String {
        let words = self
            .module
            .iter()
            .cloned()
            .chain([self.name().trim_start_matches("r#").to_owned()]);
        words.collect::<Vec<_>>().join("::")
    }

    /// Returns the source of its file, followed by the expansions of macros.
    pub fn text(&self) -> &str {
        self.expanded.as_deref().unwrap_or(&self.file.source.text)
    }

    /// Returns the line that it begins at.
    pub fn line(&self) -> usize {
        self.line_of(byte_range(&self.item.sig).start)
    }

    /// Returns the line of a byte of its source. Expansions are at the line of the test.
    pub fn line_of(&self, byte: usize) -> usize {
        let file = &self.file.source.text;
        let byte = if byte < file.len() {
            byte
        } else {
            self.range.start
        };
        1 + file[..byte].matches('\n').count()
    }

    /// Returns whether it returns a `Result` that decides whether it passed.
    pub fn gives_result(&self) -> bool {
        !matches!(self.item.sig.output, ReturnType::Default)
    }

    /// Returns its attributes about how it is run, and under which conditions it exists.
    pub fn running_attributes(&self) -> impl Iterator<Item = &Attribute> {
        self.item.attrs.iter().filter(|attribute| {
            let last = last_word(attribute);
            last == "test"
                || matches!(
                    last.as_str(),
                    "cfg" | "allow" | "expect" | "serial" | "parallel"
                )
        })
    }

    /// Returns whether `#[test]` is all that makes it a test: it can be called as it is.
    pub fn is_plain(&self) -> bool {
        self.item.sig.asyncness.is_none()
            && self
                .item
                .attrs
                .iter()
                .all(|attribute| last_word(attribute) != "test" || is_plain_test(attribute))
    }
}

fn is_plain_test(attribute: &Attribute) -> bool {
    attribute.path().is_ident("test") && matches!(attribute.meta, Meta::Path(_))
}

fn last_word(attribute: &Attribute) -> String {
    attribute
        .path()
        .segments
        .last()
        .map(|last| last.ident.to_string())
        .unwrap_or_default()
}

/// The reason why a test is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Left {
    /// It is not run.
    Ignored,
    /// It is expected to panic, so it has no assertion for that.
    ShouldPanic,
}

impl Left {
    /// Returns the reason for a report.
    pub fn in_words(self) -> &'static str {
        match self {
            Left::Ignored => "it is ignored",
            Left::ShouldPanic => "it is expected to panic",
        }
    }
}

/// Everything that was found.
#[derive(Default)]
pub struct Found {
    /// The tests.
    pub tests: Vec<UnitTest>,
    /// Tests that are left as they are.
    pub left: Vec<(UnitTest, Left)>,
}

/// Returns the tests of the selected packages.
pub(crate) fn find(workspace: &Workspace) -> Found {
    let mut found = Found::default();
    let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
    for package in workspace.packages() {
        let library = package.targets.iter().find(|target| {
            !target.kind.iter().any(|kind| {
                matches!(
                    kind,
                    TargetKind::Bin
                        | TargetKind::Test
                        | TargetKind::Bench
                        | TargetKind::Example
                        | TargetKind::CustomBuild
                )
            })
        });
        for target in package
            .targets
            .iter()
            .filter(|target| is_tested(target) && target.test)
        {
            let is_integration = target
                .kind
                .iter()
                .any(|kind| matches!(kind, TargetKind::Test));
            let krate = Rc::new(TestCrate {
                name: target.name.replace('-', "_"),
                outside_of: library
                    .filter(|_| is_integration)
                    .map(|library| library.name.replace('-', "_")),
                root: target.src_path.as_std_path().to_path_buf(),
            });
            let sources = module_files(target.src_path.as_std_path()).unwrap_or_default();
            let macros = Macros::of_crate(&sources);
            for source in sources {
                if !seen.insert(source.path.clone()) {
                    continue;
                }
                let path = source
                    .path
                    .strip_prefix(workspace.root())
                    .unwrap_or(&source.path)
                    .to_path_buf();
                workspace.note(&path, &source.text);
                let file = Rc::new(TestFile {
                    path,
                    krate: Rc::clone(&krate),
                    source,
                });
                found.add_file(&file, &macros);
            }
        }
    }
    found
}

impl Found {
    fn add_file(&mut self, file: &Rc<TestFile>, macros: &Macros) {
        let mut finding = Finding {
            file,
            text: Rc::from(file.source.text.as_str()),
            tests: Vec::new(),
            made: Vec::new(),
        };
        finding.items(
            &file.source.module,
            &file.source.tree.items,
            &mut macros.clone(),
        );
        let made = if finding.made.is_empty() {
            Vec::new()
        } else {
            behind_the_file(file, finding.made)
        };
        for test in finding.tests.into_iter().chain(made) {
            match left(&test.item.attrs) {
                Some(reason) => self.left.push((test, reason)),
                None => self.tests.push(test),
            }
        }
    }
}

/// The tests of a file.
struct Finding<'f> {
    file: &'f Rc<TestFile>,
    text: Rc<str>,
    tests: Vec<UnitTest>,
    made: Vec<MadeTest>,
}

impl Finding<'_> {
    fn items(&mut self, module: &[String], items: &[Item], macros: &mut Macros) {
        let beside = Rc::new(items.to_vec());
        let made = |range: &Range<usize>, text: String| MadeTest {
            module: module.to_vec(),
            beside: Rc::clone(&beside),
            range: range.clone(),
            text,
        };
        for item in items {
            let range = byte_range(item);
            match item {
                Item::Fn(function) if is_test(&function.attrs) => {
                    match macros.with_statements(&self.text[range.clone()]) {
                        Some(text) => self.made.push(made(&range, text)),
                        None => self.tests.push(UnitTest {
                            file: Rc::clone(self.file),
                            module: module.to_vec(),
                            item: function.clone(),
                            beside: Rc::clone(&beside),
                            range,
                            expanded: None,
                        }),
                    }
                }
                Item::Macro(definition) if definition.ident.is_some() => {
                    macros.add(definition, &self.text)
                }
                Item::Macro(call) => {
                    let tests = macros.tests_of(&call.mac, &self.text);
                    self.made
                        .extend(tests.into_iter().map(|text| made(&range, text)));
                }
                Item::Mod(inner) => {
                    let Some((_, items)) = &inner.content else {
                        continue;
                    };
                    let mut path = module.to_vec();
                    path.push(inner.ident.to_string().trim_start_matches("r#").to_owned());
                    self.items(&path, items, &mut macros.clone());
                }
                _ => {}
            }
        }
    }
}

/// Returns whether attributes make a function a single test. One with cases of its own is ignored.
pub(crate) fn is_test(attributes: &[Attribute]) -> bool {
    let has = |wanted: TestAttribute| {
        attributes
            .iter()
            .any(|attribute| TestAttribute::of(attribute) == Some(wanted))
    };
    // `#[apply(template)]` gives a test the cases of a template.
    let has_cases = has(TestAttribute::Framework)
        || has(TestAttribute::Theory)
        || attributes.iter().any(|one| is_named(one, "apply"));
    has(TestAttribute::Test) && !has_cases
}

fn left(attributes: &[Attribute]) -> Option<Left> {
    let has = |name: &str| {
        attributes
            .iter()
            .any(|attribute| attribute.path().is_ident(name))
    };
    match () {
        () if has("ignore") => Some(Left::Ignored),
        () if has("should_panic") => Some(Left::ShouldPanic),
        () => None,
    }
}

/// Returns a path relative to a workspace, with slashes.
pub(crate) fn shown(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}
