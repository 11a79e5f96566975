//! Traversal of an item that visits every test in it, with its surroundings.

use crate::analyse::is_block_like;
use crate::attributes::{attributes_of, is_cfg};
use crate::grammar::Kind;
use crate::grammar::{kind_of_macro, test_of_statement};
use crate::macros::declared_names;
use crate::mistakes::Mistakes;
use crate::surroundings::{
    Binding, Header, Owner, Returns, Source, Spot, Surroundings, pattern_names,
};
use crate::unreached::{Reached, add_hidden, add_unreached};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Arm, Attribute, Block, Expr, ExprAsync, ExprClosure, ExprForLoop, ExprIf, ExprLoop, ExprMatch,
    ExprUnsafe, ExprWhile, FieldValue, FnArg, ImplItem, ImplItemFn, Item, ItemFn, ItemImpl,
    ItemTrait, Lifetime, Local, Macro, Pat, ReturnType, Safety, Signature, Stmt, StmtMacro,
    TraitItem, TraitItemFn, Type,
};

/// The callback for each test.
pub type OnTest<'h, 'a> = dyn FnMut(Kind, &'a StmtMacro, &Surroundings<'a>, Spot<'a>) + 'h;

/// Visits every test of a function, an `impl` block or a trait. A test where nothing can be
/// executed is a mistake.
pub fn walk<'a>(item: &'a Item, mistakes: &mut Mistakes, on_test: &mut OnTest<'_, 'a>) {
    let owner = match item {
        Item::Impl(item) => Owner::Impl(item),
        Item::Trait(item) => Owner::Trait(item),
        _ => Owner::Free,
    };
    let mut walker = Walker {
        around: Surroundings::of(owner),
        header: Header::None,
        header_sees: 0,
        valued: false,
        returned: false,
        reached: Reached::default(),
        mistakes,
        on_test,
    };
    match item {
        Item::Fn(item) => walker.function(&item.attrs[..0], &item.sig, &item.block),
        Item::Impl(item) => walker.impl_items(item),
        Item::Trait(item) => walker.trait_items(item),
        _ => {}
    }
    add_unreached(item, &walker.reached, walker.mistakes);
}

struct Walker<'a, 'w> {
    around: Surroundings<'a>,
    header: Header<'a>,
    header_sees: usize,
    valued: bool,
    returned: bool,
    reached: Reached,
    mistakes: &'w mut Mistakes,
    on_test: &'w mut OnTest<'w, 'a>,
}

fn is_unit(output: &ReturnType) -> bool {
    match output {
        ReturnType::Default => true,
        ReturnType::Type(_, ty) => match &**ty {
            Type::Tuple(tuple) => tuple.elems.is_empty(),
            Type::Never(_) => true,
            _ => false,
        },
    }
}

