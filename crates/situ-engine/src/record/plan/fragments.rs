//! Probes of fragments: all statements of a block as one, with the variables they read and change,
//! and how they end.

use super::changes::changed_in;
use super::exits::Exits;
use super::mentions::Mentions;
use super::places::{Place, bindings_of, places_of, secrecy_among};
use super::probes::{About, Probe};
use super::statements::made_place;
use super::tails::{may_be_missing, tails_of};
use super::walk::{Role, Walk};
use super::{Insertion, Phase, Position};
use crate::source::{bare_statement_range, byte_range};
use situ_recorder::secret::Secrecy;
use situ_syntax::{is_block_like, is_test_statement};
use std::collections::BTreeSet;
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprBreak, ExprLoop, ExprMacro, Item, Pat, PatIdent, Stmt};

/// Minimum number of statements in a fragment; a single statement is tested as such.
const FEWEST_STATEMENTS: usize = 2;

/// Kind of a fragment that is a whole function body.
pub const BODY: &str = "body";

/// How a fragment uses the variables around it.
struct Mentioned {
    /// Places that the fragment reads before it assigns them.
    inputs: Vec<Place>,
    /// Places that may have changed at the end: inputs, and places that are assigned without being
    /// read.
    changed: Vec<Place>,
    /// Places that may have changed at an exit, where inner variables may shadow others.
    changed_at_exits: Vec<Place>,
    /// Variables that the fragment declares and that are in scope at its end.
    made: Vec<Place>,
}

impl Mentioned {
    /// Drops streams from the changed places, because what passes through them is recorded already.
    fn forget(&mut self, streams: &[String]) {
        let is_other = |place: &Place| !streams.contains(&place.text);
        self.changed.retain(is_other);
        self.changed_at_exits.retain(is_other);
    }
}

/// How the statements of a fragment end.
enum End {
    /// With a value, or with an expression that may be one. There are several if the last
    /// statements are under `#[cfg(…)]`.
    Tails(Vec<Range<usize>>),
    /// After the statement at this byte range; the text is inserted first.
    After(Range<usize>, &'static str),
    /// Never: the last statement exits.
    Never,
}

impl Walk<'_, '_> {
    /// Plans the probe of a block's statements, if there are several and fragments are recorded.
    pub(super) fn fragment(&mut self, block: &Block, role: Role) {
        if !self.planner.wanted.fragments || role == Role::Closure {
            return;
        }
        let statements: Vec<&Stmt> = block
            .stmts
            .iter()
            .filter(|statement| !is_test_statement(statement))
            .collect();
        let countable = statements
            .iter()
            .filter(|statement| !matches!(statement, Stmt::Item(_)))
            .count();
        let (Some(first), Some(last)) = (statements.first(), statements.last()) else {
            return;
        };
        if countable < FEWEST_STATEMENTS {
            return;
        }
        let range = byte_range(first).start..byte_range(last).end;
        let mut mentioned = self.mentioned_in(&statements);
        let secrecy = secrecy_among(&mentioned.inputs);
        let (file, module, function) = (self.file, self.module.clone(), self.function.clone());
        let kind = if role == Role::Body { BODY } else { "block" };
        let position = Position::Fragment;
        let about = About {
            file,
            module: &module,
            function: &function,
            kind,
            position,
            range: range.clone(),
        };
        let mut probe = self.planner.probe(&about);
        probe.valid = self.unsafe_free.around(&range);
        let before = |text: String, piece: usize| Insertion::statement_before(&range, text, piece);
        let uses = |mentions: &mut Mentions<'_>| {
            statements
                .iter()
                .for_each(|statement| mentions.visit_stmt(statement))
        };
        let mut insertions = self.use_streams(&mut probe, &mut mentioned.inputs, &before, uses);
        insertions.extend(self.hold_streams(&mut probe, &mentioned.inputs, &before, uses));
        let streams = probe.streams();
        mentioned.forget(&streams);
        insertions.extend(self.planner.captures(
            &mut probe,
            Phase::Before,
            &mentioned.inputs,
            &before,
        ));
        let returns = if role == Role::Body {
            self.returns.clone()
        } else {
            None
        };
        // Only the type of a function body is known. A block that ends in `if` or `match` counts as
        // `()`, so that its variables are captured too.
        let gives_nothing = match role {
            Role::Body => returns.as_deref() == Some("()"),
            _ => matches!(last, Stmt::Expr(Expr::If(_) | Expr::Match(_), _)),
        };
        let gives_value = returns.is_some() && !gives_nothing;
        match end_of(block, &statements, gives_value) {
            End::Tails(tails) => {
                for tail in &tails {
                    let of = (returns.as_deref(), gives_nothing);
                    insertions
                        .extend(self.end_with_tail(&mut probe, tail, of, secrecy, &mentioned));
                }
            }
            End::After(last, separator) => {
                insertions.extend(self.end_after(&mut probe, &last, separator, &mentioned));
            }
            End::Never => {}
        }
        let visit = |exits: &mut Exits| {
            statements
                .iter()
                .for_each(|statement| exits.visit_stmt(statement))
        };
        self.tell_exits_with(&mut probe, secrecy, &mentioned.changed_at_exits, visit);
        // The guard describes all slots, so its text is made last, although it is inserted first.
        let begin = self.begin_text(&mut probe);
        self.planner.insertions.push(before(begin, probe.piece));
        self.planner.insertions.extend(insertions);
    }

