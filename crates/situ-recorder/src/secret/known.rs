//! Known secrets, stored as hashes with a key, which reveal nothing without that key.
//!
//! A string was computed from a secret if it contains eight consecutive bytes of it, in upper or
//! lower case and in the encodings of `forms`. Secrets that are too common for that (`true`,
//! `1234`) are recognised only in equal strings.

use super::forms::{self, LONGEST, LONGEST_ENCODED, PART, SHORTEST, SHORTEST_PART, Strength};
use super::sip::{self, Key};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

/// Why a string is considered a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// By an unambiguous name, or by its format.
    Named,
    /// By an ambiguous name.
    Ambiguous,
    /// It was computed from a secret, so that not all of it may be one.
    Derived,
}

/// The kind of what is hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// A whole text.
    Whole,
    /// A part of a text.
    Part,
    /// A whole word of a text.
    Word,
}

/// One hash of a secret or of a part of it, in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// What is hashed.
    pub of: Of,
    /// The number of hashed bytes, at most 255.
    pub length: u8,
    /// The hash.
    pub hash: u64,
}

/// The size of a fingerprint in a file, in bytes.
pub const FINGERPRINT_BYTES: usize = 10;

/// The smallest number that is recognised by parts of its digits: those of a smaller one occur
/// everywhere.
const SHORTEST_NUMBER: u128 = 100_000;

/// The maximum number of secrets.
const MAX_SECRETS: usize = 10_000;

/// The known secrets.
#[derive(Clone, Debug)]
pub struct Known {
    key: Key,
    secrets: HashSet<u64, BuildHasherDefault<AsItIs>>,
    hashes: [HashSet<u64, BuildHasherDefault<AsItIs>>; 3],
    /// A bit for each length of a whole string.
    whole_lengths: [u64; 4],
    /// A bit for each length of a part or word.
    part_lengths: u16,
    /// Filters of strings that need not be hashed; `None` if only fingerprints are known, not the
    /// secrets.
    filters: Option<Box<Filters>>,
}

/// Bloom filters of the parts of secrets, so that hardly any other string is hashed.
#[derive(Clone, Debug)]
struct Filters {
    /// Two consecutive bytes.
    pairs: [u64; 1024],
    /// A whole part.
    parts: [u64; 1024],
}

/// A hasher that returns its input: fingerprints are hashes already.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes
            .iter()
            .for_each(|byte| self.0 = self.0 << 8 | u64::from(*byte));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

impl Known {
    /// Creates an empty set to which secrets will be added.
    pub fn new(key: Key) -> Known {
        let filters = Box::new(Filters {
            pairs: [0; 1024],
            parts: [0; 1024],
        });
        Known {
            filters: Some(filters),
            ..Known::from_elsewhere(key)
        }
    }

    /// Creates an empty set to which fingerprints will be added that were made with this key.
    pub fn from_elsewhere(key: Key) -> Known {
        let (secrets, hashes) = (
            HashSet::default(),
            [HashSet::default(), HashSet::default(), HashSet::default()],
        );
        Known {
            key,
            secrets,
            hashes,
            whole_lengths: [0; 4],
            part_lengths: 0,
            filters: None,
        }
    }

    /// Returns whether no secret is known.
    pub fn is_empty(&self) -> bool {
        self.hashes.iter().all(HashSet::is_empty)
    }

    /// Returns whether no more secrets can be added.
    pub fn is_full(&self) -> bool {
        self.secrets.len() >= MAX_SECRETS
    }

    /// Returns whether a secret was added.
    pub fn has(&self, secret: &[u8], trust: Trust) -> bool {
        self.secrets
            .contains(&(sip::hash(self.key, secret) ^ trust as u64))
    }

    /// Adds a secret and returns the new fingerprints.
    pub fn add(&mut self, secret: &[u8], trust: Trust) -> Vec<Fingerprint> {
        let mut new = Vec::new();
        if secret.len() < SHORTEST
            || !self
                .secrets
                .insert(sip::hash(self.key, secret) ^ trust as u64)
        {
            return new;
        }
        let core = forms::core(secret);
        for whole in [secret, core] {
            self.add_whole(whole, &mut new);
        }
        let is_meant_whole = core.len() <= LONGEST
            && match trust {
                Trust::Named => true,
                Trust::Ambiguous => forms::looks_like_token(core),
                Trust::Derived => false,
            };
        let strength = forms::strength(core);
        if is_meant_whole {
            self.add_parts(core, strength, &mut new);
        }
        let has_pieces =
            trust == Trust::Named && strength != Strength::Common && core.len() <= LONGEST_ENCODED;
        if is_meant_whole && has_pieces {
            self.add_pieces(core, &mut new);
        }
        for word in
            forms::words(core).filter(|word| word.len() <= LONGEST && forms::looks_random(word))
        {
            self.add_parts(word, Strength::Distinct, &mut new);
        }
        new
    }

