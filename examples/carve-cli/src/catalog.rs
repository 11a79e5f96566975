//! What is sold, and for how much.

use crate::money::{Money, NoMoney};
use std::collections::BTreeMap;
use std::fs;

/// All goods with their prices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalog {
    prices: BTreeMap<String, Money>,
}

impl Catalog {
    /// Reads a file of lines like `tea = 3.95`.
    pub fn load(path: &str) -> Option<Catalog> {
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
