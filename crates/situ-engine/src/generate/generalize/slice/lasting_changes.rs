//! Detection of effects that no variable shows: on files, the environment, statics, locks or other
//! processes. Later parts of the test may depend on them.

use super::covers;
use super::effects::{LOOKING, root_of};
use crate::generate::generalize::scope::Step;
use crate::generate::generalize::scope::assertion::unwrapped;
use crate::generate::generalize::scope::token_text::leading_expressions;
use crate::record::plan::bindings_of;
use crate::source::Imports;
use crate::source::byte_range;
use crate::source::targets::effects::Effects;
use crate::source::targets::lasting::{self, is_static, is_static_changed};
use std::collections::BTreeSet;
use std::ops::Range;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, ExprMethodCall, Item, Local, Macro, PathArguments, Stmt, Token};

/// Methods of files, folders, listeners and processes that change nothing.
const LOOKING_OUT: [&str; 14] = [
    "as_path",
    "display",
    "exists",
    "id",
    "is_dir",
    "is_file",
    "join",
    "local_addr",
    "metadata",
    "path",
    "read",
    "read_to_end",
    "read_to_string",
    "to_str",
];

/// Names of functions that only compute or check a value: unwrapping their result is an assertion,
/// whoever wrote them.
const JUDGING: [&str; 8] = [
    "check",
    "decode",
    "deserialize",
    "from",
    "new",
    "parse",
    "try_from",
    "validate",
];

/// The effects in the steps of a scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lasting {
    /// The byte ranges of expressions with effects.
    ranges: Vec<Range<usize>>,
    /// The steps that bind a parameter to a value with an effect.
    given: BTreeSet<usize>,
}

impl Lasting {
    /// Finds the effects of steps.
    pub(crate) fn of(steps: &[Step], effects: &Effects, imports: &Imports) -> Lasting {
        let mut search = Search {
            effects,
            imports,
            ranges: Vec::new(),
            holding: BTreeSet::new(),
        };
        let mut given = BTreeSet::new();
        for (number, step) in steps.iter().enumerate() {
            match step {
                Step::Statement(statement) => search.visit_stmt(statement),
                // Its source may belong to another file.
                Step::Given {
                    expression, name, ..
                } => {
                    if !search.found_apart(expression).is_empty() {
                        given.insert(number);
                        search.holding.insert(name.clone());
                    }
                }
            }
        }
        Lasting {
            ranges: search.ranges,
            given,
        }
    }

    /// Returns whether a part of the source contains an effect.
    pub(crate) fn is_in(&self, range: &Range<usize>) -> bool {
        self.ranges.iter().any(|one| covers(range, one))
    }

    /// Returns whether an effect starts exactly where a part of the source does.
    pub(crate) fn begins(&self, range: &Range<usize>) -> bool {
        self.ranges
            .iter()
            .any(|one| one.start == range.start && covers(range, one))
    }

    /// Returns whether a step that binds a parameter has an effect.
    pub(crate) fn is_given_at(&self, step: usize) -> bool {
        self.given.contains(&step)
    }
}

struct Search<'s> {
    effects: &'s Effects,
    imports: &'s Imports,
    ranges: Vec<Range<usize>>,
    /// Variables that own something outside: an open file, a temporary folder, a lock.
    holding: BTreeSet<String>,
}

