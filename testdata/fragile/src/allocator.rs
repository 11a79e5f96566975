//! Counts allocations, as the example in the documentation of `GlobalAlloc` does, and keeps sizes behind a lock.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

struct Counter;

static ALLOCATED: AtomicUsize = AtomicUsize::new(0);
static LARGEST: Mutex<usize> = Mutex::new(0);

#[global_allocator]
static COUNTER: Counter = Counter;

unsafe impl GlobalAlloc for Counter {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let made = unsafe { System.alloc(layout) };
        if !made.is_null() {
            let before = ALLOCATED.fetch_add(layout.size(), Relaxed);
            note(layout.size() | before & 1);
        }
        made
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        unsafe { System.dealloc(memory, layout) };
        ALLOCATED.fetch_sub(layout.size(), Relaxed);
    }
}

/// Keeps the largest size, rounded; not in the implementation of the allocator, but called by it, with its lock held.
fn note(size: usize) {
    if let Ok(mut largest) = LARGEST.lock() {
        *largest = larger(*largest, size);
    }
}

/// The larger one of two sizes, rounded up.
pub fn larger(one: usize, other: usize) -> usize {
    let largest = if one > other { one } else { rounded(other) };
    largest
}

fn rounded(size: usize) -> usize {
    let blocks = (size + 15) / 16 * 16;
    blocks
}

/// Bytes that are allocated now.
pub fn allocated() -> usize {
    ALLOCATED.load(Relaxed)
}

#[cfg(test)]
mod tests {
    #[test]
    fn allocations_are_counted() {
        let list: Vec<u8> = Vec::with_capacity(super::larger(1 << 16, 7));
        assert!(super::allocated() >= list.capacity());
        assert!(*super::LARGEST.lock().unwrap() >= 1 << 16);
        assert_eq!(super::larger(1, 7), 16);
    }
}
