//! The functions of the workspace's libraries and programs, as their sources have them.

use super::subject::{Owner, Parameter, Receiver, Subject};
use crate::cargo::workspace::Workspace;
use crate::source::{SourceFile, byte_range, module_files, range_of};
use crate::values::{Imports, TestModule, visibility};
use cargo_metadata::{Package, TargetKind};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens as _;
use situ_syntax::is_test_only;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::rc::Rc;
use syn::{
    Attribute, Block, FnArg, Generics, ImplItem, Item, ItemImpl, ReturnType, Signature, Stmt,
    TraitItem, Type,
};

/// All functions, by file and first byte of their signature.
pub(crate) type Subjects = BTreeMap<(PathBuf, usize), Subject>;

/// A file of a library or program that unit tests can stand in.
pub(crate) struct Source {
    /// Its path, relative to the workspace.
    pub path: PathBuf,
    /// Its crate, with underscores.
    pub krate: String,
    /// What it holds.
    pub file: SourceFile,
    /// Whether tests in it can be `#[tokio::test]`.
    pub has_tokio: bool,
}

/// Returns the files of all libraries and programs that unit tests can stand in, each once.
pub(crate) fn sources(workspace: &Workspace) -> Vec<Source> {
    let mut all: Vec<Source> = Vec::new();
    let mut seen = BTreeSet::new();
    let packages = workspace.packages().iter();
    let targets =
        packages.flat_map(|package| package.targets.iter().map(move |target| (package, target)));
    for (package, target) in targets.filter(|(_, target)| target.kind.iter().all(is_tested_inside))
    {
        let has_tokio = has_tokio(package);
        let krate = target.name.replace('-', "_");
        for file in module_files(target.src_path.as_std_path()).unwrap_or_default() {
            if seen.insert(file.path.clone()) {
                let path = file
                    .path
                    .strip_prefix(workspace.root())
                    .unwrap_or(&file.path)
                    .to_path_buf();
                workspace.note(&path, &file.text);
                all.push(Source {
                    path,
                    krate: krate.clone(),
                    file,
                    has_tokio,
                });
            }
        }
    }
    all
}

/// Returns the functions of these files.
pub(crate) fn subjects(sources: &[Source]) -> Subjects {
    let mut all = Subjects::new();
    for Source {
        path,
        krate,
        file,
        has_tokio,
    } in sources
    {
        let mut walk = Walk {
            file,
            path: path.clone(),
            krate,
            has_tokio: *has_tokio,
            all: &mut all,
        };
        walk.items(&file.tree.items, &file.module.clone(), 0);
    }
    all
}

/// Returns whether a package has tokio's test attribute and a runtime for it.
fn has_tokio(package: &Package) -> bool {
    let features = package
        .dependencies
        .iter()
        .filter(|one| one.name == "tokio")
        .flat_map(|one| &one.features);
    let features: BTreeSet<&str> = features.map(String::as_str).collect();
    let has = |feature: &str| features.contains(feature);
    has("full") || (has("macros") && (has("rt") || has("rt-multi-thread")))
}

fn is_tested_inside(kind: &TargetKind) -> bool {
    !matches!(
        kind,
        TargetKind::Test
            | TargetKind::Bench
            | TargetKind::Example
            | TargetKind::CustomBuild
            | TargetKind::ProcMacro
    )
}

struct Walk<'w> {
    file: &'w SourceFile,
    path: PathBuf,
    krate: &'w str,
    has_tokio: bool,
    all: &'w mut Subjects,
}

/// Where a function stands.
struct Place<'p> {
    module: &'p [String],
    inline_modules: usize,
    here: Rc<TestModule>,
    owner: Option<Owner>,
    generics: Vec<Generics>,
}

