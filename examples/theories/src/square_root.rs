//! A square root, defined by what it gives when multiplied by itself.

/// The number whose square is `n`, which is not negative.
///
/// Newton's method, from a first guess that is never too small.
pub fn square_root(n: f64) -> f64 {
    if n == 0.0 {
        return 0.0;
    }
    let mut guess = if cfg!(feature = "bugs") {
        n
    } else {
        n.max(1.0)
    };
    // With the bug the guess starts below the root of a small number and the loop ends at once.
    loop {
        let next = (guess + n / guess) / 2.0;
        if next >= guess {
            return guess;
        }
        guess = next;
    }
}

#[cfg(test)]
mod tests {
    use super::square_root;
    use situ::prelude::*;

    #[datapoints]
    const NUMBERS: [f64; 8] = [-1.0, 0.0, 0.25, 1.0, 2.0, 4.0, 9.0, 1e10];

    // Three examples: four is two times two, nine is three times three, one is itself. What they mean to say is this.
    #[theory]
    fn the_root_times_itself_is_the_number(n: f64) {
        assume!(n >= 0.0);
        let root = square_root(n);
        assert!(
            (root * root - n).abs() <= n * 1e-9,
            "{root} times itself is {}",
            root * root
        );
        assert!(root >= 0.0);
    }
}
