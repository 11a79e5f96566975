//! One walk of a file's syntax tree that shows each node to each operator.

mod attributes;

pub use attributes::condition;

use self::attributes::{attributes_of_statement, is_dull, is_test, leaves_out, type_name};
use super::expansion::Expanded;
use super::mutant::{Function, Mutant};
use super::operators::{BlockKind, Form, Node, OPERATORS, Surroundings, attributes_of, holds_let, is_noise};
use crate::source::byte_range;
use proc_macro2::TokenStream;
use std::ops::Range;
use syn::parse::Parser as _;
use syn::visit::{self, Visit};
use syn::{
    Arm, Attribute, Block, Expr, ExprCall, ExprClosure, ExprMethodCall, ImplItem, Item, Macro, Pat, ReturnType,
    Signature, Stmt, Token, Type,
};

/// Sites nested deeper than this are left out: the compiler recurses over them.
const DEEPEST: usize = 40;
/// A choice is never made for more text than this at once, because each mutant repeats it.
const WIDEST: usize = 3000;
/// In longer lists of literals only the first and the last are changed.
const LONGEST_LIST: usize = 8;

/// Walks a file; `expanded` tells what of it is the user's.
pub fn walk<'a>(text: &'a str, tree: &syn::File, expanded: Option<&'a Expanded>) -> Walk<'a> {
    let mut walk = Walk::new(text, expanded);
    tree.items.iter().for_each(|item| walk.visit_item(item));
    walk.found.retain(|mutant| parses(mutant, text));
    walk
}

/// Whether the changed text is Rust: a single syntax error would hide all other errors of the crate.
fn parses(mutant: &Mutant, text: &str) -> bool {
    match mutant.form {
        Form::Expression => {
            let original = &text[mutant.range.clone()];
            mutant.text != original && syn::parse_str::<Expr>(&mutant.text).is_ok()
        }
        Form::Statement | Form::Before => Block::parse_within.parse_str(&mutant.text).is_ok(),
        Form::Guard | Form::Unswitchable => true,
    }
}

/// A walk, and what it has found so far.
pub struct Walk<'a> {
    text: &'a str,
    expanded: Option<&'a Expanded>,
    /// The mutants, in the order of the walk.
    pub found: Vec<Mutant>,
    /// The functions that it came by.
    pub functions: Vec<Function>,
    function: Option<usize>,
    owner: Option<String>,
    conditions: Vec<String>,
    /// How many constant contexts are around.
    constant: usize,
    depth: usize,
    /// The full expressions around, the innermost last.
    full: Vec<Range<usize>>,
    returns: Vec<(Option<Type>, bool)>,
    loops: Vec<BlockKind>,
}

