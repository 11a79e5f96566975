//! Changes to the copy of a fragment that a test runs.

mod borrowed_answers;
mod exits;
mod mock;
mod names;
mod results;
mod unused;

pub use exits::{Enclosure, LeaveRewriter};
pub use mock::{Mocker, Unmark, all_given, is_dead, mocks_of};
pub use names::{Renamer, same_tokens};
pub use results::{ResultNames, variable};
pub use unused::mark_unused;

use crate::macros::Arguments;
use quote::ToTokens;
use syn::Macro;

/// Rewrites the arguments of a macro call, if they are expressions.
fn in_arguments(call: &mut Macro, change: &mut dyn FnMut(&mut syn::Expr)) {
    if let Some(mut arguments) = Arguments::of(call) {
        arguments.expressions_mut().into_iter().for_each(change);
        call.tokens = arguments.to_token_stream();
    }
}
