//! Tests that search for other inputs: values with holes, which are filled differently in each of
//! many runs in one process.
//!
//! The environment names a folder. For the test with the number 7 it contains `7.plan` with one run
//! per line: holes and their fillings. The result of each run is appended to `7.journal`: whether
//! it panicked, its message, and the branches that it took. A test whose journal exists was run
//! before, and may have ended its process: it is not run again.

use super::run::Again;
use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The environment variable with the folder.
const FOLDER_VARIABLE: &str = "SITU_SEEK";

/// The time limit of all runs of one test in one process.
const LONGEST: Duration = Duration::from_millis(700);

thread_local! {
    static SEEKING: RefCell<Option<Seeking>> = const { RefCell::new(None) };
}

fn folder() -> Option<PathBuf> {
    std::env::var_os(FOLDER_VARIABLE).map(PathBuf::from)
}

/// Returns whether this process searches for inputs.
pub(super) fn is_asked() -> bool {
    folder().is_some()
}

/// The runs of one test.
struct Seeking {
    runs: Vec<HashMap<u32, Filling>>,
    /// The index of the current run.
    now: usize,
    journal: Option<File>,
    branches: fn() -> Vec<u32>,
    started: Instant,
}

impl Seeking {
    fn of_test(number: u64, branches: fn() -> Vec<u32>) -> Seeking {
        let folder = folder().unwrap_or_default();
        let journal = OpenOptions::new()
            .append(true)
            .create_new(true)
            .open(folder.join(format!("{number}.journal")))
            .ok();
        let plan = fs::read_to_string(folder.join(format!("{number}.plan"))).unwrap_or_default();
        let is_new = journal.is_some();
        let runs = plan.lines().filter(|_| is_new).map(fillings).collect();
        Seeking {
            runs,
            now: 0,
            journal,
            branches,
            started: Instant::now(),
        }
    }

    /// Notes the result of a run and returns whether there is another one.
    fn goes_on(&mut self, panic: Option<String>) -> bool {
        let taken = (self.branches)();
        let Some(journal) = self.journal.as_mut().filter(|_| self.now < self.runs.len()) else {
            return false;
        };
        let mut line = match panic {
            Some(text) => text
                .bytes()
                .fold("p".to_owned(), |line, byte| format!("{line}{byte:02x}")),
            None => "r".to_owned(),
        };
        taken
            .iter()
            .for_each(|branch| line.push_str(&format!(" {branch}")));
        self.now += 1;
        let is_over = self.now == self.runs.len() || self.started.elapsed() > LONGEST;
        line.push_str(if is_over { "\ne\n" } else { "\n" });
        journal.write_all(line.as_bytes()).is_ok() && !is_over
    }
}

/// Returns no branches, for tests that are not instrumented.
pub fn no_branches() -> Vec<u32> {
    Vec::new()
}

/// Begins a run of the test with this number and returns its row, which is always the same.
pub fn begin(number: u64, branches: fn() -> Vec<u32>) -> usize {
    if is_asked() {
        let is_over = SEEKING.with_borrow_mut(|seeking| {
            let seeking = seeking.get_or_insert_with(|| Seeking::of_test(number, branches));
            seeking.now >= seeking.runs.len()
        });
        assert!(!is_over, "there is no such run");
        branches();
    }
    0
}

/// Runs a test as often as its plan says.
pub(super) fn run(test: &Again) {
    // Thousands of panics are expected.
    set_hook(Box::new(|_| {}));
    loop {
        let ended = catch_unwind(AssertUnwindSafe(|| test.once()));
        // The message of an oracle is not a panic of the code.
        let panic = ended
            .err()
            .filter(|_| !test.has_reported())
            .map(|panic| said_by(&*panic));
        let goes_on = SEEKING
            .with_borrow_mut(|seeking| seeking.as_mut().is_some_and(|now| now.goes_on(panic)));
        if !goes_on {
            SEEKING.set(None);
            return;
        }
    }
}

/// Returns the first line of what a panic says.
fn said_by(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or(panic.downcast_ref::<&str>().copied());
    text.and_then(|text| text.lines().next())
        .unwrap_or_default()
        .to_owned()
}

/// The filling of a hole.
#[derive(Clone, Debug, PartialEq)]
pub enum Filling {
    /// A number by its bits, a char, a boolean, an index into a list.
    Number(u128),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Filling>),
}

/// Parses the holes of a line: `3=17 4="6162 5=[1 2 ]` fills three.
fn fillings(line: &str) -> HashMap<u32, Filling> {
    let mut words = line.split(' ');
    let mut all = HashMap::new();
    while let Some(word) = words.next() {
        let Some((number, first)) = word.split_once('=') else {
            continue;
        };
        if let (Ok(number), Some(filling)) = (number.parse(), filling(first, &mut words)) {
            all.insert(number, filling);
        }
    }
    all
}

fn filling<'w>(first: &str, rest: &mut impl Iterator<Item = &'w str>) -> Option<Filling> {
    if let Some(mut inner) = first.strip_prefix('[') {
        let mut items = Vec::new();
        while inner != "]" {
            items.push(filling(inner, rest)?);
            inner = rest.next()?;
        }
        return Some(Filling::List(items));
    }
    match first.strip_prefix('"') {
        Some(digits) => {
            let bytes: Option<Vec<u8>> = digits
                .as_bytes()
                .chunks(2)
                .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
                .collect();
            String::from_utf8(bytes?).ok().map(Filling::Text)
        }
        None => first.parse().ok().map(Filling::Number),
    }
}