impl Walk<'_> {
    fn items(&mut self, items: &[Item], module: &[String], inline_modules: usize) {
        let path = module.join("::");
        let here = Rc::new(TestModule {
            krate: self.krate.to_owned(),
            imports: Imports::of(items, &path),
            module: path,
            function: None,
            short_names: true,
        });
        let place = |owner: Option<Owner>, generics: Vec<Generics>| Place {
            module,
            inline_modules,
            here: here.clone(),
            owner,
            generics,
        };
        for item in items {
            match item {
                Item::Fn(item) => self.function(
                    &item.attrs,
                    &item.vis,
                    &item.sig,
                    &item.block,
                    &place(None, Vec::new()),
                ),
                Item::Impl(item) => {
                    let owner = owner_of(item, items, &here);
                    let place = place(Some(owner), vec![item.generics.clone()]);
                    for member in &item.items {
                        if let ImplItem::Fn(member) = member {
                            self.function(
                                &member.attrs,
                                &member.vis,
                                &member.sig,
                                &member.block,
                                &place,
                            );
                        }
                    }
                }
                Item::Trait(item) => {
                    let of_trait = Some(item.ident.to_string());
                    let owner = Owner {
                        type_name: None,
                        path: None,
                        of_trait,
                        trait_is_in_scope: true,
                    };
                    let place = place(Some(owner), vec![item.generics.clone()]);
                    for member in &item.items {
                        if let TraitItem::Fn(member) = member
                            && let Some(block) = &member.default
                        {
                            let visible = syn::Visibility::Inherited;
                            self.function(&member.attrs, &visible, &member.sig, block, &place);
                        }
                    }
                }
                Item::Mod(inner) if !inner.attrs.iter().any(is_test_only) => {
                    if let Some((_, items)) = &inner.content {
                        let mut module = module.to_vec();
                        module.push(inner.ident.to_string());
                        self.items(items, &module, inline_modules + 1);
                    }
                }
                _ => {}
            }
        }
    }

    fn function(
        &mut self,
        attributes: &[Attribute],
        visible: &syn::Visibility,
        signature: &Signature,
        block: &Block,
        place: &Place<'_>,
    ) {
        if attributes.iter().any(is_test_only) {
            return;
        }
        let start = byte_range(signature).start;
        let mut bounds = place.generics.clone();
        bounds.push(signature.generics.clone());
        let generics: Vec<String> = bounds.iter().flat_map(type_parameters).collect();
        let parameters = signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => {
                let is_typed = says_its_type(&typed.ty, &generics);
                Some(Parameter {
                    pattern: (*typed.pat).clone(),
                    is_typed,
                    of_type: (*typed.ty).clone(),
                })
            }
            FnArg::Receiver(_) => None,
        });
        let subject = Subject {
            file: self.path.clone(),
            line: 1 + self.file.text[..start].matches('\n').count(),
            module: place.module.to_vec(),
            inline_modules: place.inline_modules,
            name: signature.ident.to_string(),
            visible: visibility(visible, &place.module.join("::")),
            owner: place.owner.clone(),
            receiver: signature.receiver().map(receiver_of),
            parameters: parameters.collect(),
            gives_value: !matches!(signature.output, ReturnType::Default),
            is_async: signature.asyncness.is_some(),
            has_tokio: self.has_tokio,
            is_unsafe: matches!(signature.safety, syn::Safety::Unsafe(_)),
            calls: called_names(without_tests(block.to_token_stream())),
            body: range_of(block.brace_token.span.open()).end,
            tokens: without_tests(block.to_token_stream()),
            tests: tests_at_start(block),
            generics,
            bounds,
            here: place.here.clone(),
        };
        self.all.insert((self.path.clone(), start), subject);
    }
}

/// The names of the macros that are tests.
const TESTS: [&str; 4] = ["itest", "blocktest", "closuretest", "endtest"];

