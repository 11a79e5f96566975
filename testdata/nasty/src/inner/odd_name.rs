//! Found by its `#[path]`.

use std::fmt;

/// Private fields, a lifetime, a generic parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair<'a, T> {
    name: &'a str,
    value: T,
}

impl<'a, T: fmt::Display> Pair<'a, T> {
    pub fn new(name: &'a str, value: T) -> Self {
        Self { name, value }
    }

    pub fn shown(&self) -> String {
        format!("{}={}", self.name.trim(), self.value)
    }
}

/// Counts what it has seen.
#[derive(Default)]
pub struct Counter {
    seen: Vec<String>,
    total: usize,
}

impl Counter {
    pub fn add(&mut self, line: &str) -> &mut Self {
        self.seen.push(line.trim().to_owned());
        self.total += line.matches('x').count();
        self
    }

    pub fn total(&self) -> usize {
        self.total
    }

    pub fn finish(self) -> String {
        self.seen.join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_and_counters() {
        assert_eq!(Pair::new(" a ", 5).shown(), "a=5");
        let mut counter = Counter::default();
        counter.add(" xx").add("x ");
        assert_eq!(counter.total(), 3);
        assert_eq!(counter.finish(), "xx,x");
    }
}
