//! Collections that hold a number of copies of each thing.

use std::collections::{BTreeMap, HashMap};

/// Something that may go into a bag: numbers have an order, pictures have none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// Has an order.
    Number(i32),
    /// Has none.
    Picture(&'static str),
}

/// Why a bag does not take an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoOrder;

/// A collection that counts its items.
pub trait Bag {
    /// Adds a copy.
    ///
    /// # Errors
    ///
    /// Where the bag needs an order and the item has none.
    fn add(&mut self, item: Item) -> Result<(), NoOrder>;

    /// Whether there is a copy.
    fn contains(&self, item: &Item) -> bool;

    /// How many copies of everything there are.
    fn len(&self) -> usize;

    /// Whether there is nothing in it.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// In no order.
#[derive(Debug, Default)]
pub struct HashBag(HashMap<Item, usize>);

impl Bag for HashBag {
    fn add(&mut self, item: Item) -> Result<(), NoOrder> {
        *self.0.entry(item).or_default() += 1;
        Ok(())
    }

    fn contains(&self, item: &Item) -> bool {
        self.0.contains_key(item)
    }

    fn len(&self) -> usize {
        self.0.values().sum()
    }
}

/// In the order of its items.
#[derive(Debug, Default)]
pub struct TreeBag {
    numbers: BTreeMap<i32, usize>,
    lost: usize,
}

impl Bag for TreeBag {
    fn add(&mut self, item: Item) -> Result<(), NoOrder> {
        match item {
            Item::Number(number) => *self.numbers.entry(number).or_default() += 1,
            // The first item was never compared with another, so nothing complained.
            Item::Picture(_) if cfg!(feature = "bugs") && self.is_empty() => self.lost += 1,
            Item::Picture(_) => return Err(NoOrder),
        }
        Ok(())
    }

    fn contains(&self, item: &Item) -> bool {
        matches!(item, Item::Number(number) if self.numbers.contains_key(number))
    }

    fn len(&self) -> usize {
        self.numbers.values().sum::<usize>() + self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::{Bag, HashBag, Item, TreeBag};
    use situ::prelude::*;

    #[datapoints]
    fn bags() -> Vec<Box<dyn Bag>> {
        let mut filled = TreeBag::default();
        filled.add(Item::Number(7)).expect("a number");
        vec![
            Box::new(HashBag::default()),
            Box::new(TreeBag::default()),
            Box::new(filled),
        ]
    }

    #[datapoints]
    const ITEMS: [Item; 3] = [Item::Number(7), Item::Number(-1), Item::Picture("cat")];

    #[theory]
    fn what_was_added_is_there(bag: &mut dyn Bag, item: Item) {
        assume_ok!(bag.add(item.clone()));
        assert!(bag.contains(&item));
    }

    #[theory]
    fn adding_makes_a_bag_one_larger(bag: &mut dyn Bag, item: Item) {
        let before = bag.len();
        assume_ok!(bag.add(item));
        assert_eq!(bag.len(), before + 1);
    }

    #[theory]
    fn a_refused_item_leaves_the_bag_as_it_was(bag: &mut dyn Bag, item: Item) {
        let before = bag.len();
        assume!(bag.add(item).is_err());
        assert_eq!(bag.len(), before);
    }
}
