//! The oracles: each reports the expected and the found value.

use super::exit::Left;
use super::run::Run;
use super::shorten::{both_shortened, shortened};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The maximum number of elements of a `for` loop.
const MAX_ITEMS: usize = 10_000;

/// Returns the elements that a `for` loop would iterate over.
pub fn items<I: IntoIterator>(iterable: I) -> Vec<I::Item> {
    iterable.into_iter().take(MAX_ITEMS).collect()
}

/// Formats a number with its noun.
pub(super) fn count(number: u32, noun: &str) -> String {
    let plural = if noun.ends_with('s') { "es" } else { "s" };
    format!("{number} {noun}{}", if number == 1 { "" } else { plural })
}

/// A step of a flow path: a branch, and its alternatives.
pub struct Step {
    /// The path up to here, as the user wrote it.
    pub name: &'static str,
    /// Where the branch stands.
    pub line: u32,
    /// The index of the branch among those that are counted.
    pub branch: usize,
    /// The other branches at that place.
    pub others: &'static [(&'static str, usize)],
}

impl Run {
    /// Fails unless a condition holds.
    #[track_caller]
    pub fn check_true(&self, oracle: &'static str, found: bool) {
        if !found {
            self.other(oracle, "true", "false".into());
        }
    }

    /// Fails if a condition holds.
    #[track_caller]
    pub fn check_false(&self, oracle: &'static str, found: bool) {
        if found {
            self.other(oracle, "false", "true".into());
        }
    }

    /// Fails because two values differ.
    #[cold]
    #[track_caller]
    pub fn differ(&self, oracle: &'static str, expected: String, found: String) -> ! {
        let (expected, found) = both_shortened(&expected, &found);
        self.fail(oracle, &[("expected", expected), ("found", found)])
    }

    /// Fails because a comparison of two values does not hold.
    #[cold]
    #[track_caller]
    pub fn not_so(
        &self,
        oracle: &'static str,
        operator: &'static str,
        left: String,
        right: String,
    ) -> ! {
        let (left, right) = both_shortened(&left, &right);
        self.fail(
            oracle,
            &[
                ("expected", format!("left {operator} right")),
                ("left", left),
                ("right", right),
            ],
        )
    }

    /// Fails because a value is not the expected one.
    #[cold]
    #[track_caller]
    pub fn other(&self, oracle: &'static str, expected: &'static str, found: String) -> ! {
        self.fail(
            oracle,
            &[("expected", expected.into()), ("found", shortened(&found))],
        )
    }

    /// Fails because the fragment exited before this oracle could be checked.
    #[cold]
    #[track_caller]
    pub fn never_made(&self, oracle: &'static str) -> ! {
        let line = self.line.load(Ordering::Relaxed);
        let found = if line == 0 {
            "never made: the fragment left before its end".into()
        } else {
            format!("never made: the fragment left at line {line}")
        };
        self.fail(
            oracle,
            &[
                ("expected", "a value at the fragment's end".into()),
                ("found", found),
            ],
        )
    }

    /// Fails because the fragment exited in a way that no clause expects.
    #[cold]
    #[track_caller]
    pub fn strayed<R>(
        &self,
        oracle: &str,
        expected: &str,
        left: &Left<R>,
        show: fn(&R) -> String,
    ) -> ! {
        let label =
            |label: &Option<&'static str>| label.map(|l| format!(" '{l}")).unwrap_or_default();
        let found = match left {
            Left::Through => "it ran to its end".into(),
            Left::Returned(value, 0) => format!("it returned {}", shortened(&show(value))),
            Left::Returned(value, line) => {
                format!("it returned {} at line {line}", shortened(&show(value)))
            }
            Left::Broke(to, line) => format!("it left by `break{}` at line {line}", label(to)),
            Left::Continued(to, line) => {
                format!("it left by `continue{}` at line {line}", label(to))
            }
        };
        self.fail(oracle, &[("expected", expected.into()), ("found", found)])
    }

