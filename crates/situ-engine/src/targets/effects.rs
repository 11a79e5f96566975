//! Which code reaches outside of the program, as far as names tell: files, processes, the network or the environment. Such code is never run with inputs that no run had.

use super::macro_arguments;
use crate::record::plan::Imports;
use crate::source::{parse_tokens, parse_tokens_with};
use proc_macro2::TokenStream;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{
    Block, Expr, File, ImplItemFn, ItemFn, ItemImpl, ItemTrait, Macro, PatIdent, Signature, Stmt, TraitItemFn, Type,
};

/// Where code reaches to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Files and folders.
    Files,
    /// Other processes.
    Processes,
    /// Other machines, or other programs on this one.
    Network,
    /// Variables and the working folder of this process.
    Environment,
}

/// Modules and types of the standard library and of crates that everybody knows, by the words of their paths.
const PATHS: &[(&str, Effect)] = &[
    ("fs", Effect::Files),
    ("File", Effect::Files),
    ("OpenOptions", Effect::Files),
    ("DirBuilder", Effect::Files),
    ("fs_err", Effect::Files),
    ("tempfile", Effect::Files),
    ("walkdir", Effect::Files),
    ("WalkDir", Effect::Files),
    ("WalkBuilder", Effect::Files),
    ("glob", Effect::Files),
    ("memmap2", Effect::Files),
    ("rusqlite", Effect::Files),
    ("git2", Effect::Files),
    ("Command", Effect::Processes),
    ("duct", Effect::Processes),
    ("TcpStream", Effect::Network),
    ("TcpListener", Effect::Network),
    ("UdpSocket", Effect::Network),
    ("UnixStream", Effect::Network),
    ("UnixListener", Effect::Network),
    ("UnixDatagram", Effect::Network),
    ("ToSocketAddrs", Effect::Network),
    ("reqwest", Effect::Network),
    ("ureq", Effect::Network),
    ("hyper", Effect::Network),
    ("libc", Effect::Processes),
    ("nix", Effect::Processes),
    ("rustix", Effect::Processes),
];

/// Functions of `std::env` that do something; others only tell.
const FUNCTIONS: &[(&str, &str, Effect)] = &[
    ("env", "set_var", Effect::Environment),
    ("env", "remove_var", Effect::Environment),
    ("env", "set_current_dir", Effect::Environment),
];

/// Methods by which paths look at files. Other types hardly have methods of these names without arguments.
const METHODS_OF_PATHS: &[&str] =
    &["canonicalize", "exists", "is_dir", "is_file", "is_symlink", "metadata", "read_dir", "read_link", "try_exists"];

/// A function as it can be called: of a type, or by itself.
type Function = (Option<String>, String);

/// What the functions of a workspace reach, directly or through others.
#[derive(Debug, Default)]
pub struct Effects {
    functions: BTreeMap<Function, Effect>,
    /// The names of methods among them, whatever type they are of.
    methods: BTreeMap<String, Effect>,
}

impl Effects {
    /// Reads all files of a workspace.
    pub fn of<'f>(files: impl Iterator<Item = &'f File>) -> Effects {
        let mut bodies = Bodies::default();
        for file in files {
            bodies.imports = Imports::of_tree(file);
            bodies.visit_file(file);
        }
        let mut effects = Effects::default();
        // As long as a call of a function that was found is found in another one.
        while effects.extend(&bodies.found) {}
        effects
    }

    /// Adds the functions that reach out by themselves or through a known one; returns whether there was any.
    fn extend(&mut self, bodies: &[Body]) -> bool {
        let before = self.functions.len();
        for body in bodies.iter().filter(|body| !self.functions.contains_key(&body.function)).collect::<Vec<_>>() {
            let through = || body.calls.iter().find_map(|call| self.called(call));
            if let Some(effect) = body.direct.or_else(through) {
                if body.function.0.is_some() {
                    self.methods.insert(body.function.1.clone(), effect);
                }
                self.functions.insert(body.function.clone(), effect);
            }
        }
        self.functions.len() > before
    }

    fn called(&self, call: &Call) -> Option<Effect> {
        match call {
            Call::Function(name) => self.functions.get(&(None, name.clone())).copied(),
            Call::OfType(type_name, name) => self.functions.get(&(Some(type_name.clone()), name.clone())).copied(),
            Call::Method(name) => self.methods.get(name).copied(),
        }
    }

    /// What a fragment of a file reaches. `variables` are those that it reads; `is_mocked` tells of calls that are not made.
    pub fn reached(
        &self,
        code: TokenStream,
        imports: &Imports,
        variables: BTreeSet<String>,
        is_mocked: &dyn Fn(&Expr) -> bool,
    ) -> Option<Effect> {
        let statements = statements_of(code);
        let mut bound = Bound(variables);
        statements.iter().for_each(|statement| bound.visit_stmt(statement));
        let mut calls = Calls { imports, is_mocked, variables: bound.0, direct: None, calls: BTreeSet::new() };
        statements.iter().for_each(|statement| calls.visit_stmt(statement));
        calls.direct.or_else(|| calls.calls.iter().find_map(|call| self.called(call)))
    }
}

