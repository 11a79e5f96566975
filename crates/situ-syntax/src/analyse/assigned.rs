//! The variables that a statement assigns, at any depth of its own expressions.

use crate::surroundings::pattern_names;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, ExprAssign, ExprBinary, Item, Local, Stmt, UnOp};

/// Returns the variable at the root of a place: `x` of `x.f`, `*x`, `x[0]`.
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

/// Returns whether an operator such as `+=` assigns.
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

/// Returns the variables assigned by `let x =`, `x =`, `x +=`, `x.f =`, `*x =`.
pub fn assigned_names(statement: &Stmt) -> HashSet<String> {
    #[derive(Default)]
    struct Assigned {
        names: HashSet<String>,
        /// Variables of inner blocks, which shadow outer ones of the same name.
        inner: Vec<String>,
        depth: usize,
    }
    impl Assigned {
        fn place(&mut self, place: &Expr) {
            if let Expr::Tuple(tuple) = place {
                tuple.elems.iter().for_each(|element| self.place(element));
            }
            let root = root_name(place).map(ToString::to_string);
            self.names
                .extend(root.filter(|name| !self.inner.contains(name)));
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
        fn visit_block(&mut self, block: &'ast Block) {
            let before = self.inner.len();
            self.depth += 1;
            visit::visit_block(self, block);
            self.depth -= 1;
            self.inner.truncate(before);
        }
        fn visit_local(&mut self, local: &'ast Local) {
            visit::visit_local(self, local);
            if self.depth > 0 {
                self.inner
                    .extend(pattern_names(&local.pat).iter().map(ToString::to_string));
            }
        }
        fn visit_item(&mut self, _item: &'ast Item) {}
    }
    let mut assigned = Assigned::default();
    assigned.visit_stmt(statement);
    if let Stmt::Local(local) = statement
        && local.init.is_some()
    {
        assigned
            .names
            .extend(pattern_names(&local.pat).iter().map(ToString::to_string));
    }
    assigned.names
}
