//! Functions in which the recorder must not allocate: allocators and signal handlers. They are not
//! instrumented, and everything that they call runs unrecorded.

use super::Insertion;
use super::walk::Walk;
use crate::source::byte_range;
use syn::{Block, FnArg, ImplItem, ItemImpl, ReturnType, Signature, Type};

impl Walk<'_, '_> {
    /// Disables the recorder in the functions of an allocator.
    pub(super) fn unrecorded_allocator(&mut self, item: &ItemImpl) {
        for item in &item.items {
            if let ImplItem::Fn(method) = item {
                self.unrecorded(&method.sig, &method.block);
            }
        }
    }

    /// Disables the recorder in a function and everything that it calls.
    pub(super) fn unrecorded(&mut self, signature: &Signature, block: &Block) {
        let place = format!("{}::{}", self.path.join("::"), signature.ident);
        let id = self.planner.identity(&place, "unrecorded");
        let piece = self.planner.piece(format!("unrecorded {id:x}"), None, None);
        let opening = byte_range(&block.brace_token.span.join()).start + 1;
        let text = " let __situ_unrecorded = ::situ_recorder::reentrancy::unrecorded(); ";
        self.planner.insertions.push(Insertion::statement_before(
            &(opening..opening),
            text,
            piece,
        ));
    }
}

/// Returns whether a function can be a signal handler: `extern "C" fn(c_int)`, or the form with
/// three arguments.
pub(super) fn is_signal_handler(signature: &Signature) -> bool {
    let is_of_c = signature.abi.as_ref().is_some_and(|abi| {
        abi.name
            .as_ref()
            .is_none_or(|name| matches!(name.value().as_str(), "C" | "C-unwind" | "system"))
    });
    let arguments: Vec<&FnArg> = signature.inputs.iter().collect();
    is_of_c
        && matches!(signature.output, ReturnType::Default)
        && match arguments[..] {
            [signal] => is_signal(signal),
            [signal, FnArg::Typed(information), FnArg::Typed(context)] => {
                is_signal(signal)
                    && [information, context]
                        .iter()
                        .all(|typed| matches!(*typed.ty, Type::Ptr(_) | Type::Reference(_)))
            }
            _ => false,
        }
}

fn is_signal(argument: &FnArg) -> bool {
    let FnArg::Typed(typed) = argument else {
        return false;
    };
    let Type::Path(path) = &*typed.ty else {
        return false;
    };
    path.path
        .segments
        .last()
        .is_some_and(|last| last.ident == "c_int" || last.ident == "i32")
}
