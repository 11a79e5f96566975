//! Cleans up after jobs that never were.

fn main() {
    for job in std::env::args().skip(1) {
        println!("{job}: {}", hostile::clean(&harm::tree(), &job));
    }
}
