//! Similar names, for misspelt ones.

/// Returns the known word that is nearest to a misspelt one, if any is near.
pub fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    nearest_within(3, word, known.iter().copied())
}

/// Returns the name that was probably meant by a misspelt one: at most one char in three differs,
/// and one of two. A name of one char has no similar names.
pub fn similar_name<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let length = name.chars().count();
    if length < 2 {
        None
    } else {
        nearest_within((length / 3).max(1), name, known)
    }
}

fn nearest_within<'k>(
    most: usize,
    word: &str,
    known: impl Iterator<Item = &'k str>,
) -> Option<&'k str> {
    let near = known
        .map(|known| (edit_distance(word, known), known))
        .filter(|(distance, _)| *distance <= most);
    near.min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// Returns the number of chars to insert, remove or replace to turn one string into the other.
/// Swapping two neighbours counts as one.
pub fn edit_distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for i in 1..=one.len() {
        let mut row = vec![i; other.len() + 1];
        for j in 1..=other.len() {
            let replaced = last[j - 1] + usize::from(one[i - 1] != other[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_similar_where_few_letters_differ() {
        let meant =
            |name: &str| similar_name(name, ["count", "counts", "number", "n", "ok"].into_iter());
        assert_eq!(meant("cuont"), Some("count"));
        assert_eq!(meant("numbre"), Some("number"));
        assert_eq!(meant("numbers"), Some("number"));
        assert_eq!((meant("m"), meant("other")), (None, None));
    }

    #[test]
    fn swapped_neighbours_are_one_change() {
        assert_eq!(
            (
                edit_distance("", "abc"),
                edit_distance("kitten", "sitting"),
                edit_distance("ä", "a")
            ),
            (3, 3, 1)
        );
        assert_eq!(
            (edit_distance("form", "from"), edit_distance("abc", "cab")),
            (1, 2)
        );
    }
}
