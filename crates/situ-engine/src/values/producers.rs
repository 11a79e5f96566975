//! Calls that gave a value when they were seen: for values whose fields nobody else can write.

use super::types::{Visible, is_visible};
use situ_recorder::value::Value;
use std::collections::HashMap;

/// A call that gives a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Producer {
    /// What is called.
    pub function: Produces,
    /// From where it can be called.
    pub visible: Visible,
    /// Its arguments.
    pub arguments: Vec<Value>,
    /// Whether the value comes in an `Ok` or a `Some`.
    pub is_wrapped: bool,
}

/// What gives a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Produces {
    /// A function of the value's own type.
    Associated(String),
    /// A method of this value.
    Method(Value, String),
    /// A function with this path from the crate on.
    Free(String),
}

/// The values that calls gave.
#[derive(Clone, Debug, Default)]
pub struct Producers {
    by_value: HashMap<Value, Vec<Producer>>,
}

impl Producers {
    /// Adds a call that gave this value.
    pub fn add(&mut self, value: Value, producer: Producer) {
        self.by_value.entry(value).or_default().push(producer);
    }

    /// Whether a value is there.
    pub fn has(&self, value: &Value) -> bool {
        self.by_value.contains_key(value)
    }

    /// The first call that gives this value and can be made in a module.
    pub fn of(&self, value: &Value, module: &str) -> Option<&Producer> {
        self.by_value
            .get(value)?
            .iter()
            .find(|producer| is_visible(&producer.visible, module))
    }
}
