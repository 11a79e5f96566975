//! Blocks and closures that a test can be extracted for, each with another way to end.
#![deny(warnings)]

use std::env;
use std::fs;

#[derive(Debug, Default)]
pub struct Counter {
    words: Vec<String>,
    longest: usize,
    pub skipped: u32,
}

impl Counter {
    /// Changes its own fields, in a loop that goes on and breaks.
    pub fn read(&mut self, text: &str) {
        for word in text.split(' ') {
            if word == "." {
                break;
            }
            if word.is_empty() || word.starts_with('#') {
                self.skipped += 1;
                continue;
            }
            self.longest = self.longest.max(word.len());
            self.words.push(word.to_lowercase());
        }
    }

    pub fn words(&self) -> &[String] {
        &self.words
    }
}

/// Leaves early, with a value and by `?`.
pub fn sum(text: &str) -> Option<u32> {
    let mut sum = 0;
    for part in text.split('+') {
        let part = part.trim();
        if part == "none" {
            return None;
        }
        sum += part.parse::<u32>().ok()?;
    }
    Some(sum)
}

/// Asks something outside of the program.
pub fn greeting(name: &str) -> String {
    let word = env::var("SITU_FIXTURE_GREETING").unwrap_or_else(|_| "hello".to_owned());
    let mut line = format!("{word}, {name}");
    line.push(if name.len() > 3 { '!' } else { '.' });
    line
}

/// Asks for files in a loop and once more after it: each answer belongs to its call.
pub fn letters(paths: &[&str], last: &str) -> Vec<usize> {
    let mut letters = Vec::new();
    for path in paths {
        let text = fs::read_to_string(path).unwrap_or_default();
        letters.push(text.trim().len());
    }
    letters.push(fs::read_to_string(last).unwrap_or_default().lines().count());
    letters
}

/// Closures that capture something.
pub fn shifted(bytes: &[u8], by: u32, limit: u8) -> Vec<u8> {
    let clip = |byte: u8| if byte > limit { limit } else { byte };
    bytes.iter().map(|byte| clip(byte.rotate_left(by) ^ 1)).collect()
}

/// Panics, and has values of inner blocks.
pub fn share(parts: &[u32], of: usize) -> u32 {
    let all: u32 = parts.iter().sum();
    let part = if of < parts.len() {
        let part = parts[of];
        part * 100
    } else {
        let last = parts.len() - 1;
        parts[last]
    };
    part / all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_until_a_dot() {
        let mut counter = Counter::default();
        counter.read("One  #two three . four");
        counter.read("xy");
        assert_eq!(counter.words(), ["one", "three", "xy"]);
    }

    #[test]
    fn sums_of_numbers() {
        assert_eq!(sum("1 + 22"), Some(23));
        assert_eq!(sum("1 + none"), None);
        assert_eq!(sum("x"), None);
    }

    #[test]
    fn greetings_are_short() {
        assert!(greeting("you").len() < 20);
        assert!(greeting("everybody").ends_with("everybody!"));
    }

    #[test]
    fn letters_of_files() {
        assert_eq!(letters(&["notes/first.txt", "notes/second.txt"], "notes/first.txt"), [3, 5, 1]);
    }

    #[test]
    fn bytes_are_shifted() {
        assert_eq!(shifted(&[1, 2, 250], 1, 200), [3, 5, 200]);
    }

    #[test]
    fn shares_are_in_percent() {
        assert_eq!(share(&[1, 3], 1), 75);
        assert_eq!(share(&[4, 8], 5), 0);
    }

    #[test]
    #[should_panic(expected = "divide by zero")]
    fn nothing_cannot_be_shared() {
        share(&[0], 0);
    }
}
