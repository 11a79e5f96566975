//! Which functions a user asks for: those of the chosen modules, files or folders.

use super::scenario::Seen;
use crate::fault;
use crate::source::NamedPlace;
use anyhow::Result;

/// Modules, files, folders or functions; everything where nothing is said.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// What the user wrote.
    pub places: Vec<String>,
}

impl Asked {
    /// Leaves the functions that are asked for. A place that holds none is the user's mistake.
    pub fn choose(&self, seen: &mut Vec<Seen<'_>>) -> Result<()> {
        for place in &self.places {
            if !seen.iter().any(|one| holds(place, one)) {
                let what = "say a module, a file, a folder or a function that the command comes by";
                return Err(fault::input(format!("`--in {place}` names no function that was seen: {what}")));
            }
        }
        if !self.places.is_empty() {
            seen.retain(|one| self.places.iter().any(|place| holds(place, one)));
        }
        Ok(())
    }
}

fn holds(place: &str, seen: &Seen<'_>) -> bool {
    let site = &seen.recorded.site;
    let named = NamedPlace::parse(place);
    let line = site.line..=site.line;
    named.holds(site.file.as_ref(), &line, Some(&site.function)) || is_in_module(place, &site.function, &site.package)
}

/// Whether a function, by its path from the crate on, stands in a module: `shop::cart`, `crate::cart` or `cart`.
fn is_in_module(place: &str, function: &str, package: &str) -> bool {
    let place = place.strip_prefix("crate::").unwrap_or(place);
    let krate = package.replace('-', "_");
    let inside = place.strip_prefix(krate.as_str()).and_then(|rest| rest.strip_prefix("::")).unwrap_or(place);
    place == krate || place == "crate" || function.strip_prefix(inside).is_some_and(|rest| rest.starts_with("::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_may_be_named_with_or_without_its_crate() {
        for place in ["cart", "crate::cart", "shop_core::cart", "shop_core", "crate", "cart::line"] {
            assert!(is_in_module(place, "cart::line::total", "shop-core"), "{place}");
        }
        for place in ["car", "line", "cart::lin", "other"] {
            assert!(!is_in_module(place, "cart::line::total", "shop-core"), "{place}");
        }
    }
}
