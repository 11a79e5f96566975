//! Paths in crates without `std`: items of `core` and `alloc` are named there instead.

use crate::source::SourceFile;
use syn::{Attribute, Item};

/// Returns whether every build of the crate with this root can name `std` and its prelude.
pub(super) fn names_std(root: &SourceFile) -> bool {
    let is_no_std = |attribute: &Attribute| attribute.path().is_ident("no_std");
    let brings_std = |item: &Item| match item {
        Item::ExternCrate(item) => {
            item.ident == "std" && item.rename.as_ref().is_none_or(|(_, name)| name == "std")
        }
        // `cfg_if! { … extern crate std; … }`
        Item::Macro(item) => item.mac.tokens.to_string().contains("extern crate std"),
        _ => false,
    };
    !root.tree.attrs.iter().any(is_no_std) || root.tree.items.iter().any(brings_std)
}

/// Returns whether names such as `String` are in scope without an import. `extern crate std` alone
/// does not provide them.
pub(super) fn has_prelude(root: &SourceFile) -> bool {
    !root
        .tree
        .attrs
        .iter()
        .any(|attribute| attribute.path().is_ident("no_std"))
}

/// Returns whether a crate can name `alloc`.
pub(super) fn names_alloc(root: &SourceFile) -> bool {
    root.tree
        .items
        .iter()
        .any(|item| matches!(item, Item::ExternCrate(item) if item.ident == "alloc" && item.rename.is_none()))
}

/// Returns the full path of a name of the standard prelude.
pub(super) fn in_prelude(name: &str) -> Option<&'static str> {
    Some(match name {
        "String" => "std::string::String",
        "Vec" => "std::vec::Vec",
        "Box" => "std::boxed::Box",
        _ => return None,
    })
}

/// Replaces `std` in a path by `core` or `alloc`.
pub(super) fn without_std(path: &str) -> String {
    let path = in_prelude(path).unwrap_or(path);
    let Some(rest) = path.strip_prefix("std::") else {
        return path.to_owned();
    };
    let is_allocated = [
        "borrow::",
        "boxed::",
        "collections::",
        "rc::",
        "string::",
        "sync::Arc",
        "vec::",
    ]
    .iter()
    .any(|module| rest.starts_with(module));
    format!("{}::{rest}", if is_allocated { "alloc" } else { "core" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_without_std_may_bring_it_back() {
        assert!(names_std(&SourceFile::root("fn f() {}")));
        assert!(names_std(&SourceFile::root(
            "#![cfg_attr(not(feature = \"std\"), no_std)]"
        )));
        assert!(!names_std(&SourceFile::root(
            "#![no_std]\nextern crate alloc;"
        )));
        assert!(!names_std(&SourceFile::root(
            "#![no_std]\n#[cfg(test)]\nextern crate std as _;"
        )));
        assert!(names_std(&SourceFile::root(
            "#![no_std]\nextern crate std;"
        )));
        assert!(names_std(&SourceFile::root(
            "#![no_std]\ncfg_if! { if #[cfg(test)] { extern crate std; } }"
        )));
    }

    #[test]
    fn bringing_std_back_does_not_bring_its_prelude() {
        let url = SourceFile::root(
            "#![no_std]\n#[cfg(feature = \"std\")]\nextern crate std;\nextern crate alloc;",
        );
        assert!(names_std(&url) && names_alloc(&url) && !has_prelude(&url));
        assert!(
            has_prelude(&SourceFile::root("fn f() {}"))
                && !names_alloc(&SourceFile::root("extern crate alloc as memory;"))
        );
    }

    #[test]
    fn each_path_goes_to_the_crate_that_declares_it() {
        assert_eq!(without_std("Vec"), "alloc::vec::Vec");
        assert_eq!(without_std("std::borrow::Cow"), "alloc::borrow::Cow");
        assert_eq!(without_std("std::time::Duration"), "core::time::Duration");
        assert_eq!(without_std("crate::T"), "crate::T");
    }
}
