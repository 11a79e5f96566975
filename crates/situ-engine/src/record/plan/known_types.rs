//! Registers the types of each module with the recorder for generic code, and captures values
//! through `serde`.
//!
//! Each module gets a function that registers its own types and calls those of its child modules.
//! Generic functions call that of the crate root.

use super::types::conditions_of;
use super::walk::Walk;
use super::{Insertion, Planner};
use crate::source::{SourceFile, byte_range};
use std::ops::Range;
use syn::{Block, FnArg, GenericParam, Generics, Item, ItemMod, Signature};

/// Name of the functions that register a module's types.
const NAME: &str = "__situ_types";

/// Plans the functions that register the types of a file's modules.
pub(super) fn plan_known_types(planner: &mut Planner<'_>, file: &SourceFile, is_root: bool) {
    module(
        planner,
        file,
        &file.module,
        &file.tree.items,
        &end_of(file),
        is_root,
    );
}

/// Returns the offset after the last item of a file, as an empty range. The file may end in a
/// comment.
pub(super) fn end_of(file: &SourceFile) -> Range<usize> {
    let end = file
        .tree
        .items
        .last()
        .map_or(file.text.len(), |last| byte_range(last).end);
    end..end
}

fn module(
    planner: &mut Planner<'_>,
    file: &SourceFile,
    path: &[String],
    items: &[Item],
    end: &Range<usize>,
    is_root: bool,
) {
    let piece = planner.piece(format!("types of {}", path.join("::")), None, None);
    let (once, close) = if is_root {
        let once = "static KNOWN: ::situ_recorder::capture::known::Once = ::situ_recorder::capture::known::Once::new(); \
                    ::situ_recorder::capture::known::register_once(&KNOWN, || { ";
        (once, "}); }")
    } else {
        ("", "}")
    };
    let mut insertions = Vec::new();
    let mut put =
        |text: String, piece: usize| insertions.push(Insertion::statement_before(end, text, piece));
    let line = if items.is_empty() { "\n" } else { " " };
    put(
        format!("{line}#[allow(warnings)] pub(crate) fn {NAME}() {{ {once}"),
        piece,
    );
    for item in items {
        let (name, generics, attributes, call) = match item {
            Item::Struct(item) => (
                &item.ident,
                Some(&item.generics),
                &item.attrs,
                String::new(),
            ),
            Item::Enum(item) => (
                &item.ident,
                Some(&item.generics),
                &item.attrs,
                String::new(),
            ),
            Item::Mod(item) => (
                &item.ident,
                None,
                &item.attrs,
                format!("self::{}::{NAME}(); ", item.ident),
            ),
            _ => continue,
        };
        let call = match generics.map(with_static_lifetimes) {
            Some(None) => continue,
            Some(Some(arguments)) => {
                format!("::situ_recorder::capture::known::register::<{name}{arguments}>(); ")
            }
            None => call,
        };
        // Under `#[cfg(…)]` there may be two types of one name.
        let id = planner.identity(&path.join("::"), &format!("known {name}"));
        let part = planner.piece(format!("known {name} {id:x}"), Some(piece), None);
        put(format!("{}{{ {call}}} ", conditions_of(attributes)), part);
    }
    put(close.to_owned(), piece);
    if planner.can_name_serde {
        let piece = planner.piece(
            format!("serialize level of {}", path.join("::")),
            None,
            None,
        );
        let text = " #[allow(unused_imports)] use crate::__situ_serde::SerializeLevel as _;";
        insertions.push(Insertion::statement_before(end, text, piece));
        if is_root {
            let piece = planner.piece("serialize level".to_owned(), None, None);
            insertions.push(Insertion::statement_before(end, serialize_level(), piece));
        }
    }
    planner.insertions.extend(insertions);
    for item in items {
        if let Item::Mod(item) = item {
            inline_module(planner, file, path, item);
        }
    }
}

/// Returns the code that captures values through `serde`, if the crate depends on it. It is on one
/// line, so that line numbers do not change.
fn serialize_level() -> String {
    let lines = include_str!("serialize_level.txt").lines().map(str::trim);
    format!(" {}", lines.collect::<Vec<_>>().join(" "))
}

fn inline_module(planner: &mut Planner<'_>, file: &SourceFile, path: &[String], item: &ItemMod) {
    let Some((brace, items)) = &item.content else {
        return;
    };
    let mut path = path.to_vec();
    path.push(item.ident.to_string());
    let end = byte_range(&brace.span.join()).end - 1;
    module(planner, file, &path, items, &(end..end), false);
}

/// Returns `'static` arguments for a type with only lifetime parameters, or `None` if it has
/// others.
fn with_static_lifetimes(generics: &Generics) -> Option<String> {
    if generics
        .params
        .iter()
        .any(|parameter| !matches!(parameter, GenericParam::Lifetime(_)))
    {
        return None;
    }
    let lifetimes = vec!["'static"; generics.params.len()].join(", ");
    Some(if lifetimes.is_empty() {
        lifetimes
    } else {
        format!("<{lifetimes}>")
    })
}

impl Walk<'_, '_> {
    /// Inserts a call that registers the crate's types into a function that is generic, or that is
    /// inside a generic item.
    pub(super) fn know_types(&mut self, signature: &Signature, block: &Block) {
        let by_argument = |input: &FnArg| self.text(input).contains("impl ");
        if !self.in_generic
            && !is_generic(&signature.generics)
            && !signature.inputs.iter().any(by_argument)
        {
            return;
        }
        let start = byte_range(&block.brace_token.span.join()).start + 1;
        let id = self.planner.identity(&self.function.clone(), "known types");
        let piece = self
            .planner
            .piece(format!("known types {id:x}"), None, None);
        let text = format!(" crate::{NAME}(); ");
        self.planner
            .insertions
            .push(Insertion::statement_before(&(start..start), text, piece));
    }
}

/// Returns whether an item has type parameters.
pub(super) fn is_generic(generics: &Generics) -> bool {
    generics
        .params
        .iter()
        .any(|parameter| matches!(parameter, GenericParam::Type(_)))
}
