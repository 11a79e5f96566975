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
            None => self.lines.push(Line {
                name: name.to_owned(),
                price,
                count: 1,
            }),
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
        self.lines
            .iter()
            .map(|line| format!("{} x {} at {}", line.count, line.name, line.price))
            .collect()
    }
}

#[cfg(test)]
mod carved_tests {
    use super::*;

    fn usual_subject() -> Basket {
        Basket {
            lines: vec![Line {
                name: String::from("tea"),
                price: Money::parse(" 3.95").unwrap(),
                count: 1,
            }],
            discount: 0,
        }
    }

    #[test]
    fn add_where_name_tea_and_price_395_changing_its_state() {
        let mut subject = Basket {
            lines: vec![],
            discount: 0,
        };
        let name = "tea";
        let price = Money::parse(" 3.95").unwrap();

        subject.add(name, price);

        assert_eq!(subject.lines.len(), 1);
        assert_eq!(subject.lines[0].name, "tea");
        assert_eq!(subject.lines[0].price, Money::parse(" 3.95").unwrap());
        assert_eq!(subject.lines[0].count, 1);
    }

    #[test]
    fn add_where_name_apple_and_price_30_changing_its_state() {
        let mut subject = Basket {
            lines: vec![Line {
                name: String::from("apple"),
                price: Money::parse(" 0.30").unwrap(),
                count: 1,
            }],
            discount: 0,
        };
        let name = "apple";
        let price = Money::parse(" 0.30").unwrap();

        subject.add(name, price);

        assert_eq!(subject.lines.len(), 1);
        assert_eq!(subject.lines[0].name, "apple");
        assert_eq!(subject.lines[0].price, Money::parse(" 0.30").unwrap());
        assert_eq!(subject.lines[0].count, 2);
    }

    #[test]
    fn redeem_where_coupon_nope_returning_false() {
        let mut subject = usual_subject();

        let result = subject.redeem("NOPE");

        assert!(!result);
    }

    #[test]
    fn redeem_where_coupon_tenoff_returning_true() {
        let mut subject = Basket {
            lines: vec![
                Line {
                    name: String::from("tea"),
                    price: Money::parse(" 3.95").unwrap(),
                    count: 1,
                },
                Line {
                    name: String::from("bread"),
                    price: Money::parse(" 2.20").unwrap(),
                    count: 1,
                },
            ],
            discount: 0,
        };

        let result = subject.redeem("TENOFF");

        assert!(result);
        assert_eq!(subject.discount, 10);
    }

    #[test]
    fn total_returning_395() {
        let subject = usual_subject();

        let result = subject.total();

        assert_eq!(result, Money::parse(" 3.95").unwrap());
    }

    #[test]
    fn receipt_returning_one_item() {
        let subject = usual_subject();

        let result = subject.receipt();

        assert_eq!(result, ["1 x tea at 3.95"]);
    }
}
