//! What a call gives, as bytes that can be compared and sent, and as values again.

use crate::bytes::{Reader, put_text};
use crate::decode::{Budget, Name, decode};
use crate::value::Value;

/// The tag of values.
pub(super) const VALUES: u8 = 0;
/// The tag of a panic.
pub(super) const PANIC: u8 = 1;
/// The tag of a call that is out of fuel.
pub(super) const ENDLESS: u8 = 2;

/// The memory that the values of one outcome may take.
const MAX_BYTES: usize = 1 << 24;

/// What a call gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Values by slot: 0 is the result, `n + 1` the argument `n` after the call, the receiver being the first.
    Values(Vec<(u32, Value)>),
    /// A panic with this message.
    Panic(String),
    /// It does not end.
    Endless,
}

impl Outcome {
    /// Reads what a process has said.
    pub fn read(bytes: &[u8]) -> Option<Outcome> {
        let mut reader = Reader::new(bytes);
        match reader.byte().ok()? {
            VALUES => {
                let count = reader.length().ok()?;
                let names = (0..count)
                    .map(|_| reader.text().map(Name::new))
                    .collect::<Result<Vec<_>, _>>()
                    .ok()?;
                let budget = Budget::new(MAX_BYTES);
                let mut values = Vec::new();
                while !reader.is_empty() {
                    let slot = u32::try_from(reader.number().ok()?).ok()?;
                    values.push((slot, decode(&mut reader, &names, &budget).ok()?));
                }
                Some(Outcome::Values(values))
            }
            PANIC => Some(Outcome::Panic(reader.text().ok()?.to_owned())),
            ENDLESS => Some(Outcome::Endless),
            _ => None,
        }
    }
}

/// The bytes of a panic.
pub(super) fn panic(message: &str) -> Vec<u8> {
    let mut bytes = vec![PANIC];
    put_text(&mut bytes, message);
    bytes
}

/// How good a difference is to show to people: less is better. None where there is none.
pub(super) fn rank(original: &[u8], mutated: &[u8]) -> Option<u8> {
    if original == mutated {
        return None;
    }
    Some(
        match (
            original.first().copied().unwrap_or(ENDLESS),
            mutated.first().copied().unwrap_or(ENDLESS),
        ) {
            (VALUES, VALUES) => 0,
            (VALUES, PANIC) | (PANIC, VALUES) => 1,
            (PANIC, PANIC) => 3,
            _ => 2,
        },
    )
}

#[cfg(test)]
mod tests {
    use super::{ENDLESS, Outcome, VALUES, panic, rank};

    #[test]
    fn values_are_preferred_to_panics() {
        let value = |byte: u8| vec![VALUES, 0, byte];
        assert_eq!(rank(&value(1), &value(1)), None);
        assert_eq!(rank(&value(1), &value(2)), Some(0));
        assert_eq!(rank(&value(1), &panic("a")), Some(1));
        assert_eq!(rank(&value(1), &[ENDLESS]), Some(2));
        assert_eq!(rank(&panic("b"), &panic("a")), Some(3));
    }

    #[test]
    fn what_a_process_says_is_read_back() {
        assert_eq!(
            Outcome::read(&panic("a\nb")),
            Some(Outcome::Panic("a\nb".to_owned()))
        );
        assert_eq!(Outcome::read(&[ENDLESS]), Some(Outcome::Endless));
        assert_eq!(Outcome::read(&[9]), None);
        assert_eq!(Outcome::read(&[]), None);
    }
}
