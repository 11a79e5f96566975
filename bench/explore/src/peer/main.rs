//! One peer on one property: `peer PROPERTY PEER SEED SECONDS` prints whether it found a violation, when, and what it shows.

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
            let first = found.as_ref().map_or_else(|| self.started.elapsed(), |(first, _)| *first);
            *found = Some((first, format!("{value:?}")));
        }
        holds
    }
}

/// Prints what was found, and ends.
fn report() -> ! {
    let found = FOUND.lock().unwrap().clone();
    let line = match found {
        Some((when, shown)) => serde_json::json!({ "found": true, "seconds": when.as_secs_f64(), "shown": shown }),
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
    let config = Config { cases: u32::MAX, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let result = runner.run(&strategy, |value| match trial.holds(&value, || property(&value)) {
        true => Ok(()),
        false => Err(TestCaseError::fail("violated")),
    });
    if let (Err(proptest::test_runner::TestError::Fail(_, value)), Some(found)) = (result, &mut *FOUND.lock().unwrap())
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
        while let Some(smaller) = smallest.shrink().find(|smaller| !trial.holds(smaller, || property(smaller))) {
            smallest = smaller;
        }
        quickcheck::TestResult::failed()
    }
}

fn quickcheck<T: quickcheck::Arbitrary + Debug>(seed: u64, trial: Trial, property: impl Fn(&T) -> bool + 'static) {
    let testable = Quick((property, std::rc::Rc::new(trial), std::marker::PhantomData));
    let random = quickcheck::Gen::from_size_and_seed(100, seed);
    let _ = quickcheck::QuickCheck::new().rng(random).tests(u64::MAX).max_tests(u64::MAX).quicktest(testable);
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
                other => panic!("there is no peer {other}"),
            },)*
            other => panic!("there is no property {other}"),
        }
    };
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [property, peer, seed, seconds] = arguments.as_slice() else { panic!("peer PROPERTY PEER SEED SECONDS") };
    let seed: u64 = seed.parse().expect("a seed");
    let limit = Duration::from_secs_f64(seconds.parse().expect("seconds"));
    std::panic::set_hook(Box::new(|_| {}));
    let trial = Trial { started: Instant::now(), limit };
    use proptest::arbitrary::any;
    type Texts = (String, String);
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
        jaro_of_itself: String, any::<String>(), String, Clone::clone, |v: &String| r::jaro_of_itself(v);
        jaro_winkler_of_different: Texts, any::<Texts>(), Texts, Clone::clone, |v: &Texts| r::jaro_winkler_of_different(&v.0, &v.1);
        triangle: (String, String, String), any::<(String, String, String)>(), (String, String, String), Clone::clone, |v: &(String, String, String)| r::triangle(&v.0, &v.1, &v.2);
        indent_by_nothing: String, any::<String>(), String, Clone::clone, |v: &String| r::indent_by_nothing(v);
        wrapping: String, any::<String>(), String, Clone::clone, |v: &String| r::wrapping(v);
        least_common_multiple: (u16, u16), any::<(u16, u16)>(), (u16, u16), |v| *v, |v: &(u16, u16)| r::least_common_multiple(v.0, v.1);
        change_of_case: String, any::<String>(), String, Clone::clone, |v: &String| r::change_of_case(v);
        title_of_title: String, any::<String>(), String, Clone::clone, |v: &String| r::title_of_title(v);
    }
    report()
}
