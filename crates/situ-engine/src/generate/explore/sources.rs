//! The sources of the crates with theories: literals to try, and the names of types.

use super::constants::dictionary;
use super::theories::Theory;
use crate::source::{SourceFile, module_files};
use crate::values::{TestModule, TypeTable, written_type};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The sources of the crates that have theories.
pub(super) struct Sources {
    crates: BTreeMap<PathBuf, (TypeTable, String)>,
}

impl Sources {
    /// Parses the sources.
    pub(super) fn of(theories: &[Theory]) -> Sources {
        let mut crates = BTreeMap::new();
        for theory in theories {
            crates.entry(theory.root.clone()).or_insert_with(|| {
                let files = module_files(&theory.root).unwrap_or_default();
                let mut all = dictionary(&files);
                // A test of a library compares with the library's constants.
                let library: Vec<SourceFile> = library_beside(&theory.root);
                all.push_str(&dictionary(&library));
                (TypeTable::of(&theory.krate, &files), all)
            });
        }
        Sources { crates }
    }

    /// Returns the literals that inputs of a theory may be compared with.
    pub(super) fn words(&self, theory: &Theory) -> &str {
        self.crates
            .get(&theory.root)
            .map(|(_, words)| words.as_str())
            .unwrap_or_default()
    }

    /// Returns an expression with the names of types as the theory's module writes them.
    pub(super) fn named(&self, theory: &Theory, expression: &str) -> String {
        let Some((types, _)) = self.crates.get(&theory.root) else {
            return expression.to_owned();
        };
        let module = theory.module.join("::");
        let here = TestModule {
            krate: theory.krate.clone(),
            imports: theory.imports.clone(),
            module,
            function: None,
            short_names: true,
        };
        with_names(expression, &here, types)
    }
}

/// An expression with the names of types as a module writes them.
pub(crate) fn with_names(expression: &str, here: &TestModule, types: &TypeTable) -> String {
    let mut out = String::new();
    let mut rest = expression;
    while let Some((before, after)) = rest.split_once('‹') {
        out.push_str(before);
        let Some((name, behind)) = after.split_once('›') else {
            break;
        };
        out.push_str(&written_type(name, here, types).unwrap_or_else(|| own_path(name, here)));
        rest = behind;
    }
    out + rest
}

/// Returns the path of a function, as a module of its crate writes it.
fn own_path(name: &str, here: &TestModule) -> String {
    let Some(inside) = name
        .strip_prefix(&here.krate)
        .filter(|inside| inside.starts_with("::"))
    else {
        return name.to_owned();
    };
    let path = format!("crate{inside}");
    here.imports.name_of(&path).unwrap_or(path)
}

fn library_beside(root: &Path) -> Vec<SourceFile> {
    let folder = root.parent().and_then(Path::parent);
    let library = folder
        .map(|folder| folder.join("src/lib.rs"))
        .filter(|library| library != root && library.exists());
    library
        .and_then(|library| module_files(&library).ok())
        .unwrap_or_default()
}
