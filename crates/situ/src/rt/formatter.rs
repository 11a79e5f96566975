//! Formatters for tests: only a value that is being formatted receives one, so a test formats a
//! value to obtain it.

use std::cell::{Cell, RefCell};
use std::fmt::{self, Arguments, Formatter, Write};

/// The output of a formatter.
#[derive(Default)]
pub struct Written(RefCell<String>);

impl Written {
    /// Formats the arguments and appends the output.
    pub fn keep(&self, arguments: Arguments<'_>) {
        // Formatting here never fails.
        let _ = fmt::write(&mut &*self, arguments);
    }

    /// Returns the output so far.
    pub fn text(&self) -> String {
        self.0.borrow().clone()
    }
}

impl Write for &Written {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.borrow_mut().push_str(text);
        Ok(())
    }
}

/// A value that passes the formatter it is formatted with to a closure.
pub struct Lending<F>(Cell<Option<F>>);

impl<F: FnOnce(&mut Formatter<'_>)> Lending<F> {
    /// Creates a value that passes its formatter to `borrower`.
    pub fn new(borrower: F) -> Lending<F> {
        Lending(Cell::new(Some(borrower)))
    }

    fn lend(&self, formatter: &mut Formatter<'_>) {
        if let Some(borrower) = self.0.take() {
            borrower(formatter);
        }
    }
}

macro_rules! formatted {
    ($($way:ident)*) => {$(
        impl<F: FnOnce(&mut Formatter<'_>)> fmt::$way for Lending<F> {
            fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
                self.lend(formatter);
                Ok(())
            }
        }
    )*};
}

formatted! { Display Debug Octal LowerHex UpperHex Pointer Binary LowerExp UpperExp }
