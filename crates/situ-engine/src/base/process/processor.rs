//! Processor time of processes that have exited. It is a better measure than wall-clock time on a
//! shared machine.

use std::time::Duration;

/// Returns the processor time, user and system, of all exited descendants of this process.
#[cfg(unix)]
#[expect(
    unsafe_code,
    reason = "the standard library does not tell the processor time of children"
)]
pub fn processor_time_of_children() -> Duration {
    // SAFETY: all bytes zero are a valid `rusage`, which holds nothing but numbers.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: getrusage(2) writes one `rusage` to the place that it is given, which lives as long
    // as the call.
    let failed = unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage) } != 0;
    let of = |time: libc::timeval| {
        Duration::from_secs(u64::try_from(time.tv_sec).unwrap_or(0))
            + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
    };
    if failed {
        Duration::ZERO
    } else {
        of(usage.ru_utime) + of(usage.ru_stime)
    }
}

/// Returns zero: this system does not report it.
#[cfg(not(unix))]
pub fn processor_time_of_children() -> Duration {
    Duration::ZERO
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_a_child_computes_is_counted() {
        let before = processor_time_of_children();
        let mut busy = std::process::Command::new("sh");
        busy.args(["-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"]);
        assert!(busy.status().unwrap().success());
        assert!(processor_time_of_children() > before);
    }
}
