//! A cash register: `carve-cli PRICES [--coupon WORD] [--paid AMOUNT] GOODS…`.
#![forbid(unsafe_code)]

mod basket;
mod catalog;
mod money;

use basket::Basket;
use catalog::Catalog;
use money::Money;
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
    let mut order = Order { goods: Vec::new(), coupon: None, paid: None };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--coupon" => order.coupon = words.next().cloned(),
            "--paid" => {
                let amount = words.next().ok_or("how much was paid?")?;
                order.paid = Some(Money::parse(amount).map_err(|error| format!("{amount}: {error:?}"))?);
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
        let price = catalog.price(name).ok_or_else(|| format!("there is no {name}"))?;
        basket.add(name, price);
    }
    Ok(basket)
}

/// What the customer gets back.
fn change(total: Money, paid: Option<Money>) -> Result<Money, String> {
    let Some(paid) = paid else { return Ok(Money::default()) };
    paid.minus(total).ok_or_else(|| format!("{paid} is not enough for {total}"))
}

fn sell(prices: &str, words: &[String]) -> Result<Vec<String>, String> {
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
    lines.push(format!("total {total}, change {}", change(total, order.paid)?));
    Ok(lines)
}

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let Some((prices, words)) = words.split_first() else { return ExitCode::from(2) };
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
