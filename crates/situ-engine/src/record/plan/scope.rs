//! Variables in scope during the visit: whether they can change, and how secret they are.

use super::places::{Variable, bindings_of};
use super::walk::Walk;
use crate::source::{SourceFile, byte_range};
use situ_recorder::secret::Secrecy;
use syn::{Expr, FnArg, Pat, Signature, Type};

impl Walk<'_, '_> {
    /// Adds the parameters of a function to the scope.
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

    /// Adds the variables of a pattern to the scope.
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

    /// Calls `inner` and restores the scope afterwards.
    pub(super) fn scoped(&mut self, inner: impl FnOnce(&mut Self)) {
        let outer = self.scope.clone();
        inner(self);
        self.scope = outer;
    }

    /// Adds the variables of the `let`s in a condition to the scope.
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

/// Returns whether a value of this type can change through a shared reference.
pub(super) fn may_change(of_type: &Type, file: &SourceFile) -> bool {
    let text = &file.text[byte_range(of_type)];
    ["&mut", "& mut", "Cell", "Mutex", "RwLock", "Atomic"]
        .iter()
        .any(|word| text.contains(word))
        || (text.starts_with('&') && text.contains(" mut "))
}

/// Returns whether an expression with this source returns something through which other values can
/// be changed.
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