/// Types that can fill a hole.
pub trait Fill: Sized {
    /// Converts the filling, if it is of this type.
    fn of(filling: &Filling) -> Option<Self>;
}

macro_rules! fill_numbers {
    ($($number:ty)*) => {
        $(impl Fill for $number {
            fn of(filling: &Filling) -> Option<$number> {
                // The bits of a wider number hold those of this one.
                if let Filling::Number(bits) = filling { Some(*bits as $number) } else { None }
            }
        })*
    };
}

fill_numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl Fill for bool {
    fn of(filling: &Filling) -> Option<bool> {
        u8::of(filling).map(|bit| bit != 0)
    }
}

impl Fill for char {
    fn of(filling: &Filling) -> Option<char> {
        u32::of(filling).and_then(char::from_u32)
    }
}

impl Fill for f32 {
    fn of(filling: &Filling) -> Option<f32> {
        u32::of(filling).map(f32::from_bits)
    }
}

impl Fill for f64 {
    fn of(filling: &Filling) -> Option<f64> {
        u64::of(filling).map(f64::from_bits)
    }
}

impl Fill for &str {
    fn of(filling: &Filling) -> Option<Self> {
        if let Filling::Text(text) = filling {
            Some(text.clone().leak())
        } else {
            None
        }
    }
}

impl<T: Fill> Fill for Vec<T> {
    fn of(filling: &Filling) -> Option<Vec<T>> {
        let Filling::List(items) = filling else {
            return None;
        };
        items.iter().map(T::of).collect()
    }
}

impl<T: Fill, const N: usize> Fill for [T; N] {
    fn of(filling: &Filling) -> Option<[T; N]> {
        Vec::of(filling)?.try_into().ok()
    }
}

fn filled<T>(number: u32, value: impl FnOnce(&Filling) -> Option<T>) -> Option<T> {
    SEEKING.with_borrow(|seeking| {
        let seeking = seeking.as_ref()?;
        value(seeking.runs.get(seeking.now)?.get(&number)?)
    })
}

/// Returns the filling of a hole in this run, or the original value.
pub fn hole<T: Fill>(number: u32, own: T) -> T {
    filled(number, T::of).unwrap_or(own)
}

/// Returns one of several values; the first if the plan does not choose.
pub fn chosen<T, const N: usize>(number: u32, values: [T; N]) -> T {
    let place = filled(number, usize::of).unwrap_or(0).min(N - 1);
    values.into_iter().nth(place).expect("it is one of these")
}

/// Returns a list whose length and elements the plan may change.
pub fn list<T: Fill, const N: usize>(number: u32, own: [T; N]) -> Vec<T> {
    filled(number, Vec::of).unwrap_or_else(|| own.into())
}

/// Returns some elements of a list, by their indices; the first `own` if the plan does not choose.
pub fn some_of<T, const N: usize>(number: u32, own: usize, all: [T; N]) -> Vec<T> {
    let places = filled(number, Vec::<usize>::of).unwrap_or_else(|| (0..own).collect());
    let mut all: Vec<Option<T>> = all.into_iter().map(Some).collect();
    places
        .into_iter()
        .filter_map(|place| all.get_mut(place)?.take())
        .collect()
}

/// Leaks a list as a slice.
pub fn slice<'a, T: 'a>(all: Vec<T>) -> &'a [T] {
    all.leak()
}

/// Leaks a list as a mutable slice.
pub fn slice_mut<'a, T: 'a>(all: Vec<T>) -> &'a mut [T] {
    all.leak()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_fills_holes_of_each_kind() {
        let all = fillings("3=17 4=\"6162 5=[1 \"63 [2 ] ] 6=x 7");
        assert_eq!(all[&3], Filling::Number(17));
        assert_eq!(all[&4], Filling::Text("ab".to_owned()));
        let inner = Filling::List(vec![Filling::Number(2)]);
        assert_eq!(
            all[&5],
            Filling::List(vec![
                Filling::Number(1),
                Filling::Text("c".to_owned()),
                inner
            ])
        );
        assert_eq!(all.len(), 3, "{all:?}");
        assert!(fillings("3=[1 2").is_empty(), "the list does not end");
    }

    #[test]
    fn numbers_are_those_of_their_type() {
        let minus_one = Filling::Number(u128::MAX);
        assert_eq!(
            (i8::of(&minus_one), u8::of(&minus_one)),
            (Some(-1), Some(255))
        );
        assert_eq!(bool::of(&Filling::Number(0)), Some(false));
        assert_eq!(
            f64::of(&Filling::Number(u128::from(1.5_f64.to_bits()))),
            Some(1.5)
        );
        assert_eq!(
            <[u8; 2]>::of(&Filling::List(vec![Filling::Number(1)])),
            None
        );
        assert_eq!(<&str>::of(&minus_one), None);
    }

    #[test]
    fn without_a_plan_everything_is_as_it_was() {
        assert_eq!(begin(1, no_branches), 0);
        assert_eq!(
            (hole(1, 5), chosen(2, ["a", "b"]), some_of(3, 2, [1, 2, 3])),
            (5, "a", vec![1, 2])
        );
        assert_eq!(list(4, [1, 2]), [1, 2]);
        assert_eq!(
            (slice(vec![1]), slice_mut(vec![2])),
            (&[1][..], &mut [2][..])
        );
    }
}
