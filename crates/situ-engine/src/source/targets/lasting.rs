//! Names of functions that change something outside the program or in its statics, as opposed to
//! reading it.

use super::effects::Effect;
use syn::Expr;

/// Modules and types whose functions change something, by a segment of their path.
const PATHS: &[(&str, Effect)] = &[
    ("fs", Effect::Files),
    ("File", Effect::Files),
    ("OpenOptions", Effect::Files),
    ("DirBuilder", Effect::Files),
    ("fs_err", Effect::Files),
    ("tempfile", Effect::Files),
    ("tempdir", Effect::Files),
    ("TempDir", Effect::Files),
    ("NamedTempFile", Effect::Files),
    ("assert_fs", Effect::Files),
    ("memmap2", Effect::Files),
    ("rusqlite", Effect::Files),
    ("git2", Effect::Files),
    ("Command", Effect::Processes),
    ("duct", Effect::Processes),
    ("libc", Effect::Processes),
    ("nix", Effect::Processes),
    ("rustix", Effect::Processes),
    ("TcpStream", Effect::Network),
    ("TcpListener", Effect::Network),
    ("UdpSocket", Effect::Network),
    ("UnixStream", Effect::Network),
    ("UnixListener", Effect::Network),
    ("UnixDatagram", Effect::Network),
    ("reqwest", Effect::Network),
    ("ureq", Effect::Network),
];

/// Functions of the modules in [`PATHS`] that only read.
pub(crate) const LOOKING: &[&str] = &[
    "canonicalize",
    "exists",
    "metadata",
    "read",
    "read_dir",
    "read_link",
    "read_to_string",
    "symlink_metadata",
    "try_exists",
];

/// Functions known by module and name, or by name alone if they are imported with `*`.
const FUNCTIONS: &[(&str, &str, Effect)] = &[
    ("fs", "create_dir", Effect::Files),
    ("fs", "create_dir_all", Effect::Files),
    ("fs", "remove_dir", Effect::Files),
    ("fs", "remove_dir_all", Effect::Files),
    ("fs", "remove_file", Effect::Files),
    ("fs", "set_permissions", Effect::Files),
    ("tempfile", "tempdir", Effect::Files),
    ("env", "set_var", Effect::Environment),
    ("env", "remove_var", Effect::Environment),
    ("env", "set_current_dir", Effect::Environment),
    ("panic", "set_hook", Effect::Statics),
    ("panic", "take_hook", Effect::Statics),
    ("log", "set_logger", Effect::Statics),
    ("log", "set_boxed_logger", Effect::Statics),
    ("log", "set_max_level", Effect::Statics),
];

/// Methods that change the value of a static, or lock it.
const OF_STATICS: &[&str] = &[
    "borrow_mut",
    "call_once",
    "clear",
    "compare_exchange",
    "compare_exchange_weak",
    "extend",
    "fetch_add",
    "fetch_and",
    "fetch_max",
    "fetch_min",
    "fetch_or",
    "fetch_sub",
    "fetch_update",
    "insert",
    "lock",
    "push",
    "remove",
    "replace",
    "send",
    "set",
    "store",
    "swap",
    "take",
    "try_lock",
    "try_write",
    "update",
    "with",
    "with_borrow_mut",
    "write",
];

/// Returns the effect that a call leaves behind, by the function's name and the path segments
/// before it.
pub(crate) fn change_by(name: &str, above: &[String]) -> Option<Effect> {
    let is_above = |word: &str| above.iter().any(|step| step == word);
    let is_last = |word: &str| above.last().is_some_and(|last| last == word);
    if (is_last("thread") || is_last("Builder") && is_above("thread")) && name == "spawn" {
        return Some(Effect::Processes);
    }
    if LOOKING.contains(&name) || is_last("File") && name == "open" {
        return None;
    }
    let by_name = |(module, function, effect): &(&str, &str, Effect)| {
        (name == *function && (above.is_empty() || is_last(module))).then_some(*effect)
    };
    let by_word = |(word, effect): &(&str, Effect)| is_above(word).then_some(*effect);
    PATHS
        .iter()
        .find_map(by_word)
        .or_else(|| FUNCTIONS.iter().find_map(by_name))
}

/// Returns whether a method of this name changes the static that its receiver starts with.
pub(crate) fn is_static_changed(receiver: &Expr, method: &str) -> bool {
    is_static(receiver) && OF_STATICS.contains(&method)
}

/// Returns whether a place starts with a static, judged by its name: `COUNTER`,
/// `crate::LOG.entries[0]`.
pub(crate) fn is_static(place: &Expr) -> bool {
    match place {
        Expr::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|last| is_name_of_static(&last.ident.to_string())),
        Expr::Field(field) => is_static(&field.base),
        Expr::Index(index) => is_static(&index.expr),
        Expr::MethodCall(call) => is_static(&call.receiver),
        Expr::Paren(inner) => is_static(&inner.expr),
        Expr::Reference(reference) => is_static(&reference.expr),
        Expr::Unary(unary) => is_static(&unary.expr),
        _ => false,
    }
}

fn is_name_of_static(name: &str) -> bool {
    let is_capital = |char: char| char.is_uppercase() || char.is_ascii_digit() || char == '_';
    name.len() > 1 && name.starts_with(char::is_uppercase) && name.chars().all(is_capital)
}
