//! The variables that a statement assigns, at any depth of its own expressions.

use crate::surroundings::pattern_names;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprAssign, ExprBinary, Item, Stmt, UnOp};

/// The variable at the root of a place: `x` of `x.f`, `*x`, `x[0]`.
pub fn root_name(place: &Expr) -> Option<&proc_macro2::Ident> {
    match place {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        Expr::Field(field) => root_name(&field.base),
        Expr::Index(index) => root_name(&index.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => root_name(&unary.expr),
        Expr::Paren(paren) => root_name(&paren.expr),
        Expr::Group(group) => root_name(&group.expr),
        _ => None,
    }
}

/// Whether an operator such as `+=` assigns.
pub fn is_compound(operator: &BinOp) -> bool {
    matches!(
        operator,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// `let x =`, `x =`, `x +=`, `x.f =`, `*x =`.
pub fn assigned_names(statement: &Stmt) -> HashSet<String> {
    #[derive(Default)]
    struct Assigned(HashSet<String>);
    impl Assigned {
        fn place(&mut self, place: &Expr) {
            if let Expr::Tuple(tuple) = place {
                tuple.elems.iter().for_each(|element| self.place(element));
            }
            self.0.extend(root_name(place).map(ToString::to_string));
        }
    }
    impl<'ast> Visit<'ast> for Assigned {
        fn visit_expr_assign(&mut self, assign: &'ast ExprAssign) {
            self.place(&assign.left);
            visit::visit_expr_assign(self, assign);
        }
        fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
            if is_compound(&binary.op) {
                self.place(&binary.left);
            }
            visit::visit_expr_binary(self, binary);
        }
        fn visit_item(&mut self, _item: &'ast Item) {}
    }
    let mut assigned = Assigned::default();
    assigned.visit_stmt(statement);
    if let Stmt::Local(local) = statement
        && local.init.is_some()
    {
        assigned.0.extend(pattern_names(&local.pat).iter().map(ToString::to_string));
    }
    assigned.0
}
