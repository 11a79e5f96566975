//! Finds code that has effects outside the program, as far as names show: files, processes, the
//! network, the environment or the clock. Such code is never executed with generated inputs, and
//! tests of it are shown only if mocks replace its effects.

use super::{is_plain_manipulation, lasting, macro_arguments};
use crate::source::Imports;
use crate::source::{parse_tokens, parse_tokens_with};
use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use syn::visit::{self, Visit};
use syn::{
    Block, Expr, ExprMethodCall, File, FnArg, ImplItemFn, ItemFn, ItemImpl, ItemTrait, Macro,
    PatIdent, Signature, Stmt, TraitItemFn, Type,
};

/// Kind of an effect. If code has several, the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Effect {
    /// Reading the time.
    Clock,
    /// Reading the environment, arguments, working folder or standard input of this process.
    Surroundings,
    /// Access to files and folders.
    Files,
    /// Access to other processes.
    Processes,
    /// Access to other machines, or to other programs on this one.
    Network,
    /// Change of the environment or the working folder of this process.
    Environment,
    /// Change of a static, or a lock in it.
    Statics,
}

/// Which effects to look for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sought {
    /// All effects outside the program.
    #[default]
    Reaching,
    /// Only effects that last, outside the program or in a static; reading does not count.
    Changing,
}

impl Effect {
    /// Returns whether the effect may change something, not only read it.
    pub(crate) fn acts(self) -> bool {
        !matches!(self, Effect::Clock | Effect::Surroundings)
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Effect::Clock => "the clock",
            Effect::Surroundings => "the arguments or environment of the process",
            Effect::Files => "files",
            Effect::Processes => "other processes",
            Effect::Network => "the network",
            Effect::Environment => "the environment",
            Effect::Statics => "statics",
        })
    }
}

/// Modules and types with effects, by a segment of their path: standard library and well-known
/// crates.
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

/// Functions with effects in modules and types whose other functions have none.
const FUNCTIONS: &[(&str, &[&str], Effect)] = &[
    (
        "env",
        &["set_var", "remove_var", "set_current_dir"],
        Effect::Environment,
    ),
    (
        "env",
        &["var", "var_os", "vars", "vars_os", "args", "args_os"],
        Effect::Surroundings,
    ),
    (
        "env",
        &["current_dir", "current_exe", "home_dir", "temp_dir"],
        Effect::Surroundings,
    ),
    ("io", &["stdin", "read_to_string"], Effect::Surroundings),
    ("process", &["id"], Effect::Surroundings),
    ("thread", &["available_parallelism"], Effect::Surroundings),
    ("Instant", &["now"], Effect::Clock),
    ("SystemTime", &["now"], Effect::Clock),
    ("Utc", &["now", "today"], Effect::Clock),
    ("Local", &["now", "today"], Effect::Clock),
    ("OffsetDateTime", &["now_utc", "now_local"], Effect::Clock),
    ("Timestamp", &["now"], Effect::Clock),
    ("Zoned", &["now"], Effect::Clock),
];

/// Path prefixes that refer to the workspace.
const OWN: &[&str] = &["crate", "self", "super"];

/// Methods of paths that access files. Other types rarely have methods of these names without
/// arguments.
const METHODS_OF_PATHS: &[&str] = &[
    "canonicalize",
    "exists",
    "is_dir",
    "is_file",
    "is_symlink",
    "metadata",
    "read_dir",
    "read_link",
    "try_exists",
];

/// Methods that types of the standard library have. A type of the workspace may have them too, and
/// the name alone does not tell which is called.
const COMMON_METHODS: &[&str] = &[
    "as_ref",
    "borrow",
    "clear",
    "clone",
    "cmp",
    "contains",
    "contains_key",
    "default",
    "entry",
    "eq",
    "extend",
    "first",
    "flush",
    "fmt",
    "get",
    "get_mut",
    "hash",
    "insert",
    "into",
    "into_iter",
    "is_empty",
    "iter",
    "iter_mut",
    "key",
    "keys",
    "last",
    "len",
    "lock",
    "map",
    "name",
    "next",
    "peek",
    "pop",
    "push",
    "read",
    "read_line",
    "read_to_end",
    "read_to_string",
    "remove",
    "seek",
    "send",
    "size_hint",
    "take",
    "to_string",
    "unwrap",
    "value",
    "values",
    "write",
    "write_all",
    "write_str",
];

