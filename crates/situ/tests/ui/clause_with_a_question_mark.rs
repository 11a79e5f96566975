use situ::prelude::*;

#[situ]
fn first(text: &str) -> Option<char> {
    let first = text.chars().next();
    itest!("oracle", given(text = ""), check_eq(first?, 'a'));
    itest!("given", given(text = None?), check_none(first));
    first
}

fn main() {
    first("a");
}
