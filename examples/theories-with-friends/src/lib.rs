//! A run-length encoding, whose theories assert and generate with other crates.

/// Each byte with how often it follows itself.
pub fn encode(bytes: &[u8]) -> Vec<(u8, usize)> {
    let mut runs: Vec<(u8, usize)> = Vec::new();
    for &byte in bytes {
        match runs.last_mut() {
            Some((last, count)) if *last == byte => *count += 1,
            _ => runs.push((byte, 1)),
        }
    }
    runs
}

/// The bytes that were encoded.
pub fn decode(runs: &[(u8, usize)]) -> Vec<u8> {
    runs.iter()
        .flat_map(|&(byte, count)| std::iter::repeat_n(byte, count))
        .collect()
}

#[cfg(test)]
mod generated;
#[cfg(test)]
mod matched;
