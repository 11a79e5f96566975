//! Capture of values without parts: numbers, chars, strings, tuples and references.

use super::Capture;
use crate::Writer;
use crate::secret::Secrecy;

macro_rules! integers {
    ($($code:literal $integer:ident)*) => {$(
        impl Capture for $integer {
            fn capture(&self, writer: &mut Writer) {
                writer.int($code, *self as i128);
            }
        }

        impl Capture for std::num::NonZero<$integer> {
            fn capture(&self, writer: &mut Writer) {
                let head = concat!("std::num::NonZero::<", stringify!($integer), ">::new");
                writer.built(std::any::type_name::<Self>(), head, ".unwrap()");
                self.get().capture(writer);
                writer.end();
            }
        }

        impl Capture for std::num::Wrapping<$integer> {
            fn capture(&self, writer: &mut Writer) {
                writer.built(std::any::type_name::<Self>(), "std::num::Wrapping", "");
                self.0.capture(writer);
                writer.end();
            }
        }
    )*};
}

impl Capture for u8 {
    fn capture(&self, writer: &mut Writer) {
        writer.int(0, i128::from(*self));
    }

    fn capture_items(items: &[Self], writer: &mut Writer) {
        writer.byte_items(items);
    }
}

impl Capture for std::num::NonZero<u8> {
    fn capture(&self, writer: &mut Writer) {
        writer.built(
            std::any::type_name::<Self>(),
            "std::num::NonZero::<u8>::new",
            ".unwrap()",
        );
        self.get().capture(writer);
        writer.end();
    }
}

impl Capture for std::num::Wrapping<u8> {
    fn capture(&self, writer: &mut Writer) {
        writer.built(std::any::type_name::<Self>(), "std::num::Wrapping", "");
        self.0.capture(writer);
        writer.end();
    }
}

integers! { 1 u16 2 u32 3 u64 4 u128 5 usize 6 i8 7 i16 8 i32 9 i64 10 i128 11 isize }

impl Capture for bool {
    fn capture(&self, writer: &mut Writer) {
        writer.bool(*self);
    }
}

impl Capture for char {
    fn capture(&self, writer: &mut Writer) {
        writer.char(*self);
    }

    fn capture_items(items: &[Self], writer: &mut Writer) {
        writer.char_items(items);
    }
}

impl Capture for f32 {
    fn capture(&self, writer: &mut Writer) {
        writer.float(false, u64::from(self.to_bits()));
    }
}

impl Capture for f64 {
    fn capture(&self, writer: &mut Writer) {
        writer.float(true, self.to_bits());
    }
}

impl Capture for str {
    fn capture(&self, writer: &mut Writer) {
        writer.str(self);
    }
}

impl<T: Capture + ?Sized> Capture for &T {
    fn capture(&self, writer: &mut Writer) {
        writer.reference(false);
        if !writer.is_full() {
            (**self).capture(writer);
        }
    }
}

impl<T: Capture + ?Sized> Capture for &mut T {
    fn capture(&self, writer: &mut Writer) {
        writer.reference(true);
        if !writer.is_full() {
            (**self).capture(writer);
        }
    }
}

impl Capture for () {
    fn capture(&self, writer: &mut Writer) {
        writer.unit();
    }
}

macro_rules! tuples {
    ($($name:ident)*) => {
        impl<$($name: Capture),*> Capture for ($($name,)*) {
            #[allow(non_snake_case)]
            fn capture(&self, writer: &mut Writer) {
                let ($($name,)*) = self;
                writer.tuple();
                // A string before another may be its name: `("Authorization", "…")`.
                let mut behind = Secrecy::None;
                $(behind = writer.part(behind, |writer| $name.capture(writer));)*
                let _ = behind;
                writer.end();
            }
        }
    };
}

tuples! { A }
tuples! { A B }
tuples! { A B C }
tuples! { A B C D }
tuples! { A B C D E }
tuples! { A B C D E F }
tuples! { A B C D E F G }
tuples! { A B C D E F G H }

impl<T: ?Sized> Capture for std::marker::PhantomData<T> {
    fn capture(&self, writer: &mut Writer) {
        writer.built(
            std::any::type_name::<Self>(),
            "",
            "std::marker::PhantomData",
        );
        writer.end();
    }
}

impl Capture for std::cmp::Ordering {
    fn capture(&self, writer: &mut Writer) {
        let variant = match self {
            std::cmp::Ordering::Less => "std::cmp::Ordering::Less",
            std::cmp::Ordering::Equal => "std::cmp::Ordering::Equal",
            std::cmp::Ordering::Greater => "std::cmp::Ordering::Greater",
        };
        writer.built(std::any::type_name::<Self>(), "", variant);
        writer.end();
    }
}
