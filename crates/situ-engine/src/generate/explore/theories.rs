//! The theories of a workspace, with their test programs and the places of their data points.

use crate::base::user_error;
use crate::cargo::unreadable_files;
use crate::cargo::workspace::{Workspace, is_tested};
use crate::source::{SourceFile, byte_range, declared_name, parse_part, read_crate};
use crate::values::Imports;
use anyhow::Result;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens as _;
use situ_syntax::is_named;
use std::path::PathBuf;
use syn::{
    AngleBracketedGenericArguments, Attribute, FnArg, GenericArgument, Item, ItemFn, Pat, Type,
};

/// A theory as its source has it.
#[derive(Clone, Debug, Default)]
pub(super) struct Theory {
    /// The root file of the target.
    pub root: PathBuf,
    /// The crate, with underscores.
    pub krate: String,
    /// The module, from the crate on, without the crate.
    pub module: Vec<String>,
    pub name: String,
    /// The file, relative to the workspace.
    pub file: PathBuf,
    /// The line of its name.
    pub line: usize,
    pub parameters: Vec<Parameter>,
    /// The byte offset of a new data point, and whether other data points precede it.
    pub point_place: (usize, bool),
    /// The names that the module's items have.
    pub taken: Vec<String>,
    /// The sources of the module's data points.
    pub points: Vec<String>,
    /// What the module imports.
    pub imports: Imports,
    /// The suffix of a property of another library.
    pub suffix: &'static str,
    /// Its generic arguments, if there is one choice: `::<u8, 3>`.
    pub turbofish: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    /// Its name, or pattern.
    pub name: String,
    /// Its type as it is written.
    pub of: String,
    /// The group that it takes its points from.
    pub group: Option<String>,
    /// Whether a data point can become its value.
    pub takes_points: bool,
    /// Whether a stub is.
    pub is_stub: bool,
}

impl Theory {
    /// Returns the name of its test in its program.
    pub(super) fn test_name(&self) -> String {
        self.module
            .iter()
            .chain([&self.name])
            .cloned()
            .collect::<Vec<_>>()
            .join("::")
    }

    /// Returns the name that a user wrote: that of the function for a property.
    pub(super) fn call_name(&self) -> &str {
        self.name.strip_suffix(self.suffix).unwrap_or(&self.name)
    }

    /// Returns a call of it with these arguments.
    pub(super) fn call(&self, arguments: &[String]) -> String {
        format!(
            "{}{}({})",
            self.call_name(),
            self.turbofish,
            arguments.join(", ")
        )
    }

    /// Returns the theory with its generic parameters chosen, as `T = u8, N = 3` says.
    pub(super) fn with_types(&self, types: &str) -> Theory {
        let mut chosen = self.clone();
        let list = format!("<{types}>");
        let Ok(list) = parse_part::<AngleBracketedGenericArguments>(&list) else {
            return chosen;
        };
        let choices: Vec<(Ident, TokenStream)> = list
            .args
            .iter()
            .filter_map(|argument| match argument {
                GenericArgument::AssocType(choice) => {
                    Some((choice.ident.clone(), choice.ty.to_token_stream()))
                }
                GenericArgument::AssocConst(choice) => {
                    Some((choice.ident.clone(), choice.value.to_token_stream()))
                }
                _ => None,
            })
            .collect();
        if choices.is_empty() {
            return chosen;
        }
        for parameter in &mut chosen.parameters {
            if let Ok(of) = parse_part::<Type>(&parameter.of) {
                parameter.of = tight(&replaced(of.to_token_stream(), &choices).to_string());
            }
        }
        let all: Vec<String> = choices
            .iter()
            .map(|(_, choice)| tight(&choice.to_string()))
            .collect();
        chosen.turbofish = format!("::<{}>", all.join(", "));
        chosen
    }

    /// Returns how a user calls it.
    pub(super) fn path(&self) -> String {
        format!("{}::{}", self.krate, self.test_name())
    }

    /// Returns whether a user's argument names it: its path or the end of it, or a file with or
    /// without a line.
    pub(super) fn is_meant_by(&self, asked: &str) -> bool {
        let path = self.path();
        let called = path.strip_suffix(self.suffix).unwrap_or(&path);
        path == asked
            || called == asked
            || called.ends_with(&format!("::{asked}"))
            || path.ends_with(&format!("::{asked}"))
            || self.module.iter().any(|module| module == asked)
            || self.file.to_string_lossy() == asked
            || format!("{}:{}", self.file.display(), self.line) == asked
    }
}

