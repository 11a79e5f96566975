//! The changes of a value, as the smallest places that a test can access.

use super::assertion::type_path;
use crate::values::TypeTable;
use situ_recorder::value::Value;

/// The number of changed places above which the whole is compared.
const MAX_PLACES: usize = 3;

/// A place with its new value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Change<'v> {
    pub place: String,
    /// What it has become.
    pub after: &'v Value,
}

/// Returns the changed places, or the whole if these are many or private.
pub(crate) fn changes<'v>(
    place: &str,
    before: &Value,
    after: &'v Value,
    types: &TypeTable,
    module: &str,
) -> Vec<Change<'v>> {
    let mut found = Vec::new();
    fields(place, before, after, types, module, &mut found);
    let is_whole = found.len() > MAX_PLACES && after.is_exact();
    if is_whole {
        vec![Change {
            place: place.to_owned(),
            after: after.behind_references(),
        }]
    } else {
        found
    }
}

fn fields<'v>(
    place: &str,
    before: &Value,
    after: &'v Value,
    types: &TypeTable,
    module: &str,
    found: &mut Vec<Change<'v>>,
) {
    match (before.behind_references(), after.behind_references()) {
        (one, other) if one == other => {}
        (
            Value::Struct {
                type_name: one,
                variant: None,
                fields: old,
                ..
            },
            new @ Value::Struct {
                type_name: other,
                variant: None,
                fields: all,
                ..
            },
        ) if one == other
            && old.len() == all.len()
            && types.all_visible(type_path(new), module) =>
        {
            for ((name, before), (_, after)) in old.iter().zip(all) {
                fields(
                    &format!("{place}.{name}"),
                    before,
                    after,
                    types,
                    module,
                    found,
                );
            }
        }
        (_, after) => found.push(Change {
            place: place.to_owned(),
            after,
        }),
    }
}
