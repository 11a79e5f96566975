//! Inline tests, Fig. 2.5: bit manipulation in the middle of a method, where no unit test can look at it alone.

use situ::prelude::*;

/// Year, month, day, hour, minute, second.
pub type DateTime = (u16, u16, u16, u16, u16, u16);

/// What a zip archive says of one file.
pub struct FileHeader {
    /// When the file was last changed.
    pub date_time: DateTime,
    /// Bit 3: sizes follow the data.
    pub flag_bits: u16,
    /// The size after compression.
    pub compressed_size: u32,
}

#[situ]
impl FileHeader {
    /// The header's bytes.
    pub fn encode(&self) -> Vec<u8> {
        let dt = self.date_time;
        let dos_date = (dt.0 - 1980) << 9 | dt.1 << 5 | dt.2;
        itest!(
            given(dt = (1980, 1, 25, 17, 13, 14)),
            check_eq(dos_date, 57)
        );
        let dos_time = dt.3 << 11 | dt.4 << 5 | (dt.5 / 2);
        itest!(
            given(dt = (1980, 1, 25, 17, 13, 14)),
            check_eq(dos_time, 35_239)
        );
        let mut size = self.compressed_size;
        if self.flag_bits & 0x08 != 0 {
            itest!(
                "sizes follow",
                given(self.flag_bits = 0x0808),
                check_true(cond())
            );
            size = 0;
        }
        let mut bytes = Vec::new();
        bytes.extend(dos_time.to_le_bytes());
        bytes.extend(dos_date.to_le_bytes());
        bytes.extend(size.to_le_bytes());
        bytes
    }
}