/// Function: the type that it belongs to, if any, and its name.
type Function = (Option<String>, String);

/// Effects of the functions of a workspace, direct and through calls.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    sought: Sought,
    functions: BTreeMap<Function, Effect>,
    /// Effects by method name and number of arguments, for all types.
    methods: BTreeMap<(String, usize), Effect>,
    /// Names and numbers of arguments of all methods of the workspace.
    own_methods: BTreeSet<(String, usize)>,
    /// All functions of the workspace.
    own: BTreeSet<Function>,
}

/// Variables and places that a fragment reads, each with the name of its type, without its module,
/// where that is known.
pub(crate) type Variables = BTreeMap<String, Option<String>>;

impl Effects {
    /// Finds the effects of all functions in the files of a workspace.
    pub(crate) fn of<'f>(sought: Sought, files: impl Iterator<Item = &'f File>) -> Effects {
        let mut bodies = Bodies {
            sought,
            ..Bodies::default()
        };
        for file in files {
            bodies.imports = Imports::of_tree(file);
            bodies.visit_file(file);
        }
        let methods = bodies.found.iter().filter(|body| body.function.0.is_some());
        let own_methods = methods
            .map(|body| (body.function.1.clone(), body.arguments))
            .collect();
        let own = bodies
            .found
            .iter()
            .map(|body| body.function.clone())
            .collect();
        let mut effects = Effects {
            sought,
            own,
            own_methods,
            ..Effects::default()
        };
        // Repeat until no caller of a known function is new.
        while effects.extend(&bodies.found) {}
        effects
    }

    /// Returns the effect of calling the function with this path.
    pub(crate) fn of_path(&self, path: &syn::Path, imports: &Imports) -> Option<Effect> {
        let full = full_path(path, imports);
        direct_effect(self.sought, &full).or_else(|| self.called(&Call::of_path(&full)?))
    }

    /// Returns the greatest effect of a method with this name, for any type.
    pub(crate) fn of_method(&self, name: &str) -> Option<Effect> {
        self.methods
            .iter()
            .filter(|((known, _), _)| known == name)
            .map(|(_, effect)| *effect)
            .max()
    }

    /// Returns whether a path may name a function of the workspace.
    pub(crate) fn is_own(&self, path: &syn::Path, imports: &Imports) -> bool {
        match Call::of_path(&full_path(path, imports)) {
            Some(Call::OfType(type_name, _)) => self
                .own
                .iter()
                .any(|(of_type, _)| of_type.as_ref() == Some(&type_name)),
            Some(Call::Function(name) | Call::Method(name, _)) => self.own.contains(&(None, name)),
            None => false,
        }
    }

    /// Adds functions that have effects directly or through a known function. Returns whether any
    /// is new.
    fn extend(&mut self, bodies: &[Body]) -> bool {
        let mut is_new = false;
        for body in bodies {
            let through = body.calls.iter().filter_map(|call| self.called(call)).max();
            let Some(effect) = body.direct.max(through) else {
                continue;
            };
            if self.functions.get(&body.function) >= Some(&effect) {
                continue;
            }
            is_new = true;
            self.functions.insert(body.function.clone(), effect);
            if body.function.0.is_some() {
                let known = self
                    .methods
                    .entry((body.function.1.clone(), body.arguments))
                    .or_insert(effect);
                *known = effect.max(*known);
            }
        }
        is_new
    }

    fn called(&self, call: &Call) -> Option<Effect> {
        match call {
            Call::Function(name) => self.functions.get(&(None, name.clone())).copied(),
            Call::OfType(type_name, name) => {
                let of_type = |name: &str| {
                    self.functions
                        .get(&(Some(type_name.clone()), name.to_owned()))
                        .copied()
                };
                // A constructed value may cause the effect later, when it is dropped.
                of_type(name)
                    .or_else(|| of_type("drop").filter(|_| self.sought == Sought::Changing))
            }
            Call::Method(name, arguments) => {
                let known = (name.clone(), *arguments);
                let of_path = *arguments == 0 && METHODS_OF_PATHS.contains(&name.as_str());
                // For a method of the workspace, its own body decides.
                let of_path = of_path
                    && self.sought == Sought::Reaching
                    && !self.own_methods.contains(&known);
                self.methods
                    .get(&known)
                    .copied()
                    .or(of_path.then_some(Effect::Files))
            }
        }
    }

    /// Returns the effect of a function: an associated one by the type's name, or a free one.
    pub(crate) fn of_function(&self, of_type: Option<&str>, name: &str) -> Option<Effect> {
        self.functions
            .get(&(of_type.map(str::to_owned), name.to_owned()))
            .copied()
    }

    /// Returns the greatest effect that a fragment may have, assuming any type for its values.
    /// `variables` are those that it reads; `is_mocked` says which calls are replaced by mocks.
    pub(crate) fn may_reach(
        &self,
        code: TokenStream,
        imports: &Imports,
        variables: Variables,
        is_mocked: &dyn Fn(&Expr) -> bool,
    ) -> Option<Effect> {
        self.found_in(code, imports, variables, is_mocked, &|_| true)
    }

    /// Returns the greatest effect that the names in a fragment prove. Assumes that methods with
    /// common names are those of the standard library.
    pub(crate) fn reached(
        &self,
        code: TokenStream,
        imports: &Imports,
        variables: Variables,
        is_mocked: &dyn Fn(&Expr) -> bool,
    ) -> Option<Effect> {
        let is_told = |call: &Call| match call {
            Call::Method(name, arguments) => {
                !COMMON_METHODS.contains(&name.as_str()) && !is_plain_manipulation(name, *arguments)
            }
            _ => true,
        };
        self.found_in(code, imports, variables, is_mocked, &is_told)
    }

    fn found_in(
        &self,
        code: TokenStream,
        imports: &Imports,
        variables: Variables,
        is_mocked: &dyn Fn(&Expr) -> bool,
        is_told: &dyn Fn(&Call) -> bool,
    ) -> Option<Effect> {
        let statements = statements_of(code);
        let mut bound = Bound(variables.keys().cloned().collect());
        statements
            .iter()
            .for_each(|statement| bound.visit_stmt(statement));
        let mut calls = Calls {
            sought: self.sought,
            imports,
            is_mocked,
            variables: bound.0,
            types: variables,
            direct: None,
            calls: BTreeSet::new(),
        };
        statements
            .iter()
            .for_each(|statement| calls.visit_stmt(statement));
        let through = calls
            .calls
            .iter()
            .filter(|call| is_told(call))
            .filter_map(|call| self.called(call))
            .max();
        calls.direct.max(through)
    }
}

