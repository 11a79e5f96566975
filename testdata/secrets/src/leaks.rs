//! Ways by which a secret gets out of the variable that has its name. The secrets themselves come from outside: what stands in a
//! source is in all that is built from it.

use std::collections::BTreeMap;
use std::panic::catch_unwind;

/// A type whose name says what it holds.
pub struct Password(pub String);

pub struct Header {
    pub name: String,
    pub value: String,
}

/// Called before anybody has said what the text is.
pub fn greet(text: &str) -> String {
    let greeting = text.trim().to_owned();
    let shouted = greeting.to_uppercase();
    if shouted.len() > 3 { format!("welcome {shouted}") } else { greeting }
}

pub fn login(user: &str, password: &str) -> usize {
    let line = format!("login {user} {password}");
    note(&line)
}

/// The line under another name.
pub fn note(entry: &str) -> usize {
    let words = entry.split_whitespace().count();
    let first = entry.chars().next().unwrap_or(' ');
    words + usize::from(first.is_uppercase())
}

pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

pub fn base64(bytes: &[u8]) -> String {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::new();
    for group in bytes.chunks(3) {
        let number = group.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)) << (8 * (3 - group.len()));
        (0..=group.len()).for_each(|at| encoded.push(char::from(alphabet[number >> (18 - 6 * at) & 0x3f])));
    }
    encoded
}

pub fn percent(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

/// The environment variable says what it is.
pub fn connect(host: &str) -> String {
    let found = std::env::var("DB_PASSWORD").unwrap_or_default();
    format!("{host}/{found}")
}

/// A key that is read from a file.
pub fn signed(path: &str) -> usize {
    let read = std::fs::read_to_string(path).unwrap_or_default();
    let last = read.lines().last().unwrap_or_default();
    sign(last.trim())
}

fn sign(api_key: &str) -> usize {
    api_key.len()
}

pub fn refuse(reason: &str) -> usize {
    let length = reason.trim().len();
    assert!(length < 3, "no entry for {reason}");
    length
}

pub fn headers(list: &[(String, String)]) -> usize {
    list.iter().map(|(name, value)| name.len() + value.len()).sum()
}

pub fn header_length(header: &Header) -> usize {
    header.name.len() + header.value.trim().len()
}

pub fn unlock(with: &Password) -> usize {
    let inner = with.0.trim();
    inner.len()
}

pub fn letters(text: &str) -> BTreeMap<char, usize> {
    let mut counts = BTreeMap::new();
    for letter in text.chars() {
        *counts.entry(letter).or_default() += 1;
    }
    counts
}

pub fn halves(text: &str) -> (String, String) {
    let (first, second) = text.split_at(text.len() / 2);
    (first.to_owned(), second.to_owned())
}

/// What has the shape of a secret.
pub fn inspect(text: &str) -> usize {
    let words = text.split_whitespace().count();
    words + text.matches('@').count()
}

/// Called before anybody has said what the number is.
pub fn labelled(number: u32) -> String {
    let label = format!("number {number}");
    label.to_uppercase()
}

pub fn confirm(pin: u32) -> Option<u32> {
    let doubled = pin.checked_mul(2);
    doubled.map(|_| pin)
}

/// Runs everything with the secrets in a file: a password, a key, then texts with the shapes of secrets.
pub fn everything(path: &str) -> usize {
    let read = std::fs::read_to_string(path).unwrap_or_default();
    let lines: Vec<&str> = read.lines().collect();
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return 0 };
    let mut total = greet(first).len();
    total += hexadecimal(first.as_bytes()).len() + base64(format!("u:{first}").as_bytes()).len();
    total += base64(first.as_bytes()).len() + percent(first).len() + letters(first).len();
    let (one, two) = halves(first);
    total += one.len() + note(&two);
    total += catch_unwind(|| refuse(first)).unwrap_or(1);
    let list = [("Host".to_owned(), "example.org".to_owned()), ("X-Api-Key".to_owned(), (*last).to_owned())];
    total += headers(&list);
    total += header_length(&Header { name: "Cookie".to_owned(), value: format!("id={last}") });
    total += unlock(&Password((*first).to_owned()));
    total += login("admin", first) + signed(path) + connect("localhost").len();
    let number = std::env::var("SAMPLE_NUMBER").ok().and_then(|text| text.parse().ok()).unwrap_or(7);
    total += labelled(number).len() + usize::from(confirm(number).is_some());
    total + lines[1..].iter().map(|line| inspect(line)).sum::<usize>()
}
