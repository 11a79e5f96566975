//! Data points for tests that are no theories: `points::<T>()`.

use std::panic::Location;

use super::provider::Provider;
use super::registry::{self, Entry, ValueType, surrounds};
use super::source::Source;

/// All data points of type `T` that the calling file sees, fresh, in their stable order: those of its own modules and of
/// the modules around it. `bool`s and enums with `#[derive(DataPoints)]` give all their values.
///
/// ```ignore
/// itest!(each(word, points::<&str>()), given(line = word), check(name.len() <= word.len()));
/// ```
///
/// # Panics
///
/// Where there is none, or one cannot be built: a test that checks nothing must not pass.
#[track_caller]
pub fn points<T: 'static>() -> Vec<T> {
    match visible::<T>(Location::caller().file()) {
        Err(failures) => panic!("{failures}"),
        Ok((module, values)) if values.is_empty() => {
            panic!(
                "`{module}` and the modules around it have no data point of type `{}`",
                std::any::type_name::<T>()
            )
        }
        Ok((_, values)) => values,
    }
}

/// Returns the module that a file is, and the data points of type `T` that it sees; or why one
/// cannot be built.
pub(crate) fn visible<T: 'static>(file: &str) -> Result<(String, Vec<T>), String> {
    let all = registry::all();
    let module = all
        .first()
        .map(|entry| module_of(entry.module, file))
        .unwrap_or_default();
    let seen = |entry: &&Entry| entry.file == file || surrounds(entry.module, &module);
    let fitting = all
        .into_iter()
        .filter(seen)
        .filter(|entry| (entry.value_type)() == ValueType::of::<T>());
    let mut providers: Vec<Provider<T>> = fitting.filter_map(registry::provider_of).collect();
    if providers.is_empty() {
        providers.extend(all_bools());
    }
    match Source::of(providers).map(Source::into_values) {
        Err(failures) => Err(failures.join("\n")),
        Ok(values) => Ok((module, values)),
    }
}

/// Returns the provider of all `bool`s if `T` is `bool`.
fn all_bools<T: 'static>() -> Option<Provider<T>> {
    let bools: Box<dyn std::any::Any> =
        Box::new(Provider::several("every bool", false, || [false, true]));
    bools.downcast().ok().map(|provider| *provider)
}

/// Returns the module of a file by its path: `src/net/parse.rs` of `shop` is `shop::net::parse`.
fn module_of(any_module: &str, file: &str) -> String {
    let root = any_module.split("::").next().unwrap_or(any_module);
    let path = file.replace('\\', "/");
    let inside = path.rsplit_once("src/").map_or("", |(_, inside)| inside);
    let inside = inside.trim_end_matches(".rs").trim_end_matches("/mod");
    let parts = inside
        .split('/')
        .filter(|part| !["", "lib", "main", "mod"].contains(part));
    std::iter::once(root)
        .chain(parts)
        .collect::<Vec<_>>()
        .join("::")
}

#[cfg(test)]
mod tests {
    use super::module_of;

    #[test]
    fn a_file_is_the_module_of_its_path() {
        assert_eq!(module_of("shop::till", "src/lib.rs"), "shop");
        assert_eq!(
            module_of("shop", "shop/src/net/parse.rs"),
            "shop::net::parse"
        );
        assert_eq!(module_of("shop", "src/net/mod.rs"), "shop::net");
        assert_eq!(module_of("till", "tests/till.rs"), "till");
    }
}
