//! The programs: assignments, branches, loops with labels, and every way to leave.

use super::random::Random;

/// The variables that are assigned; `n` is only read.
pub const VARIABLES: [char; 3] = ['a', 'b', 'c'];
pub const ALL: [char; 4] = ['a', 'b', 'c', 'n'];

pub enum Expression {
    Variable(char),
    Number(i64),
    /// A method of `i64` and its two operands.
    Call(&'static str, Box<Expression>, Box<Expression>),
}

pub struct Condition {
    pub operator: &'static str,
    pub left: Expression,
    pub right: Expression,
}

pub enum Statement {
    If(Condition, Block, Option<Block>),
    For {
        label: u32,
        passes: u32,
        body: Block,
    },
    Match(Expression, Block, Block),
    Plain(Block),
    Break(Option<u32>),
    Continue(Option<u32>),
    Return(Expression),
    /// `return` inside a macro that Situ cannot look into.
    Bail(Expression),
    /// `x = (condition).then_some(expression)?;`
    Question(char, Condition, Expression),
    Set(char, Expression),
    /// `x = ready(expression).await;`, in an asynchronous function.
    Await(char, Expression),
    Add(char, Expression),
}

pub struct Block {
    pub id: u32,
    pub statements: Vec<Statement>,
}

pub struct Function {
    pub asynchronous: bool,
    pub body: Block,
}

/// What is drawn while a function is made.
struct Maker<'a> {
    random: &'a mut Random,
    next_id: u32,
}

pub fn function(random: &mut Random) -> Function {
    let asynchronous = random.chance(30);
    let body = Maker { random, next_id: 0 }.block(0, &[]);
    Function { asynchronous, body }
}

impl Maker<'_> {
    fn id(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id
    }

    fn block(&mut self, depth: u32, loops: &[u32]) -> Block {
        let id = self.id();
        let mut statements = Vec::new();
        for _ in 0..self.random.between(1, if depth < 2 { 5 } else { 3 }) {
            let statement = self.statement(depth, loops);
            // The body ends in a tail: what follows a `return` there would be dead, and the compiler says so.
            if depth == 0 && never_passes(&statement) {
                continue;
            }
            let last = never_passes(&statement);
            statements.push(statement);
            if last {
                break;
            }
        }
        if statements.is_empty() {
            statements.push(Statement::Set('a', Expression::Number(1)));
        }
        Block { id, statements }
    }

    fn statement(&mut self, depth: u32, loops: &[u32]) -> Statement {
        let variable = *self.random.choose(&VARIABLES);
        match self.random.between(0, 99) {
            0..=21 if depth < 3 => {
                let (condition, then) = (self.condition(), self.block(depth + 1, loops));
                let other = if self.random.chance(60) {
                    Some(self.block(depth + 1, loops))
                } else {
                    None
                };
                Statement::If(condition, then, other)
            }
            22..=31 if depth < 3 => {
                let (label, passes) = (self.id(), self.random.between(0, 3) as u32);
                let inner: Vec<u32> = loops.iter().copied().chain([label]).collect();
                Statement::For {
                    label,
                    passes,
                    body: self.block(depth + 1, &inner),
                }
            }
            32..=37 if depth < 3 => Statement::Match(
                self.expression(1),
                self.block(depth + 1, loops),
                self.block(depth + 1, loops),
            ),
            38..=41 if depth < 3 => Statement::Plain(self.block(depth + 1, loops)),
            42..=49 if !loops.is_empty() => Statement::Break(self.label(loops)),
            50..=57 if !loops.is_empty() => Statement::Continue(self.label(loops)),
            58..=63 => Statement::Return(self.expression(0)),
            64..=67 => Statement::Bail(self.expression(0)),
            68..=72 => Statement::Question(variable, self.condition(), self.expression(0)),
            73..=79 => Statement::Await(variable, self.expression(0)),
            80..=89 => Statement::Set(variable, self.expression(0)),
            _ => Statement::Add(variable, self.expression(0)),
        }
    }

    fn label(&mut self, loops: &[u32]) -> Option<u32> {
        if self.random.chance(50) {
            Some(*self.random.choose(loops))
        } else {
            None
        }
    }

    fn expression(&mut self, depth: u32) -> Expression {
        match self.random.between(0, 99) {
            draw if depth > 2 || draw < 35 => Expression::Variable(*self.random.choose(&ALL)),
            draw if draw < 60 => Expression::Number(self.random.between(-3, 6)),
            _ => {
                let method = *self
                    .random
                    .choose(&["wrapping_add", "wrapping_sub", "wrapping_mul"]);
                Expression::Call(
                    method,
                    Box::new(self.expression(depth + 1)),
                    Box::new(self.expression(depth + 1)),
                )
            }
        }
    }

    fn condition(&mut self) -> Condition {
        let operator = *self.random.choose(&["<", ">", "==", "!="]);
        Condition {
            operator,
            left: self.expression(1),
            right: self.expression(1),
        }
    }
}

