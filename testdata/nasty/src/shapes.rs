//! Types of all shapes, a union, memory by hand, traits with default methods.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    Point,
    Circle(f64),
    Rect { width: u32, height: u32 },
}

/// Bits under two names.
#[derive(Clone, Copy)]
pub union Bits {
    pub whole: u32,
    pub half: u16,
}

/// Holds its text by a pointer; only its public face says what it is.
pub struct Handle {
    text: *const str,
}

impl Handle {
    pub fn new(text: &'static str) -> Self {
        Handle { text }
    }

    pub fn text(&self) -> &'static str {
        // SAFETY: it was made from a static reference.
        unsafe { &*self.text }
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl FromStr for Handle {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Ok(Handle::new(Box::leak(text.to_owned().into_boxed_str())))
    }
}

impl PartialEq for Handle {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

pub struct Tagged<T> {
    pub id: u16,
    pub tag: PhantomData<T>,
}

pub trait Describe {
    fn name(&self) -> String;

    fn short(&self) -> String {
        let name = self.name();
        name.chars().take(3).collect()
    }
}

impl Describe for Shape {
    fn name(&self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

pub fn area(shape: &Shape) -> u64 {
    let text = format!("{shape:?}").replace("Rect", "R");
    let _ = text;
    match *shape {
        Shape::Point => 0,
        Shape::Circle(radius) => (radius * radius * 3.0) as u64,
        Shape::Rect { width, height } => u64::from(width) * u64::from(height) << 1 >> 1,
    }
}

pub fn low(bits: Bits, handle: &Handle, tagged: &Tagged<String>) -> usize {
    // SAFETY: all bits are initialised.
    let low = unsafe { bits.half } & 0xff;
    let shown = handle.text().trim_start().len() + usize::from(tagged.id >> 4);
    let seen = handle.to_string().split('-').count();
    usize::from(low) + shown + seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes() {
        assert_eq!(Shape::Point.short(), "poi");
        assert_eq!(area(&Shape::Circle(2.0)), 12);
        assert_eq!(area(&Shape::Rect { width: 2, height: 5 }), 10);
        let tagged = Tagged { id: 16, tag: PhantomData };
        assert_eq!(low(Bits { whole: 0x1_0203 }, &Handle::new("a-b"), &tagged), 3 + 3 + 1 + 2);
    }
}
