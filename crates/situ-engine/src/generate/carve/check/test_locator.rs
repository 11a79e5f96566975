//! The positions of carved tests in changed files, to find the test that a compiler message is
//! about.

use crate::edit::ChangeSet;
use crate::generate::carve::write::place::MODULE;
use crate::source::{byte_range, parse, parse_tokens_with};
use proc_macro2::TokenTree;
use situ_syntax::{Kind, kind_of_macro};
use std::ops::Range;
use std::path::PathBuf;
use syn::visit::{self, Visit};
use syn::{
    Expr, ExprLit, ImplItemFn, ItemFn, ItemImpl, ItemMacro, ItemMod, ItemStruct, Lit, Macro, Token,
    Type, punctuated::Punctuated,
};

/// A test in a changed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    pub file: PathBuf,
    /// The function that contains an in-situ test; `None` for one in the module of tests.
    pub function: Option<String>,
    pub name: String,
    /// Its bytes.
    pub test: Range<usize>,
    /// The bytes of the function around an in-situ test.
    pub around: Range<usize>,
}

/// Returns all carved tests of the changed files, and all in-situ tests.
pub(crate) fn standing(changes: &ChangeSet) -> Vec<Standing> {
    let mut all = Vec::new();
    for file in &changes.files {
        if let Ok(tree) = parse(&file.after) {
            let mut walk = Walk {
                file: &file.path,
                modules: Vec::new(),
                function: None,
                found: &mut all,
            };
            walk.visit_file(&tree);
        }
    }
    all
}

struct Walk<'w> {
    file: &'w PathBuf,
    modules: Vec<String>,
    function: Option<(String, Range<usize>)>,
    found: &'w mut Vec<Standing>,
}

impl Walk<'_> {
    fn inside(&mut self, name: String, range: Range<usize>, visit: impl FnOnce(&mut Self)) {
        let outer = self.function.replace((name, range));
        visit(self);
        self.function = outer;
    }
}

impl Walk<'_> {
    /// An item that tests share.
    fn double(&mut self, name: String, range: Range<usize>) {
        if self.modules.last().is_some_and(|last| last == MODULE) {
            let (file, test, around) = (self.file.clone(), range.clone(), range);
            self.found.push(Standing {
                file,
                function: None,
                name,
                test,
                around,
            });
        }
    }
}

impl<'ast> Visit<'ast> for Walk<'_> {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.modules.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.modules.pop();
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        let range = byte_range(item);
        let name = item.sig.ident.to_string();
        if self.modules.last().is_some_and(|last| last == MODULE) {
            let (file, test, around) = (self.file.clone(), range.clone(), range.clone());
            self.found.push(Standing {
                file,
                function: None,
                name: name.clone(),
                test,
                around,
            });
        }
        self.inside(name, range, |walk| visit::visit_item_fn(walk, item));
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.double(item.ident.to_string(), byte_range(item));
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        if let Type::Path(own) = &*item.self_ty
            && let Some(name) = own.path.get_ident()
        {
            self.double(name.to_string(), byte_range(item));
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_item_macro(&mut self, item: &'ast ItemMacro) {
        let is_mock = item
            .mac
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == "mock");
        if let (true, Some(TokenTree::Ident(name))) =
            (is_mock, item.mac.tokens.clone().into_iter().next())
        {
            self.double(format!("Mock{name}"), byte_range(item));
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.inside(item.sig.ident.to_string(), byte_range(item), |walk| {
            visit::visit_impl_item_fn(walk, item)
        });
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let Some((function, around)) = self.function.clone() else {
            return;
        };
        if kind_of_macro(call) != Some(Kind::Block) {
            return;
        }
        let clauses = parse_tokens_with(
            Punctuated::<Expr, Token![,]>::parse_terminated,
            call.tokens.clone(),
        );
        if let Some(Expr::Lit(ExprLit {
            lit: Lit::Str(name),
            ..
        })) = clauses.ok().as_ref().and_then(Punctuated::first)
        {
            let (file, name, test) = (self.file.clone(), name.value(), byte_range(call));
            self.found.push(Standing {
                file,
                function: Some(function),
                name,
                test,
                around,
            });
        }
    }
}
