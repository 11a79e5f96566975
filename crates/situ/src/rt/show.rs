//! Shows a value in a failure message: through `Debug` where its type has it, else by the type's name.

use std::any::type_name;
use std::fmt::Debug;
use std::ops::Deref;

/// A value to be shown. `Show::new(&x).show()` finds the inherent method for `T: Debug`, and goes through `Deref` to the
/// other one for everything else; so the choice is made where the type is known, with no trait to import.
pub struct Show<'a, T: ?Sized>(&'a T, Opaque);

/// What is left to say of a value without `Debug`.
pub struct Opaque(&'static str);

impl<'a, T: ?Sized> Show<'a, T> {
    /// Takes the value to be shown.
    pub fn new(value: &'a T) -> Self {
        Show(value, Opaque(type_name::<T>()))
    }
}

impl<T: Debug + ?Sized> Show<'_, T> {
    /// The value's `Debug` text.
    pub fn show(&self) -> String {
        format!("{:?}", self.0)
    }
}

impl<T: Debug + ?Sized> Show<'_, T> {
    /// The value's `Debug` text, which it has.
    pub fn shown(&self) -> Option<String> {
        Some(self.show())
    }
}

impl<T: ?Sized> Deref for Show<'_, T> {
    type Target = Opaque;

    fn deref(&self) -> &Opaque {
        &self.1
    }
}

impl Opaque {
    /// Nothing, for the value has no text.
    pub fn shown(&self) -> Option<String> {
        None
    }

    /// The name of the type, in angle brackets.
    pub fn show(&self) -> String {
        format!("<{} without Debug>", self.0)
    }
}
