//! The edges of the code that an execution took, from counters that the compiler inserts.

use std::sync::Mutex;

/// The counters of all instrumented modules of this process.
static SECTIONS: Mutex<Vec<Section>> = Mutex::new(Vec::new());

#[derive(Clone, Copy)]
struct Section {
    start: *mut u8,
    length: usize,
}

// SAFETY: the pointer is to counters that live as long as the process; they are bytes that any thread may change.
unsafe impl Send for Section {}

/// Registers a module's counters; called by each module before `main`.
///
/// # Safety
/// All bytes between the pointers must stay valid and writable.
#[cfg(situ_explored)]
#[unsafe(no_mangle)]
unsafe extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut u8, end: *mut u8) {
    let length = (end as usize).saturating_sub(start as usize);
    let mut sections = SECTIONS
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    if length > 0 && sections.iter().all(|section| section.start != start) {
        sections.push(Section { start, length });
    }
}

/// Sets all counters to 0.
pub fn forget() {
    let sections = SECTIONS
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    sections.iter().for_each(Section::clear);
}

impl Section {
    #[inline]
    fn clear(&self) {
        // SAFETY: the section is valid and writable for its whole length.
        unsafe { std::ptr::write_bytes(self.start, 0, self.length) };
    }
}

/// The features of all executions so far: an edge together with the magnitude of its count.
pub struct Coverage {
    sections: Vec<Section>,
    /// For each edge, one bit for each magnitude that occurred.
    seen: Vec<u8>,
    /// The number of edges taken at least once.
    edges: usize,
}

impl Coverage {
    /// Creates an empty coverage.
    pub fn new() -> Coverage {
        let sections = SECTIONS
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .clone();
        let length = sections.iter().map(|section| section.length).sum();
        Coverage {
            sections,
            seen: vec![0; length],
            edges: 0,
        }
    }

    /// Returns the number of edges taken so far.
    pub fn edges(&self) -> usize {
        self.edges
    }

    /// Sets all counters to 0, before an execution.
    #[inline]
    pub fn reset(&self) {
        self.sections.iter().for_each(Section::clear);
    }

    /// Returns how many features of the last execution are new. With `keep` they are added.
    pub fn new_features(&mut self, keep: bool) -> usize {
        let mut new = 0;
        let mut base = 0;
        for section in &self.sections {
            // SAFETY: the section is valid for its whole length, and bytes have no invalid values.
            let counters = unsafe { std::slice::from_raw_parts(section.start, section.length) };
            for (at, count) in taken_of(counters) {
                let edge = base + at;
                let magnitude = magnitude(count);
                if self.seen[edge] & magnitude == 0 {
                    new += 1;
                    if keep {
                        self.edges += usize::from(self.seen[edge] == 0);
                        self.seen[edge] |= magnitude;
                    }
                }
            }
            base += section.length;
        }
        new
    }

    /// Returns the indices of the edges that the last execution took.
    pub fn taken(&self) -> Vec<u32> {
        let mut taken = Vec::new();
        let mut base = 0;
        for section in &self.sections {
            // SAFETY: the section is valid for its whole length, and bytes have no invalid values.
            let counters = unsafe { std::slice::from_raw_parts(section.start, section.length) };
            taken.extend(taken_of(counters).map(|(at, _)| (base + at) as u32));
            base += section.length;
        }
        taken
    }
}

/// Returns the counters that are not 0. Most are, so several are tested at once.
fn taken_of(counters: &[u8]) -> impl Iterator<Item = (usize, u8)> {
    const AT_ONCE: usize = 64;
    let blocks = counters.chunks(AT_ONCE).enumerate();
    let is_taken = |block: &[u8]| block.iter().fold(0, |all, one| all | one) != 0;
    blocks
        .filter(move |(_, block)| is_taken(block))
        .flat_map(|(number, block)| {
            let counted = block.iter().enumerate().filter(|(_, count)| **count > 0);
            counted.map(move |(at, count)| (number * AT_ONCE + at, *count))
        })
}

/// Returns one bit for the counts 1, 2, 3, 4–7, 8–15, 16–31, 32–127, and 128 or more.
fn magnitude(count: u8) -> u8 {
    match count {
        0 => 0,
        1 => 1,
        2 => 2,
        3 => 4,
        4..=7 => 8,
        8..=15 => 16,
        16..=31 => 32,
        32..=127 => 64,
        _ => 128,
    }
}

#[cfg(test)]
mod tests {
    use super::{Coverage, Section};

    #[test]
    fn an_edge_is_new_once_and_again_when_taken_far_more_often() {
        let mut counters = vec![0_u8; 21];
        let section = Section {
            start: counters.as_mut_ptr(),
            length: counters.len(),
        };
        let mut coverage = Coverage {
            sections: vec![section],
            seen: vec![0; 21],
            edges: 0,
        };
        coverage.reset();
        assert_eq!(coverage.new_features(true), 0);
        let set = |at: usize, count: u8| {
            // SAFETY: the counters live until the end of the test.
            unsafe { *section.start.add(at) = count };
        };
        set(20, 1);
        set(3, 2);
        assert_eq!((coverage.new_features(false), coverage.edges()), (2, 0));
        assert_eq!((coverage.new_features(true), coverage.edges()), (2, 2));
        assert_eq!(coverage.new_features(true), 0);
        assert_eq!(coverage.taken(), [3, 20]);
        set(3, 9);
        assert_eq!((coverage.new_features(true), coverage.edges()), (1, 2));
    }
}
