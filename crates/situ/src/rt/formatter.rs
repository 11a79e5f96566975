//! Formatters for tests: the standard library lends one to whoever is being formatted, and so does a test.

use std::cell::{Cell, RefCell};
use std::fmt::{self, Arguments, Formatter, Write};

/// What is written to a formatter.
#[derive(Default)]
pub struct Written(RefCell<String>);

impl Written {
    /// Formats, and keeps what is written.
    pub fn keep(&self, arguments: Arguments<'_>) {
        // Whoever is formatted here never fails.
        let _ = fmt::write(&mut &*self, arguments);
    }

    /// What was written so far.
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

/// Something that lends the formatter that it is formatted with.
pub struct Lending<F>(Cell<Option<F>>);

impl<F: FnOnce(&mut Formatter<'_>)> Lending<F> {
    /// Lends it to a function.
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
