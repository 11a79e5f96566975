//! Values of another crate.

use gauge::{Meter, READINGS, Tally};

/// Adds a reading, while the lock is held.
pub fn read(meter: &Meter, reading: u32) -> usize {
    let mut readings = READINGS.lock().unwrap();
    let scaled = scaled(meter, reading);
    readings.push(scaled);
    readings.len()
}

fn scaled(meter: &Meter, reading: u32) -> u32 {
    let scaled = reading << meter.0;
    scaled
}

/// The length of a tally, in words of four.
pub fn words(tally: &Tally) -> u32 {
    let words = tally.0 / 4;
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_are_added_under_the_lock() {
        assert_eq!(read(&Meter(1), 7), 1);
        assert_eq!(format!("{:?}", Meter(2)), "2: [14]");
    }

    #[test]
    fn nobody_shows_a_tally_but_the_program() {
        assert_eq!(words(&Tally(9)), 2);
        assert_eq!(gauge::SHOWN.load(std::sync::atomic::Ordering::Relaxed), 0);
    }
}
