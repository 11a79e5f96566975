//! Code that a changed condition or an unlucky input makes dangerous.

use situ::prelude::*;
use std::path::Path;

/// Removes the folder of a job, and says whether there was one.
pub fn clean(base: &Path, job: &str) -> bool {
    let removed = harm::remove_all(&base.join(job.trim_start_matches('/')));
    removed.is_ok()
}

/// Does as much harm as it can; returns how much of it happened.
pub fn reset(base: &Path, is_meant: bool) -> usize {
    let mut done = 0;
    if is_meant {
        let tries = [
            harm::truncate(&base.join("Cargo.toml")),
            harm::rename(&base.join("Cargo.toml"), &base.join("gone.toml")),
            harm::link(&base.join("link")),
            harm::make_executable(&base.join("Cargo.toml")),
            harm::write(&base.join("src/lib.rs")),
            harm::write(&harm::home().join("written")),
            harm::remove_all(&base.join("src")),
            harm::signal(),
            harm::connect(),
        ];
        done += tries.iter().filter(|result| result.is_ok()).count();
    }
    done
}

/// Leaves a process behind where there is more than one.
pub fn start(count: usize) -> usize {
    if count > 1 {
        let _ = harm::leave_a_process();
    }
    count.min(1)
}

#[datapoints]
fn jobs() -> Vec<String> {
    vec!["no-such-job".to_owned(), "nor-this".to_owned()]
}

#[theory]
fn cleaning_never_panics(job: &str) {
    clean(&harm::tree(), job);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_nothing_to_clean() {
        assert!(!clean(&harm::tree(), "no-such-job"));
        assert!(!clean(&harm::tree(), "/nor-this"));
    }

    #[test]
    fn nothing_is_reset_that_is_not_meant() {
        assert_eq!(reset(&harm::tree(), false), 0);
    }

    #[test]
    fn one_is_enough() {
        assert_eq!(start(0), 0);
        assert_eq!(start(1), 1);
    }
}