    /// Adds a fingerprint that was made elsewhere with the same key; returns whether it is new.
    pub fn add_fingerprint(&mut self, print: Fingerprint) -> bool {
        match print.of {
            Of::Whole => {
                self.whole_lengths[usize::from(print.length / 64)] |= 1 << (print.length % 64)
            }
            Of::Part | Of::Word => self.part_lengths |= 1 << print.length.min(15),
        }
        self.hashes[print.of as usize].insert(print.hash)
    }

    fn note(&mut self, of: Of, bytes: &[u8], new: &mut Vec<Fingerprint>) {
        if let (Some(filters), true) = (&mut self.filters, of != Of::Whole) {
            filters.add(bytes);
        }
        let length = bytes.len().min(255) as u8;
        let print = Fingerprint {
            of,
            length,
            hash: sip::hash(self.key, bytes),
        };
        if self.add_fingerprint(print) {
            new.push(print);
        }
    }

    fn add_whole(&mut self, text: &[u8], new: &mut Vec<Fingerprint>) {
        let text = bare(text);
        if text.len() >= SHORTEST {
            self.note(Of::Whole, &text.to_ascii_lowercase(), new);
        }
    }

    fn add_parts(&mut self, secret: &[u8], strength: Strength, new: &mut Vec<Fingerprint>) {
        for spelling in forms::spellings(secret) {
            match strength {
                Strength::Distinct => self.add_windows(&spelling, new),
                Strength::Word if spelling.len() < PART => self.note(Of::Word, &spelling, new),
                Strength::Word | Strength::Common => {}
            }
        }
        if secret.len() > LONGEST_ENCODED {
            return;
        }
        for encoding in forms::encodings(secret) {
            match strength {
                Strength::Common => self.add_whole(&encoding, new),
                Strength::Distinct | Strength::Word => self.add_windows(&encoding, new),
            }
        }
    }

    /// Adds every eight consecutive bytes, or all of them if there are fewer.
    fn add_windows(&mut self, text: &[u8], new: &mut Vec<Fingerprint>) {
        match text.len() {
            PART.. => {
                let telling = text
                    .windows(PART)
                    .filter(|window| forms::is_telling(window));
                telling.for_each(|window| self.note(Of::Part, window, new));
            }
            SHORTEST_PART.. => self.note(Of::Part, text, new),
            _ => {}
        }
    }

    /// Adds pieces that may be split off: a string is a piece of a secret if it equals four to
    /// seven bytes of it, or one of its words.
    fn add_pieces(&mut self, secret: &[u8], new: &mut Vec<Fingerprint>) {
        let lower = secret.to_ascii_lowercase();
        for length in SHORTEST..PART {
            lower
                .windows(length)
                .filter(|piece| forms::distinct(piece) > 1 && !forms::is_sequence(piece))
                .for_each(|piece| self.note(Of::Whole, piece, new));
        }
        forms::words(&lower)
            .filter(|word| word.len() >= PART)
            .for_each(|word| self.note(Of::Whole, word, new));
    }

    /// Returns whether a string is a secret or was computed from one.
    pub fn is_in(&self, text: &[u8]) -> bool {
        if text.len() < SHORTEST || self.is_empty() {
            return false;
        }
        let is_in = |text: &[u8]| self.is_whole(text) || self.first_part(text, 0).is_some();
        is_in(text)
            || text.contains(&b'%')
                && forms::without_percents(text).is_some_and(|decoded| is_in(&decoded))
    }

    /// Returns whether a number is a secret. One of four or five digits counts only if it was added
    /// as a whole, because the parts of other secrets include many such numbers.
    pub fn is_number(&self, number: i128) -> bool {
        let size = number.unsigned_abs();
        match size {
            1000..SHORTEST_NUMBER if self.part_lengths & 0b11_0000 != 0 => {
                let digits = size.to_string();
                self.hashes[Of::Word as usize].contains(&sip::hash(self.key, digits.as_bytes()))
            }
            SHORTEST_NUMBER.. => self.is_in(size.to_string().as_bytes()),
            _ => false,
        }
    }

    fn is_whole(&self, text: &[u8]) -> bool {
        let text = bare(text);
        let length = text.len().min(255);
        self.whole_lengths[length / 64] >> (length % 64) & 1 != 0
            && text.len() >= SHORTEST
            && self.hashes[Of::Whole as usize]
                .contains(&sip::hash(self.key, &text.to_ascii_lowercase()))
    }

