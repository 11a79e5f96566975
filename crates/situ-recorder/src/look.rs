//! Looks at values that have the names of secrets where nothing is recorded, so that they are recognised elsewhere.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::secret::Secrecy;
use crate::slots::Slots;
use crate::{Writer, recorder, reentrancy};

/// So many looks at what may be something else are had before only some are: the `token` of a lexer is met all the time.
const FIRST_LOOKS: u32 = 20_000;

/// Then one of so many.
const ONE_IN: u32 = 64;

/// A value that is being looked at.
#[derive(Debug)]
pub struct Look(Slots);

/// Begins to look at a value of this type in the code of a package; none where nothing is recorded, or where it cannot be a secret.
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
    /// Where the value goes, of which nothing is kept.
    pub fn writer(&mut self, secrecy: Secrecy) -> &mut Writer {
        self.0.open(0, secrecy)
    }
}

impl Drop for Look {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Whether a type holds text or bytes and nothing else.
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
