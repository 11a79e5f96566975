//! The outline of a file: its modules, the items that can hold tests, and the blocks in them with their statements.

use super::Place;
use crate::source::{bare_statement_range, byte_range, range_of};
use quote::ToTokens as _;
use situ_syntax::{attributes_of_item, is_block_like, is_test_only, kind_of_macro, situ_attribute};
use std::collections::HashMap;
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{AttrStyle, Attribute, Expr, File, ImplItem, Item, Macro, Stmt, TraitItem};

/// The outline of a file.
#[derive(Default)]
pub(super) struct Outline<'a> {
    /// The file's own module first, and every inline module behind the one it stands in.
    pub modules: Vec<Module<'a>>,
    /// Functions, `impl` blocks and traits of the modules.
    pub holders: Vec<Holder<'a>>,
    /// Every block of code.
    pub bodies: Vec<Body>,
    /// Bodies of match arms and closures that are no blocks.
    pub bare_bodies: Vec<BareBody>,
    /// Block and number of the statement that ends at a byte.
    ends: HashMap<usize, (usize, usize)>,
    /// Block and number of the statement that begins at a byte, with its attributes or behind them.
    starts: HashMap<usize, (usize, usize)>,
    /// The block whose `{` ends at a byte.
    opens: HashMap<usize, usize>,
}

/// The file or an inline module.
pub(super) struct Module<'a> {
    /// What stands in it.
    pub items: &'a [Item],
    /// The module around it.
    pub parent: Option<usize>,
    /// Its bytes, without its braces.
    pub inside: Range<usize>,
    /// Where its inner attributes and documentation end.
    pub head: usize,
    /// Whether `#[situ]` stands on it or on a module around it.
    pub marked: bool,
}

/// An outermost function, `impl` block or trait.
pub(super) struct Holder<'a> {
    /// The item.
    pub item: &'a Item,
    /// The module it stands in.
    pub module: usize,
    /// Whether `#[situ]` stands on the item itself.
    pub marked: bool,
    /// Whether a test stands in it already.
    pub has_tests: bool,
}

/// A block of code.
pub(super) struct Body {
    /// The byte behind its `{`.
    pub open: usize,
    /// Where its inner attributes end.
    pub head: usize,
    /// The byte before its `}`.
    pub close: usize,
    /// What stands in it.
    pub statements: Vec<Statement>,
    /// The item that `#[situ]` goes on; none where a test would never run.
    pub holder: Option<usize>,
}

/// A statement.
pub(super) struct Statement {
    /// Its bytes, attributes and semicolon included.
    pub range: Range<usize>,
    /// Where it begins behind its attributes.
    pub behind_attributes: usize,
    /// Its call, if it is a test.
    pub test: Option<Macro>,
    /// Whether it needs a semicolon before another statement can follow.
    pub lacks_semicolon: bool,
}

/// The body of a match arm or a closure that is no block.
pub(super) struct BareBody {
    /// Its bytes.
    pub range: Range<usize>,
    /// The item that `#[situ]` goes on; none where a test would never run.
    pub holder: Option<usize>,
}

impl<'a> Outline<'a> {
    /// Reads the outline off a syntax tree.
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

    /// The block whose `{` ends at a byte.
    pub(super) fn body_from(&self, open: usize) -> Option<&Body> {
        Some(&self.bodies[*self.opens.get(&open)?])
    }

    /// The block and the number of the statement that a place names.
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

    /// Visits what is inside something; where tests could never run there, nothing holds them.
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
        // An inner function is reached from beside the outer item; what stands in any other inner item is not.
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
    // `#[cfg_attr(test, situ)]` is a mark too.
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
