//! Finds the position of a new line at the head of a module: among similar items, otherwise after
//! everything that must come first.

use crate::edit::outline::Module;
use crate::edit::trivia;
use crate::source::lines::{indent_of_line, indent_unit, is_first_on_line, line_start};
use crate::source::{Splice, byte_range};
use std::ops::Range;
use syn::{Item, UseTree};

/// Items of one kind without empty lines between them.
struct Group<'i> {
    items: Vec<(&'i Item, Range<usize>)>,
}

/// Returns the insertion of a line into a module: among items of its kind in alphabetical order,
/// otherwise at the module's head.
pub(super) fn line_in(
    text: &str,
    module: &Module<'_>,
    line: &str,
    ending: &str,
    is_kin: &dyn Fn(&Item) -> bool,
) -> Splice {
    let groups = groups(text, module, is_kin);
    let is_use = line.contains("use ");
    let group = match groups.as_slice() {
        [] => return at_head(text, module, line, ending),
        [only] => only,
        several if is_use => match several
            .iter()
            .find(|group| group.items.iter().any(|(item, _)| is_foreign(item)))
        {
            Some(group) => group,
            None => return own_group(text, several, line, ending),
        },
        several => &several[0],
    };
    let sorts_before =
        |(item, _): &&(&Item, Range<usize>)| first_word(item).is_some_and(|word| *word < *"situ");
    let from_this_crate = |(item, _): &&(&Item, Range<usize>)| first_word(item).is_none();
    let before = group.items.iter().rev().find(sorts_before);
    match before.or_else(|| group.items.iter().rev().find(from_this_crate)) {
        Some((_, range)) => behind_line(text, range, line, ending),
        None => before_line(text, module, &group.items[0].1, line, ending),
    }
}

/// Returns the crate name that an import starts with, or `None` for imports from this crate.
fn first_word(item: &Item) -> Option<String> {
    let word = match item {
        Item::ExternCrate(item) => item.ident.to_string(),
        Item::Use(item) => match &item.tree {
            UseTree::Path(path) => path.ident.to_string(),
            UseTree::Name(name) => name.ident.to_string(),
            UseTree::Rename(rename) => rename.ident.to_string(),
            UseTree::Glob(_) | UseTree::Group(_) => return None,
        },
        _ => return None,
    };
    (!matches!(word.as_str(), "crate" | "self" | "super")).then_some(word)
}

fn is_standard(item: &Item) -> bool {
    first_word(item).is_some_and(|word| matches!(word.as_str(), "std" | "core" | "alloc"))
}

fn is_foreign(item: &Item) -> bool {
    first_word(item).is_some() && !is_standard(item)
}

fn groups<'i>(text: &str, module: &Module<'i>, is_kin: &dyn Fn(&Item) -> bool) -> Vec<Group<'i>> {
    let mut groups: Vec<Group<'i>> = Vec::new();
    let mut end = None;
    for item in module.items {
        let range = byte_range(item);
        let follows = end.is_some_and(|end: usize| {
            let between = &text[end..range.start];
            between.trim().is_empty() && between.matches('\n').count() == 1
        });
        end = None;
        if is_kin(item) {
            end = Some(range.end);
            match groups.last_mut().filter(|_| follows) {
                Some(group) => group.items.push((item, range)),
                None => groups.push(Group {
                    items: vec![(item, range)],
                }),
            }
        }
    }
    groups
}

