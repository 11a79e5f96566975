//! Act: the call itself.

use super::arrange::Arranged;
use crate::generate::carve::find::subject::{Receiver, Subject};

/// Returns the call as an expression.
pub(crate) fn act(subject: &Subject, arranged: &Arranged) -> String {
    let arguments: Vec<String> = arranged
        .arguments
        .iter()
        .map(|argument| argument.text.clone())
        .collect();
    let name = &subject.name;
    let owner = subject.owner.as_ref();
    let by_trait = owner
        .filter(|owner| !owner.trait_is_in_scope)
        .and_then(|owner| owner.of_trait.as_deref());
    match (&arranged.subject, by_trait) {
        (Some(_), None) => format!("subject.{name}({})", arguments.join(", ")),
        (Some(receiver), Some(of_trait)) => {
            let borrowed = match subject.receiver {
                Some(Receiver::Exclusive) => "&mut ",
                Some(Receiver::Shared) => receiver.passed,
                _ => "",
            };
            let all: Vec<String> = [format!("{borrowed}subject")]
                .into_iter()
                .chain(arguments)
                .collect();
            format!(
                "{}::{name}({})",
                without_arguments(of_trait),
                all.join(", ")
            )
        }
        (None, _) => format!("{}({})", path_of(subject), arguments.join(", ")),
    }
}

/// Returns the path of a function without a receiver.
fn path_of(subject: &Subject) -> String {
    let name = &subject.name;
    let Some(owner) = &subject.owner else {
        return name.clone();
    };
    match (
        owner.path.as_ref().or(owner.type_name.as_ref()),
        &owner.of_trait,
    ) {
        (Some(of_type), Some(of_trait)) if !owner.trait_is_in_scope => {
            format!("<{of_type} as {of_trait}>::{name}")
        }
        (Some(of_type), _) => format!("{of_type}::{name}"),
        (None, Some(of_trait)) => format!("{of_trait}::{name}"),
        (None, None) => name.clone(),
    }
}

fn without_arguments(path: &str) -> &str {
    path.split('<').next().unwrap_or(path)
}
