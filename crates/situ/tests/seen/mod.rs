//! What a theory was run on, for a test that looks at it afterwards.

use std::sync::Mutex;

/// A list of what was noted.
pub struct Seen(Mutex<Vec<String>>);

impl Seen {
    pub const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    pub fn note(&self, text: impl std::fmt::Debug) {
        self.0.lock().unwrap().push(format!("{text:?}"));
    }

    /// Runs the theory and says what it saw, sorted.
    pub fn after(&self, theory: fn()) -> Vec<String> {
        let mut seen = {
            self.0.lock().unwrap().clear();
            theory();
            std::mem::take(&mut *self.0.lock().unwrap())
        };
        seen.sort();
        seen
    }
}
