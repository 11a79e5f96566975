//! The functions that `assume!` and its family call when their condition does not hold.

use std::cell::Cell;
use std::fmt;

use super::report::say;
use super::trial;

/// An assumption in the user's source.
#[derive(Debug, PartialEq, Eq)]
pub struct Site {
    /// Its file.
    pub file: &'static str,
    /// Its line.
    pub line: u32,
    /// The condition, as it was written.
    pub text: &'static str,
}

impl fmt::Display for Site {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` ({}:{})", self.text, self.file, self.line)
    }
}

/// Both sides of a comparison that did not come out as assumed, as `Debug` prints them.
pub type Compared = (String, String);

/// Types that a test can return when an assumption ends it.
#[diagnostic::on_unimplemented(
    message = "an assumption ends the function it stands in, which returns `{Self}`",
    label = "assumptions stand in theories and tests that return `()`, `bool` or `Result<(), _>`"
)]
pub trait Skipped {
    /// Returns the value that means success.
    fn skipped() -> Self;
}

impl Skipped for () {
    fn skipped() -> Self {}
}

impl Skipped for bool {
    fn skipped() -> Self {
        true
    }
}

impl<E> Skipped for Result<(), E> {
    fn skipped() -> Self {
        Ok(())
    }
}

/// Handles a failed assumption anywhere: in a theory it unwinds to the next assignment, in an
/// ordinary test it reports the skip.
pub fn reject(site: &'static Site, compared: &dyn Fn() -> Option<Compared>) {
    if trial::reject(site, compared) {
        trial::unwind_rejected();
    }
    say_skipped(site);
}

/// Handles a failed assumption in a theory's own body, which returns right after, so that nothing
/// unwinds.
pub fn reject_here(site: &'static Site, compared: &dyn Fn() -> Option<Compared>) {
    if !trial::reject(site, compared) {
        say_skipped(site);
    }
}

thread_local! {
    static SKIPPED: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether an assumption has ended an ordinary test on this thread since the last call.
pub(crate) fn take_skipped() -> bool {
    SKIPPED.with(Cell::take)
}

/// Reports a skipped test, so that it does not look like a passed one.
fn say_skipped(site: &Site) {
    SKIPPED.with(|skipped| skipped.set(true));
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    say(&format!(
        "skipped {test}: the assumption {site} does not hold"
    ));
    crate::rt::note_skipped(
        site.file,
        site.line,
        &format!("the assumption {site} does not hold"),
    );
}
