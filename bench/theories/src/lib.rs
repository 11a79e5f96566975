//! What an assignment of a theory costs, against a hand-written nested loop over the same values.
//!
//! `cargo test --release --manifest-path bench/theories/Cargo.toml -- --nocapture --test-threads=1 figures`

#[cfg(test)]
mod loops;
#[cfg(test)]
mod measure;
#[cfg(test)]
mod theories;
