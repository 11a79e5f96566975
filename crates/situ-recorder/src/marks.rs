//! Branch marks: the branches that the current thread took since a probe began, separately for each
//! thread and probe.

use std::cell::{Cell, RefCell};

use crate::reentrancy;

/// The branches taken while one probe was the innermost of its thread.
#[derive(Debug, Default)]
struct Frame {
    /// An open-addressing hash table of marks; zero is empty.
    table: Vec<u32>,
    taken: usize,
}

impl Frame {
    fn insert(&mut self, mark: u32) {
        if self.table.len() < 2 * (self.taken + 1) {
            let grown = vec![0; (2 * self.table.len()).max(16)];
            let old = std::mem::replace(&mut self.table, grown);
            self.taken = 0;
            old.into_iter()
                .filter(|mark| *mark != 0)
                .for_each(|mark| self.insert(mark));
        }
        let mask = self.table.len() - 1;
        let mut at = mark as usize & mask;
        while self.table[at] != 0 {
            if self.table[at] == mark {
                return;
            }
            at = (at + 1) & mask;
        }
        self.table[at] = mark;
        self.taken += 1;
    }

    fn sorted(&self) -> Vec<u32> {
        let mut marks: Vec<u32> = self
            .table
            .iter()
            .copied()
            .filter(|mark| *mark != 0)
            .collect();
        marks.sort_unstable();
        marks
    }
}

thread_local! {
    /// Whether there are frames. Read at every branch, so it must cost next to nothing.
    static ANY: Cell<bool> = const { Cell::new(false) };
    /// The last mark of the innermost frame, because a loop repeats the same one.
    static LAST: Cell<u32> = const { Cell::new(0) };
    static FRAMES: RefCell<Vec<Frame>> = const { RefCell::new(Vec::new()) };
}

/// Notes that a branch was taken.
#[inline(never)]
pub fn mark(mark: u32) {
    if !ANY.with(Cell::get) || LAST.with(Cell::get) == mark {
        return;
    }
    // The table may be reallocated here; and branches of code that captures a value do not belong
    // to the program.
    let Some(_stay) = reentrancy::enter() else {
        return;
    };
    LAST.with(|last| last.set(mark));
    let _ = FRAMES.try_with(|frames| {
        let Ok(mut frames) = frames.try_borrow_mut() else {
            return;
        };
        if let Some(innermost) = frames.last_mut() {
            innermost.insert(mark.max(1));
        }
    });
}

/// Opens a frame and returns its depth, for `close`.
pub(crate) fn open() -> usize {
    FRAMES
        .try_with(|frames| {
            let mut frames = frames.borrow_mut();
            frames.push(Frame::default());
            ANY.with(|any| any.set(true));
            LAST.with(|last| last.set(0));
            frames.len()
        })
        .unwrap_or(0)
}

/// Returns the branches taken so far in the frame, or none if frames of the thread are out of
/// order.
pub(crate) fn taken(depth: usize) -> Vec<u32> {
    FRAMES
        .try_with(|frames| {
            let frames = frames.borrow();
            if depth > 0 && frames.len() == depth {
                frames[depth - 1].sorted()
            } else {
                Vec::new()
            }
        })
        .unwrap_or_default()
}

/// Closes the frame and returns its branches, which also count for the frame around it.
pub(crate) fn close(depth: usize) -> Vec<u32> {
    let marks = taken(depth);
    let _ = FRAMES.try_with(|frames| {
        let mut frames = frames.borrow_mut();
        // An async task that moved to another thread leaves frames behind; they end with the frame
        // around them.
        if depth > 0 && frames.len() >= depth {
            frames.truncate(depth - 1);
        }
        ANY.with(|any| any.set(!frames.is_empty()));
        LAST.with(|last| last.set(0));
        if let Some(outer) = frames.last_mut() {
            marks.iter().for_each(|mark| outer.insert(*mark));
        }
    });
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inner_frame_counts_for_the_outer_one_too() {
        let outer = open();
        mark(7);
        let inner = open();
        (1..100).for_each(mark);
        assert_eq!(close(inner).len(), 99);
        mark(200);
        let all = close(outer);
        assert_eq!(all.len(), 100);
        assert_eq!(all.last(), Some(&200));
    }

    #[test]
    fn marks_of_other_threads_are_not_seen() {
        let frame = open();
        std::thread::spawn(|| mark(5)).join().unwrap();
        assert_eq!(close(frame), []);
    }
}
