//! The outline of a file: its modules, the items that can contain tests, and their blocks with
//! statements.

use super::Place;
use crate::source::{bare_statement_range, byte_range, range_of};
use quote::ToTokens as _;
use situ_syntax::{attributes_of_item, is_block_like, is_test_only, kind_of_macro, situ_attribute};
use std::collections::HashMap;
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{AttrStyle, Attribute, Expr, File, ImplItem, Item, Macro, Stmt, TraitItem};

/// Modules, items and blocks of a file, with their byte offsets.
#[derive(Default)]
pub(super) struct Outline<'a> {
    /// The file's own module first, and every inline module after its parent.
    pub modules: Vec<Module<'a>>,
    /// Outermost functions, `impl` blocks and traits of all modules.
    pub holders: Vec<Holder<'a>>,
    /// Every block of code.
    pub bodies: Vec<Body>,
    /// Bodies of match arms and closures that are no blocks.
    pub bare_bodies: Vec<BareBody>,
    /// Block and statement index, by the byte offset of the statement's end.
    ends: HashMap<usize, (usize, usize)>,
    /// Block and statement index, by the byte offset of the statement's start, with or without its
    /// attributes.
    starts: HashMap<usize, (usize, usize)>,
    /// Block index, by the byte offset after its `{`.
    opens: HashMap<usize, usize>,
}

/// The file or an inline module.
pub(super) struct Module<'a> {
    pub items: &'a [Item],
    /// Index of the parent module.
    pub parent: Option<usize>,
    /// Byte range of the contents, without the braces.
    pub inside: Range<usize>,
    /// End of the inner attributes and documentation.
    pub head: usize,
    /// Whether the module or one of its ancestors has `#[situ]`.
    pub marked: bool,
}

/// Outermost function, `impl` block or trait.
pub(super) struct Holder<'a> {
    pub item: &'a Item,
    /// Index of the module that contains the item.
    pub module: usize,
    /// Whether the item itself has `#[situ]`.
    pub marked: bool,
    /// Whether the item contains tests already.
    pub has_tests: bool,
}

/// Block of code.
pub(super) struct Body {
    /// Byte offset after the `{` of the body.
    pub open: usize,
    /// Byte offset of the end of the body's inner attributes.
    pub head: usize,
    /// Byte offset of the `}` of the body.
    pub close: usize,
    pub statements: Vec<Statement>,
    /// Index of the item that needs `#[situ]`, or `None` if a test here would never run.
    pub holder: Option<usize>,
}

pub(super) struct Statement {
    /// Byte range, including attributes and semicolon.
    pub range: Range<usize>,
    /// Start without attributes.
    pub behind_attributes: usize,
    /// The macro call, if the statement is a test.
    pub test: Option<Macro>,
    /// Whether another statement can follow only after a semicolon.
    pub lacks_semicolon: bool,
}

/// Body of a match arm or closure that is no block.
pub(super) struct BareBody {
    pub range: Range<usize>,
    /// Index of the item that needs `#[situ]`, or `None` if a test here would never run.
    pub holder: Option<usize>,
}

impl<'a> Outline<'a> {
    /// Builds the outline of a file of `length` bytes.
    pub(super) fn of(file: &'a File, length: usize) -> Outline<'a> {
        let mut reader = Reader {
            outline: Outline::default(),
            holder: None,
            inner_attributes: Vec::new(),
        };
        let head = inner_end(&file.attrs, 0);
        reader.outline.modules.push(Module {
            items: &file.items,
            parent: None,
            inside: 0..length,
            head,
            marked: is_marked(&file.attrs),
        });
        reader.items(&file.items, 0, file.attrs.iter().any(is_test_only));
        let inner = reader.inner_attributes;
        let mut outline = reader.outline;
        for body in &mut outline.bodies {
            let first = body
                .statements
                .first()
                .map_or(body.close, |first| first.range.start);
            let own = inner
                .iter()
                .filter(|range| range.start >= body.open && range.end <= first);
            body.head = own.map(|range| range.end).max().unwrap_or(body.open);
        }
        outline.index();
        outline
    }

    fn index(&mut self) {
        for (number, body) in self.bodies.iter().enumerate() {
            self.opens.insert(body.open, number);
            for (at, statement) in body.statements.iter().enumerate() {
                self.ends.insert(statement.range.end, (number, at));
                self.starts.insert(statement.range.start, (number, at));
                self.starts
                    .insert(statement.behind_attributes, (number, at));
            }
        }
    }

    /// Returns the block whose `{` ends at this byte.
    pub(super) fn body_from(&self, open: usize) -> Option<&Body> {
        Some(&self.bodies[*self.opens.get(&open)?])
    }

    /// Returns the block and the index of the statement that a place names.
    pub(super) fn statement_at(&self, place: Place) -> Option<(&Body, usize)> {
        let (body, number) = match place {
            Place::After(end) => self.ends.get(&end)?,
            Place::Before(start) => self.starts.get(&start)?,
            Place::BodyStart(_) => return None,
        };
        Some((&self.bodies[*body], *number))
    }
}

struct Reader<'a> {
    outline: Outline<'a>,
    holder: Option<usize>,
    inner_attributes: Vec<Range<usize>>,
}

