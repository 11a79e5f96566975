//! Secrets that are recognised by their format, whatever their name: a password in a URL, an HTTP
//! header, the keys of well-known services.
//!
//! Each string is scanned once. A table tells whether two bytes can occur at the beginning of a
//! format, so that only every other byte is examined. A recogniser is called only where the table
//! matches.

use super::base64;
use std::ops::Range;

/// A secret recognised in a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// A description of the secret.
    pub what: &'static str,
    /// The byte range of the secret itself: of a URL only the password.
    pub secret: Range<usize>,
    /// A secret that these bytes encode: the password of a `Basic` header.
    pub inner: Option<Vec<u8>>,
}

/// The first three bytes of the formats. HTTP headers occur in any case.
const STARTS: [&[u8; 3]; 17] = [
    b"://", b"bea", b"Bea", b"BEA", b"bas", b"Bas", b"BAS", b"eyJ", b"AKI", b"ASI", b"ghp", b"gho",
    b"ghu", b"ghs", b"ghr", b"xox", b"AIz",
];

/// Two more beginnings, `git` of `github_pat_` and the dashes of a PEM block.
const LONG_STARTS: [&[u8; 3]; 2] = [b"git", b"---"];

/// A bit for each pair of bytes that a format begins with, or that follows its first byte.
const PAIRS: [u64; 1024] = {
    let mut pairs = [0; 1024];
    let mut at = 0;
    while at < STARTS.len() + LONG_STARTS.len() {
        let start = if at < STARTS.len() {
            STARTS[at]
        } else {
            LONG_STARTS[at - STARTS.len()]
        };
        let mut offset = 0;
        while offset < 2 {
            let pair = (start[offset] as usize) << 8 | start[offset + 1] as usize;
            pairs[pair / 64] |= 1 << (pair % 64);
            offset += 1;
        }
        at += 1;
    }
    pairs
};

/// The length of the shortest string with such a format: `a://b:c@`.
const SHORTEST: usize = 8;

/// Finds all secrets in a string.
pub fn all(text: &[u8]) -> Vec<Found> {
    let (mut all, mut from) = (Vec::new(), 0);
    while let Some(found) = first(text, from) {
        from = found.secret.end.max(from + 1);
        all.push(found);
    }
    all
}

/// Finds the first secret at or after an offset.
pub fn first(text: &[u8], from: usize) -> Option<Found> {
    if text.len() < SHORTEST {
        return None;
    }
    let mut at = from;
    while at + 1 < text.len() {
        let pair = usize::from(text[at]) << 8 | usize::from(text[at + 1]);
        if PAIRS[pair / 64] >> (pair % 64) & 1 != 0 {
            let starts = [at.checked_sub(1).filter(|start| *start >= from), Some(at)];
            if let Some(found) = starts
                .into_iter()
                .flatten()
                .find_map(|start| recognised(text, start))
            {
                return Some(found);
            }
        }
        at += 2;
    }
    None
}

/// Recognises the secret whose format begins at this offset.
fn recognised(text: &[u8], start: usize) -> Option<Found> {
    let rest = &text[start..];
    let key = |what, length: usize| {
        Some(Found {
            what,
            secret: start..start + length,
            inner: None,
        })
    };
    match rest {
        [b':', b'/', b'/', ..] => password_of_url(text, start),
        [b'b' | b'B', b'e' | b'E' | b'a' | b'A', ..] => header(text, start),
        [b'-', b'-', b'-', b'-', b'-', b'B', b'E', ..] => private_key(text, start),
        _ if !starts_word(text, start) => None,
        // A dash belongs to base64, so nothing begins after one; a run of dashes is scanned once.
        [b'e', b'y', b'J', ..] if start == 0 || text[start - 1] != b'-' => {
            jwt(rest).and_then(|length| key("a JSON web token", length))
        }
        [b'A', b'K' | b'S', b'I', b'A', key_id @ ..] => {
            let length = run(key_id, |byte| {
                byte.is_ascii_uppercase() || byte.is_ascii_digit()
            });
            if length == 16 {
                key("an AWS access key", 20)
            } else {
                None
            }
        }
        [
            b'g',
            b'h',
            b'p' | b'o' | b'u' | b's' | b'r',
            b'_',
            token @ ..,
        ] => {
            let length = run(token, |byte| byte.is_ascii_alphanumeric());
            if length >= 16 {
                key("a GitHub token", 4 + length)
            } else {
                None
            }
        }
        _ if rest.starts_with(b"github_pat_") => {
            let length = run(&rest[11..], is_word);
            if length >= 16 {
                key("a GitHub token", 11 + length)
            } else {
                None
            }
        }
        [b'x', b'o', b'x', b'a'..=b'z', b'-', token @ ..] => {
            let length = run(token, |byte| byte.is_ascii_alphanumeric() || byte == b'-');
            if length >= 10 {
                key("a Slack token", 5 + length)
            } else {
                None
            }
        }
        [b'A', b'I', b'z', b'a', rest @ ..] => {
            let length = run(rest, |byte| is_word(byte) || byte == b'-');
            if length >= 30 {
                key("a Google API key", 4 + length)
            } else {
                None
            }
        }
        _ => None,
    }
}

