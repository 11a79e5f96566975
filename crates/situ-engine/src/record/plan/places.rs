//! Finds the places (variables, fields) that code mentions, so that a probe can capture them.

use crate::source::targets::{macro_arguments, names_in};
use quote::ToTokens;
use situ_recorder::secret::Secrecy;
use std::collections::BTreeMap;
use syn::visit::{self, Visit};
use syn::{
    Arm, BinOp, Block, Expr, ExprBinary, ExprClosure, ExprField, ExprForLoop, ExprIf, ExprIndex,
    ExprLet, ExprPath, ExprWhile, Item, Local, Macro, Member, Pat, PatIdent, Stmt,
};

/// Properties of a variable in scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Variable {
    /// Whether a statement that mentions the variable may change its value.
    pub changes: bool,
    /// Whether the variable refers to another value, which may change even if the variable is
    /// moved.
    pub refers: bool,
    /// Whether the variable may hold a secret, or something derived from one.
    pub secrecy: Secrecy,
    /// Whether the variable is a parameter whose type is only known to be a stream.
    pub is_stream: bool,
    /// Whether the recorder captures the variable completely, judged by its type or its
    /// initialiser.
    pub is_plain: bool,
}

/// Variables in scope, by name.
pub(super) type Scope = BTreeMap<String, Variable>;

/// Place that a statement mentions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Source of the place: `self.width`.
    pub text: String,
    /// Variable that the place starts from.
    pub root: String,
    /// Whether the statement may change the place.
    pub changes: bool,
    pub secrecy: Secrecy,
    /// Mentioned elements, which a test can use if the whole place cannot be rebuilt.
    pub elements: Vec<Element>,
}

/// Element of a place with a literal or a place as index: `cap[1]`, `words[i]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Element {
    pub text: String,
    /// Place that contains the element.
    base: String,
    /// Variables of the index.
    pub index_roots: Vec<String>,
}

/// Returns the places that code mentions, without duplicates. A place replaces its own parts.
pub(super) fn places_of(
    scope: &Scope,
    secrecy: &dyn Fn(&str) -> Secrecy,
    visit: impl FnOnce(&mut Places<'_>),
) -> Vec<Place> {
    let mut places = Places {
        scope,
        secrecy,
        hidden: Vec::new(),
        found: Vec::new(),
        perhaps: 0,
        elements: Vec::new(),
    };
    visit(&mut places);
    let (all, elements) = (places.found, places.elements);
    let covered = |place: &Place| {
        all.iter().any(|other| {
            place.text.len() > other.text.len()
                && place.text.starts_with(&other.text)
                && place.text[other.text.len()..].starts_with('.')
        })
    };
    let mut kept: Vec<Place> = Vec::new();
    for place in all.iter().filter(|place| !covered(place)) {
        if !kept.iter().any(|other| other.text == place.text) {
            let own = elements
                .iter()
                .filter(|element| element.base == place.text)
                .cloned()
                .collect();
            kept.push(Place {
                elements: own,
                ..place.clone()
            });
        }
    }
    kept
}

/// Returns the secrecy of a value computed from these places.
pub(super) fn secrecy_among(places: &[Place]) -> Secrecy {
    places
        .iter()
        .map(|place| place.secrecy.of_what_is_made())
        .max()
        .unwrap_or_default()
}

/// Visitor that collects the places that code mentions.
pub(super) struct Places<'s> {
    scope: &'s Scope,
    secrecy: &'s dyn Fn(&str) -> Secrecy,
    /// Names that inner patterns shadow, innermost last.
    hidden: Vec<String>,
    found: Vec<Place>,
    /// Number of enclosing branches; code inside may not be evaluated.
    perhaps: usize,
    elements: Vec<Element>,
}

