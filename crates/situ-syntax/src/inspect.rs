//! Search for the tests of a source file, with the lines of their targets.

use crate::attributes::{attributes_of_item, situ_attribute};
use crate::emit::{TestNames, any_values, item_name};
use crate::expected::{OracleFound, oracles_found};
use crate::fragment::find_target;
use crate::grammar::{Kind, TestCall};
use crate::mistakes::Mistakes;
use crate::observed::is_observed;
use crate::strip::TestsAreStatements;
use crate::text::source_text;
use crate::walk::walk;
use quote::ToTokens as _;
use syn::spanned::Spanned as _;
use syn::visit_mut::VisitMut;
use syn::{File, Item};

/// A test in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestFound {
    /// The module of its `#[test]`, relative to the file: `inner::situ_parse`.
    pub module: String,
    /// The name of its `#[test]`.
    pub name: String,
    /// Which macro it is.
    pub kind: Kind,
    /// The first line of the test.
    pub line: usize,
    /// The last line of the test.
    pub end_line: usize,
    /// The range of bytes of the test, with an exclusive end.
    pub own_bytes: (usize, usize),
    /// The first line of its target.
    pub first_line: usize,
    /// The last line of its target.
    pub last_line: usize,
    /// The range of bytes of its target, with an exclusive end.
    pub bytes: (usize, usize),
    /// Its tags.
    pub tags: Vec<String>,
    /// Whether it was generated and has not been edited since.
    pub is_observed: bool,
    /// The `any` values that it takes: name and type.
    pub any: Vec<(String, String)>,
    /// Its oracles, in their order.
    pub oracles: Vec<OracleFound>,
    /// The first line of the item that contains it.
    pub item_start: usize,
}

/// Returns all in-situ tests of a file in source order, or all mistakes at once.
pub fn inspect(file: &File) -> syn::Result<Vec<TestFound>> {
    let mut file = file.clone();
    TestsAreStatements.visit_file_mut(&mut file);
    let mut mistakes = Mistakes::default();
    let mut found = Vec::new();
    file.items
        .iter()
        .for_each(|item| look(item, false, "", &mut found, &mut mistakes));
    mistakes.into_result()?;
    Ok(found)
}

fn look(
    item: &Item,
    marked: bool,
    path: &str,
    found: &mut Vec<TestFound>,
    mistakes: &mut Mistakes,
) {
    if !matches!(
        item,
        Item::Fn(_) | Item::Impl(_) | Item::Trait(_) | Item::Mod(_)
    ) {
        return;
    }
    let attribute = situ_attribute(attributes_of_item(item));
    let marked = marked || attribute.is_some();
    if let Item::Mod(module) = item {
        let path = format!("{path}{}::", module.ident);
        let items = module.content.iter().flat_map(|(_, items)| items);
        items.for_each(|item| look(item, marked, &path, found, mistakes));
        return;
    }
    if !marked {
        return;
    }
    let named = attribute.and_then(|attribute| attribute.parse_args::<proc_macro2::Ident>().ok());
    let Some((own, _)) = item_name(item) else {
        return;
    };
    let module = format!("{path}situ_{}", named.map_or(own, |name| name.to_string()));
    let mut names = TestNames::of(item);
    let mut told = Mistakes::default();
    let is_member = !matches!(item, Item::Fn(_));
    let item_start = item.span().byte_range().start;
    walk(item, mistakes, &mut |kind, statement, around, spot| {
        if kind == Kind::End {
            return;
        }
        let Some(call) = TestCall::parse(kind, statement, &mut told).filter(|_| told.is_empty())
        else {
            return;
        };
        let name = names.next(&call, around, is_member, &mut told).to_string();
        let Some(target) = find_target(&call, around, spot, &mut told) else {
            return;
        };
        let own = statement.span();
        found.push(TestFound {
            module: module.clone(),
            name,
            kind,
            line: crate::text::line_of(call.span),
            end_line: own.end().line,
            own_bytes: (own.byte_range().start, own.byte_range().end),
            first_line: target.first_line(),
            last_line: target.last_line(),
            bytes: target.bytes(),
            tags: call.clauses.tags.iter().map(syn::LitStr::value).collect(),
            is_observed: is_observed(&statement.mac.tokens),
            any: any_values(&call)
                .iter()
                .map(|value| (value.name.clone(), source_text(&value.of.to_token_stream())))
                .collect(),
            oracles: oracles_found(&call.clauses),
            item_start,
        });
    });
    mistakes.absorb(told);
}
