//! The encoding of recordings: variable-length numbers, strings, a checksum.

/// The error of bytes that no writer of this version produces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

/// Appends an unsigned number as LEB128, in as few bytes as it needs.
pub fn put_number(into: &mut Vec<u8>, mut number: u128) {
    while number >= 0x80 {
        into.push((number as u8) | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}

/// Appends a signed number; numbers near zero take few bytes whatever their sign.
pub fn put_signed(into: &mut Vec<u8>, number: i128) {
    put_number(into, ((number << 1) ^ (number >> 127)) as u128);
}

/// Appends a string, preceded by its length in bytes.
pub fn put_text(into: &mut Vec<u8>, text: &str) {
    put_bytes(into, text.as_bytes());
}

/// Appends bytes, preceded by their number.
pub fn put_bytes(into: &mut Vec<u8>, bytes: &[u8]) {
    put_number(into, bytes.len() as u128);
    into.extend_from_slice(bytes);
}

/// Computes FNV-1a over eight bytes at a time, with a final mix. It is fast, and good enough to
/// detect incomplete records.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ bytes.len() as u64;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(word))
            .wrapping_mul(0x0000_0100_0000_01b3)
            .rotate_left(29);
    }
    for byte in chunks.remainder() {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ (hash >> 29)
}

/// A reader of what the `put_…` functions of this module wrote.
#[derive(Clone, Debug)]
pub struct Reader<'b> {
    bytes: &'b [u8],
}

impl<'b> Reader<'b> {
    /// Creates a reader at the first of these bytes.
    pub fn new(bytes: &'b [u8]) -> Self {
        Reader { bytes }
    }

    /// Returns whether all bytes are read.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Reads one byte.
    pub fn byte(&mut self) -> Result<u8, Malformed> {
        let (first, rest) = self.bytes.split_first().ok_or(Malformed)?;
        self.bytes = rest;
        Ok(*first)
    }

    /// Reads an unsigned number.
    pub fn number(&mut self) -> Result<u128, Malformed> {
        let mut number = 0u128;
        for shift in (0..).step_by(7) {
            let byte = self.byte()?;
            if shift > 126 {
                return Err(Malformed);
            }
            number |= u128::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        Ok(number)
    }

    /// Reads a signed number.
    pub fn signed(&mut self) -> Result<i128, Malformed> {
        let coded = self.number()?;
        Ok(((coded >> 1) as i128) ^ -((coded & 1) as i128))
    }

    /// Reads an unsigned number as a length or an index.
    pub fn length(&mut self) -> Result<usize, Malformed> {
        usize::try_from(self.number()?).map_err(|_| Malformed)
    }

    /// Reads eight bytes, little-endian.
    pub fn fixed64(&mut self) -> Result<u64, Malformed> {
        let mut word = [0; 8];
        word.copy_from_slice(self.take(8)?);
        Ok(u64::from_le_bytes(word))
    }

    /// Reads four bytes, little-endian.
    pub fn fixed32(&mut self) -> Result<u32, Malformed> {
        let mut word = [0; 4];
        word.copy_from_slice(self.take(4)?);
        Ok(u32::from_le_bytes(word))
    }

    /// Reads a length and as many bytes.
    pub fn bytes(&mut self) -> Result<&'b [u8], Malformed> {
        let length = self.length()?;
        self.take(length)
    }

    /// Reads a string.
    pub fn text(&mut self) -> Result<&'b str, Malformed> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Malformed)
    }

    fn take(&mut self, length: usize) -> Result<&'b [u8], Malformed> {
        if length > self.bytes.len() {
            return Err(Malformed);
        }
        let (taken, rest) = self.bytes.split_at(length);
        self.bytes = rest;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_at_the_edges_come_back() {
        for number in [
            0,
            1,
            -1,
            127,
            128,
            -128,
            i128::MAX,
            i128::MIN,
            i128::from(u64::MAX),
        ] {
            let mut bytes = Vec::new();
            put_signed(&mut bytes, number);
            let mut reader = Reader::new(&bytes);
            assert_eq!(reader.signed(), Ok(number));
            assert!(reader.is_empty());
        }
    }

    #[test]
    fn a_length_beyond_the_end_is_malformed() {
        let mut bytes = Vec::new();
        put_number(&mut bytes, u128::MAX);
        assert_eq!(Reader::new(&bytes).bytes(), Err(Malformed));
        assert_eq!(Reader::new(&[5, b'a']).text(), Err(Malformed));
    }

    #[test]
    fn one_changed_bit_changes_the_checksum() {
        let original: Vec<u8> = (0..100).collect();
        for bit in 0..800 {
            let mut changed = original.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(checksum(&changed), checksum(&original), "bit {bit}");
        }
    }
}
