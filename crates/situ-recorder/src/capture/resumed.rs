//! Capture of iterators that can be reconstructed, in the same type, from their remaining elements.

use std::iter::{Rev, Zip};
use std::str::{Chars, Lines};

use super::Capture;
use super::iterators::{LONGEST, POSITION, rest};
use crate::Writer;
use crate::value::SeqKind;

/// An iterator that can be reconstructed from elements.
pub trait Resume: Iterator + Sized {
    /// Returns whether an iterator over these elements can be constructed.
    fn can_resume(_elements: &[Self::Item]) -> bool {
        true
    }

    /// Writes an iterator over these elements.
    fn resume(elements: &[Self::Item], writer: &mut Writer);
}

impl<T: Capture> Resume for std::slice::Iter<'_, T> {
    fn resume(elements: &[Self::Item], writer: &mut Writer) {
        writer.built(std::any::type_name::<Self>(), "", ".iter()");
        writer.reference(false);
        writer.seq(SeqKind::Slice, std::any::type_name::<[T]>());
        for element in elements {
            if writer.is_full() {
                break;
            }
            T::capture(element, writer);
        }
        writer.end();
        writer.end();
    }
}

impl Resume for Chars<'_> {
    fn resume(elements: &[char], writer: &mut Writer) {
        let text: String = elements.iter().collect();
        rest(
            std::any::type_name::<Self>(),
            &text.as_str(),
            ".chars()",
            writer,
        );
    }
}

/// Returns a string with these lines. A final empty line is kept only if it is terminated.
fn text_of(lines: &[&str]) -> Option<String> {
    let joined = lines.join("\n");
    let texts = [joined.clone(), format!("{joined}\n")];
    texts
        .into_iter()
        .find(|text| text.lines().eq(lines.iter().copied()))
}

impl Resume for Lines<'_> {
    fn can_resume(elements: &[Self::Item]) -> bool {
        text_of(elements).is_some()
    }

    fn resume(elements: &[Self::Item], writer: &mut Writer) {
        let text = text_of(elements).unwrap_or_default();
        rest(
            std::any::type_name::<Self>(),
            &text.as_str(),
            ".lines()",
            writer,
        );
    }
}

impl<I: Resume + DoubleEndedIterator> Resume for Rev<I>
where
    I::Item: Clone,
{
    fn can_resume(elements: &[Self::Item]) -> bool {
        I::can_resume(&backwards(elements))
    }

    fn resume(elements: &[Self::Item], writer: &mut Writer) {
        writer.built(std::any::type_name::<Self>(), "", ".rev()");
        I::resume(&backwards(elements), writer);
        writer.end();
    }
}

fn backwards<T: Clone>(elements: &[T]) -> Vec<T> {
    elements.iter().rev().cloned().collect()
}

impl<A: Resume, B: Resume> Resume for Zip<A, B>
where
    A::Item: Clone,
    B::Item: Clone,
{
    fn can_resume(elements: &[Self::Item]) -> bool {
        let (left, right): (Vec<A::Item>, Vec<B::Item>) = elements.iter().cloned().unzip();
        A::can_resume(&left) && B::can_resume(&right)
    }

    fn resume(elements: &[Self::Item], writer: &mut Writer) {
        let (left, right): (Vec<A::Item>, Vec<B::Item>) = elements.iter().cloned().unzip();
        writer.built(std::any::type_name::<Self>(), "Iterator::zip", "");
        A::resume(&left, writer);
        B::resume(&right, writer);
        writer.end();
    }
}

/// Writes an iterator as its remaining elements.
fn resumed<I: Resume + Clone>(iterator: &I, writer: &mut Writer) {
    let elements: Vec<I::Item> = iterator.clone().take(LONGEST).collect();
    if elements.len() < LONGEST && I::can_resume(&elements) {
        I::resume(&elements, writer);
    } else {
        writer.opaque(std::any::type_name::<I>(), POSITION);
    }
}

impl Capture for Lines<'_> {
    fn capture(&self, writer: &mut Writer) {
        resumed(self, writer);
    }
}

impl<I: Resume + DoubleEndedIterator + Clone> Capture for Rev<I>
where
    I::Item: Clone,
{
    fn capture(&self, writer: &mut Writer) {
        resumed(self, writer);
    }
}

impl<A: Resume + Clone, B: Resume + Clone> Capture for Zip<A, B>
where
    A::Item: Clone,
    B::Item: Clone,
{
    fn capture(&self, writer: &mut Writer) {
        resumed(self, writer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::tests::decoded;
    use crate::secret::Secrecy;
    use crate::value::Value;

    fn captured(value: &impl Capture) -> Value {
        let mut writer = Writer::new(1 << 16);
        writer.start_value(0, Secrecy::None);
        value.capture(&mut writer);
        writer.end_value();
        decoded(&writer)
    }

    /// Returns the value that `method` is called on.
    fn receiver(value: Value, method: &str) -> Value {
        match value {
            Value::Built {
                head,
                tail,
                mut args,
                ..
            } if head.is_empty() && tail == method => args.remove(0),
            other => panic!("{other:?} is not made with {method}"),
        }
    }

    #[test]
    fn lines_that_are_left_are_a_text_again() {
        let mut lines = "a\nb\n\n".lines();
        assert_eq!(
            receiver(captured(&lines), ".lines()"),
            captured(&"a\nb\n\n")
        );
        lines.next();
        assert_eq!(receiver(captured(&lines), ".lines()"), captured(&"b\n\n"));
        assert_eq!(
            receiver(captured(&"a\n".lines()), ".lines()"),
            captured(&"a")
        );
        assert!(
            !captured(&"a\r\r\nb".lines()).is_exact(),
            "no text has these lines"
        );
    }

    #[test]
    fn an_iterator_from_behind_is_made_of_one_from_the_front() {
        let mut backwards = [1u8, 2, 3].iter().rev();
        backwards.next();
        let forwards = receiver(captured(&backwards), ".rev()");
        assert_eq!(receiver(forwards, ".iter()"), captured(&&[1u8, 2][..]));
        let letters = receiver(captured(&"abc".chars().rev()), ".rev()");
        assert_eq!(receiver(letters, ".chars()"), captured(&"abc"));
    }

    #[test]
    fn two_that_go_side_by_side_are_made_of_what_both_have_left() {
        let mut pairs = [1u8, 2, 3].iter().rev().zip("ab".chars());
        pairs.next();
        let Value::Built { head, args, .. } = captured(&pairs) else {
            panic!("not built")
        };
        assert_eq!(head, "Iterator::zip");
        assert_eq!(
            args,
            [captured(&[2u8].iter().rev()), captured(&"b".chars())]
        );
    }
}
