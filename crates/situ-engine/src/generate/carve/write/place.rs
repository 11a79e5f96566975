//! The place of carved tests: a module of their own below the module of the function, so that they
//! see its private items.

use super::shared::SharedItem;
use crate::cargo::manifest::SituSource;
use crate::cargo::workspace::Workspace;
use crate::edit::{
    ChangeSet, FileChange, NewItem, Proposal, compose_items, formatting_of, test_name,
};
use crate::generate::carve::check::existing_tests::Shape;
use crate::generate::carve::doubles::double_text::MOCKALL;
use crate::generate::carve::find::subject::Subject;
use crate::generate::carve::report::InPlace;
use crate::source::{byte_range, lex, parse, parse_tokens};
use anyhow::{Context as _, Result};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use syn::Item;

/// The name of the module.
pub(crate) const MODULE: &str = "carved_tests";

/// A test that goes into the module beside a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedTest {
    /// The file, relative to the workspace.
    pub file: PathBuf,
    /// The modules inside that file that lead to the function.
    pub modules: Vec<String>,
    /// The test's name.
    pub name: String,
    /// The test.
    pub text: String,
    /// The items that it shares with others.
    pub shared: Vec<SharedItem>,
}

/// Returns the change that adds these tests.
pub fn changes(
    workspace: &Workspace,
    tests: &[PlacedTest],
    in_place: &[InPlace],
    situ: &SituSource,
) -> Result<ChangeSet> {
    let proposals: Vec<Proposal> = in_place.iter().map(|test| test.proposal.clone()).collect();
    let mut changes = match proposals.is_empty() {
        true => ChangeSet::default(),
        false => ChangeSet::new(workspace, &proposals, situ)?,
    };
    let mut by_file: BTreeMap<&Path, Vec<&PlacedTest>> = BTreeMap::new();
    for test in tests {
        by_file.entry(&test.file).or_default().push(test);
    }
    for (path, tests) in by_file {
        let changed = changes.files.iter_mut().find(|file| file.path == path);
        let text = match &changed {
            Some(file) => file.after.clone(),
            None => workspace.read(path)?,
        };
        let items = items(path, &text, &tests)?;
        if items.is_empty() {
            continue;
        }
        let items: Vec<&NewItem> = items.iter().collect();
        let after = compose_items(&text, &items, &formatting_of(workspace, path))?;
        match changed {
            Some(file) => file.after = after,
            None => changes.files.insert(
                0,
                FileChange {
                    path: path.to_path_buf(),
                    before: text,
                    after,
                    is_new: false,
                },
            ),
        }
    }
    let of_tests = tests.iter().flat_map(|test| {
        test.shared
            .iter()
            .map(|item| (&test.file, item.file.as_ref()))
    });
    let of_places = in_place.iter().flat_map(|test| {
        test.files
            .iter()
            .map(|file| (&test.proposal.file, Some(file)))
    });
    for (source, file) in of_tests.chain(of_places) {
        if let Some((name, text)) = file.cloned() {
            let path = source.with_file_name("").join(name);
            if !changes.files.iter().any(|file| file.path == path) {
                let there = fs::read_to_string(workspace.root().join(&path)).ok();
                let is_new = there.is_none();
                changes.files.push(FileChange {
                    path,
                    before: there.unwrap_or_default(),
                    after: text,
                    is_new,
                });
            }
        }
    }
    let with_mockall = tests.iter().filter(|test| {
        test.shared
            .iter()
            .any(|item| item.text.starts_with("mockall::"))
    });
    let with_mockall: Vec<&Path> = with_mockall.map(|test| test.file.as_path()).collect();
    let changes = changes.with_dependency(workspace, &with_mockall, &MOCKALL)?;
    // An added dependency may need newer versions than the lock file has.
    let adds_dependency = changes
        .files
        .iter()
        .any(|file| file.path.ends_with("Cargo.toml"));
    if adds_dependency {
        changes.resolved(workspace)
    } else {
        Ok(changes)
    }
}

/// Returns the change of one test alone, to show it.
pub fn item(workspace: &Workspace, test: &PlacedTest) -> Result<Option<NewItem>> {
    let text = workspace.read(&test.file)?;
    Ok(items(&test.file, &text, &[test])?.pop())
}