/// Whether nothing after this statement is ever reached, by what the compiler sees too.
fn never_passes(statement: &Statement) -> bool {
    let block = |block: &Block| block.statements.iter().any(never_passes);
    match statement {
        Statement::Return(_)
        | Statement::Bail(_)
        | Statement::Break(_)
        | Statement::Continue(_) => true,
        Statement::If(_, then, Some(other)) | Statement::Match(_, then, other) => {
            block(then) && block(other)
        }
        Statement::Plain(inner) => block(inner),
        _ => false,
    }
}

impl Statement {
    /// The blocks inside it, in order.
    pub fn blocks(&self) -> Vec<&Block> {
        match self {
            Statement::If(_, then, None) => vec![then],
            Statement::If(_, then, Some(other)) | Statement::Match(_, then, other) => {
                vec![then, other]
            }
            Statement::For { body, .. } | Statement::Plain(body) => vec![body],
            _ => vec![],
        }
    }

    fn expressions(&self) -> Vec<&Expression> {
        match self {
            Statement::If(condition, ..) => vec![&condition.left, &condition.right],
            Statement::Question(_, condition, value) => {
                vec![&condition.left, &condition.right, value]
            }
            Statement::Match(value, ..)
            | Statement::Return(value)
            | Statement::Bail(value)
            | Statement::Set(_, value)
            | Statement::Await(_, value)
            | Statement::Add(_, value) => vec![value],
            _ => vec![],
        }
    }

    /// Notes every variable it assigns, at any depth.
    pub fn note_assigned(&self, noted: &mut Vec<char>) {
        match self {
            Statement::Question(variable, ..)
            | Statement::Set(variable, _)
            | Statement::Await(variable, _)
            | Statement::Add(variable, _) => noted.push(*variable),
            _ => {}
        }
        self.blocks()
            .iter()
            .flat_map(|block| &block.statements)
            .for_each(|inner| inner.note_assigned(noted));
    }

    /// Notes every variable it mentions, at any depth.
    pub fn note_mentioned(&self, noted: &mut Vec<char>) {
        self.expressions()
            .into_iter()
            .for_each(|expression| expression.note_mentioned(noted));
        let mut assigned = Vec::new();
        self.note_assigned(&mut assigned);
        noted.append(&mut assigned);
        self.blocks()
            .iter()
            .flat_map(|block| &block.statements)
            .for_each(|inner| inner.note_mentioned(noted));
    }
}

impl Expression {
    fn note_mentioned(&self, noted: &mut Vec<char>) {
        match self {
            Expression::Variable(variable) => noted.push(*variable),
            Expression::Number(_) => {}
            Expression::Call(_, left, right) => {
                left.note_mentioned(noted);
                right.note_mentioned(noted);
            }
        }
    }
}