/// Returns all theories of the selected packages. Files that cannot be parsed are skipped, unless
/// nothing else could contain any.
pub(super) fn theories(workspace: &Workspace) -> Result<Vec<Theory>> {
    let mut all = Vec::new();
    for package in workspace.packages() {
        for target in package.targets.iter().filter(|target| is_tested(target)) {
            let root = target.src_path.as_std_path();
            for file in &read_crate(root).files {
                let path = file
                    .path
                    .strip_prefix(workspace.root())
                    .unwrap_or(&file.path)
                    .to_path_buf();
                workspace.note(&path, &file.text);
                let found = Search {
                    root: root.to_path_buf(),
                    krate: target.name.replace('-', "_"),
                    file,
                    path,
                };
                found.items(&file.module, &file.tree.items, &mut all);
                found.in_situ(&mut all);
            }
        }
    }
    match unreadable_files(workspace).first() {
        Some(file) if all.is_empty() => Err(user_error::user_code(file.to_string())),
        _ => Ok(all),
    }
}

/// Returns the theories that the user names, or all of them.
pub(super) fn asked_for(all: Vec<Theory>, names: &[String]) -> Result<Vec<Theory>> {
    if all.is_empty() {
        return Err(user_error::input(
            "there is no theory here; mark a function with parameters with `#[theory]`, or let an in-situ test take `any::<T>()`",
        ));
    }
    // An argument that names nothing is a part of names, as for `cargo test`.
    let means =
        |theory: &Theory, name: &String| match all.iter().any(|theory| theory.is_meant_by(name)) {
            true => theory.is_meant_by(name),
            false => theory.path().contains(name.as_str()),
        };
    for name in names {
        if !all.iter().any(|theory| means(theory, name)) {
            let known: Vec<String> = all.iter().take(20).map(Theory::path).collect();
            return Err(user_error::input(format!(
                "there is no theory `{name}`; there are: {}",
                known.join(", ")
            )));
        }
    }
    let is_meant =
        |theory: &&Theory| names.is_empty() || names.iter().any(|name| means(theory, name));
    Ok(all.iter().filter(is_meant).cloned().collect())
}

struct Search<'s> {
    root: PathBuf,
    krate: String,
    file: &'s SourceFile,
    path: PathBuf,
}

impl Search<'_> {
    fn items(&self, module: &[String], items: &[Item], all: &mut Vec<Theory>) {
        for item in items {
            match item {
                Item::Fn(function) if has_attribute(&function.attrs, "theory") => {
                    all.push(self.theory(module, items, function));
                }
                Item::Fn(function) if has_attribute(&function.attrs, "property") => {
                    let mut theory = self.theory(module, items, function);
                    theory.suffix = "_on_data_points";
                    theory.name.push_str(theory.suffix);
                    all.push(theory);
                }
                Item::Macro(call)
                    if call
                        .mac
                        .path
                        .segments
                        .last()
                        .is_some_and(|last| last.ident == "proptests") =>
                {
                    all.extend(self.proptests(module, items, call));
                }
                Item::Mod(inner) => {
                    if let Some((_, items)) = &inner.content {
                        let mut path = module.to_vec();
                        path.push(inner.ident.to_string());
                        self.items(&path, items, all);
                    }
                }
                _ => {}
            }
        }
    }

    fn theory(&self, module: &[String], items: &[Item], function: &ItemFn) -> Theory {
        let points: Vec<&Item> = items.iter().filter(|item| is_data_point(item)).collect();
        let point_place = match points.last() {
            Some(last) => (byte_range(*last).end, true),
            None => (byte_range(function).start, false),
        };
        Theory {
            root: self.root.clone(),
            krate: self.krate.clone(),
            module: module.to_vec(),
            name: function.sig.ident.to_string(),
            file: self.path.clone(),
            line: function.sig.ident.span().start().line,
            parameters: function.sig.inputs.iter().filter_map(parameter).collect(),
            point_place,
            taken: items.iter().filter_map(declared_name).collect(),
            points: points
                .iter()
                .map(|item| self.file.text[byte_range(*item)].to_owned())
                .collect(),
            imports: Imports::of(items, &module.join("::")),
            suffix: "",
            turbofish: String::new(),
        }
    }

    /// Returns the tests in a `proptests!`. Their values come from strategies and have no
    /// expressions.
    fn proptests(&self, module: &[String], items: &[Item], call: &syn::ItemMacro) -> Vec<Theory> {
        let tokens: Vec<TokenTree> = call.mac.tokens.clone().into_iter().collect();
        let functions = tokens.windows(3).filter_map(|window| match window {
            [
                TokenTree::Ident(keyword),
                TokenTree::Ident(name),
                TokenTree::Group(inputs),
            ] if keyword == "fn" => Some((name.clone(), inputs.stream())),
            _ => None,
        });
        let theory = |(name, inputs): (Ident, TokenStream)| {
            let stub: ItemFn = syn::parse_quote!(fn #name() {});
            let mut theory = self.theory(module, items, &stub);
            theory.line = name.span().start().line;
            theory.suffix = "_explored";
            theory.name.push_str(theory.suffix);
            theory.parameters = strategies(inputs);
            theory
        };
        functions.map(theory).collect()
    }

    /// The in-situ tests of the file that take any value.
    fn in_situ(&self, all: &mut Vec<Theory>) {
        // Most files have none, and need not be parsed.
        if !self.file.text.contains("any::<") {
            return;
        }
        let items = &self.file.tree.items;
        let points: Vec<&Item> = items.iter().filter(|item| is_data_point(item)).collect();
        let tests = situ_syntax::inspect(&self.file.tree).unwrap_or_default();
        for test in tests.into_iter().filter(|test| !test.any.is_empty()) {
            let point_place = points.last().map_or((test.item_start, false), |last| {
                (byte_range(*last).end, true)
            });
            let parameter = |(name, of): (String, String)| Parameter {
                name,
                of: tight(&of),
                group: None,
                takes_points: true,
                is_stub: false,
            };
            all.push(Theory {
                root: self.root.clone(),
                krate: self.krate.clone(),
                module: self
                    .file
                    .module
                    .iter()
                    .cloned()
                    .chain(test.module.split("::").map(str::to_owned))
                    .collect(),
                name: test.name,
                file: self.path.clone(),
                line: test.line,
                parameters: test.any.into_iter().map(parameter).collect(),
                point_place,
                taken: items.iter().filter_map(declared_name).collect(),
                points: points
                    .iter()
                    .map(|item| self.file.text[byte_range(*item)].to_owned())
                    .collect(),
                imports: Imports::of(items, &self.file.module.join("::")),
                suffix: "",
                turbofish: String::new(),
            });
        }
    }
}