impl<'a> Walker<'a, '_> {
    fn impl_items(&mut self, item: &'a ItemImpl) {
        for member in &item.items {
            match member {
                ImplItem::Fn(ImplItemFn {
                    attrs, sig, block, ..
                }) => self.function(attrs, sig, block),
                other => self.visit_impl_item(other),
            }
        }
    }

    fn trait_items(&mut self, item: &'a ItemTrait) {
        for member in &item.items {
            match member {
                TraitItem::Fn(TraitItemFn {
                    attrs,
                    sig,
                    default: Some(block),
                    ..
                }) => self.function(attrs, sig, block),
                other => self.visit_trait_item(other),
            }
        }
    }

    /// Calls `inside` and restores the surroundings.
    fn nested(&mut self, inside: impl FnOnce(&mut Self)) {
        let around = &self.around;
        let lengths = (
            around.bindings.len(),
            around.items.len(),
            around.loops.len(),
            around.cfgs.len(),
        );
        let values = (around.returns, around.is_unsafe, self.valued, self.returned);
        inside(self);
        let around = &mut self.around;
        around.bindings.truncate(lengths.0);
        around.items.truncate(lengths.1);
        around.loops.truncate(lengths.2);
        around.cfgs.truncate(lengths.3);
        (around.returns, around.is_unsafe, self.valued, self.returned) = values;
        self.header = Header::None;
    }

    /// Calls `inside` for a body that sees none of the loops around it, and restores the
    /// surroundings.
    fn nested_body(&mut self, inside: impl FnOnce(&mut Self)) {
        let loops = std::mem::take(&mut self.around.loops);
        self.nested(inside);
        self.around.loops = loops;
    }

    fn in_cfgs(&mut self, attributes: &'a [Attribute], inside: impl FnOnce(&mut Self)) {
        let before = self.around.cfgs.len();
        self.around
            .cfgs
            .extend(attributes.iter().filter(|attribute| is_cfg(attribute)));
        inside(self);
        self.around.cfgs.truncate(before);
    }

    fn function(&mut self, attributes: &'a [Attribute], signature: &'a Signature, body: &'a Block) {
        let owner = self.around.owner;
        let bindings = std::mem::take(&mut self.around.bindings);
        if !self.around.functions.is_empty() {
            self.around.owner = Owner::Free;
        }
        self.around.functions.push(signature);
        let body_span = std::mem::replace(&mut self.around.body_span, body.brace_token.span.join());
        self.nested_body(|this| {
            this.around
                .cfgs
                .extend(attributes.iter().filter(|attribute| is_cfg(attribute)));
            this.around.returns = Some(Returns::Function(signature));
            this.around.is_unsafe = matches!(signature.safety, Safety::Unsafe(_));
            for input in &signature.inputs {
                match input {
                    FnArg::Receiver(receiver) => this.around.bindings.push(Binding {
                        ident: proc_macro2::Ident::new("self", receiver.self_token.span),
                        source: Source::Receiver(receiver),
                    }),
                    FnArg::Typed(typed) => {
                        this.bind(&typed.pat, Source::Parameter(&typed.pat, Some(&typed.ty)))
                    }
                }
            }
            this.valued = !is_unit(&signature.output);
            this.returned = true;
            this.visit_block(body);
        });
        self.around.functions.pop();
        self.around.body_span = body_span;
        self.around.bindings = bindings;
        self.around.owner = owner;
    }

    fn bind(&mut self, pattern: &'a Pat, source: Source<'a>) {
        let names = pattern_names(pattern);
        self.around
            .bindings
            .extend(names.into_iter().map(|ident| Binding { ident, source }));
    }

    /// Adds the bindings of a condition's `let`s for the block after it.
    fn bind_condition(&mut self, condition: &'a Expr) {
        match condition {
            Expr::Let(let_) => self.bind(&let_.pat, Source::Matched(&let_.pat, &let_.expr)),
            Expr::Binary(binary) => {
                self.bind_condition(&binary.left);
                self.bind_condition(&binary.right);
            }
            Expr::Paren(paren) => self.bind_condition(&paren.expr),
            _ => {}
        }
    }

    fn operand(&mut self, expression: &'a Expr) {
        let context = (self.valued, self.returned);
        (self.valued, self.returned) = (true, false);
        self.header = Header::None;
        self.visit_expr(expression);
        (self.valued, self.returned) = context;
    }

    fn body(&mut self, header: Header<'a>, block: &'a Block) {
        self.header = header;
        self.visit_block(block);
        self.header = Header::None;
    }

    fn loop_body(&mut self, label: Option<&'a Lifetime>, header: Header<'a>, block: &'a Block) {
        self.around.loops.push(label);
        (self.valued, self.returned) = (false, false);
        self.body(header, block);
    }

    fn statement(&mut self, statement: &'a Stmt, last: bool) {
        let context = (self.valued, self.returned);
        let is_tail = last && matches!(statement, Stmt::Expr(_, None));
        if !is_tail {
            (self.valued, self.returned) = (false, false);
        }
        match statement {
            Stmt::Local(local) => self.local(local),
            Stmt::Item(item) => self.visit_item(item),
            Stmt::Expr(expression, Some(_)) if !is_block_like(expression) => {
                self.operand(expression)
            }
            Stmt::Expr(expression, _) => self.visit_expr(expression),
            Stmt::Macro(statement) => self.visit_macro(&statement.mac),
        }
        (self.valued, self.returned) = context;
    }

    fn local(&mut self, local: &'a Local) {
        self.in_cfgs(&local.attrs, |this| {
            if let Some(init) = &local.init {
                this.operand(&init.expr);
                if let Some((_, diverging)) = &init.diverge {
                    this.visit_expr(diverging);
                }
            }
        });
        self.bind(&local.pat, Source::Let(local));
    }
}

impl<'a> Visit<'a> for Walker<'a, '_> {
    fn visit_block(&mut self, block: &'a Block) {
        let header = std::mem::replace(&mut self.header, Header::None);
        let header_sees = self.header_sees;
        let (valued, returned) = (self.valued, self.returned);
        self.nested(|this| {
            let is_item = |statement: &&Stmt| match statement {
                Stmt::Item(_) => true,
                Stmt::Macro(statement) => {
                    statement.mac.path.is_ident("macro_rules")
                        || !declared_names(&statement.mac).is_empty()
                }
                _ => false,
            };
            this.around.items.extend(block.stmts.iter().filter(is_item));
            let mut before = None;
            for (index, statement) in block.stmts.iter().enumerate() {
                match test_of_statement(statement) {
                    Some((kind, call)) => {
                        this.reached.add(&call.mac);
                        let statements = &block.stmts;
                        let spot = Spot {
                            statements,
                            index,
                            before,
                            header,
                            header_sees,
                            valued,
                            returned,
                        };
                        (this.on_test)(kind, call, &this.around, spot);
                    }
                    None => {
                        this.statement(statement, index + 1 == block.stmts.len());
                        before = Some(statement);
                    }
                }
            }
        });
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        self.in_cfgs(attributes_of(expression), |this| match expression {
            // These pass the use of their value on to their blocks.
            Expr::If(_) | Expr::Match(_) | Expr::Block(_) | Expr::Unsafe(_) | Expr::Paren(_) => {
                visit::visit_expr(this, expression);
            }
            _ => {
                let context = (this.valued, this.returned);
                (this.valued, this.returned) = (true, false);
                this.header = Header::None;
                visit::visit_expr(this, expression);
                (this.valued, this.returned) = context;
            }
        });
    }

