//! Types of a workspace, collected from its sources.

use crate::cargo::workspace::Workspace;
use crate::source::module_files;
use crate::values::{Declarations, TypeTable};
use cargo_metadata::Target;
use std::collections::HashSet;

/// Returns the declarations of all crates of a workspace.
pub fn declarations_of(workspace: &Workspace) -> Declarations {
    let mut declared = Declarations::default();
    for target in workspace
        .all_packages()
        .iter()
        .flat_map(|package| &package.targets)
    {
        let files = module_files(target.src_path.as_std_path()).unwrap_or_default();
        declared.add(&target.name.replace('-', "_"), &files);
    }
    declared
}

/// Returns the types of a crate of the workspace.
pub fn types_of(workspace: &Workspace, krate: &str, declared: &Declarations) -> TypeTable {
    let packages = workspace.all_packages();
    let targets = packages.iter().flat_map(|package| &package.targets);
    let own = targets.filter(|target| target.name.replace('-', "_") == krate);
    let mut tables = own.map(|target| {
        let files = module_files(target.src_path.as_std_path()).unwrap_or_default();
        TypeTable::of(krate, &files)
    });
    let mut types = tables.next().unwrap_or_else(|| TypeTable::of(krate, &[]));
    // The binary of a package usually has the same name as its library.
    tables.for_each(|program| types.add_enums_of(program));
    let (named, unnamed): (Vec<_>, Vec<_>) = packages
        .iter()
        .flat_map(|package| &package.targets)
        .partition(|target| target.is_lib() || target.is_proc_macro());
    let names = |targets: Vec<&Target>| {
        targets
            .iter()
            .map(|target| target.name.replace('-', "_"))
            .collect()
    };
    let (named, unnamed): (HashSet<String>, HashSet<String>) = (names(named), names(unnamed));
    types.add_declarations(declared);
    types.set_unnamed_crates(
        unnamed
            .into_iter()
            .filter(|name| name != krate && !named.contains(name))
            .collect(),
    );
    types
}
