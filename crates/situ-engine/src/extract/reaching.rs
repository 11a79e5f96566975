//! Calls that reach outside of the program: nobody can say what they will give in a test, and with inputs that no run had they
//! might do anything.

use super::candidate::Candidate;
use super::shapes::without_spaces;
use super::statement::Statement;
use crate::record::plan::{Imports, Site};
use crate::source::{module_files, parse_part, parse_tokens};
use crate::targets::effects::Effects;
use crate::targets::macro_arguments;
use crate::workspace::Workspace;
use proc_macro2::TokenStream;
use quote::ToTokens as _;
use situ_syntax::source_text;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Block, Expr};

/// What the functions of a workspace reach outside of it, for statements in any of its files.
#[derive(Default)]
pub struct Reach {
    effects: Effects,
    /// By path relative to the workspace.
    imports: BTreeMap<PathBuf, Imports>,
}

impl Reach {
    /// Reads all sources of a workspace.
    pub fn of(workspace: &Workspace) -> Reach {
        let targets = workspace.all_packages().into_iter().flat_map(|package| &package.targets);
        let files = targets.filter_map(|target| module_files(target.src_path.as_std_path()).ok()).flatten();
        let files: Vec<_> = files.collect();
        let relative = |path: &Path| path.strip_prefix(workspace.root()).unwrap_or(path).to_path_buf();
        Reach {
            effects: Effects::of(files.iter().map(|file| &file.tree)),
            imports: files.iter().map(|file| (relative(&file.path), Imports::of(file))).collect(),
        }
    }

    /// Whether a statement would reach outside of the program with the inputs of a candidate: calls that the candidate has
    /// values for are not made.
    pub fn is_outside(&self, statement: &Statement, candidate: &Candidate) -> bool {
        let none = Imports::default();
        let imports = self.imports.get(Path::new(&statement.site.file)).unwrap_or(&none);
        let callee = |text: &str| without_spaces(text.split('(').next().unwrap_or(text));
        let is_mocked = |call: &Expr| match call {
            Expr::Call(_) | Expr::MethodCall(_) | Expr::Await(_) => {
                let text = callee(&source_text(&call.to_token_stream()));
                candidate.mocks.iter().any(|mock| callee(&mock.call) == text)
            }
            _ => false,
        };
        let root = |place: &str| place.split(['.', '[']).next().unwrap_or(place).to_owned();
        let variables = candidate.givens.iter().map(|(name, _)| root(name)).collect();
        self.effects.reached(statement.tokens(), imports, variables, &is_mocked).is_some()
    }
}

/// Words of paths that reach outside of the program, or give something else each time.
const REACHING_OUT: [&str; 18] = [
    "Command",
    "File",
    "Instant",
    "OpenOptions",
    "SystemTime",
    "TcpStream",
    "env",
    "from_args",
    "fs",
    "fastrand",
    "getrandom",
    "net",
    "now",
    "process",
    "rand",
    "random",
    "stdin",
    "thread",
];

/// Methods of paths, clocks and readers of arguments that look outside of the program.
const LOOKING_OUT: [&str; 11] = [
    "canonicalize",
    "elapsed",
    "exists",
    "get_matches",
    "is_dir",
    "is_file",
    "is_symlink",
    "metadata",
    "read_dir",
    "read_link",
    "try_exists",
];

/// Whether a call reaches outside of the program.
pub fn reaches_out(site: &Site) -> bool {
    parse_part(&site.text).is_ok_and(|call| is_reaching(&call))
}

fn is_reaching(call: &Expr) -> bool {
    match call {
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else { return false };
            path.path.segments.iter().any(|segment| REACHING_OUT.iter().any(|word| segment.ident == word))
        }
        Expr::MethodCall(call) => call.args.is_empty() && LOOKING_OUT.iter().any(|word| call.method == word),
        _ => false,
    }
}

/// Whether a block has a call that reaches outside of the program.
pub fn mentions_outside(block: &TokenStream) -> bool {
    struct Reaching(bool);
    impl<'ast> Visit<'ast> for Reaching {
        fn visit_expr(&mut self, expression: &'ast Expr) {
            self.0 |= is_reaching(expression);
            visit::visit_expr(self, expression);
        }

        fn visit_macro(&mut self, call: &'ast syn::Macro) {
            macro_arguments(call.tokens.clone()).iter().for_each(|argument| self.visit_expr(argument));
        }
    }
    let mut reaching = Reaching(false);
    if let Ok(block) = parse_tokens::<Block>(block.clone()) {
        reaching.visit_block(&block);
    }
    reaching.0
}
