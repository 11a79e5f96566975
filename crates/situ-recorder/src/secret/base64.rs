//! Base64 in both alphabets, as far as secrets are recognised by it.

/// The alphabets: the standard one, and that of URLs.
pub const ALPHABETS: [&[u8; 64]; 2] = [
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
];

/// Encodes the chars that depend on these bytes alone, if `before` unknown bytes precede them in
/// their group of three.
pub fn inner(bytes: &[u8], before: usize, alphabet: &[u8; 64]) -> Vec<u8> {
    let (first, end) = ((before * 8).div_ceil(6), (before + bytes.len()) * 8 / 6);
    let sextet = |at: usize| {
        let bit = at * 6 - before * 8;
        let pair = u16::from(bytes[bit / 8]) << 8
            | u16::from(bytes.get(bit / 8 + 1).copied().unwrap_or(0));
        alphabet[usize::from(pair >> (10 - bit % 8) & 0x3f)]
    };
    (first..end).map(sextet).collect()
}

/// Encodes bytes, without padding.
pub fn whole(bytes: &[u8], alphabet: &[u8; 64]) -> Vec<u8> {
    let mut encoded = inner(&[bytes, &[0; 2]].concat(), 0, alphabet);
    encoded.truncate((bytes.len() * 8).div_ceil(6));
    encoded
}

/// Decodes either alphabet. Returns `None` for any other char.
pub fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let (mut decoded, mut bits, mut held) = (Vec::with_capacity(text.len()), 0_u32, 0);
    for byte in text.iter().take_while(|byte| **byte != b'=') {
        let value = ALPHABETS
            .iter()
            .find_map(|alphabet| alphabet.iter().position(|other| other == byte))?;
        bits = bits << 6 | value as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            decoded.push((bits >> held) as u8);
        }
    }
    Some(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_found_at_every_alignment() {
        for (whole, expected) in [
            ("hunter22", "aHVudGVyMj"),
            ("?hunter22", "h1bnRlcjIy"),
            ("u:hunter22", "odW50ZXIyM"),
        ] {
            let before = whole.find("hunter22").unwrap();
            assert_eq!(
                inner(b"hunter22", before, ALPHABETS[0]),
                expected.as_bytes(),
                "{whole}"
            );
        }
        assert_eq!(inner(&[0xfb, 0xff, 0xbf], 0, ALPHABETS[1]), b"-_-_");
        assert_eq!(whole(b"1234", ALPHABETS[0]), b"MTIzNA");
    }

    #[test]
    fn both_alphabets_are_decoded() {
        assert_eq!(decode(b"YWRtaW46aHVudGVyMjI=").unwrap(), b"admin:hunter22");
        assert_eq!(decode(b"-_+/").unwrap(), [0xfb, 0xff, 0xbf]);
        assert_eq!(decode(b"no spaces"), None);
    }
}
