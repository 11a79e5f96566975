//! The values that theories borrow: `&str` from a `String` or a `&'static str`, `&[T]` from a
//! `Vec`, and so on.

use std::borrow::Borrow;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::path::{Path, PathBuf};

/// The value behind a reference parameter of type `&B`.
pub enum Held<O, B: ?Sized + 'static> {
    /// An owned value.
    Owned(O),
    /// A reference that was a data point itself.
    Static(&'static B),
}

impl<O: Clone, B: ?Sized> Clone for Held<O, B> {
    fn clone(&self) -> Self {
        match self {
            Self::Owned(value) => Self::Owned(value.clone()),
            Self::Static(value) => Self::Static(value),
        }
    }
}

impl<O: Borrow<B>, B: ?Sized> Held<O, B> {
    /// Returns the reference to pass.
    #[inline]
    pub fn lend(&self) -> &B {
        match self {
            Self::Owned(value) => value.borrow(),
            Self::Static(value) => value,
        }
    }
}

/// Values that `#[values]` and suppliers may return for a `&str`, a `&[T]` or a `&Path`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no value for this parameter",
    label = "give a `&'static` reference, or the owned value (`String`, `Vec`)"
)]
pub trait IntoHeld<H> {
    /// Converts the value.
    fn into_held(self) -> H;
}

impl IntoHeld<Held<String, str>> for &'static str {
    fn into_held(self) -> Held<String, str> {
        Held::Static(self)
    }
}

impl IntoHeld<Held<String, str>> for String {
    fn into_held(self) -> Held<String, str> {
        Held::Owned(self)
    }
}

impl<T> IntoHeld<Held<Vec<T>, [T]>> for Vec<T> {
    fn into_held(self) -> Held<Vec<T>, [T]> {
        Held::Owned(self)
    }
}

impl<T, const N: usize> IntoHeld<Held<Vec<T>, [T]>> for [T; N] {
    fn into_held(self) -> Held<Vec<T>, [T]> {
        Held::Owned(Vec::from(self))
    }
}

impl<T> IntoHeld<Held<Vec<T>, [T]>> for &'static [T] {
    fn into_held(self) -> Held<Vec<T>, [T]> {
        Held::Static(self)
    }
}

impl<T, const N: usize> IntoHeld<Held<Vec<T>, [T]>> for &'static [T; N] {
    fn into_held(self) -> Held<Vec<T>, [T]> {
        Held::Static(self)
    }
}

impl IntoHeld<Held<PathBuf, Path>> for &'static str {
    fn into_held(self) -> Held<PathBuf, Path> {
        Held::Static(Path::new(self))
    }
}

impl IntoHeld<Held<PathBuf, Path>> for &'static Path {
    fn into_held(self) -> Held<PathBuf, Path> {
        Held::Static(self)
    }
}

impl IntoHeld<Held<PathBuf, Path>> for PathBuf {
    fn into_held(self) -> Held<PathBuf, Path> {
        Held::Owned(self)
    }
}

impl IntoHeld<Held<OsString, OsStr>> for &'static str {
    fn into_held(self) -> Held<OsString, OsStr> {
        Held::Static(OsStr::new(self))
    }
}

impl IntoHeld<Held<OsString, OsStr>> for OsString {
    fn into_held(self) -> Held<OsString, OsStr> {
        Held::Owned(self)
    }
}

impl IntoHeld<Held<CString, CStr>> for &'static CStr {
    fn into_held(self) -> Held<CString, CStr> {
        Held::Static(self)
    }
}

impl IntoHeld<Held<CString, CStr>> for CString {
    fn into_held(self) -> Held<CString, CStr> {
        Held::Owned(self)
    }
}

/// Holds a value of the user's own type.
impl<T> IntoHeld<Held<T, T>> for T {
    fn into_held(self) -> Held<T, T> {
        Held::Owned(self)
    }
}
