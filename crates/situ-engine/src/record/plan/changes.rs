//! Finds variables that an expression changes, judged by its syntax.

use syn::Expr;
use syn::visit::{self, Visit};

/// Methods that change their receiver, for receivers of unknown type.
pub(super) const CHANGING: &[&str] = &[
    "append",
    "clear",
    "dedup",
    "drain",
    "extend",
    "extend_from_slice",
    "fill",
    "insert",
    "insert_str",
    "next",
    "next_back",
    "pop",
    "pop_front",
    "pop_back",
    "push",
    "push_back",
    "push_front",
    "push_str",
    "read",
    "remove",
    "resize",
    "retain",
    "reverse",
    "set",
    "sort",
    "sort_by",
    "sort_by_key",
    "sort_unstable",
    "swap",
    "take",
    "truncate",
    "write",
    "write_all",
    "write_char",
    "write_fmt",
    "write_str",
];

/// Returns whether a method of this name changes its receiver, whatever its type is.
pub fn is_changing_method(name: &str) -> bool {
    CHANGING.contains(&name)
}

/// Returns whether a method of this name returns a mutable borrow of its receiver.
fn is_borrowing(method: &str) -> bool {
    method.ends_with("_mut") || ["entry", "drain", "lock", "by_ref"].contains(&method)
}

/// Returns the variables that an expression changes, judged by its syntax: those that are assigned,
/// borrowed mutably, or receivers of methods that change them.
pub(super) fn changed_roots(expression: &Expr) -> Vec<String> {
    changed_in(|changed| changed.visit_expr(expression))
}

/// Visitor that collects the variables that code changes.
pub(super) struct Changed(Vec<String>);

/// Returns the variables that are changed in the code that `visit` visits.
pub(super) fn changed_in(visit: impl FnOnce(&mut Changed)) -> Vec<String> {
    let mut changed = Changed(Vec::new());
    visit(&mut changed);
    changed.0
}

/// Returns the variable that a place starts from.
fn root(place: &Expr) -> Option<String> {
    match place {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        Expr::Field(field) => root(&field.base),
        Expr::Index(index) => root(&index.expr),
        Expr::Unary(unary) => root(&unary.expr),
        Expr::Paren(inner) => root(&inner.expr),
        Expr::MethodCall(call) => root(&call.receiver),
        _ => None,
    }
}

impl<'ast> Visit<'ast> for Changed {
    fn visit_expr_reference(&mut self, reference: &'ast syn::ExprReference) {
        if reference.mutability.is_some() {
            self.0.extend(root(&reference.expr));
        }
        visit::visit_expr_reference(self, reference);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let method = call.method.to_string();
        if CHANGING.contains(&method.as_str()) || is_borrowing(&method) {
            self.0.extend(root(&call.receiver));
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        self.0.extend(root(&assign.left));
        visit::visit_expr_assign(self, assign);
    }
}

/// Returns whether an expression returns a mutable borrow of its root variable. The variable has
/// not changed yet, and cannot be read while the borrow is live.
pub(super) fn borrows_mutably(expression: &Expr) -> bool {
    match expression {
        Expr::Reference(reference) => reference.mutability.is_some(),
        Expr::Paren(inner) => borrows_mutably(&inner.expr),
        Expr::Try(question) => borrows_mutably(&question.expr),
        Expr::MethodCall(call) => match call.method.to_string().as_str() {
            "unwrap" | "expect" => borrows_mutably(&call.receiver),
            name => is_borrowing(name),
        },
        _ => false,
    }
}

/// Returns the places that an expression passes by value: to a call, to a method that consumes its
/// receiver, into a new value. If they are mentioned only there, they are either moved, or copied
/// and unchanged.
pub(super) fn given_away(expression: &Expr) -> Vec<String> {
    let mut names = Vec::new();
    crate::source::targets::names_in(quote::ToTokens::to_token_stream(expression), &mut names);
    let mut given = GivenAway(Vec::new());
    given.add(expression);
    given.visit_expr(expression);
    let is_only_mention = |place: &String| {
        let root = place.split('.').next().unwrap_or_default();
        names.iter().filter(|name| *name == root).count() == 1
    };
    given.0.retain(is_only_mention);
    given.0
}

struct GivenAway(Vec<String>);

impl GivenAway {
    fn add(&mut self, given: &Expr) {
        self.0.extend(place_text(given));
    }
}

fn place_text(place: &Expr) -> Option<String> {
    match place {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        Expr::Field(field) => Some(format!(
            "{}.{}",
            place_text(&field.base)?,
            quote::ToTokens::to_token_stream(&field.member)
        )),
        Expr::Paren(inner) => place_text(&inner.expr),
        _ => None,
    }
}

impl<'ast> Visit<'ast> for GivenAway {
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        call.args.iter().for_each(|argument| self.add(argument));
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        call.args.iter().for_each(|argument| self.add(argument));
        if call.method.to_string().starts_with("into_") {
            self.add(&call.receiver);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_struct(&mut self, made: &'ast syn::ExprStruct) {
        made.fields.iter().for_each(|field| self.add(&field.expr));
        visit::visit_expr_struct(self, made);
    }

    fn visit_expr_tuple(&mut self, made: &'ast syn::ExprTuple) {
        made.elems.iter().for_each(|part| self.add(part));
        visit::visit_expr_tuple(self, made);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(text: &str) -> Vec<String> {
        given_away(&syn::parse_str(text).unwrap())
    }

    #[test]
    fn what_is_mentioned_once_and_handed_over_is_given_away() {
        assert_eq!(
            given("solution.diffs.into_iter().map(|d| d.len())"),
            ["solution.diffs"]
        );
        assert_eq!(given("f(a, &mut b, c.d)"), ["a", "c.d"]);
        assert_eq!(given("items"), ["items"]);
        assert_eq!(given("Point { x: a, y: b + 1 }"), ["a"]);
    }

    #[test]
    fn a_mutable_borrow_is_told_by_what_comes_last() {
        let borrows = |text: &str| borrows_mutably(&syn::parse_str(text).unwrap());
        assert!(
            borrows("&mut self.v")
                && borrows("map.get_mut(&k).unwrap()")
                && borrows("map.entry(k)")
        );
        assert!(!borrows("v.iter_mut().count()") && !borrows("&self.v"));
    }

    #[test]
    fn what_is_also_used_otherwise_is_not() {
        assert_eq!(given("f(a.step(), a)"), Vec::<String>::new());
        assert_eq!(given("a.push(1)"), Vec::<String>::new());
    }
}
