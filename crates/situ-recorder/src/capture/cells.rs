//! Capture of cells and locks. Their content is captured only if it is not borrowed or locked.

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::atomic::{self, Ordering};
use std::sync::{Mutex, OnceLock, RwLock};

use super::Capture;
use crate::Writer;

fn cell<T: Capture>(type_name: &'static str, head: &'static str, value: &T, writer: &mut Writer) {
    writer.built(type_name, head, "");
    value.capture(writer);
    writer.end();
}

impl<T: Capture + Copy> Capture for Cell<T> {
    fn capture(&self, writer: &mut Writer) {
        cell(
            std::any::type_name::<Self>(),
            "std::cell::Cell::new",
            &self.get(),
            writer,
        );
    }
}

impl<T: Capture> Capture for RefCell<T> {
    fn capture(&self, writer: &mut Writer) {
        match self.try_borrow() {
            Ok(value) => cell(
                std::any::type_name::<Self>(),
                "std::cell::RefCell::new",
                &*value,
                writer,
            ),
            Err(_) => writer.opaque(
                std::any::type_name::<Self>(),
                "borrowed mutably at that moment",
            ),
        }
    }
}

impl<T: Capture> Capture for Mutex<T> {
    fn capture(&self, writer: &mut Writer) {
        match self.try_lock() {
            Ok(value) => cell(
                std::any::type_name::<Self>(),
                "std::sync::Mutex::new",
                &*value,
                writer,
            ),
            Err(_) => writer.opaque(
                std::any::type_name::<Self>(),
                "locked or poisoned at that moment",
            ),
        }
    }
}

impl<T: Capture> Capture for RwLock<T> {
    fn capture(&self, writer: &mut Writer) {
        match self.try_read() {
            Ok(value) => cell(
                std::any::type_name::<Self>(),
                "std::sync::RwLock::new",
                &*value,
                writer,
            ),
            Err(_) => writer.opaque(
                std::any::type_name::<Self>(),
                "locked or poisoned at that moment",
            ),
        }
    }
}

macro_rules! once {
    ($($cell:ident $head:literal $new:literal)*) => {$(
        impl<T: Capture> Capture for $cell<T> {
            fn capture(&self, writer: &mut Writer) {
                match self.get() {
                    Some(value) => cell(std::any::type_name::<Self>(), $head, value, writer),
                    None => {
                        writer.built(std::any::type_name::<Self>(), $new, "");
                        writer.end();
                    }
                }
            }
        }
    )*};
}

once! {
    OnceCell "std::cell::OnceCell::from" "std::cell::OnceCell::new"
    OnceLock "std::sync::OnceLock::from" "std::sync::OnceLock::new"
}

macro_rules! atomics {
    ($($atomic:ident $head:literal)*) => {$(
        impl Capture for atomic::$atomic {
            fn capture(&self, writer: &mut Writer) {
                cell(std::any::type_name::<Self>(), $head, &self.load(Ordering::SeqCst), writer);
            }
        }
    )*};
}

atomics! {
    AtomicBool "std::sync::atomic::AtomicBool::new"
    AtomicU8 "std::sync::atomic::AtomicU8::new"
    AtomicU16 "std::sync::atomic::AtomicU16::new"
    AtomicU32 "std::sync::atomic::AtomicU32::new"
    AtomicU64 "std::sync::atomic::AtomicU64::new"
    AtomicUsize "std::sync::atomic::AtomicUsize::new"
    AtomicI8 "std::sync::atomic::AtomicI8::new"
    AtomicI16 "std::sync::atomic::AtomicI16::new"
    AtomicI32 "std::sync::atomic::AtomicI32::new"
    AtomicI64 "std::sync::atomic::AtomicI64::new"
    AtomicIsize "std::sync::atomic::AtomicIsize::new"
}
