//! Block tests, Fig. 5: a setup finishes an input that no constructor can make, and leaving the loop is an oracle.

use situ::prelude::*;

/// A part of a visiting card.
pub enum Part {
    /// An address.
    Address(Address),
    /// Anything else.
    Note(String),
}

/// An address, perhaps with the label to print on a letter.
pub struct Address {
    street: String,
    label: Option<String>,
}

impl Address {
    /// An address without a label.
    pub fn new(street: &str) -> Self {
        Address {
            street: street.to_owned(),
            label: None,
        }
    }

    /// Gives the address its label.
    pub fn set_label(&mut self, label: &str) {
        self.label = Some(label.to_owned());
    }

    /// The street, for what prints letters without a label.
    pub fn street(&self) -> &str {
        &self.street
    }
}

/// Whether an address of the card has this label.
#[situ]
pub fn has_label(card: Vec<Part>, label: &str) -> bool {
    let mut found = false;
    for part in card {
        let Part::Address(address) = part else {
            continue;
        };
        blocktest!(
            "another label",
            given(address = Address::new("foo"), label = "baz", found = false),
            setup({
                address.set_label("qux");
            }),
            check_false(found),
        );
        blocktest!(
            "this label",
            given(address = Address::new("foo"), label = "bar", found = false),
            setup({
                address.set_label("bar");
            }),
            check_break(),
            check_true(found),
        );
        if let Some(its_label) = &address.label
            && its_label == label
        {
            found = true;
            break;
        }
    }
    found
}
