//! Capture of the standard library's iterators that cannot be reconstructed in their own type, as
//! their remaining elements.

use super::Capture;
use super::iterators::LONGEST;
use crate::Writer;
use crate::foreign::{self, Purpose};
use crate::value::SeqKind;

/// The adapters and sources that call closures of the user, which would have effects.
const CALLING: [&str; 13] = [
    "Filter",
    "FilterMap",
    "FlatMap",
    "FromFn",
    "Inspect",
    "Map",
    "MapWhile",
    "OnceWith",
    "RepeatWith",
    "Scan",
    "SkipWhile",
    "Successors",
    "TakeWhile",
];

/// Writes another iterator with the same elements, for comparison and for parameters that accept
/// any iterator. Returns whether it did.
pub(super) fn capture<I: Iterator + Clone>(iterator: &I, writer: &mut Writer) -> bool
where
    I::Item: Capture,
{
    let type_name = std::any::type_name::<I>();
    if !is_quiet(type_name) {
        return false;
    }
    let elements = foreign::run(type_name, Purpose::Rebuild, || {
        iterator.clone().take(LONGEST).collect::<Vec<_>>()
    });
    let Some(elements) = elements
        .ok()
        .filter(|elements: &Vec<I::Item>| elements.len() < LONGEST)
    else {
        return false;
    };
    // A peekable iterator stays peekable.
    let is_peekable = type_name.starts_with("core::iter::adapters::peekable::");
    writer.built(
        type_name,
        "",
        if is_peekable {
            ".into_iter().peekable()"
        } else {
            ".into_iter()"
        },
    );
    writer.seq(SeqKind::Vec, std::any::type_name::<Vec<I::Item>>());
    I::Item::capture_items(&elements, writer);
    writer.end();
    writer.end();
    true
}

/// Returns whether iterating over a clone executes code of the standard library only.
fn is_quiet(type_name: &str) -> bool {
    let is_std = ["core::", "alloc::", "std::"]
        .iter()
        .any(|start| type_name.starts_with(start));
    let mut words = type_name.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let is_calling = words.any(|word| CALLING.contains(&word) || word == "fn" || word == "dyn");
    is_std && !is_calling && !type_name.contains("{{closure}}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::tests::captured;
    use crate::value::Value;

    #[test]
    fn an_iterator_is_known_by_what_it_has_yet_to_give() {
        let mut found = "a-b-c".match_indices('-');
        found.next();
        let Value::Built { tail, args, .. } = captured!(found) else {
            panic!("not built")
        };
        assert_eq!(
            (tail.as_str(), args),
            (".into_iter()", vec![captured!(vec![(3usize, "-")])])
        );
        assert_eq!(found.next(), Some((3, "-")), "it was not moved on");
    }

    #[test]
    fn one_that_can_be_peeked_at_stays_so() {
        let mut parts = "a-b-c".split_terminator('-').peekable();
        parts.next();
        parts.peek();
        let Value::Built { tail, args, .. } = captured!(parts) else {
            panic!("not built")
        };
        assert_eq!(
            (tail.as_str(), args),
            (".into_iter().peekable()", vec![captured!(vec!["b", "c"])])
        );
    }

    #[test]
    fn one_that_never_ends_or_calls_others_is_not_gone_through() {
        assert!(!captured!(std::iter::repeat(1u8)).is_exact());
        let asked = std::cell::Cell::new(0);
        let counting = [1u8, 2].iter().inspect(|_| asked.set(asked.get() + 1));
        assert!(!captured!(counting).is_exact());
        assert_eq!((asked.get(), counting.count()), (0, 2));
    }

    #[test]
    fn whoever_would_notice_is_left_alone() {
        let names = [
            ("core::str::iter::MatchIndices<char>", true),
            (
                "core::iter::adapters::chain::Chain<core::str::iter::Chars, core::option::IntoIter<char>>",
                true,
            ),
            (
                "core::iter::adapters::map::Map<core::str::iter::Chars, mine::upper>",
                false,
            ),
            ("core::str::iter::Split<mine::f::{{closure}}>", false),
            ("core::str::iter::Split<fn(char) -> bool>", false),
            ("mine::Walk<core::str::iter::Chars>", false),
        ];
        for (name, expected) in names {
            assert_eq!(is_quiet(name), expected, "{name}");
        }
    }
}