impl<'a> Walk<'a> {
    fn new(text: &'a str, expanded: Option<&'a Expanded>) -> Walk<'a> {
        Walk {
            text,
            expanded,
            found: Vec::new(),
            functions: Vec::new(),
            function: None,
            owner: None,
            conditions: Vec::new(),
            constant: 0,
            depth: 0,
            full: Vec::new(),
            returns: Vec::new(),
            loops: Vec::new(),
        }
    }

    fn offer(&mut self, node: &Node<'_>) {
        if self.function.is_none() && self.constant == 0 || self.depth > DEEPEST {
            return;
        }
        let (returns, returns_known) =
            self.returns.last().map_or((None, false), |(returns, known)| (returns.as_ref(), *known));
        let around = Surroundings { text: self.text, returns, returns_known, in_loop: self.loops.last().copied() };
        for operator in OPERATORS {
            let mut changes = Vec::new();
            (operator.find)(node, &around, &mut changes);
            for change in changes {
                let is_small = |range: &&Range<usize>| range.len() <= WIDEST;
                let mut wider: Vec<Range<usize>> = self.full.iter().rev().filter(is_small).cloned().collect();
                wider.dedup();
                wider.truncate(3);
                let mut mutant = Mutant::new(operator.name, change, wider, self.text);
                if self.constant > 0 {
                    mutant.form = Form::Unswitchable;
                }
                mutant.function = self.function;
                mutant.conditions = self.conditions.clone();
                self.found.push(mutant);
            }
        }
    }

    /// Whether an attribute comes from the expansion of in-situ tests; what it stands on holds copies of user code.
    fn is_generated(&self, attribute: &Attribute) -> bool {
        self.expanded.is_some_and(|expanded| expanded.is_generated(&byte_range(attribute)))
    }

    fn constant(&mut self, inside: impl FnOnce(&mut Self)) {
        self.constant += 1;
        inside(self);
        self.constant -= 1;
    }

    fn full(&mut self, expression: &Expr, inside: impl FnOnce(&mut Self)) {
        self.full.push(byte_range(expression));
        inside(self);
        self.full.pop();
    }

    /// Walks what stands under these attributes, unless it is test code or the user says to leave it.
    fn under(&mut self, attributes: &[Attribute], inside: impl FnOnce(&mut Self)) {
        if attributes.iter().any(|attribute| leaves_out(attribute) && !self.is_generated(attribute)) {
            return;
        }
        let before = self.conditions.len();
        self.conditions.extend(attributes.iter().filter_map(condition));
        inside(self);
        self.conditions.truncate(before);
    }

    fn function(&mut self, attributes: &[Attribute], signature: &Signature, block: &Block, range: Range<usize>) {
        if attributes.iter().any(|attribute| attribute.path().segments.last().is_some_and(|last| last.ident == "test"))
        {
            return;
        }
        if matches!(signature.ident.to_string().as_str(), "size_hint" | "with_capacity" | "reserve" | "capacity") {
            return;
        }
        self.under(attributes, |walk| {
            let name = match &walk.owner {
                Some(owner) => format!("{owner}::{}", signature.ident),
                None => signature.ident.to_string(),
            };
            let const_token = signature.constness.as_ref().map(byte_range);
            walk.functions.push(Function { name, range, const_token });
            let outer = (walk.function.replace(walk.functions.len() - 1), std::mem::take(&mut walk.loops));
            let full = std::mem::take(&mut walk.full);
            let (constant, owner) = (std::mem::take(&mut walk.constant), walk.owner.take());
            let returned = match &signature.output {
                ReturnType::Default => None,
                ReturnType::Type(_, returned) => Some((**returned).clone()),
            };
            walk.returns.push((returned, true));
            walk.offer(&Node::Body { signature, block });
            walk.block(block, BlockKind::Function);
            walk.returns.pop();
            (walk.function, walk.loops) = outer;
            walk.full = full;
            (walk.constant, walk.owner) = (constant, owner);
        });
    }

    fn block(&mut self, block: &Block, kind: BlockKind) {
        if matches!(kind, BlockKind::Loop | BlockKind::ValueLoop) {
            self.loops.push(kind);
        }
        let statements = block.stmts.iter().filter(|statement| !is_test(statement));
        let last = statements.clone().count().saturating_sub(1);
        for (at, statement) in statements.enumerate() {
            if attributes_of_statement(statement).iter().any(leaves_out) {
                continue;
            }
            self.offer(&Node::Statement { statement, is_last: at == last, is_first: at == 0, block: kind });
            self.statement(statement);
        }
        if matches!(kind, BlockKind::Loop | BlockKind::ValueLoop) {
            self.loops.pop();
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Local(local) => {
                self.visit_pat(&local.pat);
                if let Some(init) = &local.init {
                    self.full(&init.expr, |walk| walk.visit_expr(&init.expr));
                    if let Some((_, diverge)) = &init.diverge {
                        self.visit_expr(diverge);
                    }
                }
            }
            Stmt::Item(item) => self.visit_item(item),
            Stmt::Expr(expression, _) => self.full(expression, |walk| walk.visit_expr(expression)),
            Stmt::Macro(call) => self.arguments_of(&call.mac),
        }
    }

    /// Looks into the arguments of macros that are known to take expressions.
    fn arguments_of(&mut self, call: &Macro) {
        if is_noise(call) {
            return;
        }
        let Some(name) = call.path.segments.last().map(|last| last.ident.to_string()) else { return };
        let (skipped, only) = match name.as_str() {
            "vec" => (0, usize::MAX),
            "format" => (1, usize::MAX),
            "write" | "writeln" => (2, usize::MAX),
            "matches" => (0, 1),
            "assert" => (0, 1),
            "assert_eq" | "assert_ne" => (0, 2),
            _ => return,
        };
        let parser = |input: syn::parse::ParseStream<'_>| -> syn::Result<Vec<Expr>> {
            let mut all = Vec::new();
            while !input.is_empty() && all.len() < only {
                all.push(input.parse::<Expr>()?);
                if input.parse::<Option<Token![,]>>()?.is_none() {
                    break;
                }
            }
            let _rest: TokenStream = input.parse()?;
            Ok(all)
        };
        let Ok(arguments) = parser.parse2(call.tokens.clone()) else { return };
        for argument in arguments.iter().skip(skipped) {
            // `name = value` in a format macro is not an assignment.
            match argument {
                Expr::Assign(named) if name != "vec" => self.visit_expr(&named.right),
                Expr::Repeat(_) | Expr::Lit(_) if name == "vec" && arguments.len() > LONGEST_LIST => {}
                _ => self.visit_expr(argument),
            }
        }
    }

    fn condition(&mut self, condition: &Expr, is_loop: bool) {
        if !holds_let(condition) {
            self.offer(&Node::Condition { condition, is_loop });
            self.full(condition, |walk| walk.visit_expr(condition));
        } else {
            self.visit_expr(condition);
        }
    }

    fn closure(&mut self, closure: &ExprClosure) {
        let returned = match &closure.output {
            ReturnType::Default => (None, false),
            ReturnType::Type(_, returned) => (Some((**returned).clone()), true),
        };
        self.returns.push(returned);
        let loops = std::mem::take(&mut self.loops);
        self.full(&closure.body, |walk| walk.visit_expr(&closure.body));
        self.loops = loops;
        self.returns.pop();
    }

    /// Visits the children of an expression that are values; places and constants are told apart here.
    fn children(&mut self, expression: &Expr) {
        match expression {
            Expr::Closure(closure) => self.closure(closure),
            Expr::Async(block) => {
                self.returns.push((None, false));
                self.block(&block.block, BlockKind::Plain);
                self.returns.pop();
            }
            Expr::If(conditional) => {
                self.condition(&conditional.cond, false);
                self.block(&conditional.then_branch, BlockKind::Plain);
                if let Some((_, other)) = &conditional.else_branch {
                    match &**other {
                        Expr::Block(block) => self.block(&block.block, BlockKind::Plain),
                        nested => self.children(nested),
                    }
                }
            }
            Expr::While(repeated) => {
                self.condition(&repeated.cond, true);
                self.block(&repeated.body, BlockKind::Loop);
            }
            Expr::ForLoop(repeated) => {
                self.full(&repeated.expr, |walk| walk.visit_expr(&repeated.expr));
                self.block(&repeated.body, BlockKind::Loop);
            }
            Expr::Loop(repeated) => self.block(&repeated.body, BlockKind::ValueLoop),
            Expr::Block(block) => self.block(&block.block, BlockKind::Plain),
            Expr::Unsafe(block) => self.block(&block.block, BlockKind::Plain),
            Expr::Const(block) => self.constant(|walk| walk.block(&block.block, BlockKind::Plain)),
            Expr::Match(choice) => {
                self.full(&choice.expr, |walk| walk.visit_expr(&choice.expr));
                self.arms(&choice.arms);
            }
            Expr::Repeat(repeat) => {
                self.visit_expr(&repeat.expr);
                self.constant(|walk| walk.visit_expr(&repeat.len));
            }
            Expr::Macro(call) => self.arguments_of(&call.mac),
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method_call(call),
            Expr::Array(array) if array.elems.len() > LONGEST_LIST => {
                let literals = array.elems.iter().all(|element| matches!(element, Expr::Lit(_)));
                let ends = [array.elems.first(), array.elems.last()];
                match literals {
                    true => ends.into_iter().flatten().for_each(|element| self.visit_expr(element)),
                    false => array.elems.iter().for_each(|element| self.visit_expr(element)),
                }
            }
            Expr::Unary(negative) if matches!(&*negative.expr, Expr::Lit(_)) => self.visit_expr(&negative.expr),
            _ => visit::visit_expr(self, expression),
        }
    }

    fn call(&mut self, call: &ExprCall) {
        self.visit_expr(&call.func);
        let name = self.text[byte_range(&*call.func)].rsplit("::").next().unwrap_or("").to_owned();
        if !matches!(name.as_str(), "with_capacity" | "with_capacity_in" | "sleep") {
            call.args.iter().for_each(|argument| self.visit_expr(argument));
        }
    }

    fn method_call(&mut self, call: &ExprMethodCall) {
        self.visit_expr(&call.receiver);
        let is_message = matches!(call.method.to_string().as_str(), "expect" | "expect_err" | "reserve" | "context");
        if !is_message {
            call.args.iter().for_each(|argument| self.visit_expr(argument));
        }
    }

    fn arms(&mut self, arms: &[Arm]) {
        let is_catch_all = |arm: &Arm| match &arm.pat {
            Pat::Wild(_) => true,
            Pat::Ident(name) => {
                name.subpat.is_none() && name.ident.to_string().starts_with(|first: char| first.is_lowercase())
            }
            _ => false,
        };
        let fallback = arms.iter().rposition(is_catch_all).unwrap_or(0);
        for (at, arm) in arms.iter().enumerate() {
            self.under(&arm.attrs, |walk| {
                walk.offer(&Node::Arm { arm, has_fallback: at < fallback });
                walk.visit_pat(&arm.pat);
                walk.full(&arm.body, |walk| walk.visit_expr(&arm.body));
            });
        }
    }
}

