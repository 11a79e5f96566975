//! The functions that a user selects, by modules, files or folders.

use super::scenario::Seen;
use super::subject::Subject;
use crate::base::user_error;
use crate::source::NamedPlace;
use anyhow::Result;
use std::path::Path;

/// Modules, files, folders or functions; without them everything.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The user's arguments.
    pub places: Vec<String>,
}

impl Selection {
    /// Keeps the selected functions. A place without any is the user's mistake.
    pub fn choose(&self, seen: &mut Vec<Seen<'_>>) -> Result<()> {
        for place in &self.places {
            if !seen.iter().any(|one| holds(place, one)) {
                let what =
                    "write a module, a file, a folder or a function that the command executes";
                return Err(user_error::input(format!(
                    "`--in {place}` names no executed function: {what}"
                )));
            }
        }
        if !self.places.is_empty() {
            seen.retain(|one| self.places.iter().any(|place| holds(place, one)));
        }
        Ok(())
    }

    /// Returns whether modules are selected, and a function is in none of them.
    pub fn leaves_out(&self, subject: &Subject) -> bool {
        let function = Function {
            file: &subject.file,
            line: subject.line,
            path: &subject.path(),
            package: &subject.here.krate,
        };
        !self.places.is_empty() && !self.places.iter().any(|place| function.is_in(place))
    }
}

fn holds(place: &str, seen: &Seen<'_>) -> bool {
    let site = &seen.recorded.site;
    let file = Path::new(&site.file);
    Function {
        file,
        line: site.line,
        path: &site.function,
        package: &site.package,
    }
    .is_in(place)
}

/// The properties of a function that places refer to.
struct Function<'f> {
    file: &'f Path,
    line: usize,
    path: &'f str,
    package: &'f str,
}

impl Function<'_> {
    fn is_in(&self, place: &str) -> bool {
        let line = self.line..=self.line;
        NamedPlace::parse(place).holds(self.file, &line, Some(self.path))
            || is_in_module(place, self.path, self.package)
    }
}

/// Returns whether a function, by its path from the crate on, stands in a module: `shop::cart`,
/// `crate::cart` or `cart`.
fn is_in_module(place: &str, function: &str, package: &str) -> bool {
    let place = place.strip_prefix("crate::").unwrap_or(place);
    let krate = package.replace('-', "_");
    let inside = place
        .strip_prefix(krate.as_str())
        .and_then(|rest| rest.strip_prefix("::"))
        .unwrap_or(place);
    place == krate
        || place == "crate"
        || function
            .strip_prefix(inside)
            .is_some_and(|rest| rest.starts_with("::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_may_be_named_with_or_without_its_crate() {
        for place in [
            "cart",
            "crate::cart",
            "shop_core::cart",
            "shop_core",
            "crate",
            "cart::line",
        ] {
            assert!(
                is_in_module(place, "cart::line::total", "shop-core"),
                "{place}"
            );
        }
        for place in ["car", "line", "cart::lin", "other"] {
            assert!(
                !is_in_module(place, "cart::line::total", "shop-core"),
                "{place}"
            );
        }
    }
}
