//! Recorded calls that returned a value, for values whose private fields cannot be written.

use super::types::{Visible, is_visible};
use situ_recorder::value::Value;
use std::collections::HashMap;

/// Recorded call that returned a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Producer {
    pub function: Produces,
    /// Where the function can be called.
    pub visible: Visible,
    pub arguments: Vec<Value>,
    /// Whether the function returns the value in an `Ok` or a `Some`.
    pub is_wrapped: bool,
}

/// Function whose call returned a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Produces {
    /// Associated function of the value's type.
    Associated(String),
    /// Method: receiver and name.
    Method(Value, String),
    /// Function with this path, without the crate.
    Free(String),
}

/// Recorded calls, by the values they returned.
#[derive(Clone, Debug, Default)]
pub struct Producers {
    by_value: HashMap<Value, Vec<Producer>>,
}

impl Producers {
    /// Adds a call that returned this value.
    pub fn add(&mut self, value: Value, producer: Producer) {
        self.by_value.entry(value).or_default().push(producer);
    }

    /// Returns whether any call returned this value.
    pub fn has(&self, value: &Value) -> bool {
        self.by_value.contains_key(value)
    }

    /// Returns the first call that returned this value and is visible in a module.
    pub fn of(&self, value: &Value, module: &str) -> Option<&Producer> {
        self.by_value
            .get(value)?
            .iter()
            .find(|producer| is_visible(&producer.visible, module))
    }
}
