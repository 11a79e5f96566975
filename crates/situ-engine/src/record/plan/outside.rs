//! Decides which calls leave the workspace, judged by names.

use crate::source::targets::is_plain_manipulation;
use crate::source::{Imports, SourceFile};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::{Ident, ItemMod, Path, Signature};

/// Crates of a workspace, and the names of their functions and methods.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkspaceNames {
    /// Crate names with underscores.
    pub crates: BTreeSet<String>,
    pub functions: BTreeSet<String>,
}

impl WorkspaceNames {
    pub fn add(&mut self, krate: &str, files: &[SourceFile]) {
        self.crates.insert(krate.to_owned());
        self.functions.extend(Declared::collect(files).functions);
    }
}

/// Common methods that nobody would mock, besides those that manipulate data.
const PLAIN_METHODS: &[&str] = &[
    "abs",
    "add",
    "and",
    "and_then",
    "append",
    "as_bytes",
    "as_deref",
    "as_mut",
    "as_os_str",
    "as_path",
    "as_ptr",
    "as_ref",
    "as_slice",
    "as_str",
    "borrow",
    "borrow_mut",
    "by_ref",
    "bytes",
    "capacity",
    "chain",
    "clear",
    "clone",
    "cloned",
    "cmp",
    "contains",
    "contains_key",
    "copied",
    "count",
    "cycle",
    "deref",
    "display",
    "entry",
    "eq",
    "err",
    "expect",
    "expect_err",
    "extend",
    "extend_from_slice",
    "filter",
    "first",
    "fmt",
    "hash",
    "inspect",
    "into",
    "into_boxed_slice",
    "into_bytes",
    "into_inner",
    "into_iter",
    "into_owned",
    "into_string",
    "is_alphabetic",
    "is_alphanumeric",
    "is_ascii_digit",
    "is_digit",
    "is_empty",
    "is_err",
    "is_none",
    "is_numeric",
    "is_ok",
    "is_some",
    "is_some_and",
    "is_whitespace",
    "iter",
    "iter_mut",
    "keys",
    "last",
    "len",
    "len_utf8",
    "map",
    "map_err",
    "map_or",
    "map_or_else",
    "max",
    "min",
    "ne",
    "next",
    "next_back",
    "nth",
    "ok",
    "ok_or",
    "ok_or_else",
    "or",
    "or_default",
    "or_else",
    "or_insert",
    "or_insert_with",
    "partial_cmp",
    "peek",
    "peekable",
    "pop",
    "push",
    "push_back",
    "push_front",
    "rev",
    "reverse",
    "skip",
    "swap",
    "take",
    "then",
    "then_some",
    "to_bytes",
    "to_owned",
    "to_path_buf",
    "to_str",
    "to_string",
    "to_string_lossy",
    "to_vec",
    "transpose",
    "try_into",
    "unwrap",
    "unwrap_err",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
    "values",
    "values_mut",
    "with_capacity",
    "wrapping_add",
    "wrapping_mul",
    "wrapping_sub",
];

/// Modules of the standard library whose functions have effects outside the program.
const REACHING_OUT: [&str; 8] = ["env", "fs", "io", "net", "os", "process", "thread", "time"];

/// Types in those modules that are plain data or wrappers, and functions that never return.
const STAYING_IN: [&str; 11] = [
    "BufReader",
    "BufWriter",
    "Cursor",
    "Duration",
    "Error",
    "ErrorKind",
    "JoinHandle",
    "LineWriter",
    "SocketAddr",
    "abort",
    "exit",
];

const PRIMITIVE: [&str; 17] = [
    "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16",
    "u32", "u64", "u8", "usize",
];

/// Names in the workspace and in this crate.
#[derive(Debug)]
pub(super) struct Outside {
    workspace: WorkspaceNames,
    own: Declared,
}

impl Outside {
    /// Collects the names of the workspace and of one of its crates.
    pub(super) fn of(workspace: &WorkspaceNames, files: &[SourceFile]) -> Outside {
        Outside {
            workspace: workspace.clone(),
            own: Declared::collect(files),
        }
    }

    fn is_own_function(&self, name: &str) -> bool {
        self.own.functions.contains(name) || self.workspace.functions.contains(name)
    }

    /// Returns whether a call of this path leaves the workspace. Constructors and functions of
    /// plain data do not.
    pub(super) fn is_call(
        &self,
        path: &Path,
        imports: &Imports,
        is_variable: impl Fn(&str) -> bool,
    ) -> bool {
        let words: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        let Some(last) = words.last() else {
            return false;
        };
        if last.starts_with(char::is_uppercase) || (words.len() == 1 && is_variable(last)) {
            return false;
        }
        let Some(full) = imports.resolve(&words) else {
            return self.is_unresolved_call(&words, imports);
        };
        match full[0].as_str() {
            "crate" | "self" | "super" => false,
            "std" | "core" | "alloc" => reaches_out(&full),
            krate => !self.workspace.crates.contains(krate) && !self.own.modules.contains(krate),
        }
    }

