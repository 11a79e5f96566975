//! How the peers make values of the planted types.

use planted::planted::{Step, Term};
use proptest::arbitrary::any;
use proptest::prop_oneof;
use proptest::strategy::Strategy;
use quickcheck::{Arbitrary as _, Gen};

/// Terms for proptest, which needs to be told how deep they may be.
pub fn terms() -> impl Strategy<Value = Term> {
    any::<i32>()
        .prop_map(Term::Number)
        .prop_recursive(6, 64, 2, |inner| {
            let two = || {
                (
                    inner.clone().prop_map(Box::new),
                    inner.clone().prop_map(Box::new),
                )
            };
            prop_oneof![
                inner.clone().prop_map(|term| Term::Negated(Box::new(term))),
                two().prop_map(|(one, other)| Term::Sum(one, other)),
                two().prop_map(|(one, other)| Term::Product(one, other)),
            ]
        })
}

/// A step for quickcheck.
#[derive(Clone, Debug)]
pub struct QuickStep(pub Step);

impl quickcheck::Arbitrary for QuickStep {
    fn arbitrary(random: &mut Gen) -> Self {
        let read = Step::Read(u8::arbitrary(random));
        QuickStep(
            random
                .choose(&[Step::Open, read, Step::Reset, Step::Close])
                .cloned()
                .unwrap_or(Step::Open),
        )
    }
}

/// A term for quickcheck.
#[derive(Clone, Debug)]
pub struct QuickTerm(pub Term);

impl quickcheck::Arbitrary for QuickTerm {
    fn arbitrary(random: &mut Gen) -> Self {
        QuickTerm(term(random, 6))
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let inside = match &self.0 {
            Term::Number(number) => number.shrink().map(Term::Number).collect::<Vec<_>>(),
            Term::Negated(inner) => vec![(**inner).clone()],
            Term::Sum(one, other) | Term::Product(one, other) => {
                vec![(**one).clone(), (**other).clone()]
            }
        };
        Box::new(inside.into_iter().map(QuickTerm))
    }
}

fn term(random: &mut Gen, depth: usize) -> Term {
    let kind = if depth == 0 {
        0
    } else {
        u8::arbitrary(random) % 4
    };
    let mut inner = || Box::new(term(random, depth - 1));
    match kind {
        1 => Term::Negated(inner()),
        2 => Term::Sum(inner(), inner()),
        3 => Term::Product(inner(), inner()),
        _ => Term::Number(i32::arbitrary(random)),
    }
}
