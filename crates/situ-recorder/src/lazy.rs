//! Statics that are initialized at their first use without a lock, so that no thread of the program
//! waits for another one's allocations.

use std::fmt;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU8, Ordering};

/// A static value that is created at its first use.
pub struct Lazy<T> {
    value: AtomicPtr<T>,
}

impl<T> Lazy<T> {
    /// Creates an uninitialized value.
    #[allow(clippy::new_without_default, reason = "it is for statics")]
    pub const fn new() -> Self {
        Lazy {
            value: AtomicPtr::new(null_mut()),
        }
    }
}

impl<T: Send + Sync> Lazy<T> {
    /// Returns the value, if it was created.
    #[inline]
    pub fn get(&'static self) -> Option<&'static T> {
        // SAFETY: what is not null was published below, is never changed again and never freed.
        unsafe { self.value.load(Ordering::Acquire).as_ref() }
    }

    /// Returns the value and creates it if needed. Threads that call this at the same time may each
    /// create one; all but one are dropped.
    #[inline]
    pub fn get_or_init(&'static self, make: impl FnOnce() -> T) -> &'static T {
        match self.get() {
            Some(known) => known,
            None => self.init(make),
        }
    }

    #[cold]
    fn init(&'static self, make: impl FnOnce() -> T) -> &'static T {
        let made = Box::into_raw(Box::new(make()));
        match self
            .value
            .compare_exchange(null_mut(), made, Ordering::AcqRel, Ordering::Acquire)
        {
            // SAFETY: it was made above, and belongs to the static from now on, which never frees it.
            Ok(_) => unsafe { &*made },
            Err(earlier) => {
                // SAFETY: nobody but this thread knows what it has made.
                drop(unsafe { Box::from_raw(made) });
                // SAFETY: another thread has published it, and it is never changed again and never freed.
                unsafe { &*earlier }
            }
        }
    }
}

impl<T> fmt::Debug for Lazy<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Lazy")
    }
}

/// An action that is executed once.
#[derive(Debug)]
pub struct Once(AtomicU8);

const NOT_BEGUN: u8 = 0;
const BEGUN: u8 = 1;
const DONE: u8 = 2;

impl Once {
    /// Creates an action that has not been executed.
    #[allow(clippy::new_without_default, reason = "it is for statics")]
    pub const fn new() -> Self {
        Once(AtomicU8::new(NOT_BEGUN))
    }

    /// Returns whether the action was executed.
    #[inline]
    pub fn is_done(&self) -> bool {
        self.0.load(Ordering::Acquire) == DONE
    }

    /// Executes the action, unless it was executed, or waits for another thread that is executing
    /// it. `work` must not call this on the same value.
    pub fn call_once(&self, work: impl FnOnce()) {
        if self
            .0
            .compare_exchange(NOT_BEGUN, BEGUN, Ordering::Acquire, Ordering::Relaxed)
            .is_ok()
        {
            work();
            self.0.store(DONE, Ordering::Release);
        }
        while !self.is_done() {
            std::thread::yield_now();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;
    use std::thread;

    #[test]
    fn all_threads_get_one_value() {
        static LAZY: Lazy<String> = Lazy::new();
        let addresses: Vec<usize> = thread::scope(|scope| {
            let asking: Vec<_> = (0..8)
                .map(|number| {
                    scope.spawn(move || {
                        std::ptr::from_ref(LAZY.get_or_init(|| format!("{number}"))) as usize
                    })
                })
                .collect();
            asking
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        assert!(addresses.iter().all(|address| *address == addresses[0]));
    }

    #[test]
    fn it_is_done_once_and_is_done_when_the_call_comes_back() {
        static ONCE: Once = Once::new();
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    ONCE.call_once(|| _ = COUNT.fetch_add(1, Ordering::SeqCst));
                    assert_eq!(COUNT.load(Ordering::SeqCst), 1);
                });
            }
        });
    }
}
