//! Theories in a build for fuzzers: found by their path, run on bytes.

/// A theory that takes its arguments from bytes.
pub struct FuzzedTheory {
    /// Its path, from the crate on.
    pub path: &'static str,
    /// Runs it; a violation ends the process.
    pub run: fn(&[u8]),
}

inventory::collect!(FuzzedTheory);

/// Runs the theory of this path.
///
/// # Panics
///
/// Where there is none: a fuzzer that runs nothing would run for ever.
pub fn fuzz(path: &str, bytes: &[u8]) {
    let theory = inventory::iter::<FuzzedTheory>().find(|theory| theory.path == path);
    let Some(theory) = theory else {
        panic!("there is no theory `{path}` in this program")
    };
    (theory.run)(bytes);
}
