//! Calls that interact with the outside world, or return something else each time, as far as their
//! names show.

use crate::record::plan::Site;
use crate::source::targets::macro_arguments;
use crate::source::{parse_part, parse_tokens};
use proc_macro2::TokenStream;
use syn::visit::{self, Visit};
use syn::{Block, Expr};

/// Words in paths of functions that interact with the outside world, or return something else each
/// time.
const REACHING_OUT: [&str; 18] = [
    "Command",
    "File",
    "Instant",
    "OpenOptions",
    "SystemTime",
    "TcpStream",
    "env",
    "from_args",
    "fs",
    "fastrand",
    "getrandom",
    "net",
    "now",
    "process",
    "rand",
    "random",
    "stdin",
    "thread",
];

/// Methods of paths, clocks and argument readers that read the outside world.
const LOOKING_OUT: [&str; 11] = [
    "canonicalize",
    "elapsed",
    "exists",
    "get_matches",
    "is_dir",
    "is_file",
    "is_symlink",
    "metadata",
    "read_dir",
    "read_link",
    "try_exists",
];

/// Returns whether a call interacts with the outside world.
pub(crate) fn reaches_out(site: &Site) -> bool {
    parse_part(&site.text).is_ok_and(|call| is_reaching(&call))
}

fn is_reaching(call: &Expr) -> bool {
    match call {
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else {
                return false;
            };
            path.path
                .segments
                .iter()
                .any(|segment| REACHING_OUT.iter().any(|word| segment.ident == word))
        }
        Expr::MethodCall(call) => {
            call.args.is_empty() && LOOKING_OUT.iter().any(|word| call.method == word)
        }
        _ => false,
    }
}

/// Returns whether a block has a call that interacts with the outside world.
pub(crate) fn mentions_outside(block: &TokenStream) -> bool {
    struct Reaching(bool);
    impl<'ast> Visit<'ast> for Reaching {
        fn visit_expr(&mut self, expression: &'ast Expr) {
            self.0 |= is_reaching(expression);
            visit::visit_expr(self, expression);
        }

        fn visit_macro(&mut self, call: &'ast syn::Macro) {
            macro_arguments(call.tokens.clone())
                .iter()
                .for_each(|argument| self.visit_expr(argument));
        }
    }
    let mut reaching = Reaching(false);
    if let Ok(block) = parse_tokens::<Block>(block.clone()) {
        reaching.visit_block(&block);
    }
    reaching.0
}
