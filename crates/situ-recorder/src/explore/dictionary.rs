//! Interesting values: constants of the source, boundaries, and operands of comparisons.

use super::random::Random;
use super::shape::wrapped;
use super::sites::Plainly;
use std::collections::HashSet;

/// The interesting values.
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    integers: Vec<i128>,
    floats: Vec<f64>,
    texts: Vec<String>,
    characters: Vec<char>,
    known_integers: HashSet<i128, Plainly>,
    known_texts: HashSet<String>,
}

/// The maximum number of learnt values of each kind.
const MOST: usize = 2_000;
const MAX_CHARACTERS: usize = 48;

impl Dictionary {
    /// Parses lines `i 42`, `f 1.5`, `t escaped text`.
    pub fn parse(text: &str) -> Dictionary {
        let mut dictionary = Dictionary::default();
        for line in text.lines() {
            match line.split_at_checked(2) {
                Some(("i ", number)) => {
                    if let Ok(number) = number.parse::<i128>() {
                        let near = [
                            Some(number),
                            number.checked_add(1),
                            number.checked_sub(1),
                            number.checked_neg(),
                        ];
                        near.into_iter()
                            .flatten()
                            .for_each(|number| dictionary.add_integer(number));
                    }
                }
                Some(("f ", number)) => dictionary.floats.extend(number.parse::<f64>()),
                Some(("t ", text)) => dictionary.add_text(&unescaped(text)),
                _ => {}
            }
        }
        dictionary
    }

    /// Adds a number.
    pub fn add_integer(&mut self, number: i128) {
        if self.integers.len() < MOST && self.known_integers.insert(number) {
            self.integers.push(number);
        }
    }

    /// Adds a string.
    pub fn add_text(&mut self, text: &str) {
        if !text.is_empty() && self.texts.len() < MOST && self.known_texts.insert(text.to_owned()) {
            self.texts.push(text.to_owned());
            if let (Some(one), 1) = (text.chars().next(), text.chars().count()) {
                self.add_character(one);
            }
        }
    }

    /// Adds a char that an input was compared with.
    pub fn add_character(&mut self, one: char) {
        if self.characters.len() < MAX_CHARACTERS && !self.characters.contains(&one) {
            self.characters.push(one);
        }
    }

    /// Returns the chars that inputs were compared with.
    pub fn characters(&self) -> &[char] {
        &self.characters
    }

    /// Returns all strings.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Returns all numbers wrapped to a type's width, each once.
    pub fn integers(&self, signed: bool, bits: u32) -> Vec<i128> {
        let mut seen = HashSet::new();
        let all = self
            .integers
            .iter()
            .map(|number| wrapped(*number, signed, bits));
        all.filter(|number| seen.insert(*number)).collect()
    }

    /// Returns a random number: an interesting one, a boundary, a small one, or any.
    pub fn integer(&self, signed: bool, bits: u32, random: &mut Random) -> i128 {
        let number = match random.below(8) {
            0..=2 => random.below(17) as i128 - if signed { 8 } else { 0 },
            3 | 4 if !self.integers.is_empty() => self.integers[random.below(self.integers.len())],
            5 => near_a_power(bits, random),
            6 => {
                let width = 1 + random.below(bits as usize) as u32;
                let any = ((u128::from(random.bits()) << 64) | u128::from(random.bits()))
                    >> (128 - width.min(128));
                if signed && random.one_in(2) {
                    (any as i128).wrapping_neg()
                } else {
                    any as i128
                }
            }
            _ => ((u128::from(random.bits()) << 64) | u128::from(random.bits())) as i128,
        };
        wrapped(number, signed, bits)
    }

    /// Returns a random floating-point number.
    pub fn float(&self, random: &mut Random) -> f64 {
        const SPECIAL: [f64; 15] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            0.1,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            f64::MIN,
            f64::MIN_POSITIVE,
            f64::EPSILON,
            5e-324,
            9_007_199_254_740_993.0,
        ];
        match random.below(6) {
            0 | 1 => SPECIAL[random.below(SPECIAL.len())],
            2 if !self.floats.is_empty() => {
                let known = self.floats[random.below(self.floats.len())];
                [
                    known,
                    -known,
                    known.next_up(),
                    known.next_down(),
                    known + 1.0,
                ][random.below(5)]
            }
            3 => random.below(200) as f64 - 100.0,
            4 => (random.below(20_000) as f64 - 10_000.0) / 100.0,
            _ => f64::from_bits(random.bits()),
        }
    }
}

/// Returns a number next to a power of two, of either sign; the limits of integer types are among
/// them.
fn near_a_power(bits: u32, random: &mut Random) -> i128 {
    let exponent = random.below(bits as usize + 1) as u32;
    let power = 1_i128.checked_shl(exponent).unwrap_or(0);
    let near = power.wrapping_add([0, -1, 1][random.below(3)]);
    if random.one_in(2) {
        near.wrapping_neg()
    } else {
        near
    }
}

/// Returns the minimum, the maximum, and the neighbours of powers of two and ten.
pub fn boundaries(signed: bool, bits: u32) -> Vec<i128> {
    let mut all = vec![0, 1, -1, 2];
    for exponent in 1..=bits.min(127) {
        let power = if exponent == 127 {
            i128::MAX
        } else {
            1 << exponent
        };
        all.extend([
            power,
            power - 1,
            power.wrapping_neg(),
            power.wrapping_neg() - 1,
        ]);
    }
    let mut ten = 10_i128;
    while ten < 1 << (bits.min(64)) {
        all.extend([ten, ten - 1]);
        ten *= 10;
    }
    if signed {
        all.push(wrapped(1 << (bits - 1).min(127), true, bits));
    }
    let mut seen = HashSet::new();
    all.into_iter()
        .map(|number| wrapped(number, signed, bits))
        .filter(|number| seen.insert(*number))
        .collect()
}

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => out.push(match characters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some(other) => other,
                None => '\\',
            }),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Dictionary, boundaries};

    #[test]
    fn constants_bring_their_neighbours_and_their_negation() {
        let dictionary = Dictionary::parse("i 42\nt a\\nb\nf 2.5\nt €\n");
        assert_eq!(dictionary.integers(true, 32), [42, 43, 41, -42]);
        assert_eq!(dictionary.integers(false, 8), [42, 43, 41, 214]);
        assert_eq!(
            (dictionary.texts().len(), dictionary.characters()),
            (2, &['€'][..])
        );
    }

    #[test]
    fn boundaries_are_those_of_the_type() {
        let of_byte = boundaries(true, 8);
        assert!(
            [i128::from(i8::MIN), i128::from(i8::MAX), 0, -1, 100]
                .iter()
                .all(|value| of_byte.contains(value))
        );
        assert!(boundaries(false, 128).contains(&-1), "all bits of a u128");
        assert!(boundaries(true, 128).contains(&i128::MIN));
    }
}
