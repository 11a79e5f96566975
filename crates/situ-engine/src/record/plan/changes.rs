//! What an expression changes, as far as its syntax tells.

use syn::Expr;
use syn::visit::Visit;

/// Methods that change their receiver, for receivers of unknown type.
pub const CHANGING: &[&str] = &[
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

/// Whether a method of this name changes its receiver, whatever that is.
pub fn is_changing_method(name: &str) -> bool {
    CHANGING.contains(&name)
}

/// The variables that an expression changes as far as its syntax tells: assigned, borrowed mutably, or the receivers of
/// methods that change them.
pub fn changed_roots(expression: &Expr) -> Vec<String> {
    changed_in(|changed| changed.visit_expr(expression))
}

/// Collects the variables that code changes.
pub struct Changed(Vec<String>);

/// The variables that are changed in what `visit` shows.
pub fn changed_in(visit: impl FnOnce(&mut Changed)) -> Vec<String> {
    let mut changed = Changed(Vec::new());
    visit(&mut changed);
    changed.0
}

/// The variable that a place starts from.
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
        syn::visit::visit_expr_reference(self, reference);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if CHANGING.contains(&call.method.to_string().as_str()) {
            self.0.extend(root(&call.receiver));
        }
        syn::visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        self.0.extend(root(&assign.left));
        syn::visit::visit_expr_assign(self, assign);
    }
}