/// Parses the statements of a fragment; a header or a closure is one expression.
fn statements_of(code: TokenStream) -> Vec<Stmt> {
    let statements = parse_tokens_with(Block::parse_within, code.clone());
    let expression =
        || parse_tokens(code.clone()).map(|expression| vec![Stmt::Expr(expression, None)]);
    // A loop may be represented by its header only.
    let header = || parse_tokens_with(Block::parse_within, quote!(#code {}));
    statements
        .or_else(|_| expression())
        .or_else(|_| header())
        .unwrap_or_default()
}

/// Call of something that may be a function of the workspace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Call {
    Function(String),
    OfType(String, String),
    /// Method name and number of arguments.
    Method(String, usize),
}

impl Call {
    /// Classifies the call of a path as that of a function or of an associated function.
    fn of_path(path: &[String]) -> Option<Call> {
        let (name, above) = path.split_last()?;
        Some(
            match above
                .last()
                .filter(|above| above.starts_with(char::is_uppercase))
            {
                Some(above) => Call::OfType(above.clone(), name.clone()),
                None => Call::Function(name.clone()),
            },
        )
    }
}

/// Returns the segments of a path, with imports resolved.
fn full_path(path: &syn::Path, imports: &Imports) -> Vec<String> {
    let words: Vec<String> = path
        .segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect();
    imports.resolve(&words).unwrap_or(words)
}

/// Function of the workspace, with the effects and calls in its body.
#[derive(Debug)]
struct Body {
    function: Function,
    /// Number of arguments, without the receiver.
    arguments: usize,
    direct: Option<Effect>,
    calls: BTreeSet<Call>,
}

/// Visitor that collects the functions of a file.
#[derive(Default)]
struct Bodies {
    sought: Sought,
    imports: Imports,
    of_type: Option<String>,
    found: Vec<Body>,
}

impl Bodies {
    fn add(&mut self, signature: &Signature, block: &Block) {
        let mut bound = Bound(BTreeSet::new());
        bound.visit_signature(signature);
        bound.visit_block(block);
        let (sought, imports, variables) = (self.sought, &self.imports, bound.0);
        let mut calls = Calls {
            sought,
            imports,
            is_mocked: &|_| false,
            variables,
            types: Variables::new(),
            direct: None,
            calls: BTreeSet::new(),
        };
        calls.visit_block(block);
        let function = (self.of_type.clone(), signature.ident.to_string());
        let own = |call: Call| match (call, &self.of_type) {
            (Call::OfType(type_name, name), Some(own)) if type_name == "Self" => {
                Call::OfType(own.clone(), name)
            }
            (call, _) => call,
        };
        let (direct, calls) = (calls.direct, calls.calls.into_iter().map(own).collect());
        let arguments = signature
            .inputs
            .iter()
            .filter(|input| matches!(input, FnArg::Typed(_)))
            .count();
        self.found.push(Body {
            function,
            arguments,
            direct,
            calls,
        });
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
        self.inside(Some(item.ident.to_string()), |bodies| {
            visit::visit_item_trait(bodies, item)
        });
    }
}

/// Visitor that collects the variables that a piece of code declares.
struct Bound(BTreeSet<String>);

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        self.0.insert(pattern.ident.to_string());
        visit::visit_pat_ident(self, pattern);
    }
}

