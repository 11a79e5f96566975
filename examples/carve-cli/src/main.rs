//! A cash register: `carve-cli PRICES [--coupon WORD] [--paid AMOUNT] GOODS…`.
#![forbid(unsafe_code)]

mod basket;
mod catalog;
mod money;

use basket::Basket;
use catalog::Catalog;
use money::Money;
use situ::prelude::*;
use std::env;
use std::process::ExitCode;

/// What a customer asks for.
#[derive(Debug, PartialEq, Eq)]
struct Order {
    goods: Vec<String>,
    coupon: Option<String>,
    paid: Option<Money>,
}

/// Reads the words behind the prices.
fn order(words: &[String]) -> Result<Order, String> {
    let mut order = Order {
        goods: Vec::new(),
        coupon: None,
        paid: None,
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--coupon" => order.coupon = words.next().cloned(),
            "--paid" => {
                let amount = words.next().ok_or("how much was paid?")?;
                order.paid =
                    Some(Money::parse(amount).map_err(|error| format!("{amount}: {error:?}"))?);
            }
            _ => order.goods.push(word.clone()),
        }
    }
    Ok(order)
}

/// Puts all goods into a basket; the first that is not sold is an error.
fn fill(catalog: &Catalog, goods: &[String]) -> Result<Basket, String> {
    let mut basket = Basket::default();
    for name in goods {
        let price = catalog
            .price(name)
            .ok_or_else(|| format!("there is no {name}"))?;
        basket.add(name, price);
    }
    Ok(basket)
}

/// What the customer gets back.
fn change(total: Money, paid: Option<Money>) -> Result<Money, String> {
    let Some(paid) = paid else {
        return Ok(Money::default());
    };
    paid.minus(total)
        .ok_or_else(|| format!("{paid} is not enough for {total}"))
}

