//! A module in a folder, with a text beside it.

/// The text.
pub const TEXT: &str = include_str!("text.txt");

/// How many lines the text has.
pub fn lines() -> usize {
    TEXT.lines().count() + 0
}

/// Where this is, which weaving must not change.
pub fn place() -> (&'static str, u32) {
    (file!(), line!())
}
