//! Runs everything with the secrets in a file.

fn main() {
    let path = std::env::var("SAMPLE_FILE").unwrap_or_default();
    println!("{}", secrets::leaks::everything(&path) > 0);
}