/// Recognises `scheme://user:password@host`. A password of dots or stars is none.
fn password_of_url(text: &[u8], colon: usize) -> Option<Found> {
    let scheme_ends = colon.checked_sub(1).map(|before| text[before])?;
    let start = colon + 3;
    let length = run(&text[start..], |byte| {
        !byte.is_ascii_whitespace() && !b"/?#\"'<>`\\".contains(&byte)
    });
    let authority = &text[start..start + length];
    let user_info = &authority[..authority.iter().rposition(|byte| *byte == b'@')?];
    let password = start + user_info.iter().position(|byte| *byte == b':')? + 1;
    let secret = password..start + user_info.len();
    let is_masked = text[secret.clone()]
        .iter()
        .all(|byte| b"*.xX".contains(byte));
    (scheme_ends.is_ascii_alphanumeric() && !is_masked).then_some(Found {
        what: "a password in a URL",
        secret,
        inner: None,
    })
}

/// Recognises `Bearer TOKEN` and `Basic CREDENTIALS`, in any case. What follows must not be an
/// ordinary word.
fn header(text: &[u8], start: usize) -> Option<Found> {
    let rest = &text[start..];
    let is = |name: &[u8]| {
        rest.get(..name.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(name))
    };
    let (is_basic, skipped) = (is(b"basic "), if is(b"basic ") { 6 } else { 7 });
    if !starts_word(text, start) || !is_basic && !is(b"bearer ") {
        return None;
    }
    let length = run(&rest[skipped..], |byte| {
        is_word(byte) || b"-.~+/=".contains(&byte)
    });
    let secret = start + skipped..start + skipped + length;
    if is_basic {
        let pair = base64::decode(&text[secret.clone()])?;
        let colon = pair.iter().position(|byte| *byte == b':')?;
        let is_text = pair
            .iter()
            .all(|byte| (b' '..0x7f).contains(byte) || *byte >= 0x80);
        let inner = Some(pair[colon + 1..].to_vec());
        return is_text.then_some(Found {
            what: "a Basic header",
            secret,
            inner,
        });
    }
    let token = &text[secret.clone()];
    let has = |is: fn(&u8) -> bool| token.iter().any(is);
    let is_mixed = has(u8::is_ascii_digit)
        || has(u8::is_ascii_lowercase) && token[1..].iter().any(u8::is_ascii_uppercase);
    (length >= 20 || length >= 8 && is_mixed).then_some(Found {
        what: "a Bearer header",
        secret,
        inner: None,
    })
}

/// Returns the length of a JSON web token: three parts in base64, the first two of them JSON.
fn jwt(text: &[u8]) -> Option<usize> {
    let part = |from: usize| run(&text[from..], |byte| is_word(byte) || byte == b'-');
    let header = part(0);
    if header < 10 || text.get(header) != Some(&b'.') {
        return None;
    }
    let claims = part(header + 1);
    let end = header + 1 + claims;
    if claims < 4 || text.get(end) != Some(&b'.') {
        return None;
    }
    let signature = part(end + 1);
    (signature >= 8 || text[header + 1..].starts_with(b"eyJ")).then_some(end + 1 + signature)
}