/// Removes calls of test macros, which are not part of the function's behaviour.
fn without_tests(tokens: TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |at: usize, sign: char| matches!(trees.get(at), Some(TokenTree::Punct(own)) if own.as_char() == sign);
    let mut kept = Vec::new();
    let mut at = 0;
    while let Some(tree) = trees.get(at) {
        let is_test =
            matches!(tree, TokenTree::Ident(word) if TESTS.iter().any(|name| word == name));
        match tree {
            _ if is_test && is(at + 1, '!') => at += 2 + usize::from(is(at + 3, ';')),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), without_tests(group.stream()));
                inner.set_span(group.span());
                kept.push(TokenTree::Group(inner));
            }
            other => kept.push(other.clone()),
        }
        at += 1;
    }
    kept.into_iter().collect()
}

/// Returns the tests of the whole body.
fn tests_at_start(block: &Block) -> Vec<TokenStream> {
    let test = |statement: &Stmt| match statement {
        Stmt::Macro(call) if call.mac.path.is_ident("blocktest") => Some(call.to_token_stream()),
        _ => None,
    };
    block.stmts.iter().map_while(test).collect()
}

/// Returns the words before parentheses.
fn called_names(tokens: TokenStream) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut last = None;
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                if group.delimiter() == Delimiter::Parenthesis {
                    names.extend(last.take());
                }
                names.extend(called_names(group.stream()));
            }
            TokenTree::Ident(word) => last = Some(word.to_string()),
            _ => last = None,
        }
    }
    names
}

fn receiver_of(receiver: &syn::Receiver) -> Receiver {
    let text = receiver.to_token_stream().to_string();
    let is_borrowed = text.contains('&');
    match (is_borrowed, text.contains("mut ")) {
        (true, true) => Receiver::Exclusive,
        (true, false) => Receiver::Shared,
        (false, _) => Receiver::Value,
    }
}

fn type_parameters(generics: &Generics) -> Vec<String> {
    generics
        .type_params()
        .map(|parameter| parameter.ident.to_string())
        .collect()
}

fn says_its_type(of_type: &Type, generics: &[String]) -> bool {
    let text = of_type.to_token_stream().to_string();
    let mut words = text.split(|char: char| !char.is_alphanumeric() && char != '_');
    !text.contains("impl ") && !words.any(|word| generics.iter().any(|generic| generic == word))
}

fn owner_of(item: &ItemImpl, beside: &[Item], here: &TestModule) -> Owner {
    let type_name = last_word(&item.self_ty);
    let own_path = path_of(&item.self_ty);
    let Some((path, _)) = &item.trait_ else {
        return Owner {
            type_name,
            path: own_path,
            of_trait: None,
            trait_is_in_scope: true,
        };
    };
    let written = path.to_token_stream().to_string().replace(' ', "");
    let last = path
        .segments
        .last()
        .map(|last| last.ident.to_string())
        .unwrap_or_default();
    let is_declared = |item: &Item| matches!(item, Item::Trait(own) if own.ident == last);
    let is_imported = path.segments.len() == 1
        && (here.imports.has_name(&last) || beside.iter().any(is_declared));
    let trait_is_in_scope =
        is_imported || OF_THE_PRELUDE.contains(&last.as_str()) || here.imports.has_name(&last);
    Owner {
        type_name,
        path: own_path,
        of_trait: Some(written),
        trait_is_in_scope,
    }
}

/// Traits of the prelude.
const OF_THE_PRELUDE: [&str; 19] = [
    "AsMut",
    "AsRef",
    "Clone",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "ExactSizeIterator",
    "Extend",
    "From",
    "FromIterator",
    "Into",
    "IntoIterator",
    "Iterator",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "ToOwned",
    "ToString",
];

/// Returns a path of several segments, without generic arguments.
fn path_of(of_type: &Type) -> Option<String> {
    let Type::Path(path) = of_type else {
        return None;
    };
    let words: Vec<String> = path
        .path
        .segments
        .iter()
        .map(|word| word.ident.to_string())
        .collect();
    (words.len() > 1).then(|| words.join("::"))
}

fn last_word(of_type: &Type) -> Option<String> {
    match of_type {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        Type::Reference(reference) => last_word(&reference.elem),
        _ => None,
    }
}
