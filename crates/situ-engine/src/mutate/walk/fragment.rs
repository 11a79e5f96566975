//! Exits that mutants insert, in the copies of fragments in tests.
//!
//! In a copy, a `return` cannot leave the function. It records how the fragment was left, like
//! every original exit there.

use super::Walk;
use crate::mutate::mutant::Mutant;
use crate::mutate::operators::{Change, Form};
use crate::source::byte_range;
use std::collections::BTreeMap;
use std::ops::Range;
use syn::{Block, Expr, ExprBlock, ExprMethodCall, Pat, Stmt};

/// Name in expanded tests of the block that a fragment leaves, and of the run that records how it
/// was left.
const FRAGMENT: &str = "__situ";
/// Name in expanded tests of the value of a tail expression.
const TAIL: &str = "__situ_value";

/// Statement by which a mutant leaves the function or a loop.
#[derive(Clone, Debug)]
pub(crate) struct PlacedExit {
    operator: String,
    text: String,
    line: usize,
    /// End of the function, if the exit replaces its whole body.
    body_end: Option<usize>,
}

/// Exits by the original offset of the statement that they precede.
pub(crate) type PlacedExits = BTreeMap<usize, Vec<PlacedExit>>;

/// Returns the exits that these mutants of a file insert.
pub(crate) fn placed_exits(mutants: &[Mutant]) -> PlacedExits {
    let mut exits = PlacedExits::new();
    for mutant in mutants.iter().filter(|mutant| mutant.form == Form::Before) {
        let exit = PlacedExit {
            operator: mutant.operator.clone(),
            text: mutant.text.clone(),
            line: mutant.line,
            // A mutant that only inserts a statement shows nothing as replaced.
            body_end: (!mutant.shown_range.is_empty()).then_some(mutant.shown_range.end),
        };
        exits.entry(mutant.at).or_default().push(exit);
    }
    exits
}

/// How the copy of a fragment is left.
#[derive(Clone, Copy)]
enum Enclosure {
    /// By a `break` to the label of the copy's block.
    Block,
    /// By a `return` from the copy's closure.
    Closure,
}

/// Statement of a copy, and its original range.
struct Copied {
    statement: Range<usize>,
    /// Byte offset of the first original token in the statement.
    token: usize,
    origin: usize,
    origin_end: usize,
}

impl Walk<'_> {
    /// Offers the exits for a block that is a copy of a fragment.
    pub(super) fn copied_block(&mut self, block: &ExprBlock) {
        if block
            .label
            .as_ref()
            .is_some_and(|label| label.name.ident == FRAGMENT)
        {
            self.copy(&block.block, Enclosure::Block);
        }
    }

    /// Offers the exits for a closure whose body is a copy of a fragment. Closures are used if a
    /// macro of unknown contents may exit.
    pub(super) fn copied_closure(&mut self, call: &ExprMethodCall) {
        let is_run = matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident(FRAGMENT));
        if let (true, Some(Expr::Closure(closure))) =
            (is_run && call.method == "enclosed", call.args.first())
            && let Expr::Block(body) = &*closure.body
        {
            self.copy(&body.block, Enclosure::Closure);
        }
    }

    fn copy(&mut self, block: &Block, enclosure: Enclosure) {
        let copied: Vec<Copied> = block
            .stmts
            .iter()
            .filter_map(|statement| self.copied(statement))
            .collect();
        let Some(ends) = copied.last().map(|last| last.origin_end) else {
            return;
        };
        for (at, statement) in copied.iter().enumerate() {
            for exit in self
                .exits
                .get(&statement.origin)
                .cloned()
                .unwrap_or_default()
            {
                let is_there = match exit.body_end {
                    Some(end) => at == 0 && end == ends,
                    // The exit precedes the last statement of its block, which must also be the
                    // last of the copy.
                    None => at > 0 && at == copied.len() - 1,
                };
                if is_there {
                    self.put(&exit, statement, enclosure);
                }
            }
        }
    }

    /// Returns the original range of a statement in a copy, or `None` for generated code.
    fn copied(&self, statement: &Stmt) -> Option<Copied> {
        let expanded = self.expanded?;
        let whole = byte_range(statement);
        let inside = match statement {
            Stmt::Local(local) if is_tail(&local.pat) => byte_range(&*local.init.as_ref()?.expr),
            _ => whole.clone(),
        };
        expanded.origin(inside.start)?;
        let (token, origin) = expanded.first_token(&inside)?;
        Some(Copied {
            statement: whole,
            token,
            origin,
            origin_end: expanded.last_byte(&inside)?,
        })
    }

    fn put(&mut self, exit: &PlacedExit, before: &Copied, enclosure: Enclosure) {
        let place = before.statement.start;
        let text = exit.in_copy(enclosure);
        let change = Change {
            form: Form::Before,
            range: place..place,
            text,
            at: before.token,
            removes_exit: true,
            shown: None,
        };
        let mutant = Mutant::new(&exit.operator, change, Vec::new());
        self.found.push(Mutant {
            function: self.function,
            conditions: self.conditions.clone(),
            ..mutant
        });
    }
}

impl PlacedExit {
    /// Returns the exit in the form that a copy needs.
    fn in_copy(&self, enclosure: Enclosure) -> String {
        let line = format!("{}u32", self.line);
        let none = "::situ::rt::core::option::Option::None";
        let word = self.text.trim_end_matches(';').trim();
        match (word, enclosure) {
            ("break", Enclosure::Block) => {
                format!("break '__situ ::situ::rt::Left::Broke({none}, {line});")
            }
            ("continue", Enclosure::Block) => {
                format!("break '__situ ::situ::rt::Left::Continued({none}, {line});")
            }
            ("break", Enclosure::Closure) => format!("__situ.broke({none}, {line});"),
            ("continue", Enclosure::Closure) => format!("__situ.continued({none}, {line});"),
            (returned, enclosure) => {
                let value = returned.strip_prefix("return").unwrap_or(returned).trim();
                let value = if value.is_empty() { "()" } else { value };
                match enclosure {
                    Enclosure::Block => {
                        format!("break '__situ ::situ::rt::Left::Returned({value}, {line});")
                    }
                    Enclosure::Closure => format!("return __situ.at({line}, {value});"),
                }
            }
        }
    }
}

fn is_tail(pattern: &Pat) -> bool {
    match pattern {
        Pat::Type(typed) => is_tail(&typed.pat),
        Pat::Ident(name) => name.ident == TAIL,
        _ => false,
    }
}
