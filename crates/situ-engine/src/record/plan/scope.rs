//! The variables in scope at a place of the walk: what may change through them, and what may be secret of them.

use super::places::{Variable, bindings_of};
use super::walk::Walk;
use crate::source::{SourceFile, byte_range};
use situ_recorder::secret::Secrecy;
use syn::{Expr, FnArg, Pat, Signature, Type};

impl Walk<'_, '_> {
    /// Brings the parameters of a function into scope.
    pub(super) fn parameters(&mut self, signature: &Signature) {
        for input in &signature.inputs {
            match input {
                FnArg::Receiver(receiver) => {
                    let changes =
                        receiver.mutability.is_some() || self.text(receiver).contains("&mut");
                    let secrecy = Secrecy::None;
                    let (refers, is_stream, is_plain) = (true, false, false);
                    let receiver = Variable {
                        changes,
                        refers,
                        secrecy,
                        is_stream,
                        is_plain,
                    };
                    self.scope.insert("self".to_owned(), receiver);
                }
                FnArg::Typed(typed) => {
                    let shared = may_change(&typed.ty, self.file);
                    self.bind(&typed.pat, shared, Secrecy::None);
                    self.bind_stream(typed, signature);
                    self.bind_typed(typed);
                }
            }
        }
    }

    /// Brings the variables of a pattern into scope.
    pub(super) fn bind(&mut self, pattern: &Pat, changes: bool, secrecy: Secrecy) {
        for (name, mutable) in bindings_of(pattern) {
            let secrecy = secrecy.max(self.planner.secrecy(&name));
            let (changes, refers) = (changes || mutable, changes);
            let (is_stream, is_plain) = (false, false);
            let variable = Variable {
                changes,
                refers,
                secrecy,
                is_stream,
                is_plain,
            };
            self.scope.insert(name, variable);
        }
    }

    /// Runs what belongs to an inner scope.
    pub(super) fn scoped(&mut self, inner: impl FnOnce(&mut Self)) {
        let outer = self.scope.clone();
        inner(self);
        self.scope = outer;
    }

    /// Brings the variables of the `let`s of a condition into scope.
    pub(super) fn bind_condition(&mut self, condition: &Expr) {
        match condition {
            Expr::Let(condition) => {
                let text = self.text(&condition.expr).to_owned();
                let secrecy = self.secrecy_of(&condition.expr);
                self.bind(&condition.pat, gives_mutable(&text), secrecy);
            }
            Expr::Binary(chain) => {
                self.bind_condition(&chain.left);
                self.bind_condition(&chain.right);
            }
            Expr::Paren(inner) => self.bind_condition(&inner.expr),
            _ => {}
        }
    }
}

/// Can what a value of this type holds change through a shared mention?
pub(super) fn may_change(of_type: &Type, file: &SourceFile) -> bool {
    let text = &file.text[byte_range(of_type)];
    ["&mut", "& mut", "Cell", "Mutex", "RwLock", "Atomic"]
        .iter()
        .any(|word| text.contains(word))
        || (text.starts_with('&') && text.contains(" mut "))
}

/// Does an expression with this text give something through which others are changed?
pub(super) fn gives_mutable(text: &str) -> bool {
    [
        "&mut ",
        "_mut(",
        ".lock()",
        ".write()",
        ".entry(",
        "Cell::new",
    ]
    .iter()
    .any(|word| text.contains(word))
}