impl Places<'_> {
    fn add(&mut self, root: &str, fields: &[String]) {
        let Some(variable) = self.scope.get(root) else {
            return;
        };
        if self.hidden.iter().any(|name| name == root) {
            return;
        }
        let mut text = root.to_owned();
        for field in fields {
            text.push('.');
            text.push_str(field);
        }
        let names = std::iter::once(root).chain(fields.iter().map(String::as_str));
        let secrecy = names.map(self.secrecy).fold(variable.secrecy, Secrecy::max);
        let elements = Vec::new();
        self.found.push(Place {
            text,
            root: root.to_owned(),
            changes: variable.changes,
            secrecy,
            elements,
        });
    }

    /// Adds an element that is evaluated whenever the code is.
    fn add_element(&mut self, element: &ExprIndex) {
        let is_free = |root: &String| !self.hidden.contains(root);
        let (Some((root, base)), 0) = (written_place(&element.expr), self.perhaps) else {
            return;
        };
        let index = match &*element.index {
            Expr::Lit(literal) => Some((Vec::new(), literal.to_token_stream().to_string())),
            index => written_place(index).map(|(root, text)| (vec![root], text)),
        };
        let Some((index_roots, index)) = index else {
            return;
        };
        if is_free(&root) && index_roots.iter().all(is_free) {
            let text = format!("{base}[{index}]");
            if !self.elements.iter().any(|known| known.text == text) {
                self.elements.push(Element {
                    text,
                    base,
                    index_roots,
                });
            }
        }
    }

    /// Visits code that may not be evaluated, such as a branch.
    fn perhaps(&mut self, visit: impl FnOnce(&mut Self)) {
        self.perhaps += 1;
        visit(self);
        self.perhaps -= 1;
    }

    /// Hides the names that a pattern shadows.
    fn hide(&mut self, pattern: &Pat) {
        self.hidden
            .extend(bindings_of(pattern).into_iter().map(|(name, _)| name));
    }

    /// Visits statements of one block. Returns the variables that are assigned before they are read
    /// on every path; these are no inputs.
    pub(super) fn visit_fragment(&mut self, statements: &[&Stmt]) -> Vec<Place> {
        // A later statement may read an element after it has changed.
        self.perhaps += 1;
        let mut assigned = Vec::new();
        for statement in statements {
            if let Stmt::Expr(Expr::Assign(assign), Some(_)) = statement
                && let Expr::Path(path) = &*assign.left
                && let Some(name) = path.path.get_ident().map(ToString::to_string)
            {
                self.visit_expr(&assign.right);
                let is_read = self.found.iter().any(|place| place.root == name);
                let known = self.found.len();
                self.add(&name, &[]);
                if !is_read && let Some(place) = self.found.get(known).cloned() {
                    self.found.truncate(known);
                    self.hidden.push(name);
                    assigned.push(place);
                }
                continue;
            }
            self.visit_stmt(statement);
        }
        self.perhaps -= 1;
        assigned
    }
}

