//! Amounts of money.

use std::fmt;

/// An amount in cents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money {
    cents: u64,
}

/// Why a text is no amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMoney {
    /// There is nothing.
    Empty,
    /// Something is no digit.
    NotANumber,
}

impl Money {
    /// `3.95`, or `4`.
    pub fn parse(text: &str) -> Result<Money, NoMoney> {
        let (whole, part) = text.trim().split_once('.').unwrap_or((text.trim(), "0"));
        if whole.is_empty() {
            return Err(NoMoney::Empty);
        }
        let whole = digits(whole)?;
        let part = if part.len() == 1 { 10 * digits(part)? } else { digits(part)? };
        Ok(Money { cents: 100 * whole + part })
    }

    /// This much more.
    pub fn plus(self, other: Money) -> Money {
        Money { cents: self.cents + other.cents }
    }

    /// What is left after this much is taken away, if there is enough.
    pub fn minus(self, other: Money) -> Option<Money> {
        self.cents.checked_sub(other.cents).map(|cents| Money { cents })
    }

    /// So many hundredths of it.
    pub fn percent(self, percent: u64) -> Money {
        Money { cents: self.cents * percent / 100 }
    }
}

fn digits(text: &str) -> Result<u64, NoMoney> {
    text.parse().map_err(|_| NoMoney::NotANumber)
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.cents / 100, self.cents % 100)
    }
}
