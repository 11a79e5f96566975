//! What is sold, and for how much.

use crate::money::{Money, NoMoney};
use situ::prelude::*;
use std::collections::BTreeMap;
use std::fs;

/// All goods with their prices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalog {
    prices: BTreeMap<String, Money>,
}

#[situ]
impl Catalog {
    /// Reads a file of lines like `tea = 3.95`.
    pub fn load(path: &str) -> Option<Catalog> {
        blocktest!(
            "when read to string gives err returning none",
            given(path = "/nowhere"),
            mock(
                fs::read_to_string("/nowhere"),
                Err(std::io::Error::from_raw_os_error(2))
            ),
            check_return(None),
            check_called(fs::read_to_string(..), 1),
            observed("my33")
        );
        blocktest!(
            "where path prices txt returning some",
            given(path = "prices.txt"),
            mock(
                fs::read_to_string("prices.txt"),
                Ok(String::from(
                    "# what we sell\napple = 0.30\nbread = 2.20\ntea = 3.95\n"
                ))
            ),
            check_return(Some(Catalog {
                prices: BTreeMap::from([
                    (String::from("apple"), Money::parse(" 0.30").unwrap()),
                    (String::from("bread"), Money::parse(" 2.20").unwrap()),
                    (String::from("tea"), Money::parse(" 3.95").unwrap())
                ])
            })),
            check_called(fs::read_to_string(..), 1),
            observed("ezsg")
        );
        let text = fs::read_to_string(path).ok()?;
        Catalog::parse(&text).ok()
    }

    /// Lines like `tea = 3.95`; those that begin with `#` are comments.
    pub fn parse(text: &str) -> Result<Catalog, NoMoney> {
        let mut catalog = Catalog::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some((name, price)) = line.split_once('=') {
                catalog.add(name.trim(), Money::parse(price)?);
            }
        }
        Ok(catalog)
    }

    /// Sells something from now on.
    fn add(&mut self, name: &str, price: Money) {
        self.prices.insert(name.to_owned(), price);
    }

    /// The price of something.
    pub fn price(&self, name: &str) -> Option<Money> {
        self.prices.get(name).copied()
    }
}

#[cfg(test)]
mod carved_tests {
    use super::*;

    fn usual_subject() -> Catalog {
        Catalog {
            prices: BTreeMap::from([
                (String::from("apple"), Money::parse(" 0.30").unwrap()),
                (String::from("bread"), Money::parse(" 2.20").unwrap()),
                (String::from("tea"), Money::parse(" 3.95").unwrap()),
            ]),
        }
    }

    #[test]
    fn parse_returning_ok() {
        let text = "# what we sell\napple = 0.30\nbread = 2.20\ntea = 3.95\n";

        let result = Catalog::parse(text);

        assert_eq!(
            result,
            Ok(Catalog {
                prices: BTreeMap::from([
                    (String::from("apple"), Money::parse(" 0.30").unwrap()),
                    (String::from("bread"), Money::parse(" 2.20").unwrap()),
                    (String::from("tea"), Money::parse(" 3.95").unwrap())
                ])
            })
        );
    }

    #[test]
    fn add_changing_its_state() {
        let mut subject = Catalog {
            prices: BTreeMap::new(),
        };
        let name = "apple";
        let price = Money::parse(" 0.30").unwrap();

        subject.add(name, price);

        assert_eq!(
            subject.prices,
            BTreeMap::from([(String::from("apple"), Money::parse(" 0.30").unwrap())])
        );
    }

    #[test]
    fn price_where_name_pear_returning_none() {
        let subject = usual_subject();

        let result = subject.price("pear");

        assert_eq!(result, None);
    }

    #[test]
    fn price_where_name_tea_returning_some() {
        let subject = usual_subject();

        let result = subject.price("tea");

        assert_eq!(result, Some(Money::parse(" 3.95").unwrap()));
    }
}
