//! Violations as data points: the items, and their places.

use super::known_points::KnownPoint;
use super::naming::name_of;
use super::report::ChangeProposal;
use super::theories::Theory;
use crate::cargo::workspace::Workspace;
use crate::edit::{ChangeSet, FileChange, Preview, formatting_of};
use crate::source::{Splice, apply, parse, parse_part};
use anyhow::{Context as _, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use syn::{Expr, Type};

/// Returns an argument as it stands in a call of the theory.
pub(super) fn as_argument(of: &str, argument: &str) -> String {
    let argument = argument.replace('\u{1}', "");
    let Ok(Type::Reference(reference)) = parse_part::<Type>(of) else {
        return argument;
    };
    let mark = if reference.mutability.is_some() {
        "&mut "
    } else {
        "&"
    };
    let literal = argument
        .strip_prefix("String::from(")
        .and_then(|rest| rest.strip_suffix(')'));
    let is_text = matches!(&*reference.elem, Type::Path(path) if path.path.is_ident("str"));
    match literal.filter(|_| is_text && reference.mutability.is_none()) {
        Some(literal) => literal.to_owned(),
        None if argument.starts_with('&') || (is_text && is_literal(&argument)) => argument,
        None => format!("{mark}{argument}"),
    }
}

fn is_literal(argument: &str) -> bool {
    ["\"", "r\"", "r#"]
        .iter()
        .any(|start| argument.starts_with(start))
}

/// The names at the place of data points.
pub(super) struct Names<'n> {
    /// The names that are taken in the file.
    pub taken: &'n mut BTreeSet<String>,
    /// The data points that are proposed for the module.
    pub proposed: &'n mut Vec<String>,
}

/// Returns the items that make the theory run on these arguments; existing ones are left out.
pub(super) fn items_for(
    theory: &Theory,
    arguments: &[String],
    names: &mut Names<'_>,
) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    let is_imported = ["situ::datapoint", "situ::prelude::datapoint"]
        .iter()
        .any(|path| theory.imports.name_of(path).is_some());
    let attribute = if is_imported {
        "datapoint"
    } else {
        "situ::datapoint"
    };
    for (parameter, argument) in theory.parameters.iter().zip(arguments) {
        if !parameter.takes_points || argument.starts_with('\u{1}') {
            continue;
        }
        let Ok(of) = parse_part::<Type>(&parameter.of) else {
            continue;
        };
        let Some((of, value)) = point_type(&of, argument) else {
            continue;
        };
        let group = parameter
            .group
            .as_ref()
            .map(|group| format!("({group:?})"))
            .unwrap_or_default();
        let is_there = |text: &String| {
            KnownPoint::all_in(text)
                .iter()
                .any(|known| known.gives(&of, &value, parameter.group.as_deref()))
        };
        if theory.points.iter().any(is_there) || items.iter().any(is_there) {
            continue;
        }
        // Another violation may have the same value, which needs no second data point.
        if let Some(same) = names.proposed.iter().find(|item| is_there(item)) {
            items.push(same.clone());
            continue;
        }
        let name = name_of(&value, &parameter.name, names.taken);
        let is_constant = parse_part::<Expr>(&value).is_ok_and(|value| is_constant(&value));
        let item = if is_constant {
            format!("#[{attribute}{group}]\nconst {name}: {of} = {value};")
        } else {
            let body = value
                .strip_prefix("{ ")
                .and_then(|rest| rest.strip_suffix(" }"))
                .unwrap_or(&value);
            format!(
                "#[{attribute}{group}]\nfn {}() -> {of} {{\n    {body}\n}}",
                name.to_lowercase()
            )
        };
        names.taken.insert(name);
        names.proposed.push(item.clone());
        items.push(item);
    }
    items
}

/// Returns the type of a data point for a parameter, and its value: `&str` for texts, the owned
/// type behind other references.
fn point_type(parameter: &Type, argument: &str) -> Option<(String, String)> {
    let text = super::theories::type_text;
    let Type::Reference(reference) = parameter else {
        return Some((text(parameter), argument.to_owned()));
    };
    match &*reference.elem {
        Type::Path(path) if path.path.is_ident("str") => {
            let literal = argument
                .strip_prefix("String::from(")
                .and_then(|rest| rest.strip_suffix(')'));
            if reference.mutability.is_some() {
                return Some(("String".to_owned(), argument.to_owned()));
            }
            Some(("&str".to_owned(), literal.unwrap_or(argument).to_owned()))
        }
        Type::Slice(slice) => {
            let element = text(&slice.elem);
            let list = argument
                .strip_prefix("vec!")
                .filter(|list| reference.mutability.is_none() && is_plain(list));
            match list {
                Some(list) => Some((format!("&[{element}]"), format!("&{list}"))),
                None => Some((format!("Vec<{element}>"), argument.to_owned())),
            }
        }
        Type::TraitObject(_) => None,
        other => {
            let owned = match text(other).as_str() {
                "Path" => "PathBuf".to_owned(),
                "OsStr" => "OsString".to_owned(),
                other => other.to_owned(),
            };
            Some((owned, argument.to_owned()))
        }
    }
}

fn is_plain(list: &str) -> bool {
    parse_part::<Expr>(list).is_ok_and(|list| is_constant(&list))
}

