//! Search for the insertion point of a recorded statement's tests.

pub(crate) use super::insertion_point::{Fragment, InsertionPoint, TailRole, Target};

use crate::edit::Place;
use crate::record::plan::Position;
use crate::source::byte_range;
use crate::source::targets::names_in;
use proc_macro2::TokenStream;
use quote::ToTokens;
use situ_syntax::{closures_of, is_test_statement};
use std::collections::BTreeMap;
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{
    Arm, Block, Expr, ExprClosure, ExprForLoop, ExprIf, ExprWhile, ImplItemFn, ItemFn, Pat,
    Signature, Stmt, TraitItemFn,
};

/// Returns the insertion point for the code at these bytes, if there is one.
pub(crate) fn locate(
    file: &syn::File,
    position: Position,
    range: &Range<usize>,
) -> Option<InsertionPoint> {
    let mut search = Search {
        position,
        range: range.clone(),
        signatures: Vec::new(),
        declared: Vec::new(),
        scopes: Vec::new(),
        tail: TailRole::OfBlock,
        closure: None,
        found: None,
    };
    search.visit_file(file);
    search.found
}

struct Search {
    position: Position,
    range: Range<usize>,
    signatures: Vec<Signature>,
    declared: Vec<String>,
    /// Where the blocks around end, the innermost last.
    scopes: Vec<usize>,
    /// The role of the next block's tail.
    tail: TailRole,
    /// The closure, once it was found, until the statement that contains it is known; and the
    /// variables of its statement.
    closure: Option<(ExprClosure, Vec<String>)>,
    found: Option<InsertionPoint>,
}

impl Search {
    fn scope_end(&self) -> usize {
        self.scopes.last().copied().unwrap_or(self.range.end)
    }

    fn found(&mut self, place: Place, tail: TailRole, pattern: Option<Pat>, leaves_loop: bool) {
        let (signatures, declared) = (self.signatures.clone(), self.declared.clone());
        let target = if matches!(place, Place::Before(_)) {
            Target::Tail
        } else {
            Target::Statement
        };
        let tokens = TokenStream::new();
        self.found = Some(InsertionPoint {
            place,
            target,
            tokens,
            tail,
            pattern,
            leaves_loop,
            signatures,
            declared,
            streams: Vec::new(),
            closures: BTreeMap::new(),
            scope_end: self.scope_end(),
        });
    }

    /// Sets all statements of a block, without tests.
    fn fragment(&mut self, block: &Block, role: TailRole) {
        let statements: Vec<&Stmt> = block
            .stmts
            .iter()
            .filter(|statement| !is_test_statement(statement))
            .collect();
        let (Some(first), Some(last)) = (statements.first(), statements.last()) else {
            return;
        };
        if (byte_range(first).start..byte_range(last).end) != self.range {
            return;
        }
        let mut tokens = TokenStream::new();
        statements
            .iter()
            .for_each(|statement| statement.to_tokens(&mut tokens));
        let mut names = Vec::new();
        if !matches!(last, Stmt::Expr(_, None) | Stmt::Expr(Expr::Return(_), _)) {
            names_in(last.to_token_stream(), &mut names);
        }
        let last_names = names.iter().map(ToString::to_string).collect();
        let fragment = Fragment {
            statements: statements.len(),
            last_names,
        };
        self.found(Place::Before(byte_range(first).start), role, None, false);
        self.found = self.found.take().map(|spot| InsertionPoint {
            target: Target::Fragment(fragment),
            tokens,
            ..spot
        });
    }

    /// Notes that the closure is in this statement.
    fn closure_in(&mut self, statement: &Stmt) {
        let Some((closure, _)) = &self.closure else {
            return;
        };
        let own = byte_range(closure);
        let closures = closures_of(statement);
        // A closure of a header is found before the statements of the bodies, and is in none of
        // them.
        let Some(number) = closures
            .iter()
            .position(|(other, _)| byte_range(other) == own)
        else {
            return;
        };
        let Some((closure, declared)) = self.closure.take() else {
            return;
        };
        let which = match (number, &closures[number].1) {
            (0, _) => None,
            (_, Some(name)) => Some(format!("of({name})")),
            _ => Some(format!("nth({})", number + 1)),
        };
        let inputs = closure.inputs.iter().cloned().collect();
        self.found(
            Place::Before(byte_range(statement).start),
            TailRole::Returned,
            None,
            false,
        );
        let (target, tokens) = (Target::Closure { which, inputs }, closure.to_token_stream());
        self.found = self.found.take().map(|spot| InsertionPoint {
            target,
            tokens,
            declared,
            ..spot
        });
    }

