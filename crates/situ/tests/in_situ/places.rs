//! Where tests may stand: trait impls, default methods, nested functions, modules, every kind of block.

use situ::prelude::*;
use std::fmt;

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("places.rs"));
}

trait Shape {
    const SIDES: u32;
    type Unit: Into<u64> + Copy;

    fn unit(&self) -> Self::Unit;
    fn sides(&self) -> u32;
    fn scaled(&self, by: u64) -> u64;
}

#[derive(Debug, PartialEq)]
struct Square(u8);

#[situ]
impl Shape for Square {
    const SIDES: u32 = 4;
    type Unit = u8;

    fn unit(&self) -> Self::Unit {
        let unit: Self::Unit = self.0;
        itest!(given(self = Square(3)), check_eq(unit, 3));
        unit
    }

    fn sides(&self) -> u32 {
        let sides = Self::SIDES;
        itest!(check_eq(sides, 4));
        sides
    }

    fn scaled(&self, by: u64) -> u64 {
        blocktest!(given(self = Self(3), by = 2), check_return(6));
        let unit: u64 = self.unit().into();
        unit * by
    }
}

impl Shape for Vec<i64> {
    const SIDES: u32 = 0;
    type Unit = u32;

    fn unit(&self) -> u32 {
        self.len() as u32
    }

    fn sides(&self) -> u32 {
        Self::SIDES
    }

    fn scaled(&self, by: u64) -> u64 {
        self.len() as u64 * by
    }
}

trait Total {
    type Sum;
    fn total(&self) -> Self::Sum;
}

#[situ]
impl Total for Vec<i64> {
    type Sum = i64;

    fn total(&self) -> Self::Sum {
        let total: Self::Sum = self.iter().sum();
        itest!(
            "of a foreign type",
            given(self = vec![1, 2]),
            check_eq(total, 3)
        );
        total
    }
}

#[situ]
impl<T: Copy + Into<i64>, const N: usize> Total for [T; N] {
    type Sum = i64;

    fn total(&self) -> i64 {
        blocktest!(given(T = i8, N = 2, self = [-1, -2]), check_return(-3));
        let mut total = 0;
        for item in self {
            let item: i64 = (*item).into();
            total += item;
        }
        total
    }
}

#[situ]
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = "#".repeat(usize::from(self.0));
        itest!(given(self = Square(2)), check_eq(text, "##"));
        write!(f, "{text}")
    }
}

#[situ]
impl Iterator for Square {
    type Item = u8;

    fn next(&mut self) -> Option<Self::Item> {
        blocktest!(
            "more",
            given(self = Square(2)),
            check_return(Some(2)),
            check_eq(self.0, 1)
        );
        blocktest!("no more", given(self = Square(0)), check_return(None));
        let last: Option<Self::Item> = Some(self.0);
        self.0 = self.0.checked_sub(1)?;
        last
    }
}

#[situ]
trait Describe {
    fn name(&self) -> String;

    fn describe(&self, times: usize) -> String {
        let name = self.name();
        itest!(
            given(Self = Square, self = Square(7)),
            check_eq(name, "square 7")
        );
        let repeated = name.repeat(times);
        itest!(
            "without self",
            given(name = "ab".to_string(), times = 2),
            check_eq(repeated, "abab")
        );
        blocktest!(
            "mocked",
            given(Self = Square, self = Square(1), repeated = String::new()),
            mock(self.name(), "x".to_string()),
            check_return("x, x".to_string())
        );
        let again = self.name();
        format!("{again}, {again}{}", repeated.repeat(0))
    }

    fn constant() -> u32
    where
        Self: Shape,
    {
        let doubled = Self::SIDES * 2;
        itest!(given(Self = Square), check_eq(doubled, 8));
        doubled
    }
}

impl Describe for Square {
    fn name(&self) -> String {
        format!("square {}", self.0)
    }
}