    fn mentioned_in(&self, statements: &[&Stmt]) -> Mentioned {
        let scope = self.planner.with_statics(&self.scope);
        let mut assigned = Vec::new();
        let secrecy = |name: &str| self.planner.secrecy(name);
        let mut inputs = places_of(&scope, &secrecy, |places| {
            assigned = places.visit_fragment(statements)
        });
        let roots = changed_in(|changed| {
            statements
                .iter()
                .for_each(|statement| changed.visit_stmt(statement))
        });
        inputs
            .iter_mut()
            .for_each(|input| input.changes |= roots.contains(&input.root));
        let locals: Vec<String> = statements
            .iter()
            .filter_map(|statement| match statement {
                Stmt::Local(local) => Some(bindings_of(&local.pat)),
                _ => None,
            })
            .flatten()
            .map(|(name, _)| name)
            .collect();
        assigned.retain(|place| !locals.contains(&place.text));
        let mut changed = self.planner.changed(&inputs, &locals);
        let bound = bound_in(statements);
        let changed_at_exits = changed
            .iter()
            .filter(|place| !bound.contains(&place.root))
            .cloned()
            .collect();
        changed.extend(assigned);
        let mut made = Vec::new();
        for name in locals
            .into_iter()
            .filter(|name| !name.starts_with('_'))
            .collect::<BTreeSet<_>>()
        {
            let secrecy = secrecy(&name).max(secrecy_among(&inputs));
            made.push(made_place(&name, secrecy));
        }
        Mentioned {
            inputs,
            changed,
            changed_at_exits,
            made,
        }
    }

    fn end_with_tail(
        &mut self,
        probe: &mut Probe,
        tail: &Range<usize>,
        (returns, gives_nothing): (Option<&str>, bool),
        secrecy: Secrecy,
        mentioned: &Mentioned,
    ) -> Vec<Insertion> {
        // If there is a value, the variables were needed to compute it, so only the value is
        // captured.
        let made = if gives_nothing {
            &mentioned.made[..]
        } else {
            &[]
        };
        self.wrap_result_with(probe, tail, returns, secrecy, &mentioned.changed, made)
    }

    fn end_after(
        &mut self,
        probe: &mut Probe,
        last: &Range<usize>,
        separator: &str,
        mentioned: &Mentioned,
    ) -> Vec<Insertion> {
        let after = |text: String, piece: usize| Insertion::statement_after(last, text, piece);
        let mut insertions = vec![after(separator.to_owned(), probe.piece)];
        insertions.extend(
            self.planner
                .captures(probe, Phase::Made, &mentioned.made, &after),
        );
        insertions.extend(
            self.planner
                .captures(probe, Phase::After, &mentioned.changed, &after),
        );
        insertions.push(after(format!("{}.end(); ", probe.guard()), probe.piece));
        insertions
    }
}

