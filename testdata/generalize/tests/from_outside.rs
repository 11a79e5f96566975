//! What a user of the crate sees.

use generalize_me::{Stack, number};

#[test]
fn numbers_are_found() {
    assert_eq!(number("7"), Ok(7));
    assert!(number("seven").unwrap_err().contains("is no number"));
}

#[test]
fn a_stack_is_full_at_some_time() {
    let mut stack = Stack::default();
    for value in 0..3 {
        assert!(stack.push(value));
    }
    assert!(!stack.push(99));
    assert_eq!(stack.depth(), 3);
}