/// Returns the insertion of a separate group after the standard library's, otherwise before all
/// groups.
fn own_group(text: &str, groups: &[Group<'_>], line: &str, ending: &str) -> Splice {
    let standard = groups
        .iter()
        .rev()
        .find(|group| group.items.iter().any(|(item, _)| is_standard(item)));
    let (_, range) = match standard.and_then(|group| group.items.last()) {
        Some(last) => last,
        None => &groups[0].items[0],
    };
    if standard.is_some() {
        let mut splice = behind_line(text, range, line, ending);
        splice.text.insert_str(0, ending);
        return splice;
    }
    let start = line_start(text, range.start);
    let indent = indent_of_line(text, range.start);
    Splice {
        range: start..start,
        text: format!("{indent}{line}{ending}{ending}"),
    }
}

fn behind_line(text: &str, range: &Range<usize>, line: &str, ending: &str) -> Splice {
    let indent = indent_of_line(text, range.start);
    match trivia::end_of_bare_line(text, range.end) {
        Some(next) => Splice {
            range: next..next,
            text: format!("{indent}{line}{ending}"),
        },
        None if text[range.end..].trim().is_empty() => {
            let end = text.len();
            Splice {
                range: end..end,
                text: format!("{ending}{indent}{line}"),
            }
        }
        None => Splice {
            range: range.end..range.end,
            text: format!(" {line}"),
        },
    }
}

fn before_line(
    text: &str,
    module: &Module<'_>,
    range: &Range<usize>,
    line: &str,
    ending: &str,
) -> Splice {
    let start = trivia::with_comments(text, module.head, range.start);
    // A comment at the start of the file is more likely about the file than about its first import.
    let start = if is_file_start(text, start) {
        range.start
    } else {
        start
    };
    if !is_first_on_line(text, start) {
        return Splice {
            range: start..start,
            text: format!("{line} "),
        };
    }
    let indent = indent_of_line(text, start);
    let at = start - indent.len();
    Splice {
        range: at..at,
        text: format!("{indent}{line}{ending}"),
    }
}

fn is_file_start(text: &str, at: usize) -> bool {
    text[..at]
        .trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
        .is_empty()
}

/// Returns the insertion at the head of a module without imports: after its inner attributes,
/// `extern crate` items and the file's first comment, followed by an empty line.
fn at_head(text: &str, module: &Module<'_>, line: &str, ending: &str) -> Splice {
    let crates = module
        .items
        .iter()
        .take_while(|item| matches!(item, Item::ExternCrate(_)));
    let crates_end = crates.map(|item| byte_range(item).end).last();
    let from = crates_end.unwrap_or(module.head);
    let next = module
        .items
        .iter()
        .map(|item| byte_range(item).start)
        .find(|start| *start >= from);
    let next = next.unwrap_or(module.inside.end);
    if from == 0 || is_file_start(text, from) {
        return at_file_start(text, from, next, line, ending);
    }
    match trivia::end_of_bare_line(text, from) {
        Some(at) if at <= next => {
            let indent = if module.parent.is_some() {
                inner_indent(text, module)
            } else {
                String::new()
            };
            let has_attributes = module.head > module.inside.start || crates_end.is_some();
            let before = if has_attributes { ending } else { "" };
            let rest = &text[at..];
            let blank = rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n')
                || at == next && next == module.inside.end;
            let after = if blank || next == module.inside.end {
                ""
            } else {
                ending
            };
            Splice {
                range: at..at,
                text: format!("{before}{indent}{line}{ending}{after}"),
            }
        }
        _ => Splice {
            range: from..from,
            text: format!(
                " {line}{}",
                if text[from..].starts_with(char::is_whitespace) {
                    ""
                } else {
                    " "
                }
            ),
        },
    }
}

fn at_file_start(text: &str, from: usize, next: usize, line: &str, ending: &str) -> Splice {
    let attached = trivia::with_comments(text, from, next);
    // A licence notice stays first, even if no empty line separates it from the first item.
    let is_notice = |comment: &str| {
        let comment = comment.to_lowercase();
        ["copyright", "license", "spdx"]
            .iter()
            .any(|word| comment.contains(word))
    };
    let at = if is_file_start(text, attached) && is_notice(&text[attached..next]) {
        next
    } else {
        attached
    };
    let at = if is_first_on_line(text, at) {
        line_start(text, at)
    } else {
        at
    };
    let at = if at == 0 && text.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        at
    };
    Splice {
        range: at..at,
        text: format!("{line}{ending}{ending}"),
    }
}

fn inner_indent(text: &str, module: &Module<'_>) -> String {
    let starts = module.items.iter().map(|item| byte_range(item).start);
    let first = starts
        .into_iter()
        .find(|start| is_first_on_line(text, *start));
    first.map_or_else(
        || {
            format!(
                "{}{}",
                indent_of_line(text, module.inside.start),
                indent_unit(text)
            )
        },
        |start| indent_of_line(text, start).to_owned(),
    )
}
