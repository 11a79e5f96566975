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
        let part = if part.len() == 1 {
            10 * digits(part)?
        } else {
            digits(part)?
        };
        Ok(Money {
            cents: 100 * whole + part,
        })
    }

    /// This much more.
    pub fn plus(self, other: Money) -> Money {
        Money {
            cents: self.cents + other.cents,
        }
    }

    /// What is left after this much is taken away, if there is enough.
    pub fn minus(self, other: Money) -> Option<Money> {
        self.cents
            .checked_sub(other.cents)
            .map(|cents| Money { cents })
    }

    /// So many hundredths of it.
    pub fn percent(self, percent: u64) -> Money {
        Money {
            cents: self.cents * percent / 100,
        }
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

#[cfg(test)]
mod carved_tests {
    use super::*;

    #[test]
    fn parse_where_text_none_returning_err() {
        let result = Money::parse("none");

        assert_eq!(result, Err(NoMoney::NotANumber));
    }

    #[test]
    fn parse_where_text_1_returning_ok() {
        let result = Money::parse("1");

        assert_eq!(result, Ok(Money { cents: 100 }));
    }

    #[test]
    fn parse_where_text_0_30_returning_ok() {
        let result = Money::parse(" 0.30");

        assert_eq!(result, Ok(Money { cents: 30 }));
    }

    #[test]
    fn plus_returning_30() {
        let subject = Money { cents: 0 };

        let result = subject.plus(Money { cents: 30 });

        assert_eq!(result, Money { cents: 30 });
    }

    #[test]
    fn minus_where_other_615_returning_none() {
        let subject = Money { cents: 100 };

        let result = subject.minus(Money { cents: 615 });

        assert_eq!(result, None);
    }

    #[test]
    fn minus_where_other_395_returning_some() {
        let subject = Money { cents: 500 };

        let result = subject.minus(Money { cents: 395 });

        assert_eq!(result, Some(Money { cents: 105 }));
    }

    #[test]
    fn percent_returning_553() {
        let subject = Money { cents: 615 };

        let result = subject.percent(90);

        assert_eq!(result, Money { cents: 553 });
    }

    #[test]
    fn digits_where_text_0_returning_ok() {
        let result = digits("0");

        assert_eq!(result, Ok(0));
    }

    #[test]
    fn digits_where_text_none_returning_err() {
        let result = digits("none");

        assert_eq!(result, Err(NoMoney::NotANumber));
    }
}
