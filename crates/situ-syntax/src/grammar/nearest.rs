//! Finds the word that was meant.

/// The known word that is nearest to a misspelt one, if any is near.
pub fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let near = known.iter().map(|known| (distance(word, known), *known)).filter(|(distance, _)| *distance <= 3);
    near.min_by_key(|(distance, _)| *distance).map(|(_, known)| known)
}

/// How many letters differ, however they are changed.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}
