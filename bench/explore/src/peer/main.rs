//! One peer on one property: `peer PROPERTY PEER SEED SECONDS` prints whether it found a violation, when, and what it shows.

#[cfg(feature = "hegel")]
mod hegels;
mod strategies;

use planted::planted::{Step, Term};
use planted::{planted as p, real as r};
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use strategies::{QuickStep, QuickTerm, terms};

/// When the first violation came, and the last one shown: peers end with their simplest.
static FOUND: Mutex<Option<(Duration, String)>> = Mutex::new(None);

struct Trial {
    started: Instant,
    limit: Duration,
}

impl Trial {
    /// Runs the property; false where it is violated.
    fn holds(&self, value: &dyn Debug, property: impl FnOnce() -> bool) -> bool {
        let is_found = FOUND.lock().unwrap().is_some();
        if self.started.elapsed() > self.limit && !is_found {
            report();
        }
        let holds = catch_unwind(AssertUnwindSafe(property)).unwrap_or(false);
        if !holds {
            let mut found = FOUND.lock().unwrap();
            let first = found
                .as_ref()
                .map_or_else(|| self.started.elapsed(), |(first, _)| *first);
            *found = Some((first, format!("{value:?}")));
        }
        holds
    }
}

/// Prints what was found, and ends.
fn report() -> ! {
    let found = FOUND.lock().unwrap().clone();
    let line = match found {
        Some((when, shown)) => {
            serde_json::json!({ "found": true, "seconds": when.as_secs_f64(), "shown": shown })
        }
        None => serde_json::json!({ "found": false }),
    };
    println!("{line}");
    std::process::exit(0)
}

fn proptest<T: Debug>(
    strategy: impl proptest::strategy::Strategy<Value = T>,
    seed: u64,
    trial: &Trial,
    property: impl Fn(&T) -> bool,
) {
    use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config {
        cases: u32::MAX,
        failure_persistence: None,
        ..Config::default()
    };
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let result = runner.run(&strategy, |value| {
        match trial.holds(&value, || property(&value)) {
            true => Ok(()),
            false => Err(TestCaseError::fail("violated")),
        }
    });
    if let (Err(proptest::test_runner::TestError::Fail(_, value)), Some(found)) =
        (result, &mut *FOUND.lock().unwrap())
    {
        found.1 = format!("{value:?}");
    }
}

struct Quick<F>(F);

impl<T: quickcheck::Arbitrary + Debug, F: Fn(&T) -> bool + 'static> quickcheck::Testable
    for Quick<(F, std::rc::Rc<Trial>, std::marker::PhantomData<T>)>
{
    fn result(&self, random: &mut quickcheck::Gen) -> quickcheck::TestResult {
        let (property, trial, _) = &self.0;
        let value = T::arbitrary(random);
        if trial.holds(&value, || property(&value)) {
            return quickcheck::TestResult::passed();
        }
        let mut smallest = value;
        // Greedily, as the crate itself does.
        while let Some(smaller) = smallest
            .shrink()
            .find(|smaller| !trial.holds(smaller, || property(smaller)))
        {
            smallest = smaller;
        }
        quickcheck::TestResult::failed()
    }
}

fn quickcheck<T: quickcheck::Arbitrary + Debug>(
    seed: u64,
    trial: Trial,
    property: impl Fn(&T) -> bool + 'static,
) {
    let testable = Quick((property, std::rc::Rc::new(trial), std::marker::PhantomData));
    let random = quickcheck::Gen::from_size_and_seed(100, seed);
    let _ = quickcheck::QuickCheck::new()
        .rng(random)
        .tests(u64::MAX)
        .max_tests(u64::MAX)
        .quicktest(testable);
}

macro_rules! bolero {
    ($of:ty, $trial:expr, $property:expr) => {{
        let (trial, property) = (&$trial, $property);
        let _ = catch_unwind(AssertUnwindSafe(|| {
            bolero::check!().with_type::<$of>().for_each(|value: &$of| {
                assert!(trial.holds(value, || property(value)));
            });
        }));
    }};
}

/// Calls the property with nothing around it, and counts.
fn bare<T>(value: &T, trial: &Trial, property: impl Fn(&T) -> bool) -> ! {
    let mut calls = 0_u64;
    while trial.started.elapsed() < trial.limit {
        for _ in 0..1_000 {
            std::hint::black_box(property(std::hint::black_box(value)));
        }
        calls += 1_000;
    }
    println!("{}", serde_json::json!({ "calls": calls }));
    std::process::exit(0)
}