impl<'ast> Visit<'ast> for Places<'_> {
    fn visit_expr_path(&mut self, path: &'ast ExprPath) {
        if let (None, Some(name)) = (&path.qself, path.path.get_ident()) {
            self.add(&name.to_string(), &[]);
        }
        visit::visit_expr_path(self, path);
    }

    fn visit_expr_field(&mut self, field: &'ast ExprField) {
        match chain(field) {
            Some((root, fields)) => self.add(&root, &fields),
            None => visit::visit_expr_field(self, field),
        }
    }

    fn visit_expr_index(&mut self, element: &'ast ExprIndex) {
        self.add_element(element);
        visit::visit_expr_index(self, element);
    }

    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        self.visit_expr(&binary.left);
        match binary.op {
            BinOp::And(_) | BinOp::Or(_) => self.perhaps(|places| places.visit_expr(&binary.right)),
            _ => self.visit_expr(&binary.right),
        }
    }

    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        let known = self.hidden.len();
        self.hidden.extend(
            closure
                .inputs
                .iter()
                .flat_map(bindings_of)
                .map(|(name, _)| name),
        );
        self.perhaps(|places| places.visit_expr(&closure.body));
        self.hidden.truncate(known);
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        let known = self.hidden.len();
        self.hidden
            .extend(bindings_of(&arm.pat).into_iter().map(|(name, _)| name));
        self.perhaps(|places| visit::visit_arm(places, arm));
        self.hidden.truncate(known);
    }

    fn visit_block(&mut self, block: &'ast Block) {
        let known = self.hidden.len();
        // Statements before may have changed what is evaluated here.
        self.perhaps(|places| visit::visit_block(places, block));
        self.hidden.truncate(known);
    }

    fn visit_local(&mut self, local: &'ast Local) {
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            self.perhaps(|places| {
                init.diverge
                    .iter()
                    .for_each(|(_, otherwise)| places.visit_expr(otherwise))
            });
        }
        self.hide(&local.pat);
    }

    // The bindings of a condition are visible in the rest of it and in its branch.
    fn visit_expr_let(&mut self, condition: &'ast ExprLet) {
        self.visit_expr(&condition.expr);
        self.hide(&condition.pat);
    }

    fn visit_expr_if(&mut self, branch: &'ast ExprIf) {
        let known = self.hidden.len();
        self.visit_expr(&branch.cond);
        self.visit_block(&branch.then_branch);
        self.hidden.truncate(known);
        self.perhaps(|places| {
            branch
                .else_branch
                .iter()
                .for_each(|(_, otherwise)| places.visit_expr(otherwise))
        });
    }

    fn visit_expr_while(&mut self, cycle: &'ast ExprWhile) {
        let known = self.hidden.len();
        self.visit_expr(&cycle.cond);
        self.visit_block(&cycle.body);
        self.hidden.truncate(known);
    }

    fn visit_expr_for_loop(&mut self, cycle: &'ast ExprForLoop) {
        self.visit_expr(&cycle.expr);
        let known = self.hidden.len();
        self.hide(&cycle.pat);
        self.visit_block(&cycle.body);
        self.hidden.truncate(known);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let arguments = macro_arguments(call.tokens.clone());
        if arguments.is_empty() {
            let mut names = Vec::new();
            names_in(call.tokens.clone(), &mut names);
            names
                .iter()
                .for_each(|name| self.add(&name.to_string(), &[]));
        }
        for argument in &arguments {
            match argument {
                // `format!("{}", width = self.width)`
                Expr::Assign(named) => self.visit_expr(&named.right),
                other => self.visit_expr(other),
            }
            if let Expr::Lit(literal) = argument
                && let syn::Lit::Str(text) = &literal.lit
            {
                inline_names(&text.value())
                    .iter()
                    .for_each(|name| self.add(name, &[]));
            }
        }
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}

/// Returns the variable and the source of a place that is a variable or a field of one.
fn written_place(place: &Expr) -> Option<(String, String)> {
    match place {
        Expr::Path(path) if path.qself.is_none() => path
            .path
            .get_ident()
            .map(|name| (name.to_string(), name.to_string())),
        Expr::Field(field) => {
            let (root, fields) = chain(field)?;
            Some((root.clone(), format!("{root}.{}", fields.join("."))))
        }
        _ => None,
    }
}

/// Splits `a.b.0` into variable and fields.
fn chain(field: &ExprField) -> Option<(String, Vec<String>)> {
    let name = match &field.member {
        Member::Named(name) => name.to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    };
    let (root, mut fields) = match &*field.base {
        Expr::Path(path) => (path.path.get_ident()?.to_string(), Vec::new()),
        Expr::Field(inner) => chain(inner)?,
        _ => return None,
    };
    fields.push(name);
    Some((root, fields))
}

/// Returns the variables that a format string names inline.
pub(super) fn inline_names(format: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = format;
    while let Some(open) = rest.find('{') {
        rest = &rest[open + 1..];
        if let Some(escaped) = rest.strip_prefix('{') {
            rest = escaped;
            continue;
        }
        let name: String = rest
            .chars()
            .take_while(|char| char.is_alphanumeric() || *char == '_')
            .collect();
        if name.starts_with(|first: char| first.is_alphabetic() || first == '_') {
            names.push(name);
        }
    }
    names
}

/// Returns the variables that a pattern binds, and whether each can be mutated.
pub fn bindings_of(pattern: &Pat) -> Vec<(String, bool)> {
    #[derive(Default)]
    struct Bindings(Vec<(String, bool)>);
    impl<'ast> Visit<'ast> for Bindings {
        fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
            let name = pattern.ident.to_string();
            // A capitalised name is a constant, not a binding.
            if name.starts_with(|first: char| first.is_lowercase() || first == '_') {
                self.0.push((
                    name,
                    pattern.mutability.is_some() || pattern.by_ref.is_some(),
                ));
            }
            visit::visit_pat_ident(self, pattern);
        }

        fn visit_expr(&mut self, _: &'ast Expr) {}
    }
    let mut bindings = Bindings::default();
    bindings.visit_pat(pattern);
    bindings.0.dedup_by(|a, b| a.0 == b.0);
    bindings.0
}