/// The statements of a fragment; a header or a closure is one expression.
fn statements_of(code: TokenStream) -> Vec<Stmt> {
    let statements = parse_tokens_with(Block::parse_within, code.clone());
    statements
        .unwrap_or_else(|_| parse_tokens(code).map(|expression| vec![Stmt::Expr(expression, None)]).unwrap_or_default())
}

/// A call of something that may be a function of the workspace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Call {
    Function(String),
    OfType(String, String),
    Method(String),
}

/// A function of the workspace, and what stands in it.
#[derive(Debug)]
struct Body {
    function: Function,
    direct: Option<Effect>,
    calls: BTreeSet<Call>,
}

/// Collects the functions of a file.
#[derive(Default)]
struct Bodies {
    imports: Imports,
    of_type: Option<String>,
    found: Vec<Body>,
}

impl Bodies {
    fn add(&mut self, signature: &Signature, block: &Block) {
        let mut bound = Bound(BTreeSet::new());
        bound.visit_signature(signature);
        bound.visit_block(block);
        let (imports, variables) = (&self.imports, bound.0);
        let mut calls = Calls { imports, is_mocked: &|_| false, variables, direct: None, calls: BTreeSet::new() };
        calls.visit_block(block);
        let function = (self.of_type.clone(), signature.ident.to_string());
        let own = |call: Call| match (call, &self.of_type) {
            (Call::OfType(type_name, name), Some(own)) if type_name == "Self" => Call::OfType(own.clone(), name),
            (call, _) => call,
        };
        let (direct, calls) = (calls.direct, calls.calls.into_iter().map(own).collect());
        self.found.push(Body { function, direct, calls });
    }

    fn inside(&mut self, of_type: Option<String>, visit: impl FnOnce(&mut Bodies)) {
        let outer = std::mem::replace(&mut self.of_type, of_type);
        visit(self);
        self.of_type = outer;
    }
}

impl<'ast> Visit<'ast> for Bodies {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.inside(None, |bodies| {
            bodies.add(&item.sig, &item.block);
            visit::visit_item_fn(bodies, item);
        });
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.add(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(block) = &item.default {
            self.add(&item.sig, block);
        }
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let name = match &*item.self_ty {
            Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        self.inside(name, |bodies| visit::visit_item_impl(bodies, item));
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        self.inside(Some(item.ident.to_string()), |bodies| visit::visit_item_trait(bodies, item));
    }
}

/// Collects the variables that a piece of code declares.
struct Bound(BTreeSet<String>);

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        self.0.insert(pattern.ident.to_string());
        visit::visit_pat_ident(self, pattern);
    }
}

/// Collects the calls of a piece of code.
struct Calls<'c> {
    imports: &'c Imports,
    is_mocked: &'c dyn Fn(&Expr) -> bool,
    /// Names that stand for values here, though functions may have them too.
    variables: BTreeSet<String>,
    direct: Option<Effect>,
    calls: BTreeSet<Call>,
}

impl Calls<'_> {
    fn add_path(&mut self, path: &syn::Path) {
        let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let [only] = words.as_slice()
            && self.variables.contains(only)
        {
            return;
        }
        let full = self.imports.resolve(&words).unwrap_or_else(|| words.clone());
        self.direct = self.direct.or_else(|| direct_effect(&full));
        let [.., name] = full.as_slice() else { return };
        let above = full.len().checked_sub(2).map(|at| full[at].clone());
        self.calls.insert(match above.filter(|above| above.starts_with(char::is_uppercase)) {
            Some(above) => Call::OfType(above, name.clone()),
            None => Call::Function(name.clone()),
        });
    }
}