/// Returns the tests of a file as items: a new module for each module of functions, or more tests
/// in one that is there.
fn items(path: &Path, text: &str, tests: &[&PlacedTest]) -> Result<Vec<NewItem>> {
    let tree = parse(text).with_context(|| format!("reading {}", path.display()))?;
    let mut by_module: BTreeMap<&[String], Vec<&PlacedTest>> = BTreeMap::new();
    for test in tests {
        by_module.entry(&test.modules).or_default().push(test);
    }
    let mut items = Vec::new();
    for (modules, tests) in by_module {
        let around = inside(&tree.items, modules).context("finding the module that tests go to")?;
        let existing = around.iter().find_map(|item| match item {
            Item::Mod(own) if own.ident == MODULE => own.content.as_ref().map(|(_, items)| items),
            _ => None,
        });
        let shared: BTreeSet<&SharedItem> = tests.iter().flat_map(|test| &test.shared).collect();
        let is_there = |item: &&SharedItem| {
            existing.is_some_and(|items| items.iter().any(|own| declares(own, &item.name)))
        };
        let shared = shared
            .into_iter()
            .filter(|item| !is_there(item))
            .map(|item| item.text.as_str());
        let texts: Vec<&str> = shared
            .chain(tests.iter().map(|test| test.text.as_str()))
            .collect();
        let (beside, text) = match existing {
            Some(items) => (items.as_slice(), texts.join("\n")),
            None => (
                around,
                format!(
                    "#[cfg(test)]\nmod {MODULE} {{\nuse super::*;\n\n{}}}\n",
                    texts.join("\n")
                ),
            ),
        };
        let last = beside
            .last()
            .context("a module with a function has an item")?;
        items.push(NewItem {
            file: path.to_path_buf(),
            after: byte_range(last).end,
            text,
        });
    }
    Ok(items)
}

/// Returns whether an item of a module of tests is the one of that name.
fn declares(item: &Item, name: &str) -> bool {
    match item {
        Item::Struct(own) => own.ident == name,
        Item::Type(own) => own.ident == name,
        Item::Macro(own) => own
            .mac
            .tokens
            .to_string()
            .starts_with(&format!("{} ", name.trim_start_matches("Mock"))),
        _ => false,
    }
}

fn inside<'i>(items: &'i [Item], modules: &[String]) -> Option<&'i [Item]> {
    let Some((first, rest)) = modules.split_first() else {
        return Some(items);
    };
    let inner = items.iter().find_map(|item| match item {
        Item::Mod(own) if own.ident == first => own.content.as_ref(),
        _ => None,
    });
    inside(&inner?.1, rest)
}

/// An existing carved test.
#[derive(Clone, Debug)]
pub(crate) struct ExistingTest {
    /// The file, relative to the workspace.
    file: PathBuf,
    /// The modules inside that file that lead to its module; for an in-situ test the byte behind the `{` of its function.
    place: ExistingPlace,
    /// Its name, as that of a function.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum ExistingPlace {
    Module(Vec<String>),
    Body(usize),
}

impl ExistingTest {
    /// Returns the tests at the start of a function's body.
    pub(crate) fn of_subject(subject: &Subject) -> Vec<ExistingTest> {
        let test = |tokens: &TokenStream| ExistingTest {
            file: subject.file.clone(),
            place: ExistingPlace::Body(subject.body),
            name: test_name(&tokens.to_string())
                .unwrap_or_default()
                .replace(' ', "_"),
            shape: Shape::of_tokens(tokens.clone()),
        };
        subject.tests.iter().map(test).collect()
    }

    /// Returns the tests in the modules of carved tests of a file.
    pub(crate) fn of_file(root: &Path, path: &Path, text: &str) -> Vec<ExistingTest> {
        let mut found = Vec::new();
        if let Ok(tree) = parse(text) {
            collect((root, path), &tree.items, &mut Vec::new(), &mut found);
        }
        found
    }

    /// Returns whether it stands in a function.
    pub(crate) fn is_in_situ(&self) -> bool {
        matches!(self.place, ExistingPlace::Body(_))
    }

    /// Returns whether it stands where a test of a function would.
    pub(crate) fn may_be_of(&self, subject: &Subject) -> bool {
        let inline = subject.module.len() - subject.inline_modules;
        self.file == subject.file
            && match &self.place {
                ExistingPlace::Module(modules) => *modules == subject.module[inline..],
                ExistingPlace::Body(body) => *body == subject.body,
            }
    }
}

/// Returns whether a file has carved tests in a module already.
pub(crate) fn has_module(text: &str, modules: &[String]) -> bool {
    let Ok(tree) = parse(text) else { return false };
    let around = inside(&tree.items, modules).unwrap_or_default();
    around
        .iter()
        .any(|item| matches!(item, Item::Mod(own) if own.ident == MODULE))
}

