//! Code beside the tests: helper functions, the arguments that they pass on, whether they assert,
//! and constants.

use super::unit_tests::{TestCrate, UnitTest, is_test};
use crate::cargo::workspace::Workspace;
use crate::generate::generalize::scope::Step;
use crate::generate::generalize::scope::assertion::Kind;
use crate::generate::generalize::scope::body::{Argument, Body, CallSite};
use crate::generate::generalize::scope::loop_cases::{Constant, constant};
use crate::generate::generalize::scope::scopes::statements_of;
use crate::generate::generalize::slice::lasting_changes::Lasting;
use crate::source::Imports;
use crate::source::targets::effects::{Effects, Sought};
use crate::source::{SourceFile, module_files};
use situ_syntax::requires_test;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::rc::Rc;
use syn::{ExprClosure, FnArg, Item, ItemFn, Pat, Stmt};

/// A function of test code.
#[derive(Clone, Debug)]
pub(crate) struct Helper {
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// The calls that it makes.
    pub calls: Vec<InnerCall>,
    /// Whether it contains assertions; then a call of it counts as one.
    pub asserts: bool,
}

/// A call inside a helper.
#[derive(Clone, Debug)]
pub(crate) struct InnerCall {
    /// The call.
    pub site: CallSite,
    /// For each argument, the helper's parameter that it is, if it is one.
    pub handed_on: Vec<Option<usize>>,
    /// The parameter that is the method's receiver.
    pub receiver: Option<usize>,
}

/// The functions and constants of a crate's test code, by name; ambiguous names are left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct TestCode {
    /// Its functions.
    pub helpers: BTreeMap<String, Helper>,
    pub constants: BTreeMap<String, Constant>,
    /// The effects of the workspace's functions that no variable shows.
    pub effects: Rc<Effects>,
    /// What the files import, by path.
    imports: BTreeMap<PathBuf, Rc<Imports>>,
}

/// Finds the effects of the workspace's functions that no variable shows.
pub(crate) fn effects(workspace: &Workspace) -> Effects {
    let targets = workspace
        .all_packages()
        .into_iter()
        .flat_map(|package| &package.targets);
    let mut seen = BTreeSet::new();
    let files =
        targets.flat_map(|target| module_files(target.src_path.as_std_path()).unwrap_or_default());
    let files: Vec<SourceFile> = files
        .filter(|file| seen.insert(file.path.clone()))
        .collect();
    Effects::of(Sought::Changing, files.iter().map(|file| &file.tree))
}

impl TestCode {
    /// That of a crate.
    pub(crate) fn of(krate: &TestCrate, effects: &Rc<Effects>) -> TestCode {
        let mut found = Finding::default();
        found.code.effects = Rc::clone(effects);
        for file in module_files(&krate.root).unwrap_or_default() {
            let is_test_code =
                krate.outside_of.is_some() || file.conditions.iter().any(requires_test);
            found
                .code
                .imports
                .insert(file.path.clone(), Rc::new(Imports::of(&file)));
            found.items(
                &file,
                &Rc::from(file.text.as_str()),
                &file.tree.items,
                is_test_code,
            );
        }
        found
            .code
            .helpers
            .retain(|name, _| !found.twice.contains(name));
        found
            .code
            .constants
            .retain(|name, _| !found.twice.contains(name));
        found.code
    }

    /// Returns the effects of a test's steps that no variable shows.
    pub(crate) fn lasting(&self, test: &UnitTest, steps: &[Step]) -> Lasting {
        let imports = self
            .imports
            .get(&test.file.source.path)
            .cloned()
            .unwrap_or_default();
        Lasting::of(steps, &self.effects, &imports)
    }

    /// Returns the names of functions that assert.
    pub(crate) fn asserting(&self) -> BTreeSet<String> {
        self.helpers
            .iter()
            .filter(|(_, helper)| helper.asserts)
            .map(|(name, _)| name.clone())
            .collect()
    }
}

#[derive(Default)]
struct Finding {
    code: TestCode,
    twice: BTreeSet<String>,
}

impl Finding {
    fn items(&mut self, file: &SourceFile, text: &Rc<str>, items: &[Item], is_test_code: bool) {
        for item in items {
            match item {
                Item::Fn(function) if is_test_code && !is_test(&function.attrs) => {
                    let name = function.sig.ident.to_string();
                    let helper = Helper::of_function(&file.text, function);
                    if self.code.helpers.insert(name.clone(), helper).is_some() {
                        self.twice.insert(name);
                    }
                }
                Item::Const(_) | Item::Static(_) if is_test_code => self.constant(item, text),
                Item::Mod(inner) => {
                    let is_inside = is_test_code || inner.attrs.iter().any(requires_test);
                    let items = inner.content.as_ref().map_or(&[][..], |(_, items)| items);
                    self.items(file, text, items, is_inside);
                }
                _ => {}
            }
        }
    }

    fn constant(&mut self, item: &Item, text: &Rc<str>) {
        let name = match item {
            Item::Const(constant) => constant.ident.to_string(),
            Item::Static(constant) => constant.ident.to_string(),
            _ => return,
        };
        let Some((expression, of_type)) = constant(item, &name) else {
            return;
        };
        let constant = Constant {
            expression,
            of_type,
            text: Rc::clone(text),
        };
        if self.code.constants.insert(name.clone(), constant).is_some() {
            self.twice.insert(name);
        }
    }
}

impl Helper {
    /// Returns a function.
    pub(crate) fn of_function(text: &str, function: &ItemFn) -> Helper {
        let name = |input: &FnArg| match input {
            FnArg::Typed(typed) => name_of(&typed.pat),
            FnArg::Receiver(_) => String::new(),
        };
        Helper::new(
            text,
            function.sig.inputs.iter().map(name).collect(),
            &function.block.stmts,
        )
    }

    /// Returns a closure that a test gives a name.
    pub(crate) fn of_closure(text: &str, closure: &ExprClosure) -> Helper {
        Helper::new(
            text,
            closure.inputs.iter().map(name_of).collect(),
            &statements_of(closure),
        )
    }

    fn new(text: &str, parameters: Vec<String>, statements: &[Stmt]) -> Helper {
        let steps: Vec<Step> = statements.iter().cloned().map(Step::Statement).collect();
        let body = Body::of(&steps, &BTreeSet::new());
        let of = |argument: &Argument| {
            let text = text[argument.range.clone()].trim();
            parameters
                .iter()
                .position(|parameter| !parameter.is_empty() && parameter == text)
        };
        let inner = |site: &CallSite| InnerCall {
            handed_on: site.arguments.iter().map(of).collect(),
            receiver: site.receiver.as_ref().and_then(of),
            site: site.clone(),
        };
        let calls = body.calls.iter().filter(|site| !site.is_repeated);
        let calls = calls.map(inner).collect();
        let asserts = body
            .assertions
            .iter()
            .any(|assertion| assertion.kind == Kind::Macro);
        Helper {
            parameters,
            calls,
            asserts,
        }
    }
}

/// Returns the name of a parameter; empty where a pattern takes it apart.
fn name_of(pattern: &Pat) -> String {
    match pattern {
        Pat::Ident(name) => name.ident.to_string(),
        Pat::Type(typed) => name_of(&typed.pat),
        _ => String::new(),
    }
}
