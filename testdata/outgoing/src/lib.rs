//! Calls that leave the workspace, and statements that leave early.
#![deny(warnings)]

use far::{Refused, Wire};
use std::env;
use std::num::ParseIntError;

#[derive(Debug, PartialEq, Eq)]
pub enum Trouble {
    Refused(u16),
    Number(String),
}

impl From<Refused> for Trouble {
    fn from(refused: Refused) -> Self {
        Trouble::Refused(refused.0)
    }
}

impl From<ParseIntError> for Trouble {
    fn from(error: ParseIntError) -> Self {
        Trouble::Number(error.to_string())
    }
}

pub struct Page {
    wire: Wire,
    pub base: String,
}

impl Page {
    pub fn new(base: &str) -> Page {
        Page { wire: Wire::default(), base: base.to_owned() }
    }

    /// A method of a dependency, with an argument that is made for it; `?` converts the error.
    pub fn load(&mut self, name: &str) -> Result<usize, Trouble> {
        let body = self.wire.get(&format!("{}/{name}", self.base))?.trim().to_owned();
        Ok(body.len())
    }

    /// Waits for a call.
    pub async fn load_later(&self, name: &str) -> usize {
        let length = self.wire.later(name.to_owned()).await.count_ones() as usize;
        length
    }

    /// The dependency writes into an argument.
    pub fn filled(&self) -> Vec<u8> {
        let mut bytes = vec![1];
        self.wire.fill(&mut bytes);
        bytes
    }
}

/// A call of the standard library, twice in one function.
pub fn folder(key: &str, fallback: &str) -> String {
    let first = env::var(key).map(|value| value.trim().to_owned());
    first.or_else(|_| env::var(fallback)).unwrap_or_default().replace('/', ".")
}

/// In a loop, in a closure that somebody else runs, and by a function that calls itself.
pub fn throws(depth: u32) -> Vec<u32> {
    let mut all: Vec<u32> = [6, 8].iter().map(|sides| far::dice(*sides)).collect();
    all.push(far::apply(|sides| far::dice(sides) + 1));
    if depth > 0 {
        all.extend(throws(depth - 1));
    }
    all
}

/// Every way to leave.
pub fn sum(text: &str) -> Result<u32, Trouble> {
    let mut sum = 0;
    'lines: for line in text.lines() {
        for word in line.split(' ') {
            let number = match word.trim() {
                "" => continue,
                "#" => continue 'lines,
                "." => break,
                "!" => return Err(Trouble::Refused(1)),
                word => word.parse::<u32>()?,
            };
            sum += number;
        }
        let Some(_) = line.strip_suffix('.') else { continue };
        let half = 'half: {
            if line.len() % 2 == 1 {
                break 'half sum;
            }
            let half = sum.checked_shr(1).unwrap_or(match line.len() {
                0 => break 'half 0,
                _ => 1,
            });
            half
        };
        sum = half;
    }
    Ok(sum)
}

pub fn first_char(text: &str) -> Option<char> {
    let first = text.trim().chars().next()?;
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    #[test]
    fn pages() {
        let mut page = Page::new("site");
        assert_eq!(page.load("a"), Ok(8));
        assert_eq!(page.load("a"), Ok(8));
        assert_eq!(page.load("secret"), Err(Trouble::Refused(403)));
        assert_eq!(page.filled(), [1, 7]);
        let mut context = Context::from_waker(Waker::noop());
        assert_eq!(pin!(page.load_later("abc")).poll(&mut context), Poll::Ready(2));
    }

    #[test]
    fn others() {
        assert_eq!(folder("CARGO_PKG_NAME_THAT_IS_NOT_SET", "CARGO_PKG_NAME_NEITHER"), "");
        assert_eq!(throws(1), [3, 4, 3, 3, 4, 3]);
        assert_eq!(first_char(" ab"), Some('a'));
        assert_eq!(first_char(" "), None);
    }

    #[test]
    fn exits() {
        assert_eq!(sum("1 2\n3 .\n# 9"), Ok(6));
        assert_eq!(sum("1 3\n\n4 5."), Err(Trouble::Number("invalid digit found in string".to_owned())));
        assert_eq!(sum("7 !"), Err(Trouble::Refused(1)));
        assert_eq!(sum("5  ."), Ok(2));
        assert_eq!(sum("6 ."), Ok(6));
    }
}