/// Visitor that collects the calls in a piece of code.
struct Calls<'c> {
    sought: Sought,
    imports: &'c Imports,
    is_mocked: &'c dyn Fn(&Expr) -> bool,
    /// Names that are variables here, though functions may have the same names.
    variables: BTreeSet<String>,
    /// Variables whose types are known.
    types: Variables,
    direct: Option<Effect>,
    calls: BTreeSet<Call>,
}

impl Calls<'_> {
    fn add_path(&mut self, path: &syn::Path) {
        if path
            .get_ident()
            .is_some_and(|only| self.variables.contains(&only.to_string()))
        {
            return;
        }
        let full = full_path(path, self.imports);
        self.direct = self.direct.max(direct_effect(self.sought, &full));
        self.calls.extend(Call::of_path(&full));
    }

    fn add_method(&mut self, call: &ExprMethodCall) {
        let name = call.method.to_string();
        if self.sought == Sought::Changing && lasting::is_static_changed(&call.receiver, &name) {
            self.direct = self.direct.max(Some(Effect::Statics));
        }
        // A method of a known type is no other type's, however common its name is.
        let receiver = call.receiver.to_token_stream().to_string();
        if let Some(Some(type_name)) = self.types.get(&receiver.replace(' ', "")) {
            let of_type = Call::OfType(type_name.clone(), name.clone());
            self.calls.insert(of_type);
        }
        self.calls.insert(Call::Method(name, call.args.len()));
    }
}

/// Returns the effect of a path that is called or passed as a function.
fn direct_effect(sought: Sought, path: &[String]) -> Option<Effect> {
    let (name, above) = path.split_last()?;
    if sought == Sought::Changing {
        return lasting::change_by(name, above);
    }
    // Functions of the workspace are judged by their own bodies.
    if above
        .first()
        .is_some_and(|first| OWN.contains(&first.as_str()))
    {
        return None;
    }
    // A type alone is no call: `Command { .. }` may be a type of the workspace.
    let by_word =
        |(word, effect): &(&str, Effect)| above.iter().any(|step| step == word).then_some(*effect);
    let by_name = |(module, functions, effect): &(&str, &[&str], Effect)| {
        let is_there =
            above.last().is_some_and(|last| last == module) && functions.contains(&name.as_str());
        is_there.then_some(*effect)
    };
    PATHS
        .iter()
        .find_map(by_word)
        .or_else(|| FUNCTIONS.iter().find_map(by_name))
}

