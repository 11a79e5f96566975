//! Executes numbered jobs on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Executes `work(worker, job)` for each `job` in `0..jobs` on at most `workers` threads. Starts
/// jobs in order and returns their results in order.
pub(crate) fn in_parallel<T: Send>(
    workers: usize,
    jobs: usize,
    work: impl Fn(usize, usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for worker in 0..workers.min(jobs) {
            let (next, results, work) = (&next, &results, &work);
            scope.spawn(move || {
                loop {
                    let job = next.fetch_add(1, Ordering::Relaxed);
                    if job >= jobs {
                        return;
                    }
                    let result = work(worker, job);
                    results
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push((job, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(job, _)| *job);
    results.into_iter().map(|(_, result)| result).collect()
}
