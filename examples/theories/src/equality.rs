//! A name that is compared without regard to case, with its hash.

use std::hash::{Hash, Hasher};

/// A user's name; `Ada` and `ada` are the same user.
#[derive(Clone, Debug)]
pub struct UserName(pub String);

impl PartialEq for UserName {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for UserName {}

impl Hash for UserName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        if cfg!(feature = "bugs") {
            self.0.hash(state);
        } else {
            self.0.to_ascii_lowercase().hash(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::UserName;
    use situ::prelude::*;
    use std::fmt::Debug;
    use std::hash::{DefaultHasher, Hash, Hasher};

    #[datapoints]
    fn names() -> Vec<UserName> {
        ["ada", "Ada", "grace", ""]
            .into_iter()
            .map(|name| UserName(String::from(name)))
            .collect()
    }

    #[datapoints]
    fn numbers() -> Vec<i32> {
        vec![-1, 0, 1]
    }

    #[datapoints]
    fn lists() -> Vec<Vec<u8>> {
        vec![vec![], vec![1], vec![1, 2]]
    }

    fn hash(value: &impl Hash) -> u64 {
        let mut hasher = DefaultHasher::new();
        value.hash(&mut hasher);
        hasher.finish()
    }

    #[theory(T = [UserName, i32, Vec<u8>])]
    fn everything_equals_itself<T: PartialEq + Debug>(a: &T) {
        assert_eq!(a, a);
    }

    #[theory(T = [UserName, i32, Vec<u8>])]
    fn equality_goes_both_ways<T: PartialEq + Debug>(a: &T, b: &T) {
        assert_eq!(a == b, b == a);
    }

    #[theory(T = [UserName, i32, Vec<u8>])]
    fn equals_have_equal_hashes<T: PartialEq + Hash + Debug>(a: &T, b: &T) {
        assume_eq!(a, b);
        assert_eq!(hash(a), hash(b));
    }
}