/// What a path reaches that is called or handed on.
fn direct_effect(path: &[String]) -> Option<Effect> {
    let (name, above) = path.split_last()?;
    // A type alone is no call: `Command { .. }` may be a type of the workspace.
    let by_word = |(word, effect): &(&str, Effect)| above.iter().any(|step| step == word).then_some(*effect);
    let by_name = |(module, function, effect): &(&str, &str, Effect)| {
        let is_there = above.last().is_some_and(|last| last == module) && name == function;
        is_there.then_some(*effect)
    };
    PATHS.iter().find_map(by_word).or_else(|| FUNCTIONS.iter().find_map(by_name))
}

impl<'ast> Visit<'ast> for Calls<'_> {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        if (self.is_mocked)(expression) {
            return;
        }
        match expression {
            // A function that is handed on is called by somebody.
            Expr::Path(path) => self.add_path(&path.path),
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                if call.args.is_empty() && METHODS_OF_PATHS.contains(&name.as_str()) {
                    self.direct = self.direct.or(Some(Effect::Files));
                }
                self.calls.insert(Call::Method(name));
            }
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        macro_arguments(call.tokens.clone()).iter().for_each(|argument| self.visit_expr(argument));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "
        use std::fs::{self, remove_dir_all as wipe};
        use std::path::Path;
        fn direct(path: &Path) { fs::remove_dir_all(path).unwrap(); }
        fn renamed(path: &Path) { wipe(path).unwrap(); }
        fn through(path: &Path) { if path.starts_with(\"x\") { direct(path); } }
        fn handed_on(paths: &[&Path]) { paths.iter().copied().for_each(direct); }
        fn pure(text: &str) -> usize { text.len() + text.trim().len() }
        fn stops(code: i32) { std::process::exit(code) }
        struct Store; struct Plain;
        impl Store {
            fn new() -> Store { Store }
            fn save(&self) { Self::write_all(self) }
            fn write_all(&self) { std::fs::write(\"x\", \"y\").unwrap(); }
        }
        impl Plain { fn new() -> Plain { Plain } fn name(&self) -> &str { \"x\" } }
    ";

    fn check(code: &str, expected: Option<Effect>) {
        let file = syn::parse_file(SOURCE).unwrap();
        let effects = Effects::of(std::iter::once(&file));
        let read = BTreeSet::from(["base", "text", "store", "stops"].map(str::to_owned));
        let found = effects.reached(code.parse().unwrap(), &Imports::of_tree(&file), read, &|_| false);
        assert_eq!(found, expected, "{code}");
    }

    #[test]
    fn code_that_reaches_files_is_known_also_through_functions_of_the_workspace() {
        check("let a = pure(text);", None);
        check("direct(base);", Some(Effect::Files));
        check("let a = base.join(job); fs::write(a, x)", Some(Effect::Files));
        check("wipe(base)", Some(Effect::Files));
        check("renamed(base);", Some(Effect::Files));
        check("through(base)", Some(Effect::Files));
        check("handed_on(&[base])", Some(Effect::Files));
        check("let s = Store::new(); Plain::new().name()", None);
        check("store.save();", Some(Effect::Files));
        check("Store::save(&store)", Some(Effect::Files));
        check("paths.iter().map(Store::save)", Some(Effect::Files));
        check("base.exists() && x > 1", Some(Effect::Files));
        check("println!(\"{}\", fs::read_to_string(base).unwrap());", Some(Effect::Files));
        check("std::process::Command::new(\"ls\").spawn()", Some(Effect::Processes));
        check("std::env::set_var(name, value)", Some(Effect::Environment));
        check("if x > 1 { crate::stops(x) }", None);
        check("let direct = text.len(); let a = direct + stops;", None);
        check("std::net::TcpStream::connect(address)", Some(Effect::Network));
    }

    #[test]
    fn calls_that_are_mocked_are_not_made() {
        let file = syn::parse_file(SOURCE).unwrap();
        let effects = Effects::of(std::iter::once(&file));
        let is_mocked = |expression: &Expr| matches!(expression, Expr::Call(_));
        let code = "let a = direct(base); a + 1".parse().unwrap();
        assert_eq!(effects.reached(code, &Imports::of_tree(&file), BTreeSet::new(), &is_mocked), None);
    }
}
