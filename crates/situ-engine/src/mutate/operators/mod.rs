//! Mutation operators, one per file, and their table.

mod arithmetic;
mod bits;
pub(crate) mod body;
mod comparison;
mod condition;
mod element;
mod exits;
mod field;
mod format_string;
mod guard;
mod literal;
mod logical;
mod match_arm;
mod method;
mod option;
mod question_mark;
mod range_end;
mod regex;
mod removal;
mod unary;
mod values;

pub use removal::is_noise;

use crate::source::{Splice, bare_statement_range, byte_range};
use serde::{Deserialize, Serialize};
use situ_syntax::is_block_like;
use std::ops::Range;
use syn::{Arm, Block, Expr, Pat, Signature, Stmt, Type};

/// Mutation operator: a way to change code.
pub struct Operator {
    /// Name in reports.
    pub name: &'static str,
    /// What the operator does and why that finds faults, for the book.
    pub about: &'static str,
    /// Example: a function that it changes.
    pub before: &'static str,
    /// The example function after each of the changes.
    pub after: &'static [&'static str],
    /// Finds the changes that the operator proposes at a node.
    pub find: fn(&Node<'_>, &Surroundings<'_>, &mut Vec<Change>),
}

/// Every operator, in the order of the book.
pub const OPERATORS: &[Operator] = &[
    arithmetic::OPERATOR,
    comparison::OPERATOR,
    logical::OPERATOR,
    bits::OPERATOR,
    unary::OPERATOR,
    literal::OPERATOR,
    regex::OPERATOR,
    format_string::OPERATOR,
    element::OPERATOR,
    condition::OPERATOR,
    guard::OPERATOR,
    match_arm::OPERATOR,
    removal::OPERATOR,
    exits::OPERATOR,
    range_end::OPERATOR,
    question_mark::OPERATOR,
    option::OPERATOR,
    method::OPERATOR,
    field::OPERATOR,
    body::OPERATOR,
];

/// Syntax node that operators inspect.
pub enum Node<'a> {
    /// Expression that is a value, not a place.
    Expression(&'a Expr),
    /// Condition of an `if` or `while` that contains no `let`.
    Condition {
        condition: &'a Expr,
        /// Whether the condition is that of a loop.
        is_loop: bool,
    },
    Statement {
        statement: &'a Stmt,
        /// Whether the statement is the last one of its block.
        is_last: bool,
        /// Whether the statement is the first one of its block.
        is_first: bool,
        block: BlockKind,
    },
    /// Arm of a `match`.
    Arm {
        arm: &'a Arm,
        /// Whether a later arm catches everything else.
        has_fallback: bool,
    },
    /// Guard of an arm.
    Guard(&'a Expr),
    /// Pattern with a literal, which cannot be switched at run time.
    Pattern(&'a Pat),
    /// Body of a function.
    Body {
        signature: &'a Signature,
        block: &'a Block,
    },
}

/// What a block is the body of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// Function or closure.
    Function,
    /// Loop without a value.
    Loop,
    /// `loop`, which may have a value.
    ValueLoop,
    /// Anything else.
    Plain,
}

/// Context of a node that operators may use.
pub struct Surroundings<'a> {
    /// Text of the file.
    pub text: &'a str,
    /// Declared return type of the function or closure; `None` for `()`.
    pub returns: Option<&'a Type>,
    /// Whether the innermost function or closure declares its return type, or returns nothing.
    pub returns_known: bool,
    /// Kind of the innermost loop.
    pub in_loop: Option<BlockKind>,
}