#[situ]
fn nested_functions(n: u32) -> u32 {
    const FACTOR: u32 = 3;
    fn inner(n: u32) -> u32 {
        let tripled = n * FACTOR;
        itest!("inner", given(n = 2), check_eq(tripled, 6));
        fn innermost(n: u32) -> u32 {
            let less = n - 1;
            itest!("innermost", given(n = 2), check_eq(less, 1));
            less
        }
        innermost(tripled)
    }
    struct Local {
        n: u32,
    }
    impl Local {
        fn next(&self) -> u32 {
            self.n + FACTOR
        }
    }
    let local = Local { n: inner(n) };
    itest!(
        "items of the block are seen",
        given(n = 2),
        check_eq(local.n, 5)
    );
    let next = local.next();
    itest!(
        "methods too",
        given(local = Local { n: 1 }),
        check_eq(next, 4)
    );
    next
}

#[situ]
mod inline {
    use super::Square;
    use situ::prelude::*;

    const OFFSET: u8 = 5;

    pub fn shifted(square: &Square) -> u8 {
        let shifted = square.0 + OFFSET;
        itest!(given(square = &super::Square(1)), check_eq(shifted, 6));
        shifted
    }

    pub struct Counter {
        pub count: u32,
    }

    impl Counter {
        pub fn tick(&mut self) -> u32 {
            self.count += 1;
            itest!(given(self = Counter { count: 1 }), check_eq(self.count, 2));
            self.count
        }
    }

    pub mod deeper {
        use situ::prelude::*;

        pub fn halved(n: u32) -> u32 {
            let half = n / 2;
            itest!(given(n = 9), check_eq(half, 4));
            half
        }
    }

    pub trait Doubled {
        fn get(&self) -> u32;
        fn doubled(&self) -> u32 {
            let doubled = self.get() * 2;
            itest!(
                given(Self = Counter, self = Counter { count: 4 }),
                check_eq(doubled, 8)
            );
            doubled
        }
    }

    impl Doubled for Counter {
        fn get(&self) -> u32 {
            let count = self.count;
            itest!(given(self = Counter { count: 4 }), check_eq(count, 4));
            count
        }
    }
}

#[situ]
const fn a_const_function(n: u32) -> u32 {
    let squared = n * n;
    itest!(given(n = 3), check_eq(squared, 9));
    squared
}

const SQUARED: u32 = a_const_function(4);

#[situ]
extern "C" fn a_foreign_interface(n: i32) -> i32 {
    let doubled = n * 2;
    itest!(given(n = 3), check_eq(doubled, 6));
    doubled
}

#[situ]
fn every_kind_of_block(n: u32, list: &[u32]) -> u32 {
    let mut sum = SQUARED;
    'rows: for item in list {
        loop {
            let doubled = item * 2;
            itest!(
                "in a loop in a loop",
                given(item = &3),
                check_eq(doubled, 6)
            );
            if doubled > n {
                break 'rows;
            }
            sum += doubled;
            if sum > 9 {
                break;
            }
        }
    }
    match n {
        0 => {
            sum += 1;
            itest!("in an arm", given(sum = 1), check_eq(sum, 2));
        }
        1 if sum > 3 => sum += 2,
        _ => {}
    }
    let closure = |x: u32| {
        let y = x + 1;
        itest!("in a closure", given(x = 1), check_eq(y, 2));
        y
    };
    let labelled = 'found: {
        if n > 3 {
            break 'found 1;
        }
        let other = n + 2;
        itest!("in a labelled block", given(n = 1), check_eq(other, 3));
        other
    };
    let in_an_argument = u32::max(n, {
        let one = n / n.max(1);
        itest!("in an argument", given(n = 7), check_eq(one, 1));
        one
    });
    if let Some(first) = list.first() {
        let next = first + 1;
        itest!("in an if let", given(first = &4), check_eq(next, 5));
        sum += next;
    } else {
        sum += 5;
        itest!("in an else", given(sum = 1), check_eq(sum, 6));
    }
    closure(sum) + labelled + in_an_argument
}