impl<'a> Reader<'a> {
    fn items(&mut self, items: &'a [Item], module: usize, in_tests: bool) {
        for item in items {
            let attributes = attributes_of_item(item);
            let in_tests = in_tests || attributes.iter().any(is_test_only);
            match item {
                Item::Mod(inner) => self.module(inner, module, in_tests),
                Item::Fn(_) | Item::Impl(_) | Item::Trait(_) => {
                    let marked = is_marked(attributes);
                    self.outline.holders.push(Holder {
                        item,
                        module,
                        marked,
                        has_tests: false,
                    });
                    self.holder = Some(self.outline.holders.len() - 1).filter(|_| !in_tests);
                    visit::visit_item(self, item);
                    self.holder = None;
                }
                other => visit::visit_item(self, other),
            }
        }
    }

    fn module(&mut self, item: &'a syn::ItemMod, parent: usize, in_tests: bool) {
        let Some((brace, items)) = &item.content else {
            return;
        };
        let inside = range_of(brace.span.open()).end..range_of(brace.span.close()).start;
        let marked = self.outline.modules[parent].marked || is_marked(&item.attrs);
        let head = inner_end(&item.attrs, inside.start);
        self.outline.modules.push(Module {
            items,
            parent: Some(parent),
            inside,
            head,
            marked,
        });
        let number = self.outline.modules.len() - 1;
        self.items(items, number, in_tests);
    }

    /// Visits the inside of an item. If `reached` is false, tests there would never run.
    fn member(&mut self, reached: bool, inside: impl FnOnce(&mut Self)) {
        let outer = self.holder;
        self.holder = outer.filter(|_| reached);
        inside(self);
        self.holder = outer;
    }

    fn bare_body(&mut self, body: &Expr) {
        if !matches!(body, Expr::Block(_)) {
            self.outline.bare_bodies.push(BareBody {
                range: byte_range(body),
                holder: self.holder,
            });
        }
    }
}

impl<'a> Visit<'a> for Reader<'a> {
    fn visit_block(&mut self, block: &'a syn::Block) {
        let open = range_of(block.brace_token.span.open()).end;
        let close = range_of(block.brace_token.span.close()).start;
        let last = block.stmts.len().saturating_sub(1);
        let read = |(number, statement)| read_statement(statement, number == last);
        let statements: Vec<Statement> = block.stmts.iter().enumerate().map(read).collect();
        if let Some(holder) = self.holder {
            self.outline.holders[holder].has_tests |=
                statements.iter().any(|statement| statement.test.is_some());
        }
        self.outline.bodies.push(Body {
            open,
            head: open,
            close,
            statements,
            holder: self.holder,
        });
        visit::visit_block(self, block);
    }

    fn visit_item(&mut self, item: &'a Item) {
        // `#[situ]` reaches inner functions, but not functions in other inner items.
        let reached =
            matches!(item, Item::Fn(_)) && !attributes_of_item(item).iter().any(is_test_only);
        self.member(reached, |reader| visit::visit_item(reader, item));
    }

    fn visit_arm(&mut self, arm: &'a syn::Arm) {
        self.bare_body(&arm.body);
        visit::visit_arm(self, arm);
    }

    fn visit_expr_closure(&mut self, closure: &'a syn::ExprClosure) {
        self.bare_body(&closure.body);
        visit::visit_expr_closure(self, closure);
    }

    fn visit_impl_item(&mut self, member: &'a ImplItem) {
        self.member(
            matches!(member, ImplItem::Fn(item) if !item.attrs.iter().any(is_test_only)),
            |reader| {
                visit::visit_impl_item(reader, member);
            },
        );
    }

    fn visit_trait_item(&mut self, member: &'a TraitItem) {
        self.member(
            matches!(member, TraitItem::Fn(item) if !item.attrs.iter().any(is_test_only)),
            |reader| {
                visit::visit_trait_item(reader, member);
            },
        );
    }

    fn visit_expr_const(&mut self, block: &'a syn::ExprConst) {
        self.member(false, |reader| visit::visit_expr_const(reader, block));
    }

    fn visit_attribute(&mut self, attribute: &'a Attribute) {
        if matches!(attribute.style, AttrStyle::Inner(_)) {
            self.inner_attributes.push(byte_range(attribute));
        }
    }

    // Blocks inside types are constants, which no test reaches.
    fn visit_type(&mut self, _: &'a syn::Type) {}
}

fn read_statement(statement: &Stmt, is_last: bool) -> Statement {
    let range = byte_range(statement);
    let (call, lacks_semicolon) = match statement {
        Stmt::Macro(call) => (Some(&call.mac), false),
        Stmt::Expr(Expr::Macro(call), semicolon) => {
            (Some(&call.mac), semicolon.is_none() && is_last)
        }
        Stmt::Expr(expression, None) => (None, is_last && !is_block_like(expression)),
        _ => (None, false),
    };
    let test = call.filter(|call| kind_of_macro(call).is_some()).cloned();
    let behind_attributes = bare_statement_range(statement).start;
    Statement {
        range,
        behind_attributes,
        test,
        lacks_semicolon,
    }
}

fn is_marked(attributes: &[Attribute]) -> bool {
    // `#[cfg_attr(test, situ)]` counts too.
    let marks_sometimes = |attribute: &Attribute| {
        let mut names = Vec::new();
        if attribute.path().is_ident("cfg_attr") {
            crate::source::targets::names_in(attribute.meta.to_token_stream(), &mut names);
        }
        names.iter().any(|name| name == "situ")
    };
    situ_attribute(attributes).is_some() || attributes.iter().any(marks_sometimes)
}

fn inner_end(attributes: &[Attribute], otherwise: usize) -> usize {
    let inner = attributes
        .iter()
        .filter(|attribute| matches!(attribute.style, AttrStyle::Inner(_)));
    inner
        .map(|attribute| byte_range(attribute).end)
        .max()
        .unwrap_or(otherwise)
}
