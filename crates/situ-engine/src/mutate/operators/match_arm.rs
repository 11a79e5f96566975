//! Arms of `match`.

use super::{Change, Form, Node, Operator};
use crate::source::{Splice, byte_range};
use syn::Pat;

/// Operator that removes an arm of a `match`.
pub(super) const OPERATOR: Operator = Operator {
    name: "match_arm",
    about: "Removes an arm of a `match` if a later arm handles its cases. Tests without that \
            case miss it.",
    before: "fn name(n: u8) -> &'static str { match n { 1 => ONE, _ => MANY } }",
    after: &["fn name(n: u8) -> &'static str { match n { _ => MANY } }"],
    find: |node, around, found| {
        let Node::Arm {
            arm,
            has_fallback: true,
        } = node
        else {
            return;
        };
        let at = byte_range(&arm.pat).start;
        let range = match &arm.pat {
            Pat::Guard(guarded) => byte_range(&*guarded.guard),
            pattern => byte_range(pattern).end..byte_range(pattern).end,
        };
        let whole = byte_range(*arm);
        let end = match around.text[whole.end..].starts_with(',') {
            true => whole.end + 1,
            false => whole.end,
        };
        let shown = Some(Splice {
            range: whole.start..end,
            text: String::new(),
        });
        found.push(Change {
            form: Form::Guard,
            range,
            text: String::new(),
            at,
            removes_exit: false,
            shown,
        });
    },
};
