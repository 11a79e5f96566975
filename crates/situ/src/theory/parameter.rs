//! The description of a theory and its parameters.

use super::registry::{self, Entry, ValueType};

/// A theory, as its macro describes it.
pub struct Theory {
    /// The module it stands in.
    pub module: &'static str,
    /// Its name.
    pub name: &'static str,
    /// `#[theory(full)]`: the whole product, however large.
    pub full: bool,
    /// Its literals, for stubs to guess with.
    pub literals: &'static [&'static str],
}

/// A parameter of a theory, as a [`Supplier`](super::Supplier) sees it.
pub struct Parameter {
    /// Its name, or its pattern.
    pub name: &'static str,
    /// Its type, as it was written.
    pub type_text: &'static str,
    /// Its attributes other than Situ's own, as they were written: `between(1, 9)`.
    pub attributes: &'static [&'static str],
    #[doc(hidden)]
    pub group: Option<&'static str>,
}

/// A parameter's request for values.
#[derive(Clone, Copy)]
pub struct Ask {
    /// The theory.
    pub theory: &'static Theory,
    /// The parameter.
    pub parameter: &'static Parameter,
}

impl Ask {
    /// Returns the visible data points of the requested group whose type is one of `accepted`, or a
    /// description of those that exist.
    pub(crate) fn entries(
        &self,
        accepted: &[ValueType],
    ) -> Result<Vec<&'static Entry>, Vec<String>> {
        let visible = registry::visible_from(self.theory.module)?;
        let candidates = match self.parameter.group {
            Some(group) => in_group(&visible, group, self.parameter)?,
            None => visible,
        };
        let fits = |entry: &&&'static Entry| {
            accepted
                .iter()
                .any(|accepts| accepts.id == (entry.value_type)().id)
        };
        let fitting: Vec<_> = candidates.iter().filter(fits).copied().collect();
        if fitting.is_empty() {
            Err(vec![self.no_such_type(&candidates, accepted)])
        } else {
            Ok(fitting)
        }
    }

    fn no_such_type(&self, candidates: &[&'static Entry], accepted: &[ValueType]) -> String {
        let wanted: Vec<_> = accepted
            .iter()
            .map(|accepts| format!("`{}`", readable(accepts.name)))
            .collect();
        let of_group = self
            .parameter
            .group
            .map(|group| format!(" of the group {group:?}"))
            .unwrap_or_default();
        let Parameter {
            name, type_text, ..
        } = self.parameter;
        let mut problem = format!(
            "no data point{of_group} fits `{name}: {type_text}`, which takes {}",
            wanted.join(" or ")
        );
        problem.push_str("; ");
        problem.push_str(&what_there_is(candidates));
        let elsewhere = registry::all().into_iter().find(|entry| {
            let value_type = (entry.value_type)();
            accepted.iter().any(|accepts| accepts.id == value_type.id)
        });
        if let Some(entry) = elsewhere.filter(|_| self.parameter.group.is_none()) {
            let path = entry
                .module
                .split_once("::")
                .map_or("crate", |(_, path)| path);
            let path = if path == "crate" {
                String::from(path)
            } else {
                format!("crate::{path}")
            };
            problem.push_str(&format!(
                "; import those of another module with `situ::datapoints_from!({path})`"
            ));
        }
        problem
    }
}

fn in_group(
    visible: &[&'static Entry],
    group: &str,
    parameter: &Parameter,
) -> Result<Vec<&'static Entry>, Vec<String>> {
    let members: Vec<_> = visible
        .iter()
        .copied()
        .filter(|entry| entry.groups.contains(&group))
        .collect();
    if !members.is_empty() {
        return Ok(members);
    }
    let mut groups: Vec<_> = visible
        .iter()
        .flat_map(|entry| entry.groups)
        .map(|group| format!("{group:?}"))
        .collect();
    groups.sort();
    groups.dedup();
    let there_is = match groups.as_slice() {
        [] => String::from("no data point in sight names a group"),
        [one] => format!("the only group is {one}"),
        several => format!("the groups are {}", several.join(", ")),
    };
    Err(vec![format!(
        "`{}` takes from the group {group:?}, which no data point names; {there_is}",
        parameter.name
    )])
}

/// Describes the existing data points: `i32` (`ONE`, `small`), `&str` (`words`), or that there are
/// none.
fn what_there_is(candidates: &[&'static Entry]) -> String {
    let mut types: Vec<(ValueType, Vec<String>)> = Vec::new();
    for entry in candidates {
        let value_type = (entry.value_type)();
        let name = format!("`{}`", entry.name);
        match types.iter_mut().find(|(known, _)| *known == value_type) {
            Some((_, names)) => names.push(name),
            None => types.push((value_type, vec![name])),
        }
    }
    if types.is_empty() {
        return String::from("there are no data points in its module or those around it");
    }
    let types: Vec<_> = types
        .iter()
        .map(|(known, names)| format!("`{}` ({})", readable(known.name), names.join(", ")))
        .collect();
    format!("there are data points of type {}", types.join(", "))
}

/// Shortens a type name, but keeps the user's own paths, which distinguish types of one name.
fn readable(type_name: &str) -> String {
    [
        "alloc::string::",
        "alloc::vec::",
        "alloc::boxed::",
        "core::option::",
        "core::result::",
    ]
    .iter()
    .fold(String::from(type_name), |name, path| name.replace(path, ""))
}
