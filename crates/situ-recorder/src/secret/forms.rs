//! The spellings of a secret, and the parts of it that reveal that a string was computed from it.

use super::base64;

/// The minimum length of a secret that is recognised under another name; shorter ones are too
/// common.
pub const SHORTEST: usize = 4;

/// The length of the parts by which a longer secret is recognised, in bytes.
pub const PART: usize = 8;

/// The minimum length of a secret, other than a number, that is recognised inside a longer string.
pub const SHORTEST_PART: usize = 6;

/// The length above which secrets are recognised by their words only: they are whole files, most of
/// which is no secret.
pub const LONGEST: usize = 1024;

/// The length above which secrets are not searched for in other encodings, nor by pieces of less
/// than eight bytes.
pub const LONGEST_ENCODED: usize = 256;

/// How distinctive a secret is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// A string that contains eight consecutive bytes of it, or all of it, was computed from it.
    Distinct,
    /// A short word or number: a string that contains it as a whole word was computed from it.
    Word,
    /// Only an equal string was computed from it: `true`, `1234`, `********`, a path, the word
    /// `password` itself.
    Common,
}

/// Returns how distinctive a secret is that its name reveals.
pub fn strength(secret: &[u8]) -> Strength {
    if secret.len() < PART && is_number(secret) {
        let is_common = distinct(secret) < 2 || is_sequence(secret);
        return if is_common {
            Strength::Common
        } else {
            Strength::Word
        };
    }
    if is_path(secret) || names_a_secret(secret) || distinct(secret) < 4 {
        return Strength::Common;
    }
    let has = |is: fn(&u8) -> bool| secret.iter().any(is);
    let is_mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
        || secret.iter().any(|byte| !byte.is_ascii_alphanumeric());
    match secret.len() {
        PART.. => Strength::Distinct,
        SHORTEST_PART.. if is_mixed => Strength::Distinct,
        SHORTEST_PART.. => Strength::Word,
        _ => Strength::Common,
    }
}

/// Returns whether a string consists of the digits of a number that may be a secret: a PIN, a
/// one-time code.
pub fn is_number(text: &[u8]) -> bool {
    text.len() >= SHORTEST && text.iter().all(u8::is_ascii_digit)
}

/// Returns whether a string under an ambiguous name looks like a token: a word with letters and
/// digits.
pub fn looks_like_token(text: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| text.iter().any(is);
    text.len() >= PART
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && !has(u8::is_ascii_whitespace)
        && strength(text) == Strength::Distinct
}

/// Returns whether a word of a string that was computed from a secret looks random: letters and
/// digits in no order.
pub fn looks_random(word: &[u8]) -> bool {
    let kind = |byte: &u8| match byte {
        b'0'..=b'9' => Some(0),
        b'a'..=b'z' => Some(1),
        b'A'..=b'Z' => Some(2),
        _ => None,
    };
    let kinds: Vec<u8> = word.iter().filter_map(kind).collect();
    let digits = kinds.iter().filter(|kind| **kind == 0).count();
    let changes = kinds.windows(2).filter(|pair| pair[0] != pair[1]).count();
    digits >= 2 && changes >= 3 && looks_like_token(word)
}

/// Returns the words of a string, to find secrets in it.
pub fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| byte.is_ascii_whitespace() || b"\"'`,;:&|<>(){}[]=@".contains(byte))
        .filter(|word| !word.is_empty())
}

/// Returns a secret without what others begin with too: surrounding whitespace, the scheme of a URL
/// or header.
pub fn core(secret: &[u8]) -> &[u8] {
    let secret = secret.trim_ascii();
    for scheme in [&b"bearer "[..], b"basic ", b"token "] {
        if secret
            .get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        {
            return secret[scheme.len()..].trim_ascii();
        }
    }
    match secret.windows(3).take(16).position(|bytes| bytes == b"://") {
        Some(at) => &secret[at + 3..],
        None => secret,
    }
}

