//! The data points of a test binary, collected before `main`, and their visibility.

use std::any::{Any, TypeId};

use super::provider::Provider;

// Each entry adds itself to its list before `main`, so a program without entries contains nothing
// of it. With slices made by the linker, a normal build under resolver 1 would contain their
// symbols.
inventory::collect!(Entry);
inventory::collect!(Import);

/// One item marked as data point.
pub struct Entry {
    /// The module the item stands in.
    pub module: &'static str,
    /// The file it stands in.
    pub file: &'static str,
    /// Its line, for the stable order.
    pub line: u32,
    /// Its name.
    pub name: &'static str,
    /// The groups it names.
    pub groups: &'static [&'static str],
    /// The type of each of its values.
    pub value_type: fn() -> ValueType,
    /// A `Provider` of that type.
    pub provider: fn() -> Box<dyn Any>,
}

/// `datapoints_from!(path)`, standing in `module`.
pub struct Import {
    /// The module that imports.
    pub module: &'static str,
    /// The file of the call.
    pub file: &'static str,
    /// The line of the call.
    pub line: u32,
    /// The path as the user wrote it.
    pub path: &'static str,
}

/// A type with the name to print for it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ValueType {
    /// The identity of the type.
    pub id: TypeId,
    /// The name of the type, for messages.
    pub name: &'static str,
}

impl ValueType {
    /// Returns that of `T`.
    pub fn of<T: 'static>() -> Self {
        Self {
            id: TypeId::of::<T>(),
            name: std::any::type_name::<T>(),
        }
    }
}

/// Returns all data points of the binary, in their stable order.
pub(crate) fn all() -> Vec<&'static Entry> {
    let mut entries: Vec<_> = inventory::iter::<Entry>.into_iter().collect();
    entries.sort_by_key(|entry| (entry.module, entry.file, entry.line, entry.name));
    entries
}

/// Returns the data points that a theory in `module` sees, in their stable order, or the imports
/// that lead nowhere.
pub(crate) fn visible_from(module: &str) -> Result<Vec<&'static Entry>, Vec<String>> {
    let all = all();
    let mut seen: Vec<bool> = all
        .iter()
        .map(|entry| surrounds(entry.module, module))
        .collect();
    let mut nowhere = Vec::new();
    let mut imports: Vec<_> = inventory::iter::<Import>.into_iter().collect();
    imports.sort_by_key(|import| (import.module, import.file, import.line));
    for import in imports
        .into_iter()
        .filter(|import| surrounds(import.module, module))
    {
        let found = imported(import, &all);
        if found.is_empty() {
            nowhere.push(format!(
                "`datapoints_from!({})` ({}:{}) finds no data points there{}",
                import.path,
                import.file,
                import.line,
                modules_with_points(&all)
            ));
        }
        found.into_iter().for_each(|index| seen[index] = true);
    }
    if !nowhere.is_empty() {
        return Err(nowhere);
    }
    Ok(all
        .into_iter()
        .zip(seen)
        .filter_map(|(entry, seen)| seen.then_some(entry))
        .collect())
}

/// Returns the provider of an entry whose values are of type `T`.
pub(crate) fn provider_of<T: 'static>(entry: &Entry) -> Option<Provider<T>> {
    (entry.provider)().downcast().ok().map(|provider| *provider)
}

/// Returns whether `outer` is `inner` itself or a module around it.
pub(crate) fn surrounds(outer: &str, inner: &str) -> bool {
    inner
        .strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

fn modules_with_points(all: &[&'static Entry]) -> String {
    let mut modules: Vec<_> = all
        .iter()
        .map(|entry| format!("`{}`", entry.module))
        .collect();
    modules.dedup();
    if modules.is_empty() {
        String::from("; this test binary has none at all")
    } else {
        format!("; modules with data points are {}", modules.join(", "))
    }
}

/// Returns the indices in `all` that an import names: those of a module, or one item.
fn imported(import: &Import, all: &[&'static Entry]) -> Vec<usize> {
    let at = |path: &str| -> Vec<usize> {
        let named = |entry: &Entry| {
            entry.module == path || path == format!("{}::{}", entry.module, entry.name)
        };
        (0..all.len()).filter(|&index| named(all[index])).collect()
    };
    let exact = absolute_paths(import)
        .into_iter()
        .map(|path| at(&path))
        .find(|found| !found.is_empty());
    exact.unwrap_or_else(|| {
        // The path may start at a `use` of the user's, which is invisible here, so only its end is
        // compared.
        let tail = import
            .path
            .split("::")
            .filter(|part| !["crate", "self", "super"].contains(part));
        let tail = format!("::{}", tail.collect::<Vec<_>>().join("::"));
        (0..all.len())
            .filter(|&index| {
                let entry = all[index];
                entry.module.ends_with(&tail)
                    || format!("{}::{}", entry.module, entry.name).ends_with(&tail)
            })
            .collect()
    })
}

/// Returns the possible meanings of a path, most likely first.
fn absolute_paths(import: &Import) -> Vec<String> {
    let path: String = import.path.split_whitespace().collect();
    let mut here: Vec<&str> = import.module.split("::").collect();
    let mut parts = path.trim_start_matches("::").split("::").peekable();
    let mut anchored = path.starts_with("::");
    if anchored {
        here.clear();
    }
    while let Some(first) = parts.peek() {
        match *first {
            "crate" => here.truncate(1),
            "self" => {}
            "super" => {
                here.pop();
            }
            _ => break,
        }
        anchored = true;
        parts.next();
    }
    let rest: Vec<&str> = parts.collect();
    let from_here = here
        .iter()
        .chain(&rest)
        .copied()
        .collect::<Vec<_>>()
        .join("::");
    if anchored {
        vec![from_here]
    } else {
        vec![from_here, rest.join("::")]
    }
}

#[cfg(test)]
mod tests {
    use super::{Import, absolute_paths, surrounds};

    fn paths(path: &'static str) -> Vec<String> {
        absolute_paths(&Import {
            module: "shop::till::tests",
            file: "",
            line: 1,
            path,
        })
    }

    #[test]
    fn a_module_sees_itself_and_what_is_around_it() {
        assert!(surrounds("shop::till", "shop::till"));
        assert!(surrounds("shop", "shop::till"));
        assert!(!surrounds("shop::till", "shop"));
        assert!(!surrounds("shop::ti", "shop::till"));
    }

    #[test]
    fn an_import_path_is_read_from_where_it_stands() {
        assert_eq!(paths("crate::points"), ["shop::points"]);
        assert_eq!(paths("super::super::points"), ["shop::points"]);
        assert_eq!(paths("self::points"), ["shop::till::tests::points"]);
        assert_eq!(
            paths("other::points"),
            ["shop::till::tests::other::points", "other::points"]
        );
        assert_eq!(paths("::other::points"), ["other::points"]);
    }
}
