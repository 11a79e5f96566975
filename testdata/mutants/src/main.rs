//! A program that an integration test runs.

fn main() {
    let sum: i32 = std::env::args().skip(1).filter_map(|word| word.parse::<i32>().ok()).sum();
    println!("{}", sum + 1);
}
