//! Recursion that is deep, and fits into the stack of a test.

/// A list, one element at a time.
pub struct Node {
    value: u32,
    next: Option<Box<Node>>,
}

/// A list of the numbers below `length`.
pub fn list(length: u32) -> Option<Box<Node>> {
    (0..length).fold(None, |next, value| Some(Box::new(Node { value, next })))
}

/// The sum of a list's numbers.
pub fn sum(node: &Option<Box<Node>>, text: &str, so_far: u64) -> u64 {
    let Some(node) = node else { return so_far };
    let bits = node.value & 0xff | text.len() as u32;
    let sum = so_far + u64::from(bits);
    self::sum(&node.next, text, sum)
}

/// How deep it went.
pub fn depth(level: u32) -> u32 {
    if level == 0 { 0 } else { 1 + depth(level - 1) }
}

impl Drop for Node {
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(mut node) = next {
            next = node.next.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{depth, list, sum};

    #[test]
    fn many_levels_fit() {
        assert_eq!(depth(8_000), 8_000);
        assert!(sum(&list(8_000), "four", 0) > 0);
    }
}