    /// Notes the line at which the fragment exited.
    pub fn left_at(&self, line: u32) {
        self.line.store(line, Ordering::Relaxed);
    }

    /// Counts a pass through a branch.
    pub fn pass(&self, branch: usize) {
        self.passes[branch].fetch_add(1, Ordering::Relaxed);
    }

    fn passes_of(&self, branch: usize) -> u32 {
        self.passes[branch].load(Ordering::Relaxed)
    }

    /// Fails unless control took this path, `times` times if that is given.
    #[track_caller]
    pub fn check_flow(&self, oracle: &'static str, path: &'static [Step], times: Option<u32>) {
        let Some(last) = path.last() else { return };
        let found = self.passes_of(last.branch);
        match times {
            None if found > 0 => {}
            Some(times) if found == times => {}
            Some(times) => self.fail(
                oracle,
                &[
                    (
                        "expected",
                        format!("{} through {}", count(times, "pass"), last.name),
                    ),
                    ("found", found.to_string()),
                ],
            ),
            None => self.fail(
                oracle,
                &[
                    ("expected", "this path".into()),
                    ("found", self.other_way(path)),
                ],
            ),
        }
    }

    fn other_way(&self, path: &[Step]) -> String {
        let missed = path.iter().find(|step| self.passes_of(step.branch) == 0);
        let Some(missed) = missed else {
            return "that path".into();
        };
        let taken = missed
            .others
            .iter()
            .find(|(_, branch)| self.passes_of(*branch) > 0);
        match taken {
            Some((name, _)) => format!(
                "at {} (line {}) control took {name}",
                missed.name, missed.line
            ),
            None => format!(
                "control did not come to {} (line {})",
                missed.name, missed.line
            ),
        }
    }

    /// Fails if control took this path.
    #[track_caller]
    pub fn check_no_flow(&self, oracle: &'static str, path: &'static [Step], times: Option<u32>) {
        let Some(last) = path.last() else { return };
        let found = self.passes_of(last.branch);
        let taken = times.map_or(found > 0, |times| found == times);
        if taken {
            let found = format!(
                "control came to {} (line {}), {}",
                last.name,
                last.line,
                count(found, "pass")
            );
            self.fail(
                oracle,
                &[("expected", "another path".into()), ("found", found)],
            );
        }
    }
}

/// Types that point to a place in memory.
pub trait Pointer {
    /// Returns the address of that place.
    fn address(&self) -> *const ();
    /// Returns the number of bytes there, if it is known: two slices may begin at the same place.
    fn bytes(&self) -> Option<usize>;
}

macro_rules! pointers {
    ($($pointer:ty, $this:ident => $address:expr, $bytes:expr;)*) => {$(
        impl<T: ?Sized> Pointer for $pointer {
            fn address(&self) -> *const () {
                let $this = self;
                let address: *const T = $address;
                address.cast()
            }

            fn bytes(&self) -> Option<usize> {
                let $this = self;
                $bytes
            }
        }
    )*};
}

pointers! {
    &T, this => *this, Some(size_of_val(*this));
    &mut T, this => &**this, Some(size_of_val(&**this));
    *const T, this => *this, { let _ = this; None };
    *mut T, this => *this, { let _ = this; None };
    Box<T>, this => &**this, Some(size_of_val(&**this));
    Rc<T>, this => Rc::as_ptr(this), Some(size_of_val(&**this));
    Arc<T>, this => Arc::as_ptr(this), Some(size_of_val(&**this));
}

/// Returns a description of both places if two pointers that should be equal are not.
pub fn another_place(one: &impl Pointer, other: &impl Pointer) -> Option<String> {
    if !std::ptr::eq(one.address(), other.address()) {
        return Some("another".into());
    }
    let (one, other) = (one.bytes()?, other.bytes()?);
    (one != other)
        .then(|| format!("the same address, but {one} bytes and {other} bytes from there"))
}