impl<'ast> Visit<'ast> for Walk<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Fn(function) => self.function(&function.attrs, &function.sig, &function.block, byte_range(function)),
            Item::Mod(module) => {
                let Some((_, items)) = &module.content else { return };
                self.under(&module.attrs, |walk| items.iter().for_each(|item| walk.visit_item(item)));
            }
            Item::Impl(block) => {
                if block.trait_.as_ref().is_some_and(|(path, _)| is_dull(path)) {
                    return;
                }
                let owner = type_name(&block.self_ty);
                self.under(&block.attrs, |walk| {
                    let outer = std::mem::replace(&mut walk.owner, owner);
                    for item in &block.items {
                        match item {
                            ImplItem::Fn(method) => {
                                walk.function(&method.attrs, &method.sig, &method.block, byte_range(method));
                            }
                            ImplItem::Const(constant) => walk.constant(|walk| walk.visit_expr(&constant.expr)),
                            _ => {}
                        }
                    }
                    walk.owner = outer;
                });
            }
            Item::Trait(declared) => self.under(&declared.attrs, |walk| {
                let outer = walk.owner.replace(declared.ident.to_string());
                for item in &declared.items {
                    if let syn::TraitItem::Fn(method) = item
                        && let Some(block) = &method.default
                    {
                        walk.function(&method.attrs, &method.sig, block, byte_range(method));
                    }
                }
                walk.owner = outer;
            }),
            Item::Const(constant) => {
                self.under(&constant.attrs, |walk| walk.constant(|walk| walk.visit_expr(&constant.expr)));
            }
            Item::Static(constant) => {
                self.under(&constant.attrs, |walk| walk.constant(|walk| walk.visit_expr(&constant.expr)));
            }
            _ => {}
        }
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        let attributes = attributes_of(expression);
        if attributes.iter().any(leaves_out) {
            return;
        }
        self.depth += 1;
        // A choice in parentheses cannot stand behind an attribute of the expression it replaces.
        if attributes.is_empty() {
            self.offer(&Node::Expression(expression));
        }
        self.children(expression);
        self.depth -= 1;
    }

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        match pattern {
            Pat::Guard(guarded) => {
                self.visit_pat(&guarded.pat);
                self.visit_expr(&guarded.guard);
            }
            _ => {
                self.offer(&Node::Pattern(pattern));
                self.constant(|walk| visit::visit_pat(walk, pattern));
            }
        }
    }

    /// Types hold only constants: array lengths and arguments of generics.
    fn visit_type(&mut self, _: &'ast Type) {}

    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
}
