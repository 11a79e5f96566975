//! Functions of test code that tests call: what they hand on to functions of the workspace, and whether they assert.

use super::body::{Body, CallSite};
use super::scope::Step;
use super::unit_tests::{TestCrate, is_test};
use crate::record::plan::is_test_condition;
use crate::source::{SourceFile, module_files};
use std::collections::{BTreeMap, BTreeSet};
use syn::{FnArg, Item, ItemFn, Pat};

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
}

/// The helpers of a test crate, by name; of names that stand for several there are none.
pub type Helpers = BTreeMap<String, Helper>;

/// Finds the helpers of a crate.
pub fn helpers_of(krate: &TestCrate) -> Helpers {
    let mut found = Finding { helpers: Helpers::new(), twice: BTreeSet::new() };
    for file in module_files(&krate.root).unwrap_or_default() {
        let is_test_code = krate.outside_of.is_some() || file.conditions.iter().any(is_test_condition);
        found.items(&file, &file.tree.items, is_test_code);
    }
    found.helpers.retain(|name, _| !found.twice.contains(name));
    found.helpers
}

struct Finding {
    helpers: Helpers,
    twice: BTreeSet<String>,
}

impl Finding {
    fn items(&mut self, file: &SourceFile, items: &[Item], is_test_code: bool) {
        for item in items {
            match item {
                Item::Fn(function) if is_test_code && !is_test(&function.attrs) => {
                    let name = function.sig.ident.to_string();
                    if self.helpers.insert(name.clone(), helper(file, function)).is_some() {
                        self.twice.insert(name);
                    }
                }
                Item::Mod(inner) => {
                    let is_inside = is_test_code || inner.attrs.iter().any(is_test_condition);
                    let items = inner.content.as_ref().map_or(&[][..], |(_, items)| items);
                    self.items(file, items, is_inside);
                }
                _ => {}
            }
        }
    }
}

fn helper(file: &SourceFile, function: &ItemFn) -> Helper {
    let name = |input: &FnArg| match input {
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(name) => name.ident.to_string(),
            _ => String::new(),
        },
        FnArg::Receiver(_) => String::new(),
    };
    let parameters: Vec<String> = function.sig.inputs.iter().map(name).collect();
    let steps: Vec<Step> = function.block.stmts.iter().cloned().map(Step::Statement).collect();
    let body = Body::of(&steps, &BTreeSet::new());
    let handed_on = |site: &CallSite| {
        let of = |text: &str| parameters.iter().position(|parameter| !parameter.is_empty() && parameter == text);
        site.arguments.iter().map(|argument| of(file.text[argument.range.clone()].trim())).collect()
    };
    let calls = body.calls.iter().filter(|site| !site.is_repeated);
    let calls = calls.map(|site| InnerCall { handed_on: handed_on(site), site: site.clone() }).collect();
    let asserts = body.assertions.iter().any(|assertion| assertion.kind == super::body::Kind::Macro);
    Helper { parameters, calls, asserts }
}

/// The names of helpers that assert.
pub fn asserting(helpers: &Helpers) -> BTreeSet<String> {
    helpers.iter().filter(|(_, helper)| helper.asserts).map(|(name, _)| name.clone()).collect()
}
