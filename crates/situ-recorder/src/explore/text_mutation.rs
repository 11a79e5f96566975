//! Strings: generated from classes of chars and known pieces, and mutated.

use super::dictionary::Dictionary;
use super::generate::{Letters, RARE, any_character, some_letters};
use super::random::Random;

/// The maximum length of a string, in bytes.
const LONGEST: usize = 4_096;

/// Returns a random string: empty, of one class of chars, of known pieces, or of anything.
pub fn some_text(dictionary: &Dictionary, random: &mut Random) -> String {
    let length = if random.one_in(40) {
        random.below(300)
    } else {
        random.small(12)
    };
    match random.below(9) {
        0 => String::new(),
        6 => (0..random.small(6))
            .map(|_| rare_or_simple(random))
            .collect(),
        1 => (0..length)
            .map(|_| char::from(b'0' + random.below(10) as u8))
            .collect(),
        2 => (0..length)
            .map(|_| char::from(b'a' + random.below(26) as u8))
            .collect(),
        3 => plain_text(&some_letters(dictionary, random), random),
        4 if !dictionary.texts().is_empty() => {
            let pieces = 1 + random.small(3);
            let mut text = String::new();
            for _ in 0..pieces {
                text.push_str(random.pick(dictionary.texts()).map_or("", String::as_str));
            }
            text
        }
        5 => dictionary.integer(true, 64, random).to_string(),
        _ => (0..length)
            .map(|_| any_character(dictionary, random))
            .collect(),
    }
}

fn rare_or_simple(random: &mut Random) -> char {
    if random.one_in(2) {
        RARE[random.below(RARE.len())]
    } else {
        ['a', 'b', ' ', '1'][random.below(4)]
    }
}

/// Returns a short string over a small alphabet.
pub fn plain_text(letters: &Letters, random: &mut Random) -> String {
    let most = if random.one_in(8) { 24 } else { 5 };
    (0..random.small(most))
        .map(|_| letters[random.below(letters.len())])
        .collect()
}

/// Changes one or two chars of a string.
pub fn edit(text: &mut String, dictionary: &Dictionary, random: &mut Random) {
    let mut characters: Vec<char> = text.chars().collect();
    let at = random.below(characters.len() + 1);
    let is_inside = at < characters.len();
    match random.below(6) {
        0 if at + 1 < characters.len() => characters.swap(at, at + 1),
        1 if is_inside => drop(characters.remove(at)),
        2 if is_inside => characters[at] = some_letter(&characters, dictionary, random),
        3 if is_inside => characters.insert(at, characters[at]),
        4 if is_inside => {
            let one = characters.remove(at);
            characters.insert(random.below(characters.len() + 1), one);
        }
        _ => characters.insert(at, some_letter(&characters, dictionary, random)),
    }
    *text = characters.into_iter().collect();
}

/// Returns a char that is in the string, an interesting one, or any.
fn some_letter(characters: &[char], dictionary: &Dictionary, random: &mut Random) -> char {
    match random.below(3) {
        0 if !characters.is_empty() => characters[random.below(characters.len())],
        1 => some_letters(dictionary, random)[random.below(4)],
        _ => any_character(dictionary, random),
    }
}

/// Applies one mutation to a string.
pub fn change(text: &mut String, dictionary: &Dictionary, random: &mut Random) {
    if random.one_in(4) {
        return edit(text, dictionary, random);
    }
    let at = boundary(text, random);
    match random.below(14) {
        0 | 1 => text.insert(at, any_character(dictionary, random)),
        2 | 3 => drop(remove_at(text, at)),
        4 | 5 => {
            if remove_at(text, at).is_some() {
                text.insert(at, any_character(dictionary, random));
            }
        }
        6 | 7 => {
            if let Some(piece) = random.pick(dictionary.texts()) {
                if random.one_in(3) {
                    *text = piece.clone();
                } else {
                    text.insert_str(at, piece);
                }
            }
        }
        8 => {
            let (from, to) = range(text, random);
            let piece = text[from..to].to_owned();
            text.insert_str(at, &piece);
        }
        9 => {
            let (from, to) = range(text, random);
            text.replace_range(from..to, "");
        }
        10 => {
            if let Some(one) = remove_at(text, at) {
                let back = boundary(text, random);
                text.insert(back, one);
            }
        }
        11 => {
            if let Some(one) = remove_at(text, at) {
                text.insert(at, neighbour(one, random));
            }
        }
        12 => {
            if let Some(piece) = random.pick(dictionary.texts()) {
                let (from, to) = range(text, random);
                text.replace_range(from..to, piece);
            }
        }
        _ => text.insert_str(at, &dictionary.integer(true, 64, random).to_string()),
    }
    if text.len() > LONGEST {
        let mut end = LONGEST;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
    }
}

/// Returns the previous or next char, or the same letter in the other case.
fn neighbour(one: char, random: &mut Random) -> char {
    let code = u32::from(one);
    let moved = match random.below(3) {
        0 => char::from_u32(code + 1),
        1 => code.checked_sub(1).and_then(char::from_u32),
        _ if one.is_lowercase() => one.to_uppercase().next(),
        _ => one.to_lowercase().next(),
    };
    moved.unwrap_or(one)
}

fn remove_at(text: &mut String, at: usize) -> Option<char> {
    (at < text.len()).then(|| text.remove(at))
}

fn boundary(text: &str, random: &mut Random) -> usize {
    let mut at = random.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn range(text: &str, random: &mut Random) -> (usize, usize) {
    let (one, other) = (boundary(text, random), boundary(text, random));
    (one.min(other), one.max(other))
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, change, some_text};
    use crate::explore::dictionary::Dictionary;
    use crate::explore::random::Random;

    #[test]
    fn texts_stay_whole_and_bounded_however_they_are_changed() {
        let dictionary = Dictionary::parse("t ä€😀\nt piece\n");
        let mut random = Random::new(5);
        let mut text = some_text(&dictionary, &mut random);
        let mut lengths = Vec::new();
        for _ in 0..20_000 {
            change(&mut text, &dictionary, &mut random);
            lengths.push(text.len());
        }
        assert!(lengths.iter().all(|length| *length <= LONGEST));
        assert!(lengths.iter().any(|length| *length > 20));
    }
}
