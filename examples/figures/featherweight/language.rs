//! The syntax trees.

/// The variables; all are parameters of the function, and inner blocks may declare them anew.
pub const VARIABLES: [&str; 4] = ["a", "b", "c", "d"];

/// The functions that a program may call.
pub const FUNCTIONS: [(&str, i64); 2] = [("three", 3), ("minus_seven", -7)];

pub type Variable = &'static str;

#[derive(Clone, Debug)]
pub enum Expression {
    Number(i64),
    Variable(Variable),
    Call(&'static str),
    /// The sum, wrapping around.
    Sum(Variable, i64),
}

#[derive(Clone, Copy, Debug)]
pub enum Comparison {
    Equal,
    Less,
    Unequal,
}

#[derive(Clone, Debug)]
pub enum Statement {
    Let(Variable, Expression),
    Assign(Variable, Expression),
    /// `x ^= e`, the compound assignment that cannot overflow.
    Toggle(Variable, Expression),
    Block(Block),
    If {
        left: Expression,
        comparison: Comparison,
        right: Expression,
        then: Block,
        otherwise: Option<Block>,
    },
    Repeat(usize, Block),
    Return(Expression),
    Break,
    Continue,
}

impl Statement {
    /// Whether it counts for `first_block`.
    pub fn is_block(&self) -> bool {
        matches!(
            self,
            Statement::Block(_) | Statement::If { .. } | Statement::Repeat(..)
        )
    }

    /// The blocks in it, one level down.
    pub fn blocks(&self) -> Vec<&Block> {
        match self {
            Statement::Block(block) | Statement::Repeat(_, block) => vec![block],
            Statement::If {
                then, otherwise, ..
            } => [then].into_iter().chain(otherwise).collect(),
            _ => vec![],
        }
    }
}

/// Statements, and the tests between them: `tests` says before which statement each stands.
#[derive(Clone, Debug, Default)]
pub struct Block {
    pub statements: Vec<Statement>,
    pub tests: Vec<(usize, Test)>,
}

/// A function of four numbers to the value of `a`.
#[derive(Clone, Debug)]
pub struct Program {
    pub name: String,
    pub body: Block,
}

/// How a test says where its fragment is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Clause {
    None,
    Next(usize),
    EndFirstBlock(usize),
    EndFirstAssign,
    EndFirstExit,
    StartFirstBlock(usize),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Oracle {
    Equal(Variable, i64),
    Return(i64),
    Break,
    Continue,
    Runs,
}

#[derive(Clone, Debug)]
pub struct Test {
    pub name: String,
    pub clause: Clause,
    pub givens: Vec<(Variable, i64)>,
    pub setup: Option<(Variable, i64)>,
    pub mock: Option<(&'static str, i64)>,
    pub oracles: Vec<Oracle>,
    /// The statements of its block that run, and whether the tail of the function runs after them.
    pub fragment: Fragment,
}

/// A run of statements of one block.
#[derive(Clone, Debug, PartialEq)]
pub struct Fragment {
    pub first: usize,
    pub end: usize,
    pub with_tail: bool,
}
