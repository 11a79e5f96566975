//! Test code beside the tests: functions, what they hand on to functions of the workspace and whether they assert, and
//! constants.

use super::assertion::Kind;
use super::body::{Argument, Body, CallSite};
use super::passes::{Constant, constant};
use super::scope::Step;
use super::scopes::statements_of;
use super::unit_tests::{TestCrate, is_test};
use crate::record::plan::is_test_condition;
use crate::source::{SourceFile, module_files};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use syn::{ExprClosure, FnArg, Item, ItemFn, Pat, Stmt};

/// A function of test code.
#[derive(Clone, Debug)]
pub struct Helper {
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// The calls that it makes.
    pub calls: Vec<InnerCall>,
    /// Whether it has assertions: then a call of it is one.
    pub asserts: bool,
}

/// A call inside a helper.
#[derive(Clone, Debug)]
pub struct InnerCall {
    /// The call.
    pub site: CallSite,
    /// The parameter of the helper that each argument is, where it is one.
    pub handed_on: Vec<Option<usize>>,
    /// The parameter that a method is called on.
    pub receiver: Option<usize>,
}

/// What the test code of a crate has beside its tests, by name; of names that stand for several there is nothing.
#[derive(Clone, Debug, Default)]
pub struct TestCode {
    /// Its functions.
    pub helpers: BTreeMap<String, Helper>,
    /// Its constants.
    pub constants: BTreeMap<String, Constant>,
}

impl TestCode {
    /// That of a crate.
    pub fn of(krate: &TestCrate) -> TestCode {
        let mut found = Finding::default();
        for file in module_files(&krate.root).unwrap_or_default() {
            let is_test_code = krate.outside_of.is_some() || file.conditions.iter().any(is_test_condition);
            found.items(&file, &Rc::from(file.text.as_str()), &file.tree.items, is_test_code);
        }
        found.code.helpers.retain(|name, _| !found.twice.contains(name));
        found.code.constants.retain(|name, _| !found.twice.contains(name));
        found.code
    }

    /// The names of functions that assert.
    pub fn asserting(&self) -> BTreeSet<String> {
        self.helpers.iter().filter(|(_, helper)| helper.asserts).map(|(name, _)| name.clone()).collect()
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
                    let is_inside = is_test_code || inner.attrs.iter().any(is_test_condition);
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
        let Some((expression, of_type)) = constant(item, &name) else { return };
        let constant = Constant { expression, of_type, text: Rc::clone(text) };
        if self.code.constants.insert(name.clone(), constant).is_some() {
            self.twice.insert(name);
        }
    }
}

impl Helper {
    /// A function.
    pub fn of_function(text: &str, function: &ItemFn) -> Helper {
        let name = |input: &FnArg| match input {
            FnArg::Typed(typed) => name_of(&typed.pat),
            FnArg::Receiver(_) => String::new(),
        };
        Helper::new(text, function.sig.inputs.iter().map(name).collect(), &function.block.stmts)
    }

    /// A closure that a test gives a name.
    pub fn of_closure(text: &str, closure: &ExprClosure) -> Helper {
        Helper::new(text, closure.inputs.iter().map(name_of).collect(), &statements_of(closure))
    }

    fn new(text: &str, parameters: Vec<String>, statements: &[Stmt]) -> Helper {
        let steps: Vec<Step> = statements.iter().cloned().map(Step::Statement).collect();
        let body = Body::of(&steps, &BTreeSet::new());
        let of = |argument: &Argument| {
            let text = text[argument.range.clone()].trim();
            parameters.iter().position(|parameter| !parameter.is_empty() && parameter == text)
        };
        let inner = |site: &CallSite| InnerCall {
            handed_on: site.arguments.iter().map(of).collect(),
            receiver: site.receiver.as_ref().and_then(of),
            site: site.clone(),
        };
        let calls = body.calls.iter().filter(|site| !site.is_repeated);
        let calls = calls.map(inner).collect();
        let asserts = body.assertions.iter().any(|assertion| assertion.kind == Kind::Macro);
        Helper { parameters, calls, asserts }
    }
}

/// The name of a parameter; empty where a pattern takes it apart.
fn name_of(pattern: &Pat) -> String {
    match pattern {
        Pat::Ident(name) => name.ident.to_string(),
        Pat::Type(typed) => name_of(&typed.pat),
        _ => String::new(),
    }
}
