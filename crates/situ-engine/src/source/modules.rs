//! The files of a crate, found from its root file by its `mod` items.

use crate::fault;
use anyhow::{Context as _, Result};
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use syn::{Attribute, Expr, ExprLit, Item, ItemMod, Lit, Meta};

/// A file of a crate.
pub struct SourceFile {
    /// Where it is: the root's path with the modules' paths joined to it.
    pub path: PathBuf,
    /// The modules that lead to it, without the crate: `["parse", "number"]`.
    pub module: Vec<String>,
    /// The `#[cfg(…)]` attributes of the `mod` items that lead to it, and its own.
    pub conditions: Vec<Attribute>,
    /// Its text.
    pub text: String,
    /// Its syntax tree, whose spans are byte ranges of the text.
    pub tree: syn::File,
}

#[cfg(test)]
impl SourceFile {
    /// The root of a library with this text.
    pub fn root(text: &str) -> SourceFile {
        let (path, tree) = ("src/lib.rs".into(), syn::parse_file(text).unwrap());
        let conditions = tree.attrs.clone();
        SourceFile { path, module: Vec::new(), conditions, text: text.to_owned(), tree }
    }
}

/// All files of the crate with this root. Files that are missing (another configuration has them) or that do not
/// parse are left out; only a root that cannot be read is an error.
pub fn module_files(root: &Path) -> Result<Vec<SourceFile>> {
    read_modules(root).map(|(files, _)| files)
}

/// A file that a `mod` item names, that is there, and that cannot be read.
pub struct UnreadableModule {
    /// Where it is.
    pub path: PathBuf,
    /// The `#[cfg(…)]` attributes of the `mod` items that lead to it.
    pub conditions: Vec<Attribute>,
    /// Why it cannot be read, with the line where that is known.
    pub why: String,
}

/// The files of the crate with this root, and those that are left out because they cannot be read.
pub fn read_modules(root: &Path) -> Result<(Vec<SourceFile>, Vec<UnreadableModule>)> {
    let mut search = Search { found: Vec::new(), unreadable: Vec::new(), seen: BTreeSet::new() };
    let first = read(root, Vec::new(), Vec::new())?;
    search.seen.insert(root.to_path_buf());
    let beside = root.parent().unwrap_or(Path::new("")).to_path_buf();
    search.add(first, &beside);
    Ok((search.found, search.unreadable))
}

/// Why a file that is there cannot be read; nothing where it is not there.
pub fn why_unreadable(path: &Path) -> Option<String> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        Err(error) => return Some(error.to_string()),
    };
    let error = super::parse(&text).err()?;
    Some(format!("line {}: {error}", error.span().start().line))
}

struct Search {
    found: Vec<SourceFile>,
    unreadable: Vec<UnreadableModule>,
    seen: BTreeSet<PathBuf>,
}

/// Where the modules of an item list are looked for.
#[derive(Clone)]
struct Place {
    /// The folder of the file that holds the list: what `#[path]` is relative to outside inline modules.
    file_folder: PathBuf,
    /// The folder of child modules.
    children: PathBuf,
    inline: bool,
    module: Vec<String>,
    conditions: Vec<Attribute>,
}

impl Search {
    fn add(&mut self, file: SourceFile, children: &Path) {
        let place = Place {
            file_folder: file.path.parent().unwrap_or(Path::new("")).to_path_buf(),
            children: children.to_path_buf(),
            inline: false,
            module: file.module.clone(),
            conditions: file.conditions.clone(),
        };
        let items = file.tree.items.clone();
        self.found.push(file);
        self.items(&items, &place);
    }

    fn items(&mut self, items: &[Item], place: &Place) {
        for item in items {
            if let Item::Mod(module) = item {
                self.module(module, place);
            }
        }
    }

