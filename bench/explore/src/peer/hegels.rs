//! How hegel makes values, and how it is run.

use crate::Trial;
use hegel::generators as gs;
use hegel::{HealthCheck, Hegel, Settings, TestCase};
use planted::planted::{Step, Term};
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Values that are drawn.
pub trait Drawn: Debug {
    fn drawn(from: &TestCase) -> Self;
}

macro_rules! by_default {
    ($($of:ty)*) => {$(
        impl Drawn for $of {
            fn drawn(from: &TestCase) -> Self {
                from.draw_silent(gs::default::<$of>())
            }
        }
    )*};
}

by_default! { u8 u32 u64 f64 String Vec<u8> (u32, u32) (u16, u16) (String, String) (String, usize) (String, String, String) }

impl Drawn for Vec<Step> {
    fn drawn(from: &TestCase) -> Self {
        let steps: Vec<(u8, u8)> = from.draw_silent(gs::default::<Vec<(u8, u8)>>());
        let step = |(kind, count): (u8, u8)| match kind % 4 {
            0 => Step::Open,
            1 => Step::Read(count),
            2 => Step::Reset,
            _ => Step::Close,
        };
        steps.into_iter().map(step).collect()
    }
}

impl Drawn for Term {
    fn drawn(from: &TestCase) -> Self {
        term(from, 6)
    }
}

fn term(from: &TestCase, depth: usize) -> Term {
    let kind = if depth == 0 {
        0
    } else {
        from.draw_silent(gs::integers::<u8>().max_value(3))
    };
    let inner = || Box::new(term(from, depth - 1));
    match kind {
        1 => Term::Negated(inner()),
        2 => Term::Sum(inner(), inner()),
        3 => Term::Product(inner(), inner()),
        _ => Term::Number(from.draw_silent(gs::integers::<i32>())),
    }
}

/// Runs it until something is found, or the time is over.
pub fn check<T: Drawn>(seed: u64, trial: &Trial, property: impl Fn(&T) -> bool) {
    let settings = Settings::new()
        .test_cases(u64::MAX)
        .seed(Some(seed))
        .database(None::<String>);
    let settings = settings.suppress_health_check(HealthCheck::all());
    let test = |case: TestCase| {
        let value = T::drawn(&case);
        assert!(trial.holds(&value, || property(&value)), "violated");
    };
    let _ = catch_unwind(AssertUnwindSafe(|| {
        Hegel::new(test).settings(settings).run()
    }));
}