impl Search<'_> {
    fn holds(&self, place: &Expr) -> bool {
        root_of(place).is_some_and(|root| self.holding.contains(&root))
    }

    /// Returns whether such a variable is passed on in a way that can consume or change it.
    fn is_handed_on(&self, arguments: &Punctuated<Expr, Token![,]>) -> bool {
        arguments.iter().any(|argument| match argument {
            Expr::Reference(reference) => {
                reference.mutability.is_some() && self.holds(&reference.expr)
            }
            Expr::Path(_) => self.holds(argument),
            _ => false,
        })
    }

    fn is_changing_call(&self, call: &ExprCall) -> bool {
        let Expr::Path(function) = &*call.func else {
            return false;
        };
        self.effects.of_path(&function.path, self.imports).is_some()
            || self.is_handed_on(&call.args)
            || self.holds(&call.func)
    }

    fn is_changing_method(&self, call: &ExprMethodCall) -> bool {
        let name = call.method.to_string();
        let only_looks = LOOKING.contains(&name.as_str()) || LOOKING_OUT.contains(&name.as_str());
        self.effects.of_method(&name).is_some()
            || is_static_changed(&call.receiver, &name)
            || self.is_handed_on(&call.args)
            || !only_looks
                && unwrapped(&Expr::MethodCall(call.clone())).is_none()
                && self.holds(&call.receiver)
    }

    /// Returns the effects of an expression, separately from all others.
    fn found_apart(&mut self, expression: &Expr) -> Vec<Range<usize>> {
        let outer = std::mem::take(&mut self.ranges);
        self.visit_expr(expression);
        std::mem::replace(&mut self.ranges, outer)
    }

    fn local(&mut self, local: &Local) {
        let Some(init) = &local.init else { return };
        let found = self.found_apart(&init.expr);
        let names = bindings_of(&local.pat).into_iter().map(|(name, _)| name);
        if found.is_empty() {
            names.for_each(|name| _ = self.holding.remove(&name));
        } else {
            self.holding.extend(names);
        }
        // A closure has no effect until it is called.
        if !matches!(&*init.expr, Expr::Closure(_)) {
            self.ranges.extend(found);
        }
        init.diverge
            .iter()
            .for_each(|(_, otherwise)| self.visit_expr(otherwise));
    }

    /// Returns whether foreign code is called and its result is only unwrapped: nobody asserts
    /// anything about it, so the call is there for its effect.
    fn is_foreign_effect(&self, statement: &Stmt) -> bool {
        let Stmt::Expr(expression, Some(_)) = statement else {
            return false;
        };
        let called = match unwrapped(expression) {
            Some(Expr::Await(waiting)) => &*waiting.base,
            Some(other) => other,
            None => return false,
        };
        let Expr::Call(ExprCall { func, .. }) = called else {
            return false;
        };
        let Expr::Path(path) = &**func else {
            return false;
        };
        let Some(last) = path.path.segments.last() else {
            return false;
        };
        let name = last.ident.to_string();
        let judges = JUDGING
            .iter()
            .any(|word| name == *word || name.starts_with(&format!("{word}_")));
        let is_plain =
            last.arguments == PathArguments::None && name.starts_with(char::is_lowercase);
        let only_looks = lasting::LOOKING.contains(&name.as_str());
        is_plain && !judges && !only_looks && !self.effects.is_own(&path.path, self.imports)
    }
}

impl<'ast> Visit<'ast> for Search<'_> {
    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if self.is_foreign_effect(statement) {
            self.ranges.push(byte_range(statement));
        }
        match statement {
            Stmt::Local(local) => self.local(local),
            _ => visit::visit_stmt(self, statement),
        }
    }

    fn visit_item(&mut self, _: &'ast Item) {}

    fn visit_expr(&mut self, expression: &'ast Expr) {
        let changes = match expression {
            Expr::Call(call) => self.is_changing_call(call),
            Expr::MethodCall(call) => self.is_changing_method(call),
            Expr::Assign(assign) => is_static(&assign.left),
            _ => false,
        };
        if changes {
            self.ranges.push(byte_range(expression));
        }
        visit::visit_expr(self, expression);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let operands = leading_expressions(&call.tokens);
        let writes = call
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == "write" || last.ident == "writeln");
        if writes && operands.first().is_some_and(|first| self.holds(first)) {
            self.ranges.push(byte_range(call));
        }
        operands.iter().for_each(|operand| self.visit_expr(operand));
    }
}
