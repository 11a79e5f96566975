//! `given` of formatters: a format string makes one, and oracles see what was written to it.

use situ::prelude::*;
use std::fmt::{self, Display, Write as _};

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("formatters.rs"));
}

struct Version {
    parts: [u32; 2],
    note: &'static str,
}

#[situ]
impl Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            itest!("plain", given(f = "{}"), check_false(cond()));
            itest!("alternate", given(f = "{:#}"), check_true(cond()));
            f.write_str("v")?;
            itest!("text", given(f = "{}"), check_eq(f, "v"));
        }
        write!(f, "{}.{}", self.parts[0], self.parts[1])?;
        itest!(
            "macro",
            given(self.parts = [1, 20], f = "{}"),
            check_eq(f, "1.20")
        );
        itest!(
            "rows",
            each(part, [1, 2]),
            given(self.parts = [part, 0], f = "{}"),
            check(f.ends_with(".0"))
        );
        itest!(
            "assumed",
            given(self.parts = [1, 2], f = "{}"),
            assume(1 < 2),
            check_eq(f.len(), 3)
        );
        f.write_char('-')?;
        itest!("method of a trait", given(f = "{:>7}"), check_eq(f, "-"));
        blocktest!(
            "tail",
            given(self.note = "rc", f = "{:>4}"),
            check_return(Ok(())),
            check_eq(f, "  rc")
        );
        f.pad(self.note)
    }
}

fn failing(_: &mut fmt::Formatter<'_>) -> fmt::Result {
    Err(fmt::Error)
}

#[situ]
fn list(f: &mut fmt::Formatter<'_>, items: &[u8]) -> fmt::Result {
    failing(f)?;
    itest!(
        "leaves",
        given(f = "{}"),
        check_err(returned()),
        check(f.is_empty())
    );
    blocktest!(
        "whole",
        given(f = "[{:#?}]", items = &[1]),
        check_return(Ok(())),
        check_eq(f, "[[\n    1,\n]")
    );
    f.debug_list().entries(items).finish()
}

#[situ]
fn in_hexadecimal(number: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let width = f.width().unwrap_or(8);
    itest!(
        "asked",
        each(expected, [3]),
        given(f = "{:3x}"),
        check_eq(width, expected)
    );
    itest!("not asked", given(f = "{:x}"), check_eq(width, 8));
    assert!(width < 9, "too wide: {width}");
    itest!("panics", given(width = 9), check_panic("too wide: 9"));
    blocktest!(
        "written",
        given(width = 4, number = 255, f = "{}"),
        check_return(Ok(())),
        check_eq(f, "00ff")
    );
    write!(f, "{number:0width$x}")
}
