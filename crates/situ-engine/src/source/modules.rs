//! Files of a crate, found by following `mod` items from the root file.

use super::{SourceError, UnreadableFile, read_text};
use crate::base::user_error;
use anyhow::Result;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use syn::{Attribute, Expr, ExprLit, Item, ItemMod, Lit, Meta};

/// Source file of a crate.
pub struct SourceFile {
    /// Path, which starts with the path of the crate's root folder.
    pub path: PathBuf,
    /// Module path without the crate: `["parse", "number"]`.
    pub module: Vec<String>,
    /// `#[cfg(…)]` attributes of the `mod` items that lead to the file, and its own.
    pub conditions: Vec<Attribute>,
    pub text: String,
    /// Syntax tree, whose spans are byte ranges of the text.
    pub tree: syn::File,
}

#[cfg(test)]
impl SourceFile {
    /// Returns the root file of a library with this text.
    pub fn root(text: &str) -> SourceFile {
        let (path, tree) = ("src/lib.rs".into(), super::parse(text).unwrap());
        let conditions = tree.attrs.clone();
        SourceFile {
            path,
            module: Vec::new(),
            conditions,
            text: text.to_owned(),
            tree,
        }
    }
}

/// All source files of a crate.
#[derive(Default)]
pub struct CrateSources {
    /// Readable files, the root first.
    pub files: Vec<SourceFile>,
    /// Files that exist but cannot be read; modules that they declare are missing from `files`.
    pub unreadable: Vec<UnreadableFile>,
}

/// Reads the files of the crate with this root. Skips an unreadable file and the modules below it.
/// Ignores a missing file, because its `mod` item belongs to another configuration.
pub fn read_crate(root: &Path) -> CrateSources {
    let mut search = Search {
        found: CrateSources::default(),
        seen: BTreeSet::from([root.to_path_buf()]),
    };
    match read(root, Vec::new(), Vec::new()) {
        Ok(first) => search.add(first, root.parent().unwrap_or(Path::new(""))),
        Err(error) => {
            let conditions = Vec::new();
            search.found.unreadable.push(UnreadableFile {
                path: root.to_path_buf(),
                error,
                conditions,
            });
        }
    }
    search.found
}

/// Returns the readable files of the crate with this root. Returns an error if the root itself
/// cannot be read.
pub fn module_files(root: &Path) -> Result<Vec<SourceFile>> {
    let CrateSources { files, unreadable } = read_crate(root);
    match unreadable.into_iter().find(|file| file.path == root) {
        Some(unreadable) => Err(user_error::user_code(unreadable.to_string())),
        None => Ok(files),
    }
}

struct Search {
    found: CrateSources,
    seen: BTreeSet<PathBuf>,
}

/// Where to look for the modules that a list of items declares.
#[derive(Clone)]
struct Place {
    /// Folder of the file that contains the items; `#[path]` is relative to it outside inline
    /// modules.
    file_folder: PathBuf,
    /// Folder in which files of child modules are searched.
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
        self.found.files.push(file);
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
        inner.conditions.extend(
            item.attrs
                .iter()
                .filter(|attribute| attribute.path().is_ident("cfg"))
                .cloned(),
        );
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
                    (
                        place.children.join(format!("{name}.rs")),
                        Some(folder.clone()),
                    ),
                    (folder.join("mod.rs"), Some(folder)),
                ]
            }
        };
        for (path, children) in candidates {
            if self.seen.contains(&path) {
                return;
            }
            let file = match read(&path, inner.module.clone(), inner.conditions.clone()) {
                Ok(file) => file,
                Err(SourceError::Io(error)) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) => {
                    self.seen.insert(path.clone());
                    let conditions = inner.conditions.clone();
                    self.found.unreadable.push(UnreadableFile {
                        path,
                        error,
                        conditions,
                    });
                    return;
                }
            };
            self.seen.insert(path.clone());
            // A file named by `#[path]` is treated like `mod.rs`: its children are beside it.
            let children =
                children.unwrap_or_else(|| path.parent().unwrap_or(Path::new("")).to_path_buf());
            self.add(file, &children);
            return;
        }
    }
}

fn read(
    path: &Path,
    module: Vec<String>,
    conditions: Vec<Attribute>,
) -> Result<SourceFile, SourceError> {
    let text = read_text(path)?;
    let tree = super::parse(&text)?;
    let inner = tree
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("cfg"))
        .cloned();
    let conditions = conditions.into_iter().chain(inner).collect();
    Ok(SourceFile {
        path: path.to_path_buf(),
        module,
        conditions,
        text,
        tree,
    })
}

fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes
        .iter()
        .find_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
                Expr::Lit(ExprLit {
                    lit: Lit::Str(path),
                    ..
                }) => Some(path.value()),
                _ => None,
            },
            _ => None,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_that_cannot_be_read_is_named_and_the_others_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &[u8]| fs::write(folder.path().join(name), text).unwrap();
        write(
            "lib.rs",
            "\u{feff}mod bad; mod binary; mod deep; mod good; mod missing;\r\n".as_bytes(),
        );
        write("bad.rs", b"fn f() {}\nfn g( {");
        write("binary.rs", b"fn f() {}\n// \xff\n");
        write(
            "deep.rs",
            format!("const X: u8 = {}1{};", "(".repeat(3_000), ")".repeat(3_000)).as_bytes(),
        );
        write("good.rs", b"fn f() {}");
        let read = read_crate(&folder.path().join("lib.rs"));
        let names: Vec<String> = read
            .files
            .iter()
            .map(|file| file.module.join("::"))
            .collect();
        assert_eq!(names, ["", "good"]);
        let shown: Vec<String> = read
            .unreadable
            .iter()
            .map(|file| {
                file.to_string()
                    .replace(&format!("{}/", folder.path().display()), "")
            })
            .collect();
        assert_eq!(shown.len(), 3, "{shown:?}");
        assert!(shown[0].starts_with("bad.rs:2:"), "{shown:?}");
        assert_eq!(shown[1], "binary.rs:2:1: this is not UTF-8");
        assert!(
            shown[2].starts_with("deep.rs:1:") && shown[2].ends_with("nested too deeply for Situ"),
            "{shown:?}"
        );
        let root = module_files(&folder.path().join("bad.rs"));
        assert!(root.is_err_and(|error| error.to_string().contains("bad.rs:2:")));
    }

    #[test]
    fn modules_are_found_beside_below_and_by_path() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(
            "src/lib.rs",
            "mod a; mod b; #[cfg(x)] mod c { mod d; } #[path = \"else/where.rs\"] mod e; mod missing;",
        );
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
}
