//! Buffers of bytes that are written at one end and read at the other: of fixed size, growing, and a view of another.

/// Why a buffer does not do what it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

/// A read-write buffer.
pub trait Buffer {
    /// Adds as many bytes as there is room for, and says how many.
    fn put(&mut self, bytes: &[u8]) -> usize;

    /// Takes one byte.
    fn get(&mut self) -> Option<u8>;

    /// How many bytes can be taken.
    fn length(&self) -> usize;

    /// How many bytes can be added before it is compacted.
    fn space(&self) -> usize;

    /// Moves what is left to the front, so that the room of what was taken can be used again.
    ///
    /// # Errors
    ///
    /// Where the bytes belong to someone else.
    fn compact(&mut self) -> Result<(), Refused>;
}

/// A buffer with room for ten bytes.
#[derive(Clone, Debug, Default)]
pub struct FixedBuffer {
    bytes: [u8; 10],
    start: usize,
    end: usize,
}

impl Buffer for FixedBuffer {
    fn put(&mut self, bytes: &[u8]) -> usize {
        let count = bytes.len().min(self.space());
        self.bytes[self.end..self.end + count].copy_from_slice(&bytes[..count]);
        self.end += count;
        count
    }

    fn get(&mut self) -> Option<u8> {
        let byte = self.bytes[self.start..self.end].first().copied()?;
        self.start += 1;
        Some(byte)
    }

    fn length(&self) -> usize {
        self.end - self.start
    }

    fn space(&self) -> usize {
        self.bytes.len() - self.end
    }

    fn compact(&mut self) -> Result<(), Refused> {
        self.bytes.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        Ok(())
    }
}

/// A buffer that grows up to a hundred bytes.
#[derive(Clone, Debug, Default)]
pub struct GrowingBuffer {
    bytes: Vec<u8>,
    start: usize,
}

impl Buffer for GrowingBuffer {
    fn put(&mut self, bytes: &[u8]) -> usize {
        let count = bytes.len().min(self.space());
        self.bytes.extend_from_slice(&bytes[..count]);
        count
    }

    fn get(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.start).copied()?;
        self.start += 1;
        Some(byte)
    }

    fn length(&self) -> usize {
        self.bytes.len() - self.start
    }

    fn space(&self) -> usize {
        100 - self.bytes.len()
    }

    fn compact(&mut self) -> Result<(), Refused> {
        self.bytes.drain(..self.start);
        self.start = 0;
        Ok(())
    }
}

/// A window onto another buffer, which it must not rearrange.
#[derive(Clone, Debug, Default)]
pub struct View {
    of: FixedBuffer,
}

impl Buffer for View {
    fn put(&mut self, bytes: &[u8]) -> usize {
        self.of.put(bytes)
    }

    fn get(&mut self) -> Option<u8> {
        self.of.get()
    }

    fn length(&self) -> usize {
        self.of.length()
    }

    fn space(&self) -> usize {
        self.of.space()
    }

    fn compact(&mut self) -> Result<(), Refused> {
        // With the bug it says that it did what it did not do.
        if cfg!(feature = "bugs") {
            Ok(())
        } else {
            Err(Refused)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Buffer, FixedBuffer, GrowingBuffer, View};
    use situ::prelude::*;

    #[datapoint]
    fn fixed() -> Box<dyn Buffer> {
        Box::new(FixedBuffer::default())
    }

    #[datapoint]
    fn growing() -> Box<dyn Buffer> {
        Box::new(GrowingBuffer::default())
    }

    #[datapoint]
    fn view() -> Box<dyn Buffer> {
        Box::new(View::default())
    }

    #[datapoints]
    fn texts() -> Vec<Vec<u8>> {
        vec![vec![], vec![1], vec![1, 2, 3, 4, 5], (0..12).collect()]
    }

    #[theory]
    fn bytes_come_out_as_they_went_in(buffer: &mut dyn Buffer, bytes: &[u8]) {
        assume_eq!(buffer.put(bytes), bytes.len());
        let taken: Vec<u8> = std::iter::from_fn(|| buffer.get()).collect();
        assert_eq!(taken, bytes);
    }

    #[theory]
    fn compacting_makes_room_for_what_was_taken(
        buffer: &mut dyn Buffer,
        bytes: &[u8],
        #[values(1, 3)] taken: usize,
    ) {
        buffer.put(bytes);
        assume!(buffer.length() >= taken);
        let space = buffer.space();
        (0..taken).for_each(|_| assert!(buffer.get().is_some()));
        assume_ok!(buffer.compact());
        assert_eq!(buffer.space(), space + taken);
    }

    #[theory]
    fn compacting_changes_nothing_that_can_be_read(buffer: &mut dyn Buffer, bytes: &[u8]) {
        buffer.put(bytes);
        buffer.get();
        let length = buffer.length();
        let _ = buffer.compact();
        assert_eq!(buffer.length(), length);
        assert_eq!(buffer.get(), bytes.get(1).copied());
    }
}
