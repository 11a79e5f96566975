//! Resolution of a recorded call to functions of the workspace, by its source and its receiver.

use super::scenario::{Seen, last_word};
use crate::record::plan::Site;
use crate::record::read::RecordedCall;
use crate::source::parse_part;
use situ_recorder::value::Value;
use syn::{Expr, ExprMethodCall};

/// Returns the executed functions that the call may resolve to; empty for one of another crate.
pub(crate) fn callees<'a, 's>(
    all: &'a [Seen<'s>],
    caller: &Site,
    call: &RecordedCall<'_>,
) -> Vec<&'a Seen<'s>> {
    let Ok(expression) = parse_part::<Expr>(&call.site.text) else {
        return Vec::new();
    };
    match without_waiting(&expression) {
        Expr::Call(made) => match &*made.func {
            Expr::Path(path) => {
                let words: Vec<String> = path
                    .path
                    .segments
                    .iter()
                    .map(|word| word.ident.to_string())
                    .collect();
                by_path(all, caller, &words)
            }
            _ => Vec::new(),
        },
        Expr::MethodCall(made) => by_method(all, caller, made, call.receiver()),
        _ => Vec::new(),
    }
}

fn without_waiting(expression: &Expr) -> &Expr {
    match expression {
        Expr::Await(waiting) => &waiting.base,
        other => other,
    }
}

fn by_path<'a, 's>(all: &'a [Seen<'s>], caller: &Site, words: &[String]) -> Vec<&'a Seen<'s>> {
    let Some((name, before)) = words.split_last() else {
        return Vec::new();
    };
    let named = |seen: &&Seen<'_>| last_word(&seen.recorded.site.function) == name;
    let candidates: Vec<&Seen<'_>> = all.iter().filter(named).collect();
    let of_owner = |owner: &str| -> Vec<&'a Seen<'s>> {
        candidates
            .iter()
            .copied()
            .filter(|seen| owner_of(&seen.recorded.site) == Some(owner))
            .collect()
    };
    match before.last().map(String::as_str) {
        Some("Self") => owner_of(caller).map(of_owner).unwrap_or_default(),
        Some(owner) if owner.starts_with(char::is_uppercase) => of_owner(owner),
        // A plain name means the function beside the caller; one from elsewhere had to be imported.
        None if candidates
            .iter()
            .any(|seen| is_beside(&seen.recorded.site, caller)) =>
        {
            candidates
                .into_iter()
                .filter(|seen| is_beside(&seen.recorded.site, caller))
                .collect()
        }
        _ => candidates
            .into_iter()
            .filter(|seen| owner_of(&seen.recorded.site).is_none())
            .collect(),
    }
}

fn by_method<'a, 's>(
    all: &'a [Seen<'s>],
    caller: &Site,
    call: &ExprMethodCall,
    receiver: Option<&Value>,
) -> Vec<&'a Seen<'s>> {
    let is_method = |seen: &&Seen<'_>| {
        call.method == last_word(&seen.recorded.site.function)
            && seen
                .subject
                .is_none_or(|subject| subject.receiver.is_some())
    };
    let candidates: Vec<&Seen<'_>> = all.iter().filter(is_method).collect();
    let is_self = matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self"));
    let owner = match is_self {
        true => owner_of(caller).map(str::to_owned),
        false => receiver.and_then(type_word),
    };
    match owner {
        Some(owner) => candidates
            .into_iter()
            .filter(|seen| owner_of(&seen.recorded.site) == Some(owner.as_str()))
            .collect(),
        None => candidates,
    }
}

/// Returns the type that a method belongs to: `Basket` of `basket::Basket::total`.
fn owner_of(site: &Site) -> Option<&str> {
    let (before, _) = site.function.rsplit_once("::")?;
    Some(last_word(before)).filter(|owner| owner.starts_with(char::is_uppercase))
}

fn is_beside(site: &Site, caller: &Site) -> bool {
    let plain = site
        .function
        .rsplit_once("::")
        .map_or("", |(module, _)| module);
    site.package == caller.package && plain == caller.module
}

/// Returns the last segment of a value's type, or `None` for a trait object, whose type is unknown.
fn type_word(value: &Value) -> Option<String> {
    let name = match value.behind_references() {
        Value::Struct { type_name, .. }
        | Value::Built { type_name, .. }
        | Value::Parsed { type_name, .. }
        | Value::Debug { type_name, .. }
        | Value::Opaque { type_name, .. } => type_name.as_str(),
        _ => return None,
    };
    let mut bare = name;
    for wrapper in [
        "&",
        "mut ",
        "alloc::boxed::Box<",
        "alloc::rc::Rc<",
        "alloc::sync::Arc<",
    ] {
        bare = bare.strip_prefix(wrapper).unwrap_or(bare);
    }
    let path = bare.split(['<', '>']).next().unwrap_or(bare);
    (!path.starts_with("dyn ")).then(|| last_word(path).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_of_a_receiver_is_known_behind_pointers_and_not_behind_a_trait() {
        let opaque = |name: &str| Value::Opaque {
            type_name: name.to_owned(),
            reason: String::new(),
        };
        assert_eq!(
            type_word(&opaque("alloc::sync::Arc<shop::store::Store<u8>>")).as_deref(),
            Some("Store")
        );
        assert_eq!(type_word(&opaque("&dyn shop::Clock")), None);
        assert_eq!(type_word(&Value::Unit), None);
    }
}
