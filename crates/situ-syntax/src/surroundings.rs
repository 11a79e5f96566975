//! The surroundings of a test: the function, variables, items and loops that its fragment sees.

use proc_macro2::{Ident, Span};
use syn::{
    Attribute, Expr, ExprClosure, ExprForLoop, ItemImpl, ItemTrait, Lifetime, Local, Pat, Receiver,
    Signature, Stmt, Type,
};

/// The origin of a variable.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// `self`.
    Receiver(&'a Receiver),
    /// A parameter of a function or closure, with its type if it has one.
    Parameter(&'a Pat, Option<&'a Type>),
    /// A `let`.
    Let(&'a Local),
    /// The variable of a `for` loop.
    For(&'a ExprForLoop),
    /// A pattern of `if let`, `while let` or `match`, with the scrutinee.
    Matched(&'a Pat, &'a Expr),
}

impl Source<'_> {
    /// Returns whether one pattern bound both.
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
    /// The origin.
    pub source: Source<'a>,
}

/// The target of `return` and `?`.
#[derive(Clone, Copy)]
pub enum Returns<'a> {
    /// Out of a function.
    Function(&'a Signature),
    /// Out of a closure.
    Closure(&'a ExprClosure),
    /// Out of an `async` block.
    AsyncBlock,
}

/// The `impl` block, trait or module that contains the function.
#[derive(Clone, Copy)]
pub enum Owner<'a> {
    /// A module, or another function.
    Free,
    /// An `impl` block.
    Impl(&'a ItemImpl),
    /// A trait, whose default method it is.
    Trait(&'a ItemTrait),
}

/// The header of a block, as far as a test at its start can check it.
#[derive(Clone, Copy)]
pub enum Header<'a> {
    /// An `if`, `else if`, `while` or guarded arm: the condition.
    Condition(&'a Expr),
    /// A `for` loop.
    For(&'a ExprForLoop),
    /// A `match` arm without a guard: the scrutinee.
    Arm(&'a Expr),
    /// Anything else.
    None,
}

/// The surroundings of a test.
#[derive(Clone)]
pub struct Surroundings<'a> {
    /// The `impl` block, trait or module that contains the function.
    pub owner: Owner<'a>,
    /// The functions around the test, outermost first.
    pub functions: Vec<&'a Signature>,
    /// The span of the innermost function's body.
    pub body_span: Span,
    /// Returns the variables in scope, innermost last.
    pub bindings: Vec<Binding<'a>>,
    /// Items and local macros of the blocks around the test.
    pub items: Vec<&'a Stmt>,
    /// The labels of the loops around the test, up to the function or closure.
    pub loops: Vec<Option<&'a Lifetime>>,
    /// The target of `return`.
    pub returns: Option<Returns<'a>>,
    /// Whether unsafe operations are allowed.
    pub is_unsafe: bool,
    /// `#[cfg(…)]`s that the test depends on.
    pub cfgs: Vec<&'a Attribute>,
}

/// The place of a test: a statement of a block.
#[derive(Clone, Copy)]
pub struct Spot<'a> {
    /// The statements of the block.
    pub statements: &'a [Stmt],
    /// The index of the test among them.
    pub index: usize,
    /// The last statement before the test that is no test.
    pub before: Option<&'a Stmt>,
    /// The header of the block.
    pub header: Header<'a>,
    /// How many of the variables in scope are visible to the header.
    pub header_sees: usize,
    /// Whether the value of the block's last expression is used.
    pub valued: bool,
    /// Whether the block's value is returned from the function or closure.
    pub returned: bool,
}

impl<'a> Surroundings<'a> {
    /// Creates surroundings with nothing but an owner.
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

    /// Returns the variable that a name refers to here, with its index.
    pub fn binding(&self, name: &str) -> Option<(usize, &Binding<'a>)> {
        self.bindings
            .iter()
            .enumerate()
            .rev()
            .find(|(_, binding)| binding.ident == name)
    }

    /// Returns the innermost function.
    pub fn function(&self) -> Option<&'a Signature> {
        self.functions.last().copied()
    }
}

/// The surroundings at the start of a target. A test after it sees more variables.
#[derive(Clone, Copy)]
pub struct Seen<'s, 'a> {
    around: &'s Surroundings<'a>,
    variables: usize,
}

impl<'s, 'a> Seen<'s, 'a> {
    /// Creates a view with the first `variables` of those in scope, and everything else.
    pub fn new(around: &'s Surroundings<'a>, variables: usize) -> Self {
        Seen { around, variables }
    }

    /// The variables in scope, innermost last.
    pub fn bindings(&self) -> &'s [Binding<'a>] {
        &self.around.bindings[..self.variables.min(self.around.bindings.len())]
    }

    /// Returns the variable that a name refers to at the start of the target, with its index.
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

/// Returns the variables that a pattern binds.
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