impl<'ast> Visit<'ast> for Calls<'_> {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        if (self.is_mocked)(expression) {
            return;
        }
        match expression {
            // A function that is passed as a value may be called.
            Expr::Path(path) => self.add_path(&path.path),
            Expr::MethodCall(call) => self.add_method(call),
            Expr::Assign(assign)
                if self.sought == Sought::Changing && lasting::is_static(&assign.left) =>
            {
                self.direct = self.direct.max(Some(Effect::Statics));
            }
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        macro_arguments(call.tokens.clone())
            .iter()
            .for_each(|argument| self.visit_expr(argument));
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
        let effects = Effects::of(Sought::Reaching, std::iter::once(&file));
        let read = ["base", "text", "store", "stops"].map(|name| (name.to_owned(), None));
        let read = Variables::from(read);
        let found = effects.reached(
            code.parse().unwrap(),
            &Imports::of_tree(&file),
            read,
            &|_| false,
        );
        assert_eq!(found, expected, "{code}");
    }

    #[test]
    fn code_that_reaches_files_is_known_also_through_functions_of_the_workspace() {
        check("let a = pure(text);", None);
        check("direct(base);", Some(Effect::Files));
        check(
            "let a = base.join(job); fs::write(a, x)",
            Some(Effect::Files),
        );
        check("wipe(base)", Some(Effect::Files));
        check("renamed(base);", Some(Effect::Files));
        check("through(base)", Some(Effect::Files));
        check("handed_on(&[base])", Some(Effect::Files));
        check("let s = Store::new(); Plain::new().name()", None);
        check("store.save();", Some(Effect::Files));
        check("Store::save(&store)", Some(Effect::Files));
        check("paths.iter().map(Store::save)", Some(Effect::Files));
        check("base.exists() && x > 1", Some(Effect::Files));
        check(
            "println!(\"{}\", fs::read_to_string(base).unwrap());",
            Some(Effect::Files),
        );
        check(
            "std::process::Command::new(\"ls\").spawn()",
            Some(Effect::Processes),
        );
        check("std::env::set_var(name, value)", Some(Effect::Environment));
        check(
            "std::env::set_var(name, value); std::env::var(name)",
            Some(Effect::Environment),
        );
        check(
            "let home = std::env::var(\"HOME\").ok();",
            Some(Effect::Surroundings),
        );
        check("std::env::consts::OS.len()", None);
        check(
            "std::thread::available_parallelism().map_or(1, |n| n.get())",
            Some(Effect::Surroundings),
        );
        check("let took = std::time::Instant::now();", Some(Effect::Clock));
        check("for entry in fs::read_dir(base)", Some(Effect::Files));
        check(
            "let Ok(text) = fs::read_to_string(base)",
            Some(Effect::Files),
        );
        check("base.is_dir()", Some(Effect::Files));
        check("crate::fs::normalized(base)", None);
        check("if x > 1 { crate::stops(x) }", None);
        check("let direct = text.len(); let a = direct + stops;", None);
        check(
            "std::net::TcpStream::connect(address)",
            Some(Effect::Network),
        );
    }

    #[test]
    fn a_method_with_a_name_that_everybody_uses_is_taken_for_the_standard_librarys() {
        let source = "struct Disk; impl Disk { fn get(&self, name: &str) -> String { std::fs::read_to_string(name).unwrap() } \
            fn fetch(&self, name: &str) -> String { self.get(name) } fn is_dir(&self) -> bool { true } }";
        let file = syn::parse_file(source).unwrap();
        let effects = Effects::of(Sought::Reaching, std::iter::once(&file));
        let ask = |code: &str| {
            let (imports, none) = (Imports::of_tree(&file), Variables::new());
            let code: TokenStream = code.parse().unwrap();
            let told = effects.reached(code.clone(), &imports, none.clone(), &|_| false);
            (told, effects.may_reach(code, &imports, none, &|_| false))
        };
        assert_eq!(ask("map.get(x)"), (None, Some(Effect::Files)));
        assert_eq!(
            ask("disk.fetch(x)"),
            (Some(Effect::Files), Some(Effect::Files))
        );
        assert_eq!(
            ask("disk.fetch(x, y)"),
            (None, None),
            "that is another method"
        );
        assert_eq!(
            ask("disk.is_dir()"),
            (None, None),
            "the workspace's own, which looks at nothing"
        );
    }

    #[test]
    fn a_common_method_of_a_known_type_is_that_types() {
        let source = "struct Disk; impl Disk { fn get(&self, name: &str) -> String { \
            std::fs::read_to_string(name).unwrap() } fn len(&self) -> usize { 0 } }";
        let file = syn::parse_file(source).unwrap();
        let effects = Effects::of(Sought::Reaching, std::iter::once(&file));
        let ask = |code: &str, type_name: &str| {
            let types = [("disk", type_name), ("self.disk", type_name)];
            let types = types.map(|(name, of)| (name.to_owned(), Some(of.to_owned())));
            let code: TokenStream = code.parse().unwrap();
            effects.reached(code, &Imports::of_tree(&file), types.into(), &|_| false)
        };
        assert_eq!(ask("disk.get(x)", "Disk"), Some(Effect::Files));
        assert_eq!(ask("self.disk.get(x).trim()", "Disk"), Some(Effect::Files));
        assert_eq!(ask("disk.get(x)", "HashMap"), None);
        assert_eq!(ask("disk.len()", "Disk"), None);
    }

    #[test]
    fn code_that_leaves_a_change_is_told_from_code_that_looks() {
        let source = "use std::fs; use std::sync::Mutex;
            static LOG: Mutex<Vec<u8>> = Mutex::new(Vec::new());
            fn note(byte: u8) { LOG.lock().unwrap().push(byte); }
            fn level(to: u8) { unsafe { LEVEL = to; } }
            fn load(path: &str) -> String { fs::read_to_string(path).unwrap() }
            fn area() -> u32 { WIDTH.pow(2) }
            struct Guard; impl Drop for Guard { fn drop(&mut self) { std::env::remove_var(\"X\"); } }
            impl Guard { fn new() -> Guard { Guard } }";
        let file = syn::parse_file(source).unwrap();
        let effects = Effects::of(Sought::Changing, std::iter::once(&file));
        let imports = Imports::of_tree(&file);
        for (path, expected) in [
            ("note", Some(Effect::Statics)),
            ("level", Some(Effect::Statics)),
            ("load", None),
            ("area", None),
            ("Guard::new", Some(Effect::Environment)),
            ("fs::write", Some(Effect::Files)),
            ("fs::read", None),
            ("std::fs::File::open", None),
            ("std::fs::File::create", Some(Effect::Files)),
            ("create_dir_all", Some(Effect::Files)),
            ("std::process::Command::new", Some(Effect::Processes)),
            ("std::thread::spawn", Some(Effect::Processes)),
            ("std::env::set_var", Some(Effect::Environment)),
            ("std::env::var", None),
            ("String::new", None),
        ] {
            assert_eq!(
                effects.of_path(&syn::parse_str(path).unwrap(), &imports),
                expected,
                "{path}"
            );
        }
        assert_eq!(effects.of_method("drop"), Some(Effect::Environment));
        let is_own = |path: &str| effects.is_own(&syn::parse_str(path).unwrap(), &imports);
        assert!(
            is_own("note")
                && is_own("Guard::other")
                && !is_own("String::new")
                && !is_own("fs::write")
        );
    }

    #[test]
    fn calls_that_are_mocked_are_not_made() {
        let file = syn::parse_file(SOURCE).unwrap();
        let effects = Effects::of(Sought::Reaching, std::iter::once(&file));
        let is_mocked = |expression: &Expr| matches!(expression, Expr::Call(_));
        let code = "let a = direct(base); a + 1".parse().unwrap();
        assert_eq!(
            effects.reached(code, &Imports::of_tree(&file), Variables::new(), &is_mocked),
            None
        );
    }
}
