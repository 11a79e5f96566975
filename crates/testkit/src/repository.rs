//! Where this repository is, and the texts in it.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    let testkit = Path::new(env!("CARGO_MANIFEST_DIR"));
    testkit
        .ancestors()
        .nth(2)
        .expect("testkit stands two folders below the root")
        .to_path_buf()
}

/// The text of a file, named from the root.
pub fn text(path: &str) -> String {
    let full = root().join(path);
    fs::read_to_string(&full)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", full.display()))
}

/// The names of what a folder holds, sorted; none if there is no such folder.
pub fn entries(folder: &str) -> Vec<String> {
    let Ok(listing) = fs::read_dir(root().join(folder)) else {
        return Vec::new();
    };
    let mut names: Vec<String> = listing
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// The folders of all packages: libraries, examples and benchmarks.
pub fn packages() -> Vec<String> {
    let folders = ["crates", "examples", "bench"];
    let inside = folders.iter().flat_map(|folder| {
        entries(folder)
            .into_iter()
            .map(move |name| format!("{folder}/{name}"))
    });
    inside
        .filter(|package| root().join(package).join("Cargo.toml").is_file())
        .collect()
}

/// The pages of prose: those at the root, and the book's.
pub fn pages() -> Vec<String> {
    let at_root = entries("").into_iter().filter(|name| name.ends_with(".md"));
    at_root
        .chain(
            book_pages()
                .into_iter()
                .map(|page| format!("book/src/{page}")),
        )
        .collect()
}

/// The pages that rustdoc takes in.
pub fn rustdoc_pages() -> Vec<String> {
    entries("crates/situ/docs")
        .into_iter()
        .map(|page| format!("crates/situ/docs/{page}"))
        .collect()
}

/// The book's pages, its table of contents included, named from `book/src`.
pub fn book_pages() -> Vec<String> {
    entries("book/src")
        .into_iter()
        .filter(|name| name.ends_with(".md"))
        .collect()
}

/// All Rust files below a folder, named from the root.
pub fn rust_files(folder: &str) -> Vec<String> {
    let mut files = Vec::new();
    for name in entries(folder) {
        let path = format!("{folder}/{name}");
        if name.ends_with(".rs") {
            files.push(path);
        } else if root().join(&path).is_dir() {
            files.extend(rust_files(&path));
        }
    }
    files
}
