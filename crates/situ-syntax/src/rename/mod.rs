//! Renaming of a local variable, in the code and in the tests inside it.

mod clauses;
mod format;
mod scopes;

use crate::inspect::inspect;
use scopes::{Scopes, Use};
use std::fmt;
use std::ops::Range;
use syn::File;

/// A replacement of a byte range of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The replaced bytes.
    pub bytes: Range<usize>,
    /// The replacement.
    pub text: String,
}

/// The reason why nothing is renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRenamed {
    /// The source, or a test in it, cannot be parsed.
    Unreadable(String),
    /// There is no local variable at the place.
    NoVariable,
    /// The new name is not a valid variable name.
    NoName(String),
    /// The function has a variable of that name.
    Taken(String),
}

impl fmt::Display for NotRenamed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotRenamed::Unreadable(why) => write!(f, "the file cannot be read: {why}"),
            NotRenamed::NoVariable => write!(f, "there is no local variable here"),
            NotRenamed::NoName(name) => write!(f, "`{name}` cannot name a variable"),
            NotRenamed::Taken(name) => write!(f, "`{name}` is a variable of this function already"),
        }
    }
}

/// Returns the byte range and the name of the local variable at an offset.
pub fn variable_at(
    source: &str,
    file: &File,
    at: usize,
) -> Result<(Range<usize>, String), NotRenamed> {
    let scopes = scopes_of(source, file)?;
    let found = use_at(&scopes, at)?;
    Ok((found.bytes.clone(), source[found.bytes.clone()].to_owned()))
}

/// Returns the edits that rename the local variable at an offset, in source order.
pub fn rename_variable(
    source: &str,
    file: &File,
    at: usize,
    new_name: &str,
) -> Result<Vec<Edit>, NotRenamed> {
    let is_name = syn::parse_str::<proc_macro2::Ident>(new_name).is_ok()
        && new_name != "_"
        && new_name != "self";
    if !is_name {
        return Err(NotRenamed::NoName(new_name.to_owned()));
    }
    let scopes = scopes_of(source, file)?;
    let variable = use_at(&scopes, at)?.variable;
    let function = scopes.function_of(variable);
    if scopes.names_of(function).any(|name| name == new_name) {
        return Err(NotRenamed::Taken(new_name.to_owned()));
    }
    let mut edits = Vec::new();
    for place in scopes
        .uses
        .iter()
        .filter(|place| place.variable == variable)
    {
        if let Some(field) = place.field_before {
            let name = &source[place.bytes.clone()];
            edits.push(Edit {
                bytes: field..field,
                text: format!("{name}: "),
            });
        }
        edits.push(Edit {
            bytes: place.bytes.clone(),
            text: new_name.to_owned(),
        });
    }
    edits.sort_by_key(|edit| (edit.bytes.start, edit.bytes.end));
    edits.dedup();
    Ok(edits)
}

fn use_at(scopes: &Scopes, at: usize) -> Result<&Use, NotRenamed> {
    let touches = |place: &&Use| place.bytes.start <= at && at <= place.bytes.end;
    scopes
        .uses
        .iter()
        .find(touches)
        .ok_or(NotRenamed::NoVariable)
}

fn scopes_of(source: &str, file: &File) -> Result<Scopes, NotRenamed> {
    let tests = inspect(file).map_err(|error| NotRenamed::Unreadable(error.to_string()))?;
    let mut file = file.clone();
    // Otherwise tests in braces would not be found among the statements.
    syn::visit_mut::VisitMut::visit_file_mut(&mut crate::strip::TestsAreStatements, &mut file);
    let mut scopes = Scopes::of(source, &file);
    clauses::resolve(&mut scopes, &tests);
    Ok(scopes)
}

#[cfg(test)]
mod tests;
