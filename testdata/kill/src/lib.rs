//! Functions whose tests miss something, each of another kind.

use std::fmt;

/// A boundary.
pub fn size(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    format!("{:.1} KB", bytes as f64 / 1024.0)
}

/// What is changed through `&mut`.
pub fn append(list: &mut Vec<u8>, count: u8) {
    for number in 0..count {
        list.push(number / 2);
    }
}

/// State of a receiver.
#[derive(Debug)]
pub struct Counter {
    value: u32,
    most: u32,
}

impl Counter {
    pub fn new(most: u32) -> Counter {
        Counter { value: 0, most }
    }

    pub fn up(&mut self) {
        if self.value < self.most {
            self.value += 1;
        }
    }
}

/// Text.
impl fmt::Display for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.value, self.most)
    }
}

/// A panic.
pub fn percent(part: u32, whole: u32) -> u32 {
    assert!(part <= whole, "more than everything");
    (u64::from(part) * 100 / u64::from(whole.max(1))) as u32
}

/// Hidden behind a public function.
fn doubled(x: i32) -> i32 {
    if x > 10 { x.wrapping_mul(2) } else { x }
}

pub fn shown(x: i32) -> String {
    format!("<{}>", doubled(x))
}

/// `index != items.len()` and `index < items.len()` are the same.
pub fn count_zeros(items: &[u8]) -> usize {
    let (mut index, mut zeros) = (0, 0);
    while index != items.len() {
        zeros += usize::from(items[index] == 0);
        index += 1;
    }
    zeros
}

/// Reaches files.
pub fn length(path: &str) -> usize {
    std::fs::read(path).map_or(7, |bytes| bytes.len())
}

/// Loops for ever for some inputs.
pub fn steps(mut number: u32) -> u32 {
    let mut steps = 1;
    while number > 100 {
        if number > 1000 {
            continue;
        }
        number -= 50;
        steps += 1;
    }
    steps
}

/// Ends the process for some inputs.
pub fn guarded(number: u8) -> u8 {
    if number == 99 {
        std::process::abort();
    }
    number / 3
}

/// Prints megabytes.
pub fn noisy(number: u16) -> u16 {
    for _ in 0..number {
        println!("{}", "x".repeat(1000));
    }
    number / 5
}

/// Panics when it is dropped.
pub struct Touchy(pub bool);

impl Drop for Touchy {
    fn drop(&mut self) {
        assert!(!self.0, "touchy");
    }
}

pub fn touch(touchy: &Touchy, number: u8) -> u8 {
    if touchy.0 { number } else { number / 7 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_looked_at_closely() {
        assert_eq!(size(10), "10 B");
        assert_eq!(size(2048), "2.0 KB");
        let mut list = Vec::new();
        append(&mut list, 1);
        assert_eq!(list, [0]);
        let mut counter = Counter::new(5);
        counter.up();
        assert!(!counter.to_string().is_empty());
        assert_eq!(percent(1, 2), 50);
        assert_eq!(shown(3), "<3>");
        assert_eq!(count_zeros(&[0, 1, 0]), 2);
        assert_eq!(length("/nowhere"), 7);
        assert_eq!(steps(120), 2);
        assert_eq!(guarded(0), 0);
        assert_eq!(noisy(0), 0);
        assert_eq!(touch(&Touchy(false), 0), 0);
    }
}
