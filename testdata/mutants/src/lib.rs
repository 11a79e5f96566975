//! One function for each thing that can become of a mutant.
#![deny(warnings)]

pub mod generic;
pub mod nested;

/// Tested at the boundary.
pub fn is_adult(age: u32) -> bool {
    age >= 18
}

/// Tested, but not at the boundary.
pub fn is_senior(age: u32) -> bool {
    age > 65
}

/// Not tested at all.
pub fn unused(x: u32) -> u32 {
    x + 1
}

/// Some of its mutants never end.
pub fn count_down(mut n: u32) -> u32 {
    let mut steps = 0;
    while n > 0 {
        n -= 1;
        steps += 1;
    }
    steps
}

/// Some of its mutants recurse for ever.
pub fn depth(n: u32) -> u32 {
    if n == 0 {
        return 0;
    }
    1 + depth(n - 1)
}

/// Some of its mutants fill the memory.
pub fn pad(text: &str, width: usize) -> String {
    let mut padded = String::from(text);
    while padded.len() < width {
        padded.push_str("                ");
    }
    padded.truncate(width);
    padded
}

/// Some of its mutants take all memory there is.
pub fn hoard(n: usize) -> usize {
    let mut kept = Vec::new();
    let mut taken = 0;
    while taken < n {
        kept.push(Vec::<u64>::with_capacity(1 << 25));
        taken += 1;
    }
    kept.len()
}

/// Only a doctest looks at it.
///
/// ```
/// assert_eq!(mutants::documented(2), 5);
/// ```
pub fn documented(x: u32) -> u32 {
    x * 2 + 1
}

/// A constant context, which cannot be switched.
pub const LIMIT: usize = 4 + 4;

/// Called in a constant, so it must stay `const`.
pub const fn twice(x: usize) -> usize {
    x * 2
}

/// Called in a constant of an integration test.
pub const fn once(x: usize) -> usize {
    x + 0
}

/// Not called in constants.
pub const fn thrice(x: usize) -> usize {
    x * 3
}

/// The constant that needs [`twice`].
pub const TWICE: usize = twice(LIMIT);

/// Code that no configuration here has.
#[cfg(feature = "never")]
pub fn elsewhere(x: u32) -> u32 {
    x + 1
}

/// Mutants must not change whether this compiles: a temporary value lives as long as the statement.
pub fn first_word(text: &str) -> String {
    let words: &Vec<String> = &text.split(' ').map(str::to_lowercase).collect();
    let first = words.first().map(|word| word.as_str()).unwrap_or("");
    first.to_owned()
}

/// Arms, guards, exits and ranges.
pub fn classify(numbers: &[i32]) -> Result<&'static str, String> {
    let mut seen = 0;
    for (at, number) in numbers[..numbers.len()].iter().enumerate() {
        match number {
            0 => continue,
            n if *n < 0 => return Err(format!("negative at {}", at + 1)),
            1..=9 => seen += 1,
            _ => break,
        }
    }
    check(seen)?;
    Ok(if seen > 1 { "many" } else { "few" })
}

fn check(seen: u32) -> Result<(), String> {
    if seen > 3 && !cfg!(miri) {
        return Err("too many".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adults() {
        assert!(is_adult(18) && !is_adult(17) && is_adult(19));
    }

    #[test]
    fn seniors() {
        assert!(is_senior(80));
        assert!(!is_senior(20));
    }

    #[test]
    fn counting() {
        assert_eq!(count_down(5), 5);
    }

    #[test]
    fn depths() {
        assert_eq!(depth(3), 3);
    }

    #[test]
    fn padding() {
        assert_eq!(pad("ab", 4), "ab  ");
    }

    #[test]
    fn hoarding() {
        assert_eq!(hoard(2), 2);
    }

    #[test]
    fn words() {
        assert_eq!(first_word("One two"), "one");
    }

    #[test]
    fn classes() {
        assert_eq!(classify(&[1, 2, 30, 4]), Ok("many"));
        assert_eq!(classify(&[1, -2]), Err("negative at 2".to_owned()));
        assert_eq!(classify(&[0, 0, 5]), Ok("few"));
        assert!(classify(&[1, 2, 3, 4]).is_err());
    }

    #[test]
    #[should_panic]
    fn panics() {
        let _ = 1 / count_down(0);
    }

    #[test]
    #[ignore]
    fn ignored() {
        panic!();
    }
}
