//! Inspection of values with the names of secrets where nothing is recorded, so that they are
//! recognised elsewhere.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::secret::Secrecy;
use crate::slots::Slots;
use crate::{Writer, recorder, reentrancy};

/// The number of inspections of ambiguous names before only some are inspected: the `token` of a
/// lexer occurs all the time.
const FIRST_LOOKS: u32 = 20_000;

/// After the first inspections, one of so many is made.
const ONE_IN: u32 = 64;

/// A value that is being inspected.
#[derive(Debug)]
pub struct Look(Slots);

/// Begins to inspect a value of this type in the code of a package. Returns `None` if nothing is
/// recorded, or the value cannot be a secret.
#[inline(never)]
pub fn begin(secrecy: Secrecy, package: &'static str, type_name: &str) -> Option<Look> {
    static LOOKS: AtomicU32 = AtomicU32::new(0);
    let _inside = reentrancy::enter()?;
    if secrecy < Secrecy::Always && !is_text(type_name) {
        return None;
    }
    let recorder = recorder::get()?;
    let looks = LOOKS.fetch_add(u32::from(secrecy < Secrecy::Always), Ordering::Relaxed);
    let is_wanted =
        secrecy == Secrecy::Always || looks < FIRST_LOOKS || looks.is_multiple_of(ONE_IN);
    is_wanted.then(|| Look(Slots::of_package(recorder, package)))
}

impl Look {
    /// Returns the writer for the value, of which nothing is kept.
    pub fn writer(&mut self, secrecy: Secrecy) -> &mut Writer {
        self.0.open(0, secrecy)
    }
}

impl Drop for Look {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Returns whether a type consists of strings or bytes only.
fn is_text(type_name: &str) -> bool {
    let bare = type_name
        .trim_start_matches(['&', '['])
        .trim_start_matches("mut ");
    let inside = bare
        .strip_prefix("core::option::Option<")
        .or_else(|| bare.strip_prefix("alloc::vec::Vec<"));
    let inside = inside
        .unwrap_or(bare)
        .trim_start_matches('&')
        .trim_end_matches(['>', ']']);
    matches!(inside, "str" | "alloc::string::String" | "u8") || inside.starts_with("u8;")
}

#[cfg(test)]
mod tests {
    use super::is_text;
    use std::any::type_name;

    #[test]
    fn only_text_and_bytes_may_be_a_token() {
        for text in [
            type_name::<&str>(),
            type_name::<Option<String>>(),
            type_name::<&[u8]>(),
            type_name::<[u8; 4]>(),
        ] {
            assert!(is_text(text), "{text}");
        }
        for other in [
            type_name::<char>(),
            type_name::<Option<u32>>(),
            type_name::<super::Secrecy>(),
            type_name::<&[u16]>(),
        ] {
            assert!(!is_text(other), "{other}");
        }
    }
}
