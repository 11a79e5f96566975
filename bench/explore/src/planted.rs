//! Planted faults of graded difficulty, and two properties that hold.

/// A step of a protocol.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "peers",
    derive(proptest_derive::Arbitrary, bolero::TypeGenerator)
)]
pub enum Step {
    Open,
    Read(u8),
    Reset,
    Close,
}

/// A term.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "peers", derive(bolero::TypeGenerator))]
pub enum Term {
    Number(i32),
    Negated(Box<Term>),
    Sum(Box<Term>, Box<Term>),
    Product(Box<Term>, Box<Term>),
}

/// A narrow range.
pub fn range(number: u32) -> bool {
    !(7_000_000..7_000_100).contains(&number)
}

/// One number of 64 bits.
pub fn magic(number: u64) -> bool {
    number != 0x5EED_CAFE_F00D_BEEF
}

/// Two numbers, the second depends on the first.
pub fn two_magics(first: u32, second: u32) -> bool {
    !(first.rotate_left(7) == 0x1357_9BDF && second == first ^ 0x0F0F_F0F0)
}

/// A text that begins in one way.
pub fn prefix(text: &str) -> bool {
    !text.starts_with("GET /admin?")
}

/// A number inside a text.
pub fn number_in_text(text: &str) -> bool {
    match text.split_once('=') {
        Some((key, value)) => !(key == "size" && value.parse::<u32>() == Ok(65_536)),
        None => true,
    }
}

/// A packet whose last byte is the sum of the others.
pub fn checksum(packet: &[u8]) -> bool {
    let Some((last, rest)) = packet.split_last() else {
        return true;
    };
    let sum = rest
        .iter()
        .fold(0_u8, |sum, byte| sum.wrapping_mul(3).wrapping_add(*byte));
    !(rest.len() >= 4 && rest[0] == 0x7F && *last == sum && rest[1] == 2)
}

/// A hash of a number.
pub fn hash(number: u32) -> bool {
    number.wrapping_mul(0x9E37_79B1).wrapping_add(12_345) != 0x1234_5678
}

/// A length.
pub fn length(list: &[u8]) -> bool {
    list.len() != 300
}

/// An order of operations.
pub fn order(steps: &[Step]) -> bool {
    let mut state = 0;
    for step in steps {
        state = match (state, step) {
            (0, Step::Open) => 1,
            (1, Step::Read(count)) if *count > 200 => 2,
            (2, Step::Reset) => 3,
            (3, Step::Read(0)) => 4,
            (4, Step::Close) => return false,
            (_, Step::Close) => 0,
            (state, _) => state,
        };
    }
    true
}

/// A deep structure.
pub fn deep(term: &Term) -> bool {
    let Term::Negated(inner) = term else {
        return true;
    };
    let Term::Negated(inner) = &**inner else {
        return true;
    };
    let Term::Product(left, right) = &**inner else {
        return true;
    };
    let Term::Sum(_, one) = &**left else {
        return true;
    };
    !(**one == Term::Number(-1) && matches!(&**right, Term::Negated(_)))
}

/// Floating-point numbers are not reals.
pub fn float(number: f64) -> bool {
    !(number > 1e15 && number + 1.0 == number)
}

/// Letters whose other case is longer.
pub fn letters(text: &str) -> bool {
    text.to_lowercase().len() == text.len() || !text.starts_with("id:")
}

/// Holds: to count executions.
pub fn sums_commute(one: u32, other: u32) -> bool {
    one.wrapping_add(other) == other.wrapping_add(one)
}

/// Holds: to count executions.
pub fn reversed_twice(text: &str) -> bool {
    let reversed: String = text.chars().rev().collect();
    reversed.chars().rev().eq(text.chars())
}
