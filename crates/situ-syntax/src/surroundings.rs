//! What stands around a test: the function it is in, the variables, items and loops that its fragment can see.

use proc_macro2::{Ident, Span};
use syn::{
    Attribute, Expr, ExprClosure, ExprForLoop, ItemImpl, ItemTrait, Lifetime, Local, Pat, Receiver,
    Signature, Stmt, Type,
};

/// How a variable came to be.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// `self`.
    Receiver(&'a Receiver),
    /// A parameter of a function or closure, with its type where it has one.
    Parameter(&'a Pat, Option<&'a Type>),
    /// A `let`.
    Let(&'a Local),
    /// The variable of a `for` loop.
    For(&'a ExprForLoop),
    /// A pattern of `if let`, `while let` or `match`, with what is matched on.
    Matched(&'a Pat, &'a Expr),
}

impl Source<'_> {
    /// Whether one pattern bound both.
    pub fn is_same(&self, other: &Source<'_>) -> bool {
        match (self, other) {
            (Source::Parameter(one, _), Source::Parameter(other, _)) => std::ptr::eq(*one, *other),
            (Source::Let(one), Source::Let(other)) => std::ptr::eq(*one, *other),
            (Source::For(one), Source::For(other)) => std::ptr::eq(*one, *other),
            (Source::Matched(one, _), Source::Matched(other, _)) => std::ptr::eq(*one, *other),
            (Source::Receiver(one), Source::Receiver(other)) => std::ptr::eq(*one, *other),
            _ => false,
        }
    }
}

/// A variable that is in scope.
#[derive(Clone)]
pub struct Binding<'a> {
    /// Its name.
    pub ident: Ident,
    /// How it came to be.
    pub source: Source<'a>,
}

/// Where `return` and `?` go to.
#[derive(Clone, Copy)]
pub enum Returns<'a> {
    /// Out of a function.
    Function(&'a Signature),
    /// Out of a closure.
    Closure(&'a ExprClosure),
    /// Out of an `async` block.
    AsyncBlock,
}

/// What holds the function.
#[derive(Clone, Copy)]
pub enum Owner<'a> {
    /// A module, or another function.
    Free,
    /// An `impl` block.
    Impl(&'a ItemImpl),
    /// A trait, whose default method it is.
    Trait(&'a ItemTrait),
}

/// What a block is the body of, as far as a test at its start can be about it.
#[derive(Clone, Copy)]
pub enum Header<'a> {
    /// An `if`, `else if`, `while` or guarded arm: the condition.
    Condition(&'a Expr),
    /// A `for` loop.
    For(&'a ExprForLoop),
    /// A `match` arm without a guard: what is matched on.
    Arm(&'a Expr),
    /// Anything else.
    None,
}

/// What surrounds a test.
#[derive(Clone)]
pub struct Surroundings<'a> {
    /// What holds the function.
    pub owner: Owner<'a>,
    /// The functions around the test, outermost first.
    pub functions: Vec<&'a Signature>,
    /// Where the body of the innermost function stands.
    pub body_span: Span,
    /// The variables in scope, innermost last.
    pub bindings: Vec<Binding<'a>>,
    /// Items and local macros of the blocks around the test.
    pub items: Vec<&'a Stmt>,
    /// The labels of the loops around the test, up to the function or closure.
    pub loops: Vec<Option<&'a Lifetime>>,
    /// Where `return` goes to.
    pub returns: Option<Returns<'a>>,
    /// Whether unsafe operations are allowed.
    pub is_unsafe: bool,
    /// `#[cfg(…)]`s that the test depends on.
    pub cfgs: Vec<&'a Attribute>,
}

/// Where a test stands: which statement of which block.
#[derive(Clone, Copy)]
pub struct Spot<'a> {
    /// The statements of the block.
    pub statements: &'a [Stmt],
    /// The test's place among them.
    pub index: usize,
    /// The last statement before the test that is none itself.
    pub before: Option<&'a Stmt>,
    /// What the block is the body of.
    pub header: Header<'a>,
    /// How many of the variables in scope the header itself sees.
    pub header_sees: usize,
    /// Whether the block's last expression is used.
    pub valued: bool,
    /// Whether the block's value is what the function or closure returns.
    pub returned: bool,
}

impl<'a> Surroundings<'a> {
    /// Nothing but an owner.
    pub fn of(owner: Owner<'a>) -> Self {
        Surroundings {
            owner,
            functions: Vec::new(),
            body_span: Span::call_site(),
            bindings: Vec::new(),
            items: Vec::new(),
            loops: Vec::new(),
            returns: None,
            is_unsafe: false,
            cfgs: Vec::new(),
        }
    }

    /// The variable of that name that a use here would mean.
    pub fn binding(&self, name: &str) -> Option<(usize, &Binding<'a>)> {
        self.bindings
            .iter()
            .enumerate()
            .rev()
            .find(|(_, binding)| binding.ident == name)
    }

    /// The innermost function.
    pub fn function(&self) -> Option<&'a Signature> {
        self.functions.last().copied()
    }
}

/// The surroundings as a target sees them where it starts: a test behind it sees more variables.
#[derive(Clone, Copy)]
pub struct Seen<'s, 'a> {
    around: &'s Surroundings<'a>,
    variables: usize,
}

impl<'s, 'a> Seen<'s, 'a> {
    /// The first `variables` of what is in scope, and everything else.
    pub fn new(around: &'s Surroundings<'a>, variables: usize) -> Self {
        Seen { around, variables }
    }

    /// The variables in scope, innermost last.
    pub fn bindings(&self) -> &'s [Binding<'a>] {
        &self.around.bindings[..self.variables.min(self.around.bindings.len())]
    }

    /// The variable of that name that a use there would mean.
    pub fn binding(&self, name: &str) -> Option<(usize, &'s Binding<'a>)> {
        self.bindings()
            .iter()
            .enumerate()
            .rev()
            .find(|(_, binding)| binding.ident == name)
    }
}

impl<'a> std::ops::Deref for Seen<'_, 'a> {
    type Target = Surroundings<'a>;

    fn deref(&self) -> &Surroundings<'a> {
        self.around
    }
}

/// The variables that a pattern binds.
pub fn pattern_names(pattern: &Pat) -> Vec<Ident> {
    struct Names(Vec<Ident>);
    impl<'ast> syn::visit::Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
            // `None` and constants look like variables; by convention no variable starts with a capital letter.
            let capital = pattern
                .ident
                .to_string()
                .chars()
                .next()
                .is_some_and(char::is_uppercase);
            let plain = pattern.by_ref.is_none()
                && pattern.mutability.is_none()
                && pattern.subpat.is_none();
            let is_variable = !(capital && plain);
            if is_variable && !self.0.contains(&pattern.ident) {
                self.0.push(pattern.ident.clone());
            }
            syn::visit::visit_pat_ident(self, pattern);
        }
        fn visit_expr(&mut self, _guard: &'ast Expr) {}
    }
    let mut names = Names(Vec::new());
    syn::visit::Visit::visit_pat(&mut names, pattern);
    names.0
}