    fn body(&mut self, block: &Block) {
        let open = byte_range(&block.brace_token.span.open()).end;
        self.found(Place::BodyStart(open), TailRole::OfBlock, None, false);
    }

    /// Visits the body of a match arm, which gets braces if it has none.
    fn arm_body(&mut self, body: &Expr) {
        match body {
            Expr::Block(block) if block.label.is_none() => self.body(&block.block),
            bare => {
                self.found(
                    Place::Before(byte_range(bare).start),
                    TailRole::OfBlock,
                    None,
                    false,
                );
                self.found = self.found.take().map(|spot| InsertionPoint {
                    target: Target::Statement,
                    ..spot
                });
            }
        }
    }

    fn condition(&mut self, condition: &Expr, body: &Block) {
        if self.position == Position::Condition && byte_range(condition) == self.range {
            self.body(body);
        }
    }

    fn of_function(&mut self, signature: &Signature, inside: impl FnOnce(&mut Self)) {
        let declared = self.declared.len();
        self.signatures.push(signature.clone());
        self.tail = TailRole::Returned;
        inside(self);
        self.signatures.pop();
        self.declared.truncate(declared);
    }

    fn statement(&mut self, statement: &Stmt, is_tail: bool, role: TailRole) {
        let own = byte_range(statement);
        if own != self.range {
            return;
        }
        match self.position {
            Position::Statement | Position::Return if !is_tail => {
                self.found(Place::After(own.end), TailRole::OfBlock, None, false);
            }
            // A closing `return` without a semicolon only looks like a tail.
            Position::Return => {
                self.found(Place::Before(own.start), TailRole::Returned, None, false)
            }
            Position::Tail if is_tail => self.found(Place::Before(own.start), role, None, false),
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Search {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.of_function(&item.sig, |search| visit::visit_item_fn(search, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.of_function(&item.sig, |search| visit::visit_impl_item_fn(search, item));
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        self.of_function(&item.sig, |search| visit::visit_trait_item_fn(search, item));
    }

    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        if self.position == Position::Closure && byte_range(closure) == self.range {
            self.closure = Some((closure.clone(), self.declared.clone()));
            return;
        }
        self.tail = TailRole::Returned;
        visit::visit_expr_closure(self, closure);
        self.tail = TailRole::OfBlock;
    }

    fn visit_block(&mut self, block: &'ast Block) {
        let role = std::mem::replace(&mut self.tail, TailRole::OfBlock);
        let declared = self.declared.len();
        self.scopes.push(byte_range(block).end);
        if self.position == Position::Fragment {
            self.fragment(block, role);
        }
        for (at, statement) in block.stmts.iter().enumerate() {
            if self.found.is_some() {
                return;
            }
            let is_last = at + 1 == block.stmts.len();
            let without_end = match statement {
                Stmt::Expr(_, semicolon) => semicolon.is_none(),
                Stmt::Macro(call) => call.semi_token.is_none(),
                _ => false,
            };
            self.statement(statement, is_last && without_end, role);
            self.visit_stmt(statement);
            self.closure_in(statement);
            if let Stmt::Local(local) = statement
                && let Pat::Type(typed) = &local.pat
                && let Pat::Ident(name) = &*typed.pat
            {
                self.declared.push(name.ident.to_string());
            }
        }
        self.declared.truncate(declared);
        self.scopes.pop();
    }

    fn visit_expr_if(&mut self, branch: &'ast ExprIf) {
        self.condition(&branch.cond, &branch.then_branch);
        visit::visit_expr_if(self, branch);
    }

    fn visit_expr_while(&mut self, cycle: &'ast ExprWhile) {
        self.condition(&cycle.cond, &cycle.body);
        visit::visit_expr_while(self, cycle);
    }

    fn visit_expr_match(&mut self, choice: &'ast syn::ExprMatch) {
        if self.position == Position::Scrutinee && byte_range(&*choice.expr) == self.range {
            let arms = choice
                .arms
                .iter()
                .filter(|arm| !matches!(arm.pat, Pat::Guard(_)));
            let has_braces =
                |arm: &&Arm| matches!(&*arm.body, Expr::Block(block) if block.label.is_none());
            // A test in a conditionally compiled arm disappears with it.
            if let Some(arm) = arms.min_by_key(|arm| (is_conditional(arm), !has_braces(arm))) {
                self.arm_body(&arm.body);
            }
            return;
        }
        visit::visit_expr_match(self, choice);
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        if let Pat::Guard(guarded) = &arm.pat
            && self.position == Position::Condition
            && byte_range(&guarded.guard) == self.range
        {
            self.arm_body(&arm.body);
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_for_loop(&mut self, cycle: &'ast ExprForLoop) {
        let starts = byte_range(&cycle.for_token).start == self.range.start;
        if self.position == Position::Iterable && starts {
            let open = byte_range(&cycle.body.brace_token.span.open()).end;
            let leaves = Leaves::any_in(&cycle.body);
            self.found(
                Place::BodyStart(open),
                TailRole::OfBlock,
                Some((*cycle.pat).clone()),
                leaves,
            );
            return;
        }
        visit::visit_expr_for_loop(self, cycle);
    }
}

fn is_conditional(arm: &Arm) -> bool {
    arm.attrs
        .iter()
        .any(|attribute| attribute.path().is_ident("cfg"))
}

/// Whether code can leave the loop that it is the body of.
struct Leaves(bool);

impl Leaves {
    fn any_in(body: &Block) -> bool {
        let mut leaves = Leaves(false);
        leaves.visit_block(body);
        leaves.0
    }
}

impl<'ast> Visit<'ast> for Leaves {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Break(_) | Expr::Return(_) | Expr::Try(_) | Expr::Macro(_) => self.0 = true,
            Expr::Closure(_) => return,
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "
fn f(text: &str) -> usize {
    let n: usize = text.len();
    if text.contains('a') { return n; }
    for (at, c) in text.char_indices() { if c == 'b' { break; } }
    let g = |x: usize| { x << 1 };
    match n >> 1 { 0 => n, k if k > 4 => k, _ => n };
    if text.chars().any(|c| c > 'k') { text.trim(); }
    match n { k if k > 2 => { n | 1 } _ => n }
}
";

    fn spot(position: Position, text: &str) -> Option<InsertionPoint> {
        let start = SOURCE.find(text).unwrap();
        locate(
            &syn::parse_file(SOURCE).unwrap(),
            position,
            &(start..start + text.len()),
        )
    }

    #[test]
    fn statements_have_their_tests_behind_them_and_conditions_in_their_bodies() {
        let behind = spot(Position::Statement, "let n: usize = text.len();").unwrap();
        assert_eq!(
            behind.place,
            Place::After(SOURCE.find("len();").unwrap() + 6)
        );
        let body = spot(Position::Condition, "text.contains('a')").unwrap();
        assert_eq!(
            body.place,
            Place::BodyStart(SOURCE.find("{ return").unwrap() + 1)
        );
        assert_eq!(body.declared, ["n"]);
        let guard = spot(Position::Condition, "k > 2").unwrap();
        assert_eq!(
            guard.place,
            Place::BodyStart(SOURCE.find("{ n | 1").unwrap() + 1)
        );
    }

    #[test]
    fn arms_without_braces_hold_tests_of_what_is_matched_and_of_their_guards() {
        let scrutinee = spot(Position::Scrutinee, "n >> 1").unwrap();
        assert_eq!(
            scrutinee.place,
            Place::Before(SOURCE.find("n, k if").unwrap())
        );
        assert!(matches!(scrutinee.target, Target::Statement));
        let guard = spot(Position::Condition, "k > 4").unwrap();
        assert_eq!(guard.place, Place::Before(SOURCE.find("k, _").unwrap()));
    }

    #[test]
    fn an_arm_that_a_build_may_leave_out_holds_no_test_where_another_can() {
        let source =
            "fn f(n: u8) { match n { #[cfg(unix)] 0 => { a() } 1 => b(), #[cfg(unix)] _ => c() } }";
        let at = source.find("n {").unwrap();
        let found = locate(
            &syn::parse_file(source).unwrap(),
            Position::Scrutinee,
            &(at..at + 1),
        )
        .unwrap();
        assert_eq!(found.place, Place::Before(source.find("b()").unwrap()));
    }

    #[test]
    fn tails_are_returned_by_functions_and_closures_and_are_values_elsewhere() {
        assert_eq!(
            spot(Position::Tail, "x << 1").unwrap().tail,
            TailRole::Returned
        );
        assert_eq!(
            spot(Position::Tail, "n | 1").unwrap().tail,
            TailRole::OfBlock
        );
    }

    #[test]
    fn a_closure_of_a_header_has_its_test_before_the_whole_statement() {
        let closure = spot(Position::Closure, "|c| c > 'k'").unwrap();
        assert_eq!(
            closure.place,
            Place::Before(SOURCE.find("if text.chars()").unwrap())
        );
    }

    #[test]
    fn a_loop_tells_its_pattern_and_whether_it_can_be_left() {
        let cycle = spot(Position::Iterable, "for (at, c) in text.char_indices()").unwrap();
        assert!(cycle.leaves_loop);
        assert!(matches!(cycle.pattern, Some(Pat::Tuple(_))));
    }
}
