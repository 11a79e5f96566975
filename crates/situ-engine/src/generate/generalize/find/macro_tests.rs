//! Tests whose text no file holds: those that a macro of the crate makes, and those whose statements are calls of such macros.

use super::unit_tests::{TestFile, UnitTest, is_test};
use crate::generate::generalize::scope::assertion::kind_of_macro;
use crate::source::{MacroRules, SourceFile, Splice, apply, byte_range, parse, parse_part};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;
use syn::visit::{self, Visit};
use syn::{Item, ItemFn, ItemMacro, Stmt};

/// Macros that call macros, this deep.
const MAX_ROUNDS: usize = 8;
/// Longer tests are left as they are.
const LONGEST: usize = 50_000;

/// The macros that can be seen at a place, by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Macros(BTreeMap<String, Rc<MacroRules>>);

impl Macros {
    /// Those of a crate that can be told by their names alone.
    pub(crate) fn of_crate(files: &[SourceFile]) -> Macros {
        let (mut macros, mut twice) = (Macros::default(), BTreeSet::new());
        for file in files {
            macros.add_all(&file.tree.items, &Rc::from(file.text.as_str()), &mut twice);
        }
        macros.0.retain(|name, _| !twice.contains(name));
        macros
    }

    fn add_all(&mut self, items: &[Item], text: &Rc<str>, twice: &mut BTreeSet<String>) {
        for item in items {
            match item {
                Item::Macro(definition) => {
                    let name = definition.ident.as_ref().map(ToString::to_string);
                    twice.extend(name.filter(|name| self.0.contains_key(name)));
                    self.add(definition, text);
                }
                Item::Mod(inner) => {
                    let items = inner.content.as_ref().map_or(&[][..], |(_, items)| items);
                    self.add_all(items, text, twice);
                }
                _ => {}
            }
        }
    }

    /// Adds what an item of this text defines.
    pub(crate) fn add(&mut self, item: &ItemMacro, text: &Rc<str>) {
        let Some(name) = item
            .ident
            .as_ref()
            .filter(|_| item.mac.path.is_ident("macro_rules"))
        else {
            return;
        };
        match MacroRules::new(&item.mac.tokens, text) {
            Some(rules) => self.0.insert(name.to_string(), Rc::new(rules)),
            None => self.0.remove(&name.to_string()),
        };
    }

    /// The text that a call stands for.
    fn expand(&self, call: &syn::Macro, text: &str) -> Option<String> {
        self.0
            .get(&call.path.get_ident()?.to_string())?
            .expand(&call.tokens, text)
    }

    /// The tests that a macro makes, as texts. What it makes in modules of its own needs what is imported there.
    pub(crate) fn tests_of(&self, call: &syn::Macro, text: &str) -> Vec<String> {
        let mut tests = Vec::new();
        self.collect_tests(call, text, MAX_ROUNDS, &mut tests);
        tests
    }

    fn collect_tests(&self, call: &syn::Macro, text: &str, rounds: usize, tests: &mut Vec<String>) {
        let Some(expanded) = self
            .expand(call, text)
            .filter(|expanded| expanded.len() <= LONGEST)
        else {
            return;
        };
        let Ok(tree) = parse(&expanded) else { return };
        for item in &tree.items {
            match item {
                Item::Fn(function) if is_test(&function.attrs) => {
                    let written = expanded[byte_range(item)].to_owned();
                    tests.push(self.with_statements(&written).unwrap_or(written));
                }
                Item::Macro(inner) if inner.ident.is_none() && rounds > 1 => {
                    self.collect_tests(&inner.mac, &expanded, rounds - 1, tests);
                }
                _ => {}
            }
        }
    }

    /// A function with what its statements stand for that are calls of macros; none where there are no such statements.
    pub(crate) fn with_statements(&self, function: &str) -> Option<String> {
        let mut text = function.to_owned();
        for _ in 0..MAX_ROUNDS {
            let parsed: ItemFn = parse_part(&text).ok()?;
            let mut visible = self.clone();
            let whole: Rc<str> = Rc::from(text.as_str());
            for statement in &parsed.block.stmts {
                if let Stmt::Item(Item::Macro(definition)) = statement {
                    visible.add(definition, &whole);
                }
            }
            let mut found = Statements {
                macros: &visible,
                text: &text,
                splices: Vec::new(),
            };
            found.visit_item_fn(&parsed);
            if found.splices.is_empty() {
                return (text != function).then_some(text);
            }
            text = apply(&text, &found.splices);
            if text.len() > LONGEST {
                return None;
            }
        }
        None
    }
}

/// The statements of a function that are calls of macros.
struct Statements<'s> {
    macros: &'s Macros,
    text: &'s str,
    splices: Vec<Splice>,
}

impl<'ast> Visit<'ast> for Statements<'_> {
    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        let Stmt::Macro(call) = statement else {
            return visit::visit_stmt(self, statement);
        };
        let name = call
            .mac
            .path
            .segments
            .last()
            .map(|last| last.ident.to_string())
            .unwrap_or_default();
        // What is called an assertion is one as it is.
        if kind_of_macro(&name).is_some() {
            return;
        }
        if let Some(expanded) = self.macros.expand(&call.mac, self.text) {
            let is_ended = call.semi_token.is_none() || expanded.trim_end().ends_with([';', '}']);
            let end = if is_ended { "" } else { ";" };
            self.splices.push(Splice {
                range: byte_range(statement),
                text: format!("{}{end}", expanded.trim()),
            });
        }
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}

/// A test in the making.
pub(crate) struct MadeTest {
    /// The module that it stands in.
    pub module: Vec<String>,
    /// The items of that module.
    pub beside: Rc<Vec<Item>>,
    /// What stands for it in its file.
    pub range: Range<usize>,
    /// Its text.
    pub text: String,
}

/// The tests, each with a text that begins as the file does and ends with all of them.
pub(crate) fn behind_the_file(file: &Rc<TestFile>, made: Vec<MadeTest>) -> Vec<UnitTest> {
    let mut text = file.source.text.clone();
    for one in &made {
        text.push('\n');
        text.push_str(&one.text);
    }
    text.push('\n');
    let Ok(tree) = parse(&text) else {
        return Vec::new();
    };
    let text: Rc<str> = Rc::from(text);
    let functions = tree
        .items
        .into_iter()
        .rev()
        .take(made.len())
        .filter_map(|item| match item {
            Item::Fn(function) => Some(function),
            _ => None,
        });
    let mut functions: Vec<ItemFn> = functions.collect();
    functions.reverse();
    let tests = made.into_iter().zip(functions).map(|(one, item)| UnitTest {
        file: Rc::clone(file),
        module: one.module,
        item,
        beside: one.beside,
        range: one.range,
        expanded: Some(Rc::clone(&text)),
    });
    tests.collect()
}