#[situ]
fn sell(prices: &str, words: &[String]) -> Result<Vec<String>, String> {
    blocktest!(
        "where prices prices txt and words one item returning err",
        given(prices = "prices.txt", words = &[String::from("pear")]),
        mock(
            Catalog::load("prices.txt"),
            Some(
                Catalog::parse("# what we sell\napple = 0.30\nbread = 2.20\ntea = 3.95\n").unwrap()
            )
        ),
        check_return(Err(String::from("there is no pear"))),
        check_called(Catalog::load(..), 1),
        observed("xz36")
    );
    blocktest!(
        "where words one item returning err",
        given(prices = "/nowhere", words = &[String::from("apple")]),
        mock(Catalog::load("/nowhere"), None),
        check_return(Err(String::from("no prices in /nowhere"))),
        check_called(Catalog::load(..), 1),
        observed("r0kj")
    );
    blocktest!(
        "where prices prices txt and words 3 items returning err",
        given(
            prices = "prices.txt",
            words = &[
                String::from("--paid"),
                String::from("none"),
                String::from("apple")
            ]
        ),
        mock(
            Catalog::load("prices.txt"),
            Some(
                Catalog::parse("# what we sell\napple = 0.30\nbread = 2.20\ntea = 3.95\n").unwrap()
            )
        ),
        check_return(Err(String::from("none: NotANumber"))),
        check_called(Catalog::load(..), 1),
        observed("vvy2")
    );
    blocktest!(
        "where prices prices txt and words 4 items returning err",
        given(
            prices = "prices.txt",
            words = &[
                String::from("--paid"),
                String::from("1"),
                String::from("bread"),
                String::from("tea")
            ]
        ),
        mock(
            Catalog::load("prices.txt"),
            Some(
                Catalog::parse("# what we sell\napple = 0.30\nbread = 2.20\ntea = 3.95\n").unwrap()
            )
        ),
        check_return(Err(String::from("1.00 is not enough for 6.15"))),
        check_called(Catalog::load(..), 1),
        observed("7r4p")
    );
    blocktest!(
        "where prices prices txt and words 3 items returning ok",
        given(
            prices = "prices.txt",
            words = &[
                String::from("--paid"),
                String::from("5.00"),
                String::from("tea")
            ]
        ),
        mock(
            Catalog::load("prices.txt"),
            Some(
                Catalog::parse("# what we sell\napple = 0.30\nbread = 2.20\ntea = 3.95\n").unwrap()
            )
        ),
        check_return(Ok(vec![
            String::from("1 x tea at 3.95"),
            String::from("total 3.95, change 1.05")
        ])),
        check_called(Catalog::load(..), 1),
        observed("n4y5")
    );
    blocktest!(
        "where prices prices txt and words 3 items returning ok 2",
        given(
            prices = "prices.txt",
            words = &[
                String::from("apple"),
                String::from("apple"),
                String::from("bread")
            ]
        ),
        mock(
            Catalog::load("prices.txt"),
            Some(
                Catalog::parse("# what we sell\napple = 0.30\nbread = 2.20\ntea = 3.95\n").unwrap()
            )
        ),
        check_return(Ok(vec![
            String::from("2 x apple at 0.30"),
            String::from("1 x bread at 2.20"),
            String::from("total 2.80, change 0.00")
        ])),
        check_called(Catalog::load(..), 1),
        observed("6jng")
    );
    blocktest!(
        "where prices prices txt and words 3 items returning ok 3",
        given(
            prices = "prices.txt",
            words = &[
                String::from("--coupon"),
                String::from("NOPE"),
                String::from("tea")
            ]
        ),
        mock(
            Catalog::load("prices.txt"),
            Some(
                Catalog::parse("# what we sell\napple = 0.30\nbread = 2.20\ntea = 3.95\n").unwrap()
            )
        ),
        check_return(Ok(vec![
            String::from("1 x tea at 3.95"),
            String::from("no such coupon: NOPE"),
            String::from("total 3.95, change 0.00")
        ])),
        check_called(Catalog::load(..), 1),
        observed("7sax")
    );
    blocktest!(
        "where prices prices txt and words 4 items returning ok",
        given(
            prices = "prices.txt",
            words = &[
                String::from("--coupon"),
                String::from("TENOFF"),
                String::from("tea"),
                String::from("bread")
            ]
        ),
        mock(
            Catalog::load("prices.txt"),
            Some(
                Catalog::parse("# what we sell\napple = 0.30\nbread = 2.20\ntea = 3.95\n").unwrap()
            )
        ),
        check_return(Ok(vec![
            String::from("1 x tea at 3.95"),
            String::from("1 x bread at 2.20"),
            String::from("total 5.53, change 0.00")
        ])),
        check_called(Catalog::load(..), 1),
        observed("c9q8")
    );
    let catalog = Catalog::load(prices).ok_or_else(|| format!("no prices in {prices}"))?;
    let order = order(words)?;
    let mut basket = fill(&catalog, &order.goods)?;
    let mut lines = basket.receipt();
    if let Some(coupon) = &order.coupon
        && !basket.redeem(coupon)
    {
        lines.push(format!("no such coupon: {coupon}"));
    }
    let total = basket.total();
    lines.push(format!(
        "total {total}, change {}",
        change(total, order.paid)?
    ));
    Ok(lines)
}

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let Some((prices, words)) = words.split_first() else {
        return ExitCode::from(2);
    };
    match sell(prices, words) {
        Ok(lines) => {
            lines.iter().for_each(|line| println!("{line}"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod carved_tests {
    use super::*;

    fn usual_catalog() -> Catalog {
        Catalog::parse("# what we sell\napple = 0.30\nbread = 2.20\ntea = 3.95\n").unwrap()
    }

    #[test]
    fn order_where_words_3_items_returning_err() {
        let words = [
            String::from("--paid"),
            String::from("none"),
            String::from("apple"),
        ];

        let result = order(&words);

        assert_eq!(result, Err(String::from("none: NotANumber")));
    }

    #[test]
    fn order_where_words_3_items_returning_ok() {
        let words = [
            String::from("--coupon"),
            String::from("NOPE"),
            String::from("tea"),
        ];

        let result = order(&words);

        assert_eq!(
            result,
            Ok(Order {
                goods: vec![String::from("tea")],
                coupon: Some(String::from("NOPE")),
                paid: None
            })
        );
    }

    #[test]
    fn order_where_words_3_items_returning_ok_2() {
        let words = [
            String::from("--paid"),
            String::from("5.00"),
            String::from("tea"),
        ];

        let result = order(&words);

        assert_eq!(
            result,
            Ok(Order {
                goods: vec![String::from("tea")],
                coupon: None,
                paid: Some(Money::parse("5.00").unwrap())
            })
        );
    }

    #[test]
    fn order_where_words_4_items_returning_ok() {
        let words = [
            String::from("--paid"),
            String::from("1"),
            String::from("bread"),
            String::from("tea"),
        ];

        let result = order(&words);

        assert_eq!(
            result,
            Ok(Order {
                goods: vec![String::from("bread"), String::from("tea")],
                coupon: None,
                paid: Some(Money::parse("1").unwrap())
            })
        );
    }

    #[test]
    fn fill_where_goods_one_item_returning_err() {
        let catalog = usual_catalog();
        let goods = [String::from("pear")];

        let result = fill(&catalog, &goods);

        let error = result.unwrap_err();
        assert_eq!(error, "there is no pear");
    }

    #[test]
    fn fill_where_goods_3_items_returning_ok() {
        let catalog = usual_catalog();
        let goods = [
            String::from("apple"),
            String::from("apple"),
            String::from("bread"),
        ];

        let result = fill(&catalog, &goods);

        assert_eq!(
            format!("{result:?}"),
            "Ok(Basket { lines: [Line { name: \"apple\", price: Money { cents: 30 }, count: 2 }, Line { name: \"bread\", price: Money { cents: 220 }, count: 1 }], discount: 0 })"
        );
    }

    #[test]
    fn change_where_total_395_and_paid_none_returning_ok() {
        let total = Money::parse(" 3.95").unwrap();
        let paid = None;

        let result = change(total, paid);

        assert_eq!(result, Ok(Money::default()));
    }

    #[test]
    fn change_where_total_395_and_paid_some_returning_ok() {
        let total = Money::parse(" 3.95").unwrap();
        let paid = Some(Money::parse("5.00").unwrap());

        let result = change(total, paid);

        assert_eq!(
            result,
            Ok(Money::parse("5.00")
                .unwrap()
                .minus(Money::parse(" 3.95").unwrap())
                .unwrap())
        );
    }

    #[test]
    fn change_where_total_615_and_paid_some_returning_err() {
        let total = Money::parse(" 3.95")
            .unwrap()
            .plus(Money::parse(" 2.20").unwrap());
        let paid = Some(Money::parse("1").unwrap());

        let result = change(total, paid);

        assert_eq!(result, Err(String::from("1.00 is not enough for 6.15")));
    }
}
