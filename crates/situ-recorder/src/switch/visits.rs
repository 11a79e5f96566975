//! Notes in memory which sites an execution passes, for whoever runs many executions in one process.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

/// Sites with larger numbers are not noted.
const MAX_SITE: usize = 1 << 18;
/// An execution that passes more different sites than this is noted in part.
const MAX_NOTED: usize = 1 << 14;

static SEEN: [AtomicBool; MAX_SITE] = [const { AtomicBool::new(false) }; MAX_SITE];
static NOTED: [AtomicU32; MAX_NOTED] = [const { AtomicU32::new(0) }; MAX_NOTED];
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Notes that a site is passed. Asks for no memory: the program's own allocator may pass sites.
#[inline]
pub fn note(site: u32) {
    let Some(seen) = SEEN.get(site as usize) else {
        return;
    };
    if seen.load(Ordering::Relaxed) {
        return;
    }
    seen.store(true, Ordering::Relaxed);
    let at = COUNT.fetch_add(1, Ordering::Relaxed);
    if let Some(noted) = NOTED.get(at) {
        noted.store(site, Ordering::Relaxed);
    }
}

/// Returns the sites passed since the last call, each once, and forgets them.
pub fn take(into: &mut Vec<u32>) {
    into.clear();
    let count = COUNT.swap(0, Ordering::Relaxed);
    let noted = &NOTED[..count.min(MAX_NOTED)];
    into.extend(noted.iter().map(|site| site.load(Ordering::Relaxed)));
    if count > MAX_NOTED {
        SEEN.iter()
            .for_each(|seen| seen.store(false, Ordering::Relaxed));
    } else {
        for site in into {
            SEEN[*site as usize].store(false, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{note, take};

    #[test]
    fn each_site_is_noted_once_until_it_is_taken() {
        let mut taken = Vec::new();
        [5, 7, 5, u32::MAX, 7].into_iter().for_each(note);
        take(&mut taken);
        assert_eq!(taken, [5, 7]);
        note(5);
        take(&mut taken);
        assert_eq!(taken, [5]);
        take(&mut taken);
        assert!(taken.is_empty());
    }
}
