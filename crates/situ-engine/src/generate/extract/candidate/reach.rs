//! Calls that interact with the outside world: their results in a test are unknown, and with
//! generated inputs they might do anything.

use super::Candidate;
use super::statement::{Statement, Statements, WithoutTest};
use crate::cargo::workspace::Workspace;
use crate::generate::mocks::shapes::without_spaces;
use crate::source::Imports;
use crate::source::module_files;
use crate::source::targets::effects::{Effect, Effects, Sought, Variables};
use proc_macro2::TokenStream;
use quote::ToTokens as _;
use situ_recorder::value::Value;
use situ_syntax::source_text;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use syn::Expr;

/// The effects of a workspace's functions on the outside world.
#[derive(Default)]
pub(crate) struct Reach {
    effects: Effects,
    /// The imports and the source of each file, by path relative to the workspace.
    files: BTreeMap<PathBuf, (Imports, String)>,
}

impl Reach {
    /// Reads all sources of a workspace.
    pub(crate) fn of(workspace: &Workspace) -> Reach {
        let targets = workspace
            .all_packages()
            .into_iter()
            .flat_map(|package| &package.targets);
        let files = targets
            .filter_map(|target| module_files(target.src_path.as_std_path()).ok())
            .flatten();
        let files: Vec<_> = files.collect();
        let relative = |path: &Path| {
            path.strip_prefix(workspace.root())
                .unwrap_or(path)
                .to_path_buf()
        };
        Reach {
            effects: Effects::of(Sought::Reaching, files.iter().map(|file| &file.tree)),
            files: files
                .iter()
                .map(|file| (relative(&file.path), (Imports::of(file), file.text.clone())))
                .collect(),
        }
    }

    /// Returns whether a statement may have effects outside the program with the inputs of a
    /// candidate. Mocked calls are not made.
    pub(crate) fn is_outside(&self, statement: &Statement, candidate: &Candidate) -> bool {
        self.asked(statement, candidate, &Effects::may_reach)
            .is_some_and(Effect::acts)
    }

    /// Returns the effect of a statement outside the program in a test of a candidate.
    pub(crate) fn reached(&self, statement: &Statement, candidate: &Candidate) -> Option<Effect> {
        self.asked(statement, candidate, &Effects::reached)
    }

    fn asked(
        &self,
        statement: &Statement,
        candidate: &Candidate,
        ask: &Question<'_>,
    ) -> Option<Effect> {
        let none = (Imports::default(), String::new());
        let (imports, text) = self
            .files
            .get(Path::new(&statement.site.file))
            .unwrap_or(&none);
        let callee = |text: &str| without_spaces(text.split('(').next().unwrap_or(text));
        let is_mocked = |call: &Expr| match call {
            Expr::Call(_) | Expr::MethodCall(_) | Expr::Await(_) => {
                let text = callee(&source_text(&call.to_token_stream()));
                candidate
                    .mocks
                    .iter()
                    .any(|mock| callee(&mock.call) == text)
            }
            _ => false,
        };
        let root = |place: &str| place.split(['.', '[']).next().unwrap_or(place).to_owned();
        let givens = || candidate.givens.iter();
        let roots = givens().map(|(place, _)| (root(place), None));
        let typed = givens().map(|(place, value)| (place.clone(), type_name(value)));
        let variables: Variables = roots.chain(typed).collect();
        // The source that a site keeps may be cut.
        let whole = || {
            text.get(statement.site.range())
                .and_then(|text| text.parse().ok())
        };
        let code = if statement.spot.tokens.is_empty() {
            whole()
        } else {
            None
        };
        ask(
            &self.effects,
            code.unwrap_or_else(|| statement.tokens()),
            imports,
            variables,
            &is_mocked,
        )
    }

    /// Removes the candidates whose tests would interact with the outside world.
    pub(crate) fn take_out(&self, found: &mut Statements) {
        let mut statements = std::mem::take(&mut found.all);
        for statement in &mut statements {
            let all = std::mem::take(&mut statement.candidates);
            let mut reached = None;
            let (outside, inside): (Vec<Candidate>, Vec<Candidate>) =
                all.into_iter().partition(|candidate| {
                    let effect = self.reached(statement, candidate);
                    reached = reached.max(effect);
                    effect.is_some()
                });
            statement.candidates = inside;
            let Some(effect) = reached else { continue };
            let reason = format!("it interacts with {effect}, and no value can replace that");
            *found.refused_sets.entry(reason.clone()).or_default() += outside.len();
            if statement.candidates.is_empty() {
                found
                    .without
                    .push(WithoutTest::new(&statement.site, reason));
            }
        }
        statements.retain(|statement| !statement.candidates.is_empty());
        found.all = statements;
    }
}

/// What is asked about the code of a statement.
type Question<'q> = dyn Fn(&Effects, TokenStream, &Imports, Variables, &dyn Fn(&Expr) -> bool) -> Option<Effect>
    + 'q;

/// Returns the name of a value's type, without its module and parameters.
fn type_name(value: &Value) -> Option<String> {
    match value {
        Value::Ref { inner, .. } => type_name(inner),
        Value::Struct { type_name, .. }
        | Value::Built { type_name, .. }
        | Value::Parsed { type_name, .. } => {
            let path = type_name.split('<').next().unwrap_or(type_name);
            path.rsplit("::").next().map(str::to_owned)
        }
        _ => None,
    }
}