fn collect(
    (root, path): (&Path, &Path),
    items: &[Item],
    around: &mut Vec<String>,
    found: &mut Vec<ExistingTest>,
) {
    let is_inside = around.last().is_some_and(|last| last == MODULE);
    let shared = if is_inside {
        shared_tokens(&root.join(path), items)
    } else {
        BTreeMap::new()
    };
    for item in items {
        match item {
            Item::Fn(function) if is_inside => found.push(ExistingTest {
                file: path.to_path_buf(),
                place: ExistingPlace::Module(around[..around.len() - 1].to_vec()),
                name: function.sig.ident.to_string(),
                shape: Shape::of_tokens(written_out(function.to_token_stream(), &shared)),
            }),
            Item::Mod(inner) => {
                around.push(inner.ident.to_string());
                collect(
                    (root, path),
                    inner.content.as_ref().map_or(&[], |(_, items)| items),
                    around,
                    found,
                );
                around.pop();
            }
            _ => {}
        }
    }
}

/// Returns the tokens of the constants and set-up functions of a module of tests.
fn shared_tokens(path: &Path, items: &[Item]) -> BTreeMap<String, TokenStream> {
    let included = |value: &syn::Expr| {
        let syn::Expr::Macro(call) = value else {
            return None;
        };
        let name = parse_tokens::<syn::LitStr>(call.mac.tokens.clone()).ok()?;
        let text = fs::read_to_string(path.with_file_name(name.value())).ok()?;
        lex(&format!("{text:?}")).ok()
    };
    let one = |item: &Item| match item {
        Item::Const(own) => Some((
            own.ident.to_string(),
            included(&own.expr).unwrap_or_else(|| own.expr.to_token_stream()),
        )),
        Item::Fn(own) if own.attrs.is_empty() && own.sig.inputs.is_empty() => {
            let statements = &own.block.stmts;
            Some((
                own.sig.ident.to_string(),
                statements.iter().map(ToTokens::to_token_stream).collect(),
            ))
        }
        _ => None,
    };
    items.iter().filter_map(one).collect()
}

/// Returns a test with its shared items inlined.
fn written_out(tokens: TokenStream, shared: &BTreeMap<String, TokenStream>) -> TokenStream {
    let mut written = Vec::new();
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match &tree {
            TokenTree::Ident(word) if shared.contains_key(&word.to_string()) => {
                let is_call = matches!(trees.peek(), Some(TokenTree::Group(group)) if group.stream().is_empty());
                trees.next_if(|_| is_call);
                written.extend(shared[&word.to_string()].clone());
            }
            TokenTree::Group(group) => {
                let inner = written_out(group.stream(), shared);
                written.push(TokenTree::Group(proc_macro2::Group::new(
                    group.delimiter(),
                    inner,
                )));
            }
            _ => written.push(tree),
        }
    }
    written.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(name: &str) -> PlacedTest {
        let text = format!("#[test]\nfn {name}() {{}}\n");
        PlacedTest {
            file: "src/lib.rs".into(),
            modules: vec!["inner".to_owned()],
            name: name.to_owned(),
            text,
            shared: Vec::new(),
        }
    }

    #[test]
    fn tests_of_one_module_share_a_module_and_later_ones_join_them() {
        let path = Path::new("src/lib.rs");
        let text = "mod inner {\n    fn f() {}\n}\n";
        let first = items(path, text, &[&placed("one"), &placed("two")]).unwrap();
        assert_eq!(first.len(), 1);
        assert_eq!(first[0].text.matches("mod carved_tests").count(), 1);
        assert_eq!(&text[..first[0].after], "mod inner {\n    fn f() {}");
        let text = "mod inner {\n    fn f() {}\n    #[cfg(test)]\n    mod carved_tests { fn one() {} }\n}\n";
        let more = items(path, text, &[&placed("two")]).unwrap();
        assert!(
            !more[0].text.contains("mod carved_tests")
                && text[..more[0].after].ends_with("fn one() {}")
        );
        assert!(has_module(text, &["inner".to_owned()]) && !has_module(text, &[]));
        let existing = ExistingTest::of_file(path, path, text);
        assert_eq!((existing[0].name.as_str(), existing.len()), ("one", 1));
        assert_eq!(
            existing[0].place,
            ExistingPlace::Module(vec!["inner".to_owned()])
        );
    }
}