/// Replaces identifiers in tokens.
fn replaced(tokens: TokenStream, choices: &[(Ident, TokenStream)]) -> TokenStream {
    let replaced = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(name) => match choices.iter().find(|(choice, _)| *choice == name) {
            Some((_, choice)) => choice.clone(),
            None => TokenTree::Ident(name).into(),
        },
        TokenTree::Group(group) => {
            let inner = replaced(group.stream(), choices);
            TokenTree::Group(proc_macro2::Group::new(group.delimiter(), inner)).into()
        }
        other => TokenStream::from(other),
    });
    replaced.collect()
}

/// Returns the inputs of a `proptests!` test: a name for each, up to its strategy.
fn strategies(inputs: TokenStream) -> Vec<Parameter> {
    let mut names = vec![String::new()];
    let mut is_named = false;
    for token in inputs {
        match &token {
            TokenTree::Punct(mark) if mark.as_char() == ',' => {
                names.push(String::new());
                is_named = false;
            }
            TokenTree::Ident(keyword) if keyword == "in" => is_named = true,
            TokenTree::Punct(mark) if mark.as_char() == ':' => is_named = true,
            token if !is_named => names
                .last_mut()
                .into_iter()
                .for_each(|name| name.push_str(&token.to_string())),
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    let parameter = |name| Parameter {
        name,
        of: String::new(),
        group: None,
        takes_points: false,
        is_stub: false,
    };
    names.into_iter().map(parameter).collect()
}

fn parameter(input: &FnArg) -> Option<Parameter> {
    let FnArg::Typed(argument) = input else {
        return None;
    };
    let name = match &*argument.pat {
        Pat::Ident(name) => name.ident.to_string(),
        other => other.to_token_stream().to_string(),
    };
    let group = argument
        .attrs
        .iter()
        .find(|attribute| attribute.path().is_ident("from"));
    let group = group
        .and_then(|attribute| attribute.parse_args::<syn::LitStr>().ok())
        .map(|group| group.value());
    let has = |name: &str| has_attribute(&argument.attrs, name);
    let takes_points = !has("values") && !has("supplier") && !has("stub");
    Some(Parameter {
        name,
        of: type_text(&argument.ty),
        group,
        takes_points,
        is_stub: has("stub"),
    })
}

/// Returns a type without the spaces that tokens have.
pub(super) fn type_text(of: &Type) -> String {
    tight(&of.to_token_stream().to_string())
}

fn tight(text: &str) -> String {
    let tight = ["<", ">", "::", "&", "[", "]", "(", ")"];
    let text = tight.iter().fold(text.to_owned(), |text, mark| {
        text.replace(&format!(" {mark} "), mark)
            .replace(&format!(" {mark}"), mark)
            .replace(&format!("{mark} "), mark)
    });
    text.replace(" ,", ",").replace(" ;", ";")
}

/// Returns whether one of the attributes has this name, by whatever path.
pub(super) fn has_attribute(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|attribute| is_named(attribute, name))
}

fn is_data_point(item: &Item) -> bool {
    let attributes = match item {
        Item::Const(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        _ => return false,
    };
    has_attribute(attributes, "datapoint") || has_attribute(attributes, "datapoints")
}