/// Returns the spellings of a secret: first the original, then in lower case, escaped as by
/// `Debug`, and without separators between letters and digits.
pub fn spellings(secret: &[u8]) -> Vec<Vec<u8>> {
    let mut all = vec![secret.to_ascii_lowercase()];
    let mut add = |spelling: Vec<u8>| {
        let spelling = spelling.to_ascii_lowercase();
        if !all.contains(&spelling) {
            all.push(spelling);
        }
    };
    if let Ok(text) = std::str::from_utf8(secret) {
        if !text.is_ascii() {
            add(text.to_lowercase().into_bytes());
            add(text.to_uppercase().into_bytes());
        }
        add(text.escape_debug().collect::<String>().into_bytes());
        add(text.escape_default().collect::<String>().into_bytes());
    }
    let letters: Vec<u8> = secret
        .iter()
        .copied()
        .filter(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80)
        .collect();
    if letters.len() >= PART {
        add(letters);
    }
    all
}

/// Returns the bytes in hexadecimal and in base64, at each of its alignments and in both alphabets,
/// all in lower case.
pub fn encodings(secret: &[u8]) -> Vec<Vec<u8>> {
    let digit = |number: u8| char::from_digit(u32::from(number), 16).unwrap_or('0') as u8;
    let mut all: Vec<Vec<u8>> = vec![
        secret
            .iter()
            .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
            .collect(),
    ];
    for alphabet in base64::ALPHABETS {
        let inner = (0..3).map(|before| base64::inner(secret, before, alphabet));
        for encoded in inner.chain([base64::whole(secret, alphabet)]) {
            let encoded = encoded.to_ascii_lowercase();
            if !all.contains(&encoded) {
                all.push(encoded);
            }
        }
    }
    all
}

/// Decodes percent-encoding. Returns `None` if the string has none.
pub fn without_percents(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: Option<&u8>| char::from(*byte?).to_digit(16);
    let mut decoded = Vec::new();
    let mut at = 0;
    let mut is_encoded = false;
    while at < text.len() {
        match (text[at], digit(text.get(at + 1)), digit(text.get(at + 2))) {
            (b'%', Some(high), Some(low)) => {
                decoded.push((high * 16 + low) as u8);
                is_encoded = true;
                at += 3;
            }
            (byte, ..) => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    is_encoded.then_some(decoded)
}

/// Returns the number of different bytes, as far as that matters.
pub fn distinct(bytes: &[u8]) -> usize {
    let is_new = |at: &usize| !bytes[..*at].contains(&bytes[*at]);
    (0..bytes.len().min(64)).filter(is_new).take(PART).count()
}

/// Returns whether these consecutive bytes hardly occur by chance, unlike lines of dashes,
/// alphabets and rows of digits.
pub fn is_telling(part: &[u8]) -> bool {
    distinct(part) >= 4 && !is_sequence(part)
}

/// Returns whether each byte is one more or one less than the previous: `12345678`, `abcdefgh`.
pub fn is_sequence(part: &[u8]) -> bool {
    let is_step = |step: i16| {
        part.windows(2)
            .all(|pair| i16::from(pair[1]) - i16::from(pair[0]) == step)
    };
    is_step(1) || is_step(-1)
}

/// Returns whether a string is a path, because folder names are no secrets.
fn is_path(text: &[u8]) -> bool {
    [&b"/"[..], b"./", b"../", b"~/"]
        .iter()
        .any(|start| text.starts_with(start))
        || text.windows(2).any(|part| part == b":\\")
}

/// Returns whether a string is itself the name of a secret, such as the word `password` as the
/// value of a password.
fn names_a_secret(text: &[u8]) -> bool {
    let is_word = text
        .iter()
        .all(|byte| byte.is_ascii_alphabetic() || b"_-<>{}".contains(byte));
    let name = std::str::from_utf8(text).unwrap_or_default();
    is_word && super::Names::default().secrecy(name) != super::Secrecy::None
}