/// Returns how the statements of a block end. `gives_value` says whether the block is known to have
/// a value other than `()`.
fn end_of(block: &Block, statements: &[&Stmt], gives_value: bool) -> End {
    let Some(last) = statements.last() else {
        return End::Never;
    };
    let own = byte_range(*last);
    // In-situ tests of the last statement must stay just after it.
    let end = block
        .stmts
        .last()
        .map_or(own.end, |statement| byte_range(statement).end);
    let after = |separator| End::After(own.start..end, separator);
    if may_be_missing(last) {
        // The end of the fragment must not depend on whether its last statement is compiled.
        return match last {
            _ if gives_value => End::Tails(tails_of(statements.iter().copied())),
            Stmt::Expr(expression, None) if !is_block_like(expression) => after("; "),
            Stmt::Macro(call) if call.semi_token.is_none() => after("; "),
            _ => after(" "),
        };
    }
    match last {
        Stmt::Expr(Expr::Return(_) | Expr::Break(_) | Expr::Continue(_), _) => End::Never,
        Stmt::Expr(Expr::Loop(cycle), _) if !is_left(cycle) => End::Never,
        Stmt::Expr(Expr::ForLoop(_) | Expr::While(_), None) => after(" "),
        Stmt::Expr(_, None) => End::Tails(vec![bare_statement_range(last)]),
        Stmt::Macro(call) if call.semi_token.is_none() => {
            End::Tails(vec![bare_statement_range(last)])
        }
        _ => after(" "),
    }
}

/// Returns whether a `loop` can be left by a `break` of its own.
pub(super) fn is_left(cycle: &ExprLoop) -> bool {
    struct Search<'s> {
        label: Option<&'s syn::Lifetime>,
        inside: usize,
        found: bool,
    }
    impl Search<'_> {
        fn nested(&mut self, visit: impl FnOnce(&mut Self)) {
            self.inside += 1;
            visit(self);
            self.inside -= 1;
        }
    }
    impl<'ast> Visit<'ast> for Search<'_> {
        fn visit_expr_break(&mut self, leave: &'ast ExprBreak) {
            self.found |= match (&leave.label, self.label) {
                (Some(label), Some(own)) => label == own,
                (Some(_), None) => false,
                (None, _) => self.inside == 0,
            };
            visit::visit_expr_break(self, leave);
        }
        fn visit_expr_loop(&mut self, cycle: &'ast ExprLoop) {
            self.nested(|search| visit::visit_expr_loop(search, cycle));
        }
        fn visit_expr_while(&mut self, cycle: &'ast syn::ExprWhile) {
            self.nested(|search| visit::visit_expr_while(search, cycle));
        }
        fn visit_expr_for_loop(&mut self, cycle: &'ast syn::ExprForLoop) {
            self.nested(|search| visit::visit_expr_for_loop(search, cycle));
        }
        // A macro of the user may contain a `break`.
        fn visit_expr_macro(&mut self, call: &'ast ExprMacro) {
            self.found |= quote::ToTokens::to_token_stream(call)
                .to_string()
                .contains("break");
        }
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
        fn visit_item(&mut self, _: &'ast Item) {}
    }
    let mut search = Search {
        label: cycle.label.as_ref().map(|label| &label.name),
        inside: 0,
        found: false,
    };
    search.visit_block(&cycle.body);
    search.found
}

/// Returns all names that are bound anywhere in the statements.
fn bound_in(statements: &[&Stmt]) -> BTreeSet<String> {
    struct Bound(BTreeSet<String>);
    impl<'ast> Visit<'ast> for Bound {
        fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
            self.0.insert(pattern.ident.to_string());
            visit::visit_pat_ident(self, pattern);
        }
        fn visit_pat(&mut self, pattern: &'ast Pat) {
            visit::visit_pat(self, pattern);
        }
        fn visit_item(&mut self, _: &'ast Item) {}
    }
    let mut bound = Bound(BTreeSet::new());
    statements
        .iter()
        .for_each(|statement| bound.visit_stmt(statement));
    bound.0
}
