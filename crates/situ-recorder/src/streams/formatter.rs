//! Replacement of the formatter that a statement writes to, by one whose output is logged.
//!
//! Only the standard library can construct a formatter, and passes a reference to it to `fmt`. So a
//! `Display` implementation that is formatted with the same options takes the formatter from there.

use std::cell::Cell;
use std::fmt::{self, Alignment, Display, Formatter, Write};

use super::{Passed, StandIn};
use crate::probe::Guard;

/// A formatter that is logged for a slot of a record.
pub struct FormatterWritten<'s, 'f> {
    inner: &'s mut Formatter<'f>,
    passed: Passed,
}

impl<'s, 'f> FormatterWritten<'s, 'f> {
    /// Wraps a formatter.
    pub fn new(guard: &mut Guard, slot: u32, inner: &'s mut Formatter<'f>) -> Self {
        FormatterWritten {
            inner,
            passed: guard.passing(slot),
        }
    }

    /// Returns a formatter with the same options whose output is logged. If nothing is recorded, or
    /// no such formatter can be constructed, returns the original.
    pub fn formatter(&mut self) -> Formatter<'_> {
        let format = if self.passed.is_watched() {
            Format::of(self.inner)
        } else {
            None
        };
        match format {
            Some(format) => format.formatter(self),
            None => {
                self.passed.lose();
                // SAFETY: a formatter has nothing to drop, and the original cannot be used while it is borrowed.
                unsafe { taken(self.inner) }
            }
        }
    }
}

impl Write for FormatterWritten<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.passed.seen(self.inner.write_str(text))?;
        self.passed.add(text.as_bytes());
        Ok(())
    }
}

impl Guard {
    /// Notes that a statement may write to a formatter.
    #[inline(never)]
    pub fn formatter(&mut self, slot: u32, formatter: &Formatter<'_>) {
        let passed = self.passing(slot);
        passed.stood_for_by(StandIn::Formatter, true);
        match Format::of(formatter) {
            Some(format) => passed.formatted_as(format.text()),
            None => passed.lose(),
        }
    }
}

/// The options of a format string between its colon and closing brace. A fill other than a space is
/// not among them, because it can only be written literally.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Format {
    align: Option<Alignment>,
    plus: bool,
    alternate: bool,
    zero: bool,
    width: Option<usize>,
    precision: Option<usize>,
}

impl Format {
    /// Returns the options of a formatter, if they are complete.
    fn of(formatter: &Formatter<'_>) -> Option<Format> {
        // Only the flags tell whether the format is `{:x?}`.
        #[allow(deprecated)]
        let flags = formatter.flags();
        let is_hexadecimal = flags & (1 << 4 | 1 << 5) != 0;
        let is_plain = formatter.fill() == ' ' && !formatter.sign_minus() && !is_hexadecimal;
        is_plain.then(|| Format {
            align: formatter.align(),
            plus: formatter.sign_plus(),
            alternate: formatter.alternate(),
            zero: formatter.sign_aware_zero_pad(),
            width: formatter.width(),
            precision: formatter.precision(),
        })
    }

    /// Returns the format string.
    fn text(self) -> String {
        let align = match self.align {
            Some(Alignment::Left) => "<",
            Some(Alignment::Right) => ">",
            Some(Alignment::Center) => "^",
            None => "",
        };
        let of = |is_set: bool, flag: &'static str| if is_set { flag } else { "" };
        let width = self
            .width
            .map(|width| width.to_string())
            .unwrap_or_default();
        let precision = self
            .precision
            .map(|precision| format!(".{precision}"))
            .unwrap_or_default();
        let (plus, alternate, zero) = (
            of(self.plus, "+"),
            of(self.alternate, "#"),
            of(self.zero, "0"),
        );
        match format!("{align}{plus}{alternate}{zero}{width}{precision}") {
            nothing if nothing.is_empty() => "{}".to_owned(),
            said => format!("{{:{said}}}"),
        }
    }