    /// Returns whether a call of a path that no `use` explains leaves the workspace.
    fn is_unresolved_call(&self, words: &[String], imports: &Imports) -> bool {
        let first = words[0].as_str();
        match words {
            [only] => imports.has_outside_glob() && only != "drop" && !self.is_own_function(only),
            _ if matches!(first, "crate" | "self" | "super" | "Self") => false,
            _ if matches!(first, "std" | "core" | "alloc") => reaches_out(words),
            // A type without `use` is from the crate, from the prelude, or a generic parameter.
            _ if first.starts_with(char::is_uppercase) || PRIMITIVE.contains(&first) => false,
            _ => !self.own.modules.contains(first) && !self.workspace.crates.contains(first),
        }
    }

    /// Returns whether a call of this method may leave the workspace. The receiver's type decides
    /// at run time.
    pub(super) fn is_method(&self, name: &Ident, arguments: usize) -> bool {
        let name = name.to_string();
        !self.is_own_function(&name)
            && !PLAIN_METHODS.contains(&name.as_str())
            && !is_plain_manipulation(&name, arguments)
    }
}

/// Returns whether a path is a function of the standard library with effects outside the program.
fn reaches_out(path: &[String]) -> bool {
    path.get(1)
        .is_some_and(|module| REACHING_OUT.contains(&module.as_str()))
        && !path.iter().any(|word| STAYING_IN.contains(&word.as_str()))
}

/// Names that the files of a crate declare.
#[derive(Debug, Default)]
struct Declared {
    functions: BTreeSet<String>,
    modules: BTreeSet<String>,
}

impl Declared {
    fn collect(files: &[SourceFile]) -> Declared {
        let mut declared = Declared::default();
        for file in files {
            declared.modules.extend(file.module.last().cloned());
            declared.visit_file(&file.tree);
        }
        declared
    }
}

impl<'ast> Visit<'ast> for Declared {
    fn visit_signature(&mut self, signature: &'ast Signature) {
        self.functions.insert(signature.ident.to_string());
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.modules.insert(item.ident.to_string());
        visit::visit_item_mod(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "use std::{env, fs::{self, File}, time::SystemTime as Clock}; use rand::Rng; use crate::own; \
                          mod parse { pub fn number() {} } struct Own; impl Own { fn fetch(&self) {} }";

    fn file() -> SourceFile {
        SourceFile {
            path: "src/lib.rs".into(),
            module: Vec::new(),
            conditions: Vec::new(),
            text: SOURCE.to_owned(),
            tree: syn::parse_file(SOURCE).unwrap(),
        }
    }

    fn is_call(path: &str) -> bool {
        let file = file();
        let workspace = WorkspaceNames {
            crates: BTreeSet::from(["member".to_owned()]),
            ..WorkspaceNames::default()
        };
        let outside = Outside::of(&workspace, std::slice::from_ref(&file));
        outside.is_call(
            &syn::parse_str(path).unwrap(),
            &Imports::of(&file),
            |name| name == "closure",
        )
    }

    #[test]
    fn functions_that_reach_out_and_those_of_dependencies_leave_the_workspace() {
        for path in [
            "env::var",
            "fs::read",
            "File::open",
            "Clock::now",
            "std::thread::sleep",
            "rand::random",
        ] {
            assert!(is_call(path), "{path}");
        }
    }

    #[test]
    fn own_functions_constructors_and_functions_of_data_stay() {
        for path in [
            "own::f",
            "parse::number",
            "number",
            "Own::new",
            "Some",
            "String::from",
            "u8::from_str_radix",
        ] {
            assert!(!is_call(path), "{path}");
        }
        for path in [
            "closure",
            "member::f",
            "std::mem::take",
            "std::process::exit",
            "std::io::Error::other",
            "T::make",
        ] {
            assert!(!is_call(path), "{path}");
        }
    }

    #[test]
    fn methods_of_the_workspace_and_plain_ones_stay() {
        let file = file();
        let outside = Outside::of(&WorkspaceNames::default(), std::slice::from_ref(&file));
        let is_method = |name: &str| outside.is_method(&syn::parse_str(name).unwrap(), 0);
        assert!(is_method("send") && is_method("is_match"));
        assert!(!is_method("fetch") && !is_method("len") && !is_method("trim"));
    }
}