    fn visit_field_value(&mut self, field: &'a FieldValue) {
        self.in_cfgs(&field.attrs, |this| visit::visit_field_value(this, field));
    }

    fn visit_expr_if(&mut self, if_: &'a ExprIf) {
        self.operand(&if_.cond);
        self.nested(|this| {
            this.header_sees = this.around.bindings.len();
            this.bind_condition(&if_.cond);
            this.body(Header::Condition(&if_.cond), &if_.then_branch);
        });
        if let Some((_, else_)) = &if_.else_branch {
            self.header = Header::None;
            self.visit_expr(else_);
        }
    }

    fn visit_expr_while(&mut self, while_: &'a ExprWhile) {
        self.operand(&while_.cond);
        self.nested(|this| {
            this.header_sees = this.around.bindings.len();
            this.bind_condition(&while_.cond);
            let label = while_.label.as_ref().map(|label| &label.name);
            this.loop_body(label, Header::Condition(&while_.cond), &while_.body);
        });
    }

    fn visit_expr_for_loop(&mut self, for_: &'a ExprForLoop) {
        self.operand(&for_.expr);
        self.nested(|this| {
            this.header_sees = this.around.bindings.len();
            this.bind(&for_.pat, Source::For(for_));
            this.loop_body(
                for_.label.as_ref().map(|label| &label.name),
                Header::For(for_),
                &for_.body,
            );
        });
    }

    fn visit_expr_loop(&mut self, loop_: &'a ExprLoop) {
        self.nested(|this| {
            this.loop_body(
                loop_.label.as_ref().map(|label| &label.name),
                Header::None,
                &loop_.body,
            )
        });
    }

    fn visit_expr_match(&mut self, match_: &'a ExprMatch) {
        self.operand(&match_.expr);
        for arm in &match_.arms {
            self.nested(|this| this.arm(arm, &match_.expr));
        }
    }

    fn visit_expr_unsafe(&mut self, unsafe_: &'a ExprUnsafe) {
        self.nested(|this| {
            this.around.is_unsafe = true;
            this.visit_block(&unsafe_.block);
        });
    }

    fn visit_expr_closure(&mut self, closure: &'a ExprClosure) {
        self.nested_body(|this| {
            for input in &closure.inputs {
                match input {
                    Pat::Type(typed) => {
                        this.bind(&typed.pat, Source::Parameter(&typed.pat, Some(&typed.ty)))
                    }
                    other => this.bind(other, Source::Parameter(other, None)),
                }
            }
            this.around.returns = Some(Returns::Closure(closure));
            this.valued = match &closure.output {
                ReturnType::Default => true,
                declared => !is_unit(declared),
            };
            this.returned = true;
            this.visit_expr(&closure.body);
        });
    }

    fn visit_expr_async(&mut self, async_: &'a ExprAsync) {
        self.nested_body(|this| {
            this.around.returns = Some(Returns::AsyncBlock);
            (this.valued, this.returned) = (true, true);
            this.visit_block(&async_.block);
        });
    }

    fn visit_item_fn(&mut self, function: &'a ItemFn) {
        self.function(&function.attrs, &function.sig, &function.block);
    }

    fn visit_item(&mut self, item: &'a Item) {
        // Deeper tests in other items cannot be reached from beside the outer one.
        if let Item::Fn(function) = item {
            self.visit_item_fn(function);
        }
    }

    fn visit_macro(&mut self, call: &'a Macro) {
        self.reached.add(call);
        match kind_of_macro(call) {
            Some(kind) => self.mistakes.add(
                call.path.span(),
                format!(
                    "`{}!` is a statement of its own; move it out of this expression",
                    kind.macro_name()
                ),
            ),
            None => add_hidden(&call.tokens, self.mistakes),
        }
    }
}

impl<'a> Walker<'a, '_> {
    fn arm(&mut self, arm: &'a Arm, scrutinee: &'a Expr) {
        self.around
            .cfgs
            .extend(arm.attrs.iter().filter(|attribute| is_cfg(attribute)));
        self.header_sees = self.around.bindings.len();
        self.bind(&arm.pat, Source::Matched(&arm.pat, scrutinee));
        let header = match &arm.pat {
            Pat::Guard(guarded) => {
                self.header_sees = self.around.bindings.len();
                self.operand(&guarded.guard);
                Header::Condition(&guarded.guard)
            }
            _ => Header::Arm(scrutinee),
        };
        self.header = if matches!(&*arm.body, Expr::Block(_)) {
            header
        } else {
            Header::None
        };
        self.visit_expr(&arm.body);
    }
}