    /// Finds the first part of a secret that begins at this byte or after it.
    pub fn first_part(&self, text: &[u8], from: usize) -> Option<Range<usize>> {
        if self.part_lengths == 0 {
            return None;
        }
        // Every part contains a sampled pair of bytes, because the stride is the number of pairs in
        // the shortest part.
        let stride = self.part_lengths.trailing_zeros() as usize - 1;
        let mut at = from + stride - 1;
        while at + 1 < text.len() {
            let may_be = self
                .filters
                .as_ref()
                .is_none_or(|filters| filters.has_pair(text[at], text[at + 1]));
            if let Some(found) = may_be.then(|| self.part_around(text, from, at)).flatten() {
                return Some(found);
            }
            at += stride;
        }
        None
    }

    /// Finds a part of a secret that contains the two bytes at an offset.
    fn part_around(&self, text: &[u8], from: usize, at: usize) -> Option<Range<usize>> {
        let lengths = (SHORTEST..=PART).filter(|length| self.part_lengths >> length & 1 != 0);
        let ranges = lengths.flat_map(|length| {
            ((at + 2).saturating_sub(length).max(from)..=at).map(move |start| start..start + length)
        });
        ranges
            .into_iter()
            .find(|range| range.end <= text.len() && self.is_part(text, range))
    }

    fn is_part(&self, text: &[u8], range: &Range<usize>) -> bool {
        let mut lower = [0; PART];
        let lower = &mut lower[..range.len()];
        lower.copy_from_slice(&text[range.clone()]);
        lower.make_ascii_lowercase();
        if self
            .filters
            .as_ref()
            .is_some_and(|filters| !filters.has_part(lower))
        {
            return false;
        }
        let hash = sip::hash(self.key, lower);
        let is_letter = |at: Option<usize>| {
            at.and_then(|at| text.get(at))
                .is_some_and(u8::is_ascii_alphanumeric)
        };
        self.hashes[Of::Part as usize].contains(&hash)
            || self.hashes[Of::Word as usize].contains(&hash)
                && !is_letter(range.start.checked_sub(1))
                && !is_letter(Some(range.end))
    }
}

/// Trims whitespace and base64 padding.
fn bare(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii();
    &text[..text
        .iter()
        .rposition(|byte| *byte != b'=')
        .map_or(0, |last| last + 1)]
}

impl Filters {
    fn add(&mut self, part: &[u8]) {
        for pair in part.windows(2) {
            let (at, bit) = place(pair_of(pair[0], pair[1]));
            self.pairs[at] |= bit;
        }
        let (at, bit) = place(mixed(part));
        self.parts[at] |= bit;
    }

    fn has_pair(&self, first: u8, second: u8) -> bool {
        let (at, bit) = place(pair_of(first, second));
        self.pairs[at] & bit != 0
    }

    fn has_part(&self, part: &[u8]) -> bool {
        let (at, bit) = place(mixed(part));
        self.parts[at] & bit != 0
    }
}

/// Returns the word and mask of a bit.
fn place(number: u16) -> (usize, u64) {
    (usize::from(number / 64), 1 << (number % 64))
}

/// Returns an index for two bytes, ignoring case.
fn pair_of(first: u8, second: u8) -> u16 {
    u16::from(first | 0x20) << 8 | u16::from(second | 0x20)
}

/// Returns an index for a part.
fn mixed(part: &[u8]) -> u16 {
    let word = part
        .iter()
        .fold(0_u64, |word, byte| word << 8 | u64::from(*byte));
    (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as u16
}

impl Fingerprint {
    /// Encodes the fingerprint for a file.
    pub fn to_bytes(self) -> [u8; FINGERPRINT_BYTES] {
        let mut bytes = [0; FINGERPRINT_BYTES];
        bytes[0] = self.of as u8;
        bytes[1] = self.length;
        bytes[2..].copy_from_slice(&self.hash.to_le_bytes());
        bytes
    }

    /// Decodes a fingerprint. Returns `None` if the bytes are none.
    pub fn from_bytes(bytes: &[u8]) -> Option<Fingerprint> {
        let (of, length, hash) = match bytes {
            [of, length, hash @ ..] => (*of, *length, u64::from_le_bytes(*hash.first_chunk()?)),
            _ => return None,
        };
        let is_part = (SHORTEST_PART..=PART).contains(&usize::from(length));
        let is_word = (SHORTEST..PART).contains(&usize::from(length));
        match of {
            0 if usize::from(length) >= SHORTEST => Some(Fingerprint {
                of: Of::Whole,
                length,
                hash,
            }),
            1 if is_part => Some(Fingerprint {
                of: Of::Part,
                length,
                hash,
            }),
            2 if is_word => Some(Fingerprint {
                of: Of::Word,
                length,
                hash,
            }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
