//! Finds names that are similar to another one.

use situ_syntax::edit_distance;

/// Returns at most `most` of the names, those most similar to `wanted` first, to suggest
/// corrections for a misspelt name.
pub fn nearest_names<'n>(
    wanted: &str,
    names: impl Iterator<Item = &'n str>,
    most: usize,
) -> Vec<&'n str> {
    let last = |name: &str| {
        name.rsplit(['/', ':'])
            .next()
            .unwrap_or(name)
            .to_lowercase()
    };
    let mut ranked: Vec<(usize, &str)> = names
        .map(|name| (edit_distance(&last(wanted), &last(name)), name))
        .collect();
    ranked.sort_unstable();
    ranked.dedup();
    ranked
        .into_iter()
        .map(|(_, name)| name)
        .take(most)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_similar_name_comes_first() {
        let names = ["triple", "double", "tests::doubles"];
        assert_eq!(nearest_names("tripel", names.into_iter(), 1), ["triple"]);
        assert_eq!(
            nearest_names("dubles", names.into_iter(), 2),
            ["tests::doubles", "double"]
        );
    }
}
