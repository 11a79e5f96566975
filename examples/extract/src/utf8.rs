//! Statements that move on while they write (Fig. 3.5): the bytes of a character, put into a buffer one by one.

use situ::prelude::*;

/// The bytes of characters, as many as fit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Buffer {
    bytes: [u8; 8],
    end: usize,
}

#[situ]
impl Buffer {
    /// What was written.
    pub fn written(&self) -> &[u8] {
        blocktest!(
            given(
                self.bytes = [97u8, 195, 159, 209, 143, 0, 0, 0],
                self.end = 5usize
            ),
            check_return(&[97, 195, 159, 209, 143]),
            observed("arvf")
        );
        &self.bytes[..self.end]
    }

    /// Writes a character of the first two thousand; says whether it is one and fits.
    pub fn write(&mut self, character: char) -> bool {
        let code = u32::from(character);
        if code < 0x80 && self.end < self.bytes.len() {
            itest!(
                tag("nearby"),
                each((code, end), [(233u32, 0usize), (128u32, 97usize)]),
                given(self.end = end, self.bytes = [0u8, 0, 0, 0, 0, 0, 0, 0]),
                check_false(cond()),
                check_false(cond(1)),
                observed("b3yp")
            );
            itest!(
                given(
                    code = 97u32,
                    self.end = 0usize,
                    self.bytes = [0u8, 0, 0, 0, 0, 0, 0, 0]
                ),
                check_true(cond()),
                observed("hwv5")
            );
            itest!(
                tag("nearby"),
                each(
                    (code, end, bytes, expected, operand_2),
                    [
                        (
                            97u32,
                            8usize,
                            [195u8, 169, 195, 168, 195, 188, 195, 182],
                            false,
                            false
                        ),
                        (0u32, 0usize, [0u8, 0, 0, 0, 0, 0, 0, 0], true, true)
                    ]
                ),
                given(self.end = end, self.bytes = bytes),
                check_eq(cond(), expected),
                check_true(cond(1)),
                check_eq(cond(2), operand_2),
                observed("zyke")
            );
            self.bytes[advance(&mut self.end)] = code as u8;
            return true;
        }
        if code >= 0x800 || self.end + 2 > self.bytes.len() {
            itest!(
                given(
                    code = 246u32,
                    self.end = 6usize,
                    self.bytes = [195u8, 169, 195, 168, 195, 188, 0, 0]
                ),
                check_false(cond()),
                observed("93en")
            );
            itest!(
                tag("nearby"),
                each(
                    (code, end, bytes, operand_1, operand_2),
                    [
                        (
                            97u32,
                            8usize,
                            [195u8, 169, 195, 168, 195, 188, 195, 182],
                            false,
                            true
                        ),
                        (2048u32, 0usize, [0u8, 0, 0, 0, 0, 0, 0, 0], true, false)
                    ]
                ),
                given(self.end = end, self.bytes = bytes),
                check_true(cond()),
                check_eq(cond(1), operand_1),
                check_eq(cond(2), operand_2),
                observed("pvp5")
            );
            itest!(
                given(
                    code = 8364u32,
                    self.end = 0usize,
                    self.bytes = [0u8, 0, 0, 0, 0, 0, 0, 0]
                ),
                check_true(cond()),
                check_true(cond(1)),
                observed("mzpf")
            );
            return false;
        }
        self.bytes[advance(&mut self.end)] = 0xc0 | (code >> 6) as u8;
        itest!(
            tag("nearby"),
            each(
                (code, expected),
                [
                    (233u32, [195, 0, 0, 0, 0, 0, 0, 0]),
                    (0u32, [192, 0, 0, 0, 0, 0, 0, 0]),
                    (u32::MAX, [255, 0, 0, 0, 0, 0, 0, 0])
                ]
            ),
            given(self.bytes = [0u8, 0, 0, 0, 0, 0, 0, 0], self.end = 0usize),
            check_eq(self.bytes, expected),
            check_eq(self.end, 1),
            observed("kcaa")
        );
        self.bytes[advance(&mut self.end)] = 0x80 | (code & 0x3f) as u8;
        itest!(
            given(
                self.bytes = [195u8, 0, 0, 0, 0, 0, 0, 0],
                self.end = 1usize,
                code = 233u32
            ),
            check_eq(self.bytes, [195, 169, 0, 0, 0, 0, 0, 0]),
            check_eq(self.end, 2),
            observed("tnf5")
        );
        itest!(
            given(
                self.bytes = [195u8, 169, 195, 0, 0, 0, 0, 0],
                self.end = 3usize,
                code = 232u32
            ),
            check_eq(self.bytes, [195, 169, 195, 168, 0, 0, 0, 0]),
            check_eq(self.end, 4),
            observed("rb8w")
        );
        true
    }
}

/// The position, which is one further from now on.
fn advance(position: &mut usize) -> usize {
    *position += 1;
    *position - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_characters_are_written() {
        let mut buffer = Buffer::default();
        assert!(buffer.write('a') && buffer.write('ß') && buffer.write('я'));
        assert_eq!(buffer.written(), "aßя".as_bytes());
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let mut buffer = Buffer::default();
        assert!(!buffer.write('€'));
        assert_eq!(
            "éèüöäñ"
                .chars()
                .filter(|character| buffer.write(*character))
                .count(),
            4
        );
        assert!(!buffer.write('a'));
    }
}
