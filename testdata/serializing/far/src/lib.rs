//! Types of another crate that show themselves through `serde` only.

use serde::ser::{Serialize, SerializeStruct, Serializer};

pub struct Point {
    pub x: i32,
    pub label: Option<&'static str>,
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut point = serializer.serialize_struct("Point", 2)?;
        point.serialize_field("x", &self.x)?;
        point.serialize_field("label", &self.label)?;
        point.end()
    }
}

pub struct Silent;