/// Recognises a PEM block that is neither a public key nor a certificate. The secret is the content
/// between its lines.
fn private_key(text: &[u8], start: usize) -> Option<Found> {
    let label = start + b"-----BEGIN".len();
    let label_length = run(text.get(label..)?, |byte| {
        byte.is_ascii_uppercase() || byte == b' ' || byte.is_ascii_digit()
    });
    let body = label + label_length + 5;
    let label = &text[label..label + label_length];
    let names = |word: &[u8]| label.windows(word.len()).any(|part| part == word);
    let is_public = [
        &b"PUBLIC"[..],
        b"CERTIFICATE",
        b"CRL",
        b"PARAMETERS",
        b"MESSAGE",
    ]
    .into_iter()
    .any(names);
    let is_blank = label.iter().all(|byte| *byte == b' ');
    if is_blank || is_public || text.get(body - 5..body) != Some(b"-----") {
        return None;
    }
    let length = run(&text[body..], |byte| byte != b'-');
    (length > 0).then_some(Found {
        what: "a PEM block",
        secret: body..body + length,
        inner: None,
    })
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn starts_word(text: &[u8], start: usize) -> bool {
    start
        .checked_sub(1)
        .is_none_or(|before| !is_word(text[before]))
}

/// Returns the number of consecutive matching bytes.
fn run(bytes: &[u8], is: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| is(**byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the secrets found in a string, which are marked with `⟦` and `⟧`.
    fn check(marked: &str) {
        let text = marked.replace(['⟦', '⟧'], "");
        let expected: Vec<&str> = marked
            .split('⟦')
            .skip(1)
            .filter_map(|part| part.split('⟧').next())
            .collect();
        // Every format is found at an even and at an odd offset.
        for shift in ["", " "] {
            let text = format!("{shift}{text}");
            let found = all(text.as_bytes());
            let secrets: Vec<&str> = found
                .iter()
                .map(|found| &text[found.secret.clone()])
                .collect();
            assert_eq!(secrets, expected, "{text}");
        }
    }

    #[test]
    fn shapes_of_secrets_are_found() {
        for marked in [
            "postgres://app:⟦s3cr3t⟧@db.example.org:5432/main",
            "see https://me:⟦p@ss⟧@host/path and ftp://u:⟦pass⟧@h",
            "amqp://guest:⟦guest⟧@localhost",
            "Authorization: Bearer ⟦0123456789⟧",
            "bearer ⟦aB3.x-y_z~0+/=⟧",
            "BEARER ⟦abcdefghijklmnopqrstuv⟧",
            "Basic ⟦YWRtaW46aHVudGVyMjI=⟧",
            "proxy basic ⟦dTpw⟧",
            "t=⟦eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl⟧;",
            "⟦eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.⟧",
            "key ⟦AKIAIOSFODNN7EXAMPLE⟧ and ⟦ASIAIOSFODNN7EXAMPLE⟧.",
            "⟦ghp_0123456789abcdefghijABCDEFGHIJ012345⟧",
            "\"⟦gho_0123456789abcdefghijABCDEFGHIJ012345⟧\"",
            "⟦github_pat_11ABCDEFG0abcdefghij_KLMNOPQRST⟧",
            "⟦xoxb-123456789012-abcdefghij⟧",
            "⟦AIzaSyA0123456789abcdefghijklmnopqrstuv⟧",
            "-----BEGIN RSA PRIVATE KEY-----⟦\nMIIEow\nAAA=\n⟧-----END RSA PRIVATE KEY-----",
            "-----BEGIN OPENSSH PRIVATE KEY-----⟦\nb3Blbn\n⟧-----END OPENSSH PRIVATE KEY-----",
        ] {
            check(marked);
        }
        let basic = first(b"Basic YWRtaW46aHVudGVyMjI=", 0).unwrap();
        assert_eq!(basic.inner.unwrap(), b"hunter22");
    }

    #[test]
    fn what_only_looks_alike_is_not() {
        for text in [
            "http://localhost:8080/path@here",
            "ssh://git@github.com/a/b",
            "https://user:***@host and https://user:xxxx@host",
            "http://[::1]:80/",
            "://user:pass@host",
            "a@b.org:http://c",
            "the bearer of good news",
            "Bearer certificates",
            "Basic authentication is basic knowledge",
            "forbearer 0123456789",
            "eyJhbGciOiJIUzI1NiJ9",
            "eyJ.eyJ.abc",
            "myeyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
            "AKIAIOSFODNN7EXAMPL",
            "AKIAIOSFODNN7EXAMPLES",
            "XAKIAIOSFODNN7EXAMPLE",
            "ghp_short and ghx_0123456789abcdefghijABCDEFGHIJ012345",
            "github_pat_ is a prefix",
            "xox-123456789012 xoxo and xoxoxoxo",
            "AIza is short",
            "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
            "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
            "----------------------",
            "-----BEGIN",
            "",
        ] {
            check(text);
        }
    }

    #[test]
    fn a_long_text_of_beginnings_is_gone_through_once() {
        for start in [
            "://",
            "bearer ",
            "eyJ.",
            "eyJ-",
            "-----BEGIN ",
            "AKIA",
            "ghp_",
            "https://a:b@",
            "basic a",
        ] {
            let text = start.repeat(200_000);
            assert!(
                first(text.as_bytes(), 0).is_none() || start.contains('@'),
                "{start}"
            );
        }
    }
}
