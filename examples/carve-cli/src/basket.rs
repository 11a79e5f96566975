//! What a customer takes.

use crate::money::Money;

/// Goods on their way to the till.
#[derive(Debug, Default)]
pub struct Basket {
    lines: Vec<Line>,
    discount: u64,
}

#[derive(Debug)]
struct Line {
    name: String,
    price: Money,
    count: u64,
}

impl Basket {
    /// Puts one more piece in.
    pub fn add(&mut self, name: &str, price: Money) {
        match self.lines.iter_mut().find(|line| line.name == name) {
            Some(line) => line.count += 1,
            None => self.lines.push(Line { name: name.to_owned(), price, count: 1 }),
        }
    }

    /// Takes a coupon; whether it is a good one.
    pub fn redeem(&mut self, coupon: &str) -> bool {
        match coupon {
            "TENOFF" => self.discount = 10,
            _ => return false,
        }
        true
    }

    /// What everything costs.
    pub fn total(&self) -> Money {
        let mut total = Money::default();
        for line in &self.lines {
            for _ in 0..line.count {
                total = total.plus(line.price);
            }
        }
        total.percent(100 - self.discount)
    }

    /// One line for each kind of goods.
    pub fn receipt(&self) -> Vec<String> {
        self.lines.iter().map(|line| format!("{} x {} at {}", line.count, line.name, line.price)).collect()
    }
}
