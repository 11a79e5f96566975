//! Names that are written like another one.

/// The names that are most like this one, the most similar first: what somebody who misspelt a name may have meant.
pub fn nearest_names<'n>(wanted: &str, names: impl Iterator<Item = &'n str>, most: usize) -> Vec<&'n str> {
    let last = |name: &str| name.rsplit(['/', ':']).next().unwrap_or(name).to_lowercase();
    let mut ranked: Vec<(usize, &str)> = names.map(|name| (distance(&last(wanted), &last(name)), name)).collect();
    ranked.sort_unstable();
    ranked.dedup();
    ranked.into_iter().map(|(_, name)| name).take(most).collect()
}

/// How many characters have to be put in, taken out or replaced to make one text of the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, own) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, their) in other.iter().enumerate() {
            let changed = diagonal + usize::from(own != *their);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_similar_name_comes_first() {
        let names = ["triple", "double", "tests::doubles"];
        assert_eq!(nearest_names("tripel", names.into_iter(), 1), ["triple"]);
        assert_eq!(nearest_names("dubles", names.into_iter(), 2), ["tests::doubles", "double"]);
        assert_eq!((distance("", "abc"), distance("kitten", "sitting"), distance("ä", "a")), (3, 3, 1));
    }
}
