use situ::prelude::*;

#[situ]
fn text(name: &str, width: usize) -> String {
    let text = format!("{name:>width$}");
    itest!(check_eq(text, "a"));
    text
}

fn main() {
    text("a", 2);
}