macro_rules! properties {
    ($peer:expr, $name:expr, $seed:expr, $trial:expr; $($property:ident: $of:ty, $strategy:expr, $quick:ty, $from:expr, $call:expr;)*) => {
        match $name {
            $(stringify!($property) => match $peer {
                "proptest" => proptest($strategy, $seed, &$trial, $call),
                "quickcheck" => quickcheck::<$quick>($seed, $trial, |value| {
                    let from: fn(&$quick) -> $of = $from;
                    let call: fn(&$of) -> bool = $call;
                    call(&from(value))
                }),
                "bolero" => bolero!($of, $trial, $call),
                #[cfg(feature = "hegel")]
                "hegel" => hegels::check::<$of>($seed, &$trial, $call),
                other => panic!("there is no peer {other}"),
            },)*
            other => panic!("there is no property {other}"),
        }
    };
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [property, peer, seed, seconds] = arguments.as_slice() else {
        panic!("peer PROPERTY PEER SEED SECONDS")
    };
    let seed: u64 = seed.parse().expect("a seed");
    let limit = Duration::from_secs_f64(seconds.parse().expect("seconds"));
    std::panic::set_hook(Box::new(|_| {}));
    let trial = Trial {
        started: Instant::now(),
        limit,
    };
    use proptest::arbitrary::any;
    type Texts = (String, String);
    match (property.as_str(), peer.as_str()) {
        ("sums_commute", "bare") => bare(&(17_u32, 4_u32), &trial, |(one, other)| {
            p::sums_commute(*one, *other)
        }),
        ("reversed_twice", "bare") => bare(&"some text", &trial, |text| p::reversed_twice(text)),
        _ => {}
    }
    properties! { peer.as_str(), property.as_str(), seed, trial;
        range: u32, any::<u32>(), u32, |v| *v, |v: &u32| p::range(*v);
        magic: u64, any::<u64>(), u64, |v| *v, |v: &u64| p::magic(*v);
        two_magics: (u32, u32), any::<(u32, u32)>(), (u32, u32), |v| *v, |v: &(u32, u32)| p::two_magics(v.0, v.1);
        prefix: String, any::<String>(), String, Clone::clone, |v: &String| p::prefix(v);
        number_in_text: String, any::<String>(), String, Clone::clone, |v: &String| p::number_in_text(v);
        checksum: Vec<u8>, any::<Vec<u8>>(), Vec<u8>, Clone::clone, |v: &Vec<u8>| p::checksum(v);
        hash: u32, any::<u32>(), u32, |v| *v, |v: &u32| p::hash(*v);
        length: Vec<u8>, any::<Vec<u8>>(), Vec<u8>, Clone::clone, |v: &Vec<u8>| p::length(v);
        order: Vec<Step>, any::<Vec<Step>>(), Vec<QuickStep>, |v| v.iter().map(|step| step.0.clone()).collect(), |v: &Vec<Step>| p::order(v);
        deep: Term, terms(), QuickTerm, |v| v.0.clone(), |v: &Term| p::deep(v);
        float: f64, any::<f64>(), f64, |v| *v, |v: &f64| p::float(*v);
        letters: String, any::<String>(), String, Clone::clone, |v: &String| p::letters(v);
        wildmatch_itself: String, any::<String>(), String, Clone::clone, |v: &String| r::wildmatch_itself(v);
        wildmatch_branches: Texts, any::<Texts>(), Texts, Clone::clone, |v: &Texts| r::wildmatch_branches(&v.0, &v.1);
        wildmatch_states: Texts, any::<Texts>(), Texts, Clone::clone, |v: &Texts| r::wildmatch_states(&v.0, &v.1);
        wildmatch_restart: (String, usize), any::<(String, usize)>(), (String, usize), Clone::clone, |v: &(String, usize)| r::wildmatch_restart(&v.0, v.1);
        wildmatch_older: Texts, any::<Texts>(), Texts, Clone::clone, |v: &Texts| r::wildmatch_older(&v.0, &v.1);
        jaro_of_itself: String, any::<String>(), String, Clone::clone, |v: &String| r::jaro_of_itself(v);
        jaro_winkler_of_different: Texts, any::<Texts>(), Texts, Clone::clone, |v: &Texts| r::jaro_winkler_of_different(&v.0, &v.1);
        triangle: (String, String, String), any::<(String, String, String)>(), (String, String, String), Clone::clone, |v: &(String, String, String)| r::triangle(&v.0, &v.1, &v.2);
        indent_by_nothing: String, any::<String>(), String, Clone::clone, |v: &String| r::indent_by_nothing(v);
        dedent_without_newline: String, any::<String>(), String, Clone::clone, |v: &String| r::dedent_without_newline(v);
        wrapping: String, any::<String>(), String, Clone::clone, |v: &String| r::wrapping(v);
        least_common_multiple: (u16, u16), any::<(u16, u16)>(), (u16, u16), |v| *v, |v: &(u16, u16)| r::least_common_multiple(v.0, v.1);
        multiple_of_any: (u32, u32), any::<(u32, u32)>(), (u32, u32), |v| *v, |v: &(u32, u32)| r::multiple_of_any(v.0, v.1);
        quoted_word: String, any::<String>(), String, Clone::clone, |v: &String| r::quoted_word(v);
        units: u8, any::<u8>(), u8, |v| *v, |v: &u8| r::units(*v);
        encoded_label: String, any::<String>(), String, Clone::clone, |v: &String| r::encoded_label(v);
        change_of_case: String, any::<String>(), String, Clone::clone, |v: &String| r::change_of_case(v);
        title_of_title: String, any::<String>(), String, Clone::clone, |v: &String| r::title_of_title(v);
    }
    report()
}
