//! A test as text: arrange, act, assert, its name and its place.

pub(crate) mod act;
pub(crate) mod argument;
pub(crate) mod arrange;
pub(crate) mod assertion;
pub(crate) mod call_checks;
pub(crate) mod changes;
pub(crate) mod debug_text;
pub(crate) mod duplicates;
pub(crate) mod in_situ;
pub(crate) mod input;
pub(crate) mod leaf;
pub(crate) mod long_texts;
pub(crate) mod mocks;
pub(crate) mod names;
pub(crate) mod place;
pub(crate) mod producers;
pub(crate) mod shared;
pub(crate) mod stream;
pub(crate) mod temporary_names;
pub(crate) mod test;
pub(crate) mod variants;
