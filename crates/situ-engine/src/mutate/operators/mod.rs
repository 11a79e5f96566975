//! The mutation operators, one per file, and the table of them.

mod arithmetic;
mod bits;
pub(crate) mod body;
mod comparison;
mod condition;
mod exits;
mod field;
mod guard;
mod literal;
mod logical;
mod match_arm;
mod method;
mod option;
mod question_mark;
mod range_end;
mod removal;
mod unary;
mod values;

pub use removal::is_noise;

use crate::source::{Splice, bare_statement_range, byte_range};
use serde::{Deserialize, Serialize};
use situ_syntax::is_block_like;
use std::ops::Range;
use syn::{Arm, Block, Expr, Pat, Signature, Stmt, Type};

/// A way to change code.
pub struct Operator {
    /// Its name in reports.
    pub name: &'static str,
    /// What it does and why that finds faults, for the book.
    pub about: &'static str,
    /// A function that it changes.
    pub before: &'static str,
    /// That function after each of the changes that it makes.
    pub after: &'static [&'static str],
    /// Finds the changes that it can make at a node.
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

/// What an operator looks at.
pub enum Node<'a> {
    /// An expression that is a value, not a place.
    Expression(&'a Expr),
    /// The condition of an `if` or `while`, without `let`.
    Condition {
        /// The condition.
        condition: &'a Expr,
        /// Whether it repeats.
        is_loop: bool,
    },
    /// A statement of a block.
    Statement {
        /// The statement.
        statement: &'a Stmt,
        /// Whether it is the last one of its block.
        is_last: bool,
        /// Whether it is the first one of its block.
        is_first: bool,
        /// What the block is the body of.
        block: BlockKind,
    },
    /// An arm of a `match`.
    Arm {
        /// The arm.
        arm: &'a Arm,
        /// Whether a later arm takes whatever this one does not.
        has_fallback: bool,
    },
    /// The guard of an arm.
    Guard(&'a Expr),
    /// A pattern that holds a literal; it can never be switched at run time.
    Pattern(&'a Pat),
    /// The body of a function.
    Body {
        /// The function's signature.
        signature: &'a Signature,
        /// Its body.
        block: &'a Block,
    },
}

/// What a block is the body of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// A function or closure.
    Function,
    /// A loop that gives no value.
    Loop,
    /// A `loop`, which may give a value.
    ValueLoop,
    /// Anything else.
    Plain,
}

/// What an operator knows about the place that it looks at.
pub struct Surroundings<'a> {
    /// The file's text.
    pub text: &'a str,
    /// The return type of the function or closure, where one is written; none for `()`.
    pub returns: Option<&'a Type>,
    /// Whether the innermost function or closure says what it returns, or returns nothing.
    pub returns_known: bool,
    /// The innermost loop.
    pub in_loop: Option<BlockKind>,
}

impl Surroundings<'_> {
    /// The text of a node.
    pub fn slice(&self, node: &impl syn::spanned::Spanned) -> &str {
        &self.text[byte_range(node)]
    }

    /// The text of an expression as an operand: in parentheses where another operator could tear it apart.
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

/// How a change is switched on at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Form {
    /// Code put before a statement.
    Before,
    /// A condition put before the guard of a match arm, or as its guard.
    Guard,
    /// A statement, replaced as a whole.
    Statement,
    /// An expression, replaced as a whole.
    Expression,
    /// Cannot be switched: constants, patterns.
    Unswitchable,
}

/// A change that an operator proposes.
#[derive(Clone, Debug)]
pub struct Change {
    /// How it is switched.
    pub form: Form,
    /// What it replaces; empty for [`Form::Before`].
    pub range: Range<usize>,
    /// What it puts there.
    pub text: String,
    /// The byte that reports point at.
    pub at: usize,
    /// Whether it takes away a way out of the function or loop, on which types and moves elsewhere may depend.
    pub removes_exit: bool,
    /// What a reader sees changed, where that is not the change itself.
    pub shown: Option<Splice>,
}

impl Change {
    /// An expression replaced by another.
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

    /// A statement replaced by others, or by nothing.
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

    /// A statement put before another.
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

    /// The same change, reported at another byte.
    pub fn at(self, at: usize) -> Change {
        Change { at, ..self }
    }
}

/// The alternatives of a binary expression: the operator replaced by each of `others`.
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

/// Whether an expression holds a `let` that belongs to the condition it stands in.
pub fn holds_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => holds_let(&binary.left) || holds_let(&binary.right),
        Expr::Paren(inner) => holds_let(&inner.expr),
        Expr::Group(inner) => holds_let(&inner.expr),
        _ => false,
    }
}