impl Surroundings<'_> {
    /// Returns the source of a node.
    pub fn slice(&self, node: &impl syn::spanned::Spanned) -> &str {
        &self.text[byte_range(node)]
    }

    /// Returns the source of an expression as an operand, in parentheses if precedence requires
    /// them.
    pub fn operand(&self, expression: &Expr) -> String {
        let text = self.slice(expression);
        match expression {
            Expr::Binary(_) | Expr::Cast(_) | Expr::Range(_) | Expr::Closure(_) => {
                format!("({text})")
            }
            Expr::Assign(_) | Expr::Return(_) | Expr::Break(_) | Expr::Let(_) => {
                format!("({text})")
            }
            block if is_block_like(block) => format!("({text})"),
            _ => text.to_owned(),
        }
    }
}

/// How a change is woven in, so that it can be switched on at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Form {
    /// The change is code before a statement.
    Before,
    /// The change is a condition before the guard of a match arm, or its guard.
    Guard,
    /// The change replaces a statement.
    Statement,
    /// The change replaces an expression.
    Expression,
    /// The change cannot be switched: it is in a constant or a pattern.
    Unswitchable,
}

/// Change that an operator proposes.
#[derive(Clone, Debug)]
pub struct Change {
    pub form: Form,
    /// Byte range that the change replaces; empty for [`Form::Before`].
    pub range: Range<usize>,
    pub text: String,
    /// Byte offset that reports point at.
    pub at: usize,
    /// Whether the change removes an exit of the function or loop, on which types and moves
    /// elsewhere may depend.
    pub removes_exit: bool,
    /// Change that reports show, if it differs from the one that is compiled.
    pub shown: Option<Splice>,
}

impl Change {
    /// Returns a change that replaces an expression.
    pub fn expression(expression: &Expr, text: impl Into<String>) -> Change {
        let range = byte_range(expression);
        Change {
            form: Form::Expression,
            at: range.start,
            range,
            text: text.into(),
            removes_exit: false,
            shown: None,
        }
    }

    /// Returns a change that replaces a statement by others, or by nothing.
    pub fn statement(statement: &Stmt, text: impl Into<String>) -> Change {
        let range = bare_statement_range(statement);
        Change {
            form: Form::Statement,
            at: range.start,
            range,
            text: text.into(),
            removes_exit: false,
            shown: None,
        }
    }

    /// Returns a change that inserts a statement before another one.
    pub fn before(statement: &Stmt, text: impl Into<String>) -> Change {
        let at = bare_statement_range(statement).start;
        Change {
            form: Form::Before,
            range: at..at,
            text: text.into(),
            at,
            removes_exit: true,
            shown: None,
        }
    }

    /// Sets the byte offset that reports point at.
    pub fn at(self, at: usize) -> Change {
        Change { at, ..self }
    }
}

/// Proposes replacements for the operator of a binary expression, from `table`.
fn swap_operator(
    node: &Node<'_>,
    around: &Surroundings<'_>,
    table: &[(&str, &[&str])],
    found: &mut Vec<Change>,
) {
    let Node::Expression(expression @ Expr::Binary(binary)) = node else {
        return;
    };
    let operator = around.slice(&binary.op);
    let Some((_, others)) = table.iter().find(|(one, _)| *one == operator) else {
        return;
    };
    let between = byte_range(&binary.op);
    let (left, right) = (byte_range(&binary.left), byte_range(&binary.right));
    for other in *others {
        let before = &around.text[left.end..between.start];
        let after = &around.text[between.end..right.start];
        let is_assignment = other.ends_with('=') && !matches!(*other, "==" | "!=" | "<=" | ">=");
        let left = if is_assignment {
            around.slice(&*binary.left).to_owned()
        } else {
            around.operand(&binary.left)
        };
        let text = format!(
            "{left}{before}{other}{after}{}",
            around.operand(&binary.right)
        );
        found.push(Change::expression(expression, text).at(between.start));
    }
}

/// Returns whether an expression contains a `let` of the condition that it belongs to.
pub fn holds_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => holds_let(&binary.left) || holds_let(&binary.right),
        Expr::Paren(inner) => holds_let(&inner.expr),
        Expr::Group(inner) => holds_let(&inner.expr),
        _ => false,
    }
}
