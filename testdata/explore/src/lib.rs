//! Functions with faults that only some inputs show, and theories that these violate.

pub mod stack;
pub mod ticket;

/// The text from its end.
pub fn reverse(text: &str) -> String {
    text.chars().rev().collect()
}

/// Wrong for one number.
pub fn halve(number: u32) -> u32 {
    if number == 0xDEAD_BEEF { 0 } else { number / 2 }
}

/// Wrong for texts that begin in one way.
pub fn path_of(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("situ://")?;
    assert!(!rest.starts_with("root/"), "the root has no path");
    Some(rest)
}

/// A place in the plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    pub x: i32,
    pub y: i32,
}

impl Point {
    /// How far it is from the origin along the axes; overflows far out.
    pub fn distance(&self) -> i32 {
        self.x.abs() + self.y.abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use situ::prelude::*;

    #[datapoints]
    const WORDS: [&str; 2] = ["a", "abc"];

    #[theory]
    fn the_first_becomes_the_last(text: &str) {
        assert_eq!(reverse(text).chars().next_back().unwrap(), text.chars().next().unwrap());
    }

    #[theory]
    fn reversing_twice_changes_nothing(text: &str) {
        assert_eq!(reverse(&reverse(text)), text);
    }

    #[theory]
    fn a_half_is_half(number: u32) {
        assert_eq!(halve(number), number / 2);
    }

    #[theory]
    fn every_address_has_a_path(url: &str) {
        assume_some!(path_of(url));
    }

    #[theory]
    fn distances_are_not_negative(point: &Point) {
        assert!(point.distance() >= 0);
    }
}
