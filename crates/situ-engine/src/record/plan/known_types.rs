//! What each module gets for the values in it: its types made known to generic code, and a way through `serde`.
//!
//! Each module has a function that registers its own types and calls those of the modules in it; generic functions call
//! that of the root.

use super::types::conditions_of;
use super::walk::Walk;
use super::{Insertion, Planner};
use crate::source::{SourceFile, byte_range};
use std::ops::Range;
use syn::{Block, FnArg, GenericParam, Generics, Item, ItemMod, Signature};

/// How these functions are called.
const NAME: &str = "__situ_types";

/// Plans the functions of a file's modules.
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

/// The place behind the last item of a file, which may end in a comment.
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
        // Under conditions there may be two of a name.
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

/// What captures values through `serde`, where the crate has it anyway; on one line, so that no other line moves.
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

/// The arguments of a type without other parameters than lifetimes; none where it has others.
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
    /// Makes the types of the crate known where a function is generic, by itself or by what it stands in.
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

/// Are there parameters for types?
pub(super) fn is_generic(generics: &Generics) -> bool {
    generics
        .params
        .iter()
        .any(|parameter| matches!(parameter, GenericParam::Type(_)))
}