/// Returns whether an expression may be the value of a constant.
fn is_constant(value: &Expr) -> bool {
    match value {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Unary(unary) => is_constant(&unary.expr),
        Expr::Reference(reference) => is_constant(&reference.expr),
        Expr::Paren(inner) => is_constant(&inner.expr),
        Expr::Array(array) => array.elems.iter().all(is_constant),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_constant),
        Expr::Struct(made) => made.fields.iter().all(|field| is_constant(&field.expr)),
        Expr::Range(range) => [&range.start, &range.end]
            .into_iter()
            .flatten()
            .all(|end| is_constant(end)),
        // `Some(1)`, `Shape::Round(2)`: functions with a small name are none.
        Expr::Call(call) => {
            let is_variant = matches!(&*call.func, Expr::Path(path)
                if path.path.segments.last().is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase)));
            is_variant && call.args.iter().all(is_constant)
        }
        _ => false,
    }
}

/// Returns the files with all of these data points.
pub fn changes(workspace: &Workspace, proposals: &[ChangeProposal]) -> Result<ChangeSet> {
    let mut by_file: BTreeMap<&PathBuf, Vec<&ChangeProposal>> = BTreeMap::new();
    for proposal in proposals {
        by_file.entry(&proposal.file).or_default().push(proposal);
    }
    let mut files = Vec::new();
    for (path, proposals) in by_file {
        let before = workspace.read(path)?;
        let mut written = BTreeSet::new();
        let mut splices: BTreeMap<(usize, bool), String> = BTreeMap::new();
        for proposal in proposals {
            let text = splices.entry((proposal.at, proposal.is_after)).or_default();
            // Another theory of the module may have added it already.
            let is_new =
                |item: &&String| written.insert((proposal.module.clone(), (*item).clone()));
            for item in proposal.items.iter().filter(is_new) {
                let indent = indent_at(&before, proposal.at);
                let item = item.replace('\n', &format!("\n{indent}"));
                match proposal.is_after {
                    true => text.push_str(&format!("\n{indent}{item}")),
                    false => text.push_str(&format!("{item}\n{indent}")),
                }
            }
        }
        let splices: Vec<Splice> = splices
            .into_iter()
            .map(|((at, is_after), text)| {
                // A blank line between the data points and what follows them.
                let indent = indent_at(&before, at);
                let text = match text.strip_suffix(indent) {
                    Some(items) if !is_after && !items.is_empty() => format!("{items}\n{indent}"),
                    _ => text,
                };
                Splice {
                    range: at..at,
                    text,
                }
            })
            .collect();
        let after = apply(&before, &splices);
        parse(&after)
            .with_context(|| format!("reading {} with its new data points", path.display()))?;
        let options = formatting_of(workspace, path);
        let was_formatted = options
            .formatted(&before)
            .is_some_and(|formatted| formatted == before);
        let after = if was_formatted {
            options.formatted(&after).unwrap_or(after)
        } else {
            after
        };
        if after != before {
            files.push(FileChange {
                path: path.clone(),
                before,
                after,
                is_new: false,
            });
        }
    }
    Ok(ChangeSet { files })
}

/// Returns the diff of one change alone.
pub fn preview(workspace: &Workspace, proposal: &ChangeProposal) -> Result<Preview> {
    let patch = changes(workspace, std::slice::from_ref(proposal))?.patch();
    // Skips the two lines that name the file.
    let hunk: String = patch.split_inclusive('\n').skip(2).collect();
    let line = hunk
        .split(['-', ','])
        .nth(1)
        .and_then(|line| line.trim().parse().ok())
        .unwrap_or(1);
    Ok(Preview { line, hunk })
}

/// Returns the white space that the line of this byte begins with.
fn indent_at(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    // An item may end lines below the line that it begins on; both begin alike.
    let line = &text[start..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

#[cfg(test)]
mod tests {
    use super::{Names, items_for};
    use crate::generate::explore::theories::{Parameter, Theory};
    use std::collections::BTreeSet;

    #[test]
    fn two_violations_with_one_value_have_one_data_point() {
        let parameter = |name: &str, of: &str| Parameter {
            name: name.to_owned(),
            of: of.to_owned(),
            group: None,
            takes_points: true,
            is_stub: false,
        };
        let theory = Theory {
            parameters: vec![parameter("count", "u32"), parameter("text", "&str")],
            ..Theory::default()
        };
        let (mut taken, mut proposed) = (BTreeSet::new(), Vec::new());
        let mut names = Names {
            taken: &mut taken,
            proposed: &mut proposed,
        };
        let mut items = |text: &str| {
            items_for(
                &theory,
                &["0".to_owned(), format!("String::from({text:?})")],
                &mut names,
            )
        };
        let (first, second) = (items("a"), items("b"));
        assert_eq!((first.len(), second.len()), (2, 2));
        assert_eq!(
            first[0], second[0],
            "both need it, and it stands there once"
        );
        assert_ne!(first[1], second[1]);
    }

    #[test]
    fn a_value_that_was_made_by_calls_is_proposed_once_too() {
        let level = Parameter {
            name: "level".to_owned(),
            of: "&Level".to_owned(),
            group: Some("few".to_owned()),
            takes_points: true,
            is_stub: false,
        };
        let mut theory = Theory {
            parameters: vec![level],
            ..Theory::default()
        };
        let (mut taken, mut proposed) = (BTreeSet::new(), Vec::new());
        let mut names = Names {
            taken: &mut taken,
            proposed: &mut proposed,
        };
        let value = ["Level::new(1, 2)".to_owned()];
        let first = items_for(&theory, &value, &mut names);
        assert_eq!(first, items_for(&theory, &value, &mut names));
        assert_eq!(proposed.len(), 1, "{proposed:?}");
        // The result of an earlier run is there.
        theory.points = first;
        let mut names = Names {
            taken: &mut taken,
            proposed: &mut Vec::new(),
        };
        assert!(items_for(&theory, &value, &mut names).is_empty());
    }
}
