//! Threads that compute at the same time.

use std::thread;

pub fn squeeze(number: u32) -> u32 {
    let squeezed = number.count_ones() ^ number >> 3;
    squeezed
}

pub fn all_at_once(threads: u32, each: u32) -> u64 {
    let handles: Vec<_> = (0..threads)
        .map(|thread| thread::spawn(move || (0..each).map(|n| u64::from(squeeze(thread * each + n))).sum::<u64>()))
        .collect();
    handles.into_iter().map(|handle| handle.join().unwrap()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn together_and_alone_agree() {
        let alone: u64 = (0..400).map(|number| u64::from(squeeze(number))).sum();
        assert_eq!(all_at_once(8, 50), alone);
    }
}