    fn module(&mut self, item: &ItemMod, place: &Place) {
        let name = item.ident.to_string().trim_start_matches("r#").to_owned();
        let mut inner = place.clone();
        inner.module.push(name.clone());
        inner.conditions.extend(item.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg")).cloned());
        let given = path_attribute(&item.attrs);
        if let Some((_, items)) = &item.content {
            inner.children = match given {
                Some(given) if !place.inline => place.file_folder.join(given),
                Some(given) => place.children.join(given),
                None => place.children.join(&name),
            };
            inner.inline = true;
            self.items(items, &inner);
            return;
        }
        let candidates = match given {
            Some(given) if place.inline => vec![(place.children.join(&given), None)],
            Some(given) => vec![(place.file_folder.join(&given), None)],
            None => {
                let folder = place.children.join(&name);
                vec![
                    (place.children.join(format!("{name}.rs")), Some(folder.clone())),
                    (folder.join("mod.rs"), Some(folder)),
                ]
            }
        };
        for (path, children) in candidates {
            if self.seen.contains(&path) {
                return;
            }
            let Ok(file) = read(&path, inner.module.clone(), inner.conditions.clone()) else {
                let conditions = inner.conditions.clone();
                self.unreadable.extend(why_unreadable(&path).map(|why| UnreadableModule { path, conditions, why }));
                continue;
            };
            self.seen.insert(path.clone());
            // A file named by `#[path]` is like a `mod.rs`: its children stand beside it.
            let children = children.unwrap_or_else(|| path.parent().unwrap_or(Path::new("")).to_path_buf());
            self.add(file, &children);
            return;
        }
    }
}

fn read(path: &Path, module: Vec<String>, conditions: Vec<Attribute>) -> Result<SourceFile> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let tree = super::parse(&text).map_err(|error| {
        let start = error.span().start();
        let place = format!("{}:{}:{}", path.display(), start.line, start.column + 1);
        fault::user_code(format!("{place}: {error}; `cargo check` tells more"))
    })?;
    let inner = tree.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg")).cloned();
    let conditions = conditions.into_iter().chain(inner).collect();
    Ok(SourceFile { path: path.to_path_buf(), module, conditions, text, tree })
}

fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) => Some(path.value()),
            _ => None,
        },
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_found_beside_below_and_by_path() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("src/lib.rs", "mod a; mod b; #[cfg(x)] mod c { mod d; } #[path = \"else/where.rs\"] mod e; mod missing;");
        write("src/a.rs", "mod inner;");
        write("src/a/inner.rs", "");
        write("src/b/mod.rs", "");
        write("src/c/d.rs", "");
        write("src/else/where.rs", "#![cfg(test)] mod near;");
        write("src/else/near.rs", "");
        let files = module_files(&folder.path().join("src/lib.rs")).unwrap();
        let names: Vec<String> = files.iter().map(|file| file.module.join("::")).collect();
        assert_eq!(names, ["", "a", "a::inner", "b", "c::d", "e", "e::near"]);
        let conditions: Vec<usize> = files.iter().map(|file| file.conditions.len()).collect();
        assert_eq!(conditions, [0, 0, 0, 0, 1, 1, 1]);
    }

    #[test]
    fn files_that_cannot_be_read_are_told_from_those_that_are_missing() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &[u8]| fs::write(folder.path().join(name), text).unwrap();
        write("lib.rs", b"mod good; mod missing; mod torn; #[cfg(test)] mod latin;");
        write("good.rs", b"");
        write("torn.rs", b"fn f() {}\nfn g( {}");
        write("latin.rs", b"// caf\xe9\n");
        let (files, unreadable) = read_modules(&folder.path().join("lib.rs")).unwrap();
        assert_eq!(files.len(), 2);
        let said: Vec<(&str, usize)> =
            unreadable.iter().map(|file| (file.why.as_str(), file.conditions.len())).collect();
        assert_eq!(said[0].1, 0);
        assert!(said[0].0.starts_with("line ") && unreadable[0].path.ends_with("torn.rs"), "{said:?}");
        assert_eq!(said[1..], [("stream did not contain valid UTF-8", 1)]);
    }
}
