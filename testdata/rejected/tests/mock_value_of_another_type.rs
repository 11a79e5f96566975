use situ::prelude::*;

#[situ]
pub fn next(text: &str) -> usize {
    let next = text.len() + 1;
    itest!(mock(text.len(), "two"), check_eq(next, 2));
    next
}