    /// Constructs a formatter with these options over a writer.
    fn formatter<'w>(self, writer: &'w mut dyn Write) -> Formatter<'w> {
        let lent = Lent(Cell::new(None));
        let (width, precision) = (self.width, self.precision);
        macro_rules! written {
            ($align:literal $flags:literal) => {
                match (width, precision) {
                    (None, None) => write!(writer, concat!("{:", $align, $flags, "}"), lent),
                    (Some(w), None) => {
                        write!(writer, concat!("{:", $align, $flags, "w$}"), lent, w = w)
                    }
                    (None, Some(p)) => {
                        write!(writer, concat!("{:", $align, $flags, ".p$}"), lent, p = p)
                    }
                    (Some(w), Some(p)) => write!(
                        writer,
                        concat!("{:", $align, $flags, "w$.p$}"),
                        lent,
                        w = w,
                        p = p
                    ),
                }
            };
        }
        macro_rules! flagged {
            ($align:literal) => {
                match (self.plus, self.alternate, self.zero) {
                    (false, false, false) => written!($align ""),
                    (false, false, true) => written!($align "0"),
                    (false, true, false) => written!($align "#"),
                    (false, true, true) => written!($align "#0"),
                    (true, false, false) => written!($align "+"),
                    (true, false, true) => written!($align "+0"),
                    (true, true, false) => written!($align "+#"),
                    (true, true, true) => written!($align "+#0"),
                }
            };
        }
        let _ = match self.align {
            None => flagged!(""),
            Some(Alignment::Left) => flagged!("<"),
            Some(Alignment::Right) => flagged!(">"),
            Some(Alignment::Center) => flagged!("^"),
        };
        lent.0.take().expect("one argument is formatted once")
    }
}

/// A `Display` implementation that keeps the formatter passed to it. Its creator must make sure
/// that the formatter's writer lives for `'w`.
struct Lent<'w>(Cell<Option<Formatter<'w>>>);

impl Display for Lent<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        // SAFETY: who lends it does nothing with it afterwards, and its writer is borrowed for as long as ours lives.
        self.0.set(Some(unsafe { taken(formatter) }));
        Ok(())
    }
}

/// Copies a formatter out of its reference.
///
/// # Safety
///
/// The original must not be used as long as the copy exists, and its writer must live as long.
unsafe fn taken<'w>(formatter: &mut Formatter<'_>) -> Formatter<'w> {
    const { assert!(!std::mem::needs_drop::<Formatter<'_>>()) };
    let place: *mut Formatter<'_> = formatter;
    // SAFETY: the place holds a formatter; lifetimes leave no trace in it, and by the contract above nothing is used twice.
    unsafe { place.cast::<Formatter<'w>>().read() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Debug;

    /// A value that formats itself through a formatter with the same options, over a logged one.
    struct Through<'t, T>(&'t T, Passed);

    impl<T: Display> Display for Through<'_, T> {
        fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
            let mut watched = FormatterWritten {
                inner: formatter,
                passed: self.1.clone(),
            };
            self.0.fmt(&mut watched.formatter())
        }
    }

    impl<T: Debug> Debug for Through<'_, T> {
        fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
            let mut watched = FormatterWritten {
                inner: formatter,
                passed: self.1.clone(),
            };
            self.0.fmt(&mut watched.formatter())
        }
    }

    fn kept(passed: &Passed) -> Option<String> {
        let mut found = None;
        passed.kept(|kept| {
            found = (!kept.is_lost).then(|| String::from_utf8_lossy(&kept.bytes).into_owned())
        });
        found
    }

    macro_rules! formats {
        ($value:expr; $($format:literal $is_kept:literal)*) => {$(
            let (value, passed) = ($value, Passed::keeping(100));
            let expected = format!($format, value);
            assert_eq!(format!($format, Through(&value, passed.clone())), expected, "{}", stringify!($format));
            assert_eq!(kept(&passed), $is_kept.then_some(expected), "{}", stringify!($format));
        )*};
    }

    #[test]
    fn what_is_written_in_any_format_is_written_and_kept() {
        formats!(-7; "{}" true "{:>9}" true "{:<+#012}" true "{:^5}" true "{:08}" true "{:#?}" true "{:-}" false);
        formats!(1.25; "{:.1}" true "{:+9.3}" true "{:e>9}" false "{:?}" true);
        formats!("text"; "{:.2}" true "{:^9}" true "{:*^9}" false "{:>6.3}" true "{:?}" true);
        formats!([10, 11]; "{:x?}" false "{:#?}" true "{:02?}" true "{:?}" true);
    }

    #[test]
    fn where_nothing_is_recorded_the_formatter_itself_is_used() {
        assert_eq!(
            format!("{:*^9.2}", Through(&"text", Passed::default())),
            "***te****"
        );
    }

    #[test]
    fn a_format_is_told_as_the_string_that_asks_for_it() {
        struct Told;
        impl Display for Told {
            fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
                let text = Format::of(formatter).map(Format::text);
                formatter.write_str(text.as_deref().unwrap_or("none"))
            }
        }
        assert_eq!(
            format!("{Told} {Told:#} {Told:>8} {Told:^+#09.2} {Told:_<1}"),
            "{} {:#} {:>8} {:^+#09.2} none"
        );
    }
}
