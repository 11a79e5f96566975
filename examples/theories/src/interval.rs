//! Ranges between two limits, each with or without the limit itself.

/// All numbers between two limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    lower: i32,
    upper: i32,
    includes_lower: bool,
    includes_upper: bool,
}

impl Interval {
    /// Between two limits, in whichever order they are given; both belong to it.
    pub fn closed(one: i32, other: i32) -> Self {
        Self {
            lower: one.min(other),
            upper: one.max(other),
            includes_lower: true,
            includes_upper: true,
        }
    }

    /// Between two limits that do not belong to it.
    pub fn open(one: i32, other: i32) -> Self {
        Self {
            includes_lower: false,
            includes_upper: false,
            ..Self::closed(one, other)
        }
    }

    /// What a row of a database holds.
    pub fn from_row(lower: i32, upper: i32) -> Self {
        if cfg!(feature = "bugs") {
            // A door past the check, left open for mapping frameworks.
            return Self {
                lower,
                upper,
                includes_lower: true,
                includes_upper: true,
            };
        }
        Self::closed(lower, upper)
    }

    /// Whether no number is in it.
    pub fn is_empty(&self) -> bool {
        self.lower == self.upper && !(self.includes_lower && self.includes_upper)
    }

    /// Whether `n` is in it.
    pub fn includes(&self, n: i32) -> bool {
        let above = if self.includes_lower {
            n >= self.lower
        } else {
            n > self.lower
        };
        let below = if self.includes_upper {
            n <= self.upper
        } else {
            n < self.upper
        };
        above && below
    }

    /// Whether some number is in both.
    pub fn intersects(&self, other: &Self) -> bool {
        let lower = self.lower.max(other.lower);
        let upper = self.upper.min(other.upper);
        lower < upper
            || (lower == upper
                && [self, other]
                    .iter()
                    .all(|interval| interval.includes(lower)))
    }

    /// The parts of `other` that are not in this one.
    pub fn complement_relative_to(&self, other: &Self) -> Vec<Self> {
        if other.is_empty() {
            return Vec::new();
        }
        if !self.intersects(other) {
            return vec![other.clone()];
        }
        let before = Self {
            upper: self.lower,
            includes_upper: !self.includes_lower,
            ..other.clone()
        };
        let after = Self {
            lower: self.upper,
            includes_lower: !self.includes_upper,
            ..other.clone()
        };
        let is_something = |part: &Self| part.lower <= part.upper && !part.is_empty();
        [before, after].into_iter().filter(is_something).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Interval;
    use situ::prelude::*;

    #[datapoints]
    fn intervals() -> Vec<Interval> {
        vec![
            Interval::closed(1, 7),
            Interval::open(-3, 3),
            Interval::closed(4, 4),
            Interval::open(2, 2),
        ]
    }

    #[datapoints]
    fn rows() -> Vec<Interval> {
        vec![Interval::from_row(0, 5), Interval::from_row(7, 1)]
    }

    #[datapoints]
    const NUMBERS: [i32; 7] = [-3, 0, 1, 4, 5, 7, 100];

    #[theory]
    fn the_complement_relative_to_itself_is_empty(interval: &Interval) {
        assert_eq!(interval.complement_relative_to(interval), []);
    }

    #[theory]
    fn what_is_in_the_complement_is_only_in_the_other(of: &Interval, to: &Interval, n: i32) {
        let inside = of
            .complement_relative_to(to)
            .iter()
            .any(|part| part.includes(n));
        assert_eq!(inside, to.includes(n) && !of.includes(n));
    }
}
