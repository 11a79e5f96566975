//! Capture of values of generic parameters, by looking their type up at run time.
//!
//! Inside `fn f<T>` the compiler does not know that `T` can be captured, although it is `i32` in
//! every call. The common types of the standard library, and those of the instrumented crate, are
//! registered by `TypeId` with the function that captures them.

use std::any::TypeId;
use std::collections::HashMap;
use std::iter::{Peekable, Rev};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::str::{Bytes, CharIndices, Chars};
use std::sync::RwLock;

pub use crate::lazy::Once;

use super::Capture;
use crate::Writer;
use crate::lazy::Lazy;
use crate::reentrancy;

/// A function that captures the value behind a pointer to its registered type.
type Write = unsafe fn(*const (), &mut Writer);

/// Returns the identity of a type, ignoring its lifetimes.
fn identity<T: ?Sized>() -> TypeId {
    trait Identity {
        fn of(&self) -> TypeId
        where
            Self: 'static;
    }
    impl<T: ?Sized> Identity for PhantomData<T> {
        fn of(&self) -> TypeId
        where
            Self: 'static,
        {
            TypeId::of::<T>()
        }
    }
    let phantom = PhantomData::<T>;
    let identity: &dyn Identity = &phantom;
    // SAFETY: only the lifetime of the object changes. It holds no data, and what is called with it reads none: the
    // identity of a type does not depend on its lifetimes.
    let identity =
        unsafe { std::mem::transmute::<&dyn Identity, &(dyn Identity + 'static)>(identity) };
    identity.of()
}

/// A function that clones the value behind the first pointer into the place behind the second.
type Copy = unsafe fn(*const (), *mut ());

/// The registered functions of a type.
#[derive(Clone, Copy)]
struct Known {
    write: Write,
    /// Present only if cloning and dropping have no observable effects.
    copy: Option<Copy>,
}

type Registry = HashMap<TypeId, Known>;

fn registry() -> &'static RwLock<Registry> {
    static REGISTRY: Lazy<RwLock<Registry>> = Lazy::new();
    REGISTRY.get_or_init(|| RwLock::new(of_the_standard_library()))
}

/// Registers the types of a crate once, unless the recorder itself is executing.
pub fn register_once(once: &Once, register: impl FnOnce()) {
    if once.is_done() {
        return;
    }
    if let Some(_stay) = reentrancy::enter() {
        once.call_once(register);
    }
}

/// Registers a type of the crate together with the types commonly built from it. Lifetimes do not
/// matter: `'static` stands for all.
pub fn register<T: Capture>() {
    if let Ok(mut registry) = registry().write() {
        add::<T>(&mut registry);
        with_forms::<T>(&mut registry);
    }
}

/// Captures a value if its type is registered; returns whether it did.
pub fn capture<T: ?Sized>(value: &T, writer: &mut Writer) -> bool {
    let known = of::<T>();
    if let Some(Known { write, .. }) = known {
        // SAFETY: the function is registered for the type that has the identity of `T`, so `T` is that type but for its
        // lifetimes, is sized as all registered types are, and captures for any lifetime alike: it only reads.
        unsafe { write(std::ptr::from_ref(value).cast(), writer) };
    }
    known.is_some()
}

/// Clones a value if its type is registered with a clone function.
pub fn copy<T>(value: &T) -> Option<T> {
    let copy = of::<T>()?.copy?;
    let mut place = MaybeUninit::<T>::uninit();
    // SAFETY: the function is registered for the type that has the identity of `T`, so `T` is that type but for its lifetimes;
    // it reads a value of it and initialises the place, which is large enough for one.
    unsafe {
        copy(std::ptr::from_ref(value).cast(), place.as_mut_ptr().cast());
        Some(place.assume_init())
    }
}

fn of<T: ?Sized>() -> Option<Known> {
    registry().read().ok()?.get(&identity::<T>()).copied()
}

fn add_with_copy<T: Capture + Clone>(registry: &mut Registry) {
    /// Clones the value behind the first pointer.
    ///
    /// # Safety
    /// The first pointer points at a `T`, the second at uninitialized memory for one.
    unsafe fn copy<T: Clone>(value: *const (), place: *mut ()) {
        // SAFETY: the caller says so.
        unsafe { place.cast::<T>().write((*value.cast::<T>()).clone()) };
    }
    add::<T>(registry);
    if let Some(known) = registry.get_mut(&identity::<T>()) {
        known.copy = Some(copy::<T>);
    }
}

fn add<T: Capture>(registry: &mut Registry) {
    /// Captures the value behind a pointer.
    ///
    /// # Safety
    /// The pointer points at a `T`.
    unsafe fn write<T: Capture>(value: *const (), writer: &mut Writer) {
        // SAFETY: the caller says so.
        unsafe { &*value.cast::<T>() }.capture(writer);
    }
    registry.insert(
        identity::<T>(),
        Known {
            write: write::<T>,
            copy: None,
        },
    );
}

fn with_forms<T: Capture>(registry: &mut Registry) {
    add::<&T>(registry);
    add::<Option<T>>(registry);
    add::<Option<&T>>(registry);
    add::<Vec<T>>(registry);
    add::<&[T]>(registry);
    add::<std::slice::Iter<'_, T>>(registry);
}

/// Registers the types commonly built from a simple type.
fn with_more_forms<T: Capture>(registry: &mut Registry) {
    with_forms::<T>(registry);
    add::<&&T>(registry);
    add::<&Vec<T>>(registry);
    add::<&mut [T]>(registry);
    add::<std::vec::IntoIter<T>>(registry);
    add::<(T, T)>(registry);
    add::<(usize, T)>(registry);
    add::<(Option<T>, Option<T>)>(registry);
    add::<(Option<&T>, Option<&T>)>(registry);
    add::<&[T; 1]>(registry);
    add::<&[T; 2]>(registry);
    add::<&[T; 3]>(registry);
    add::<&[T; 4]>(registry);
    add::<&[T; 5]>(registry);
}

fn of_the_standard_library() -> Registry {
    let mut registry = HashMap::new();
    macro_rules! simple {
        ($($simple:ty)*) => {$(
            add_with_copy::<$simple>(&mut registry);
            with_more_forms::<$simple>(&mut registry);
        )*};
    }
    macro_rules! plain {
        ($($plain:ty),* $(,)?) => {$(
            add_with_copy::<$plain>(&mut registry);
            with_forms::<$plain>(&mut registry);
        )*};
    }
    simple!(u8 u16 u32 u64 usize i32 i64 f64 bool char String &str);
    plain!(
        u128,
        i8,
        i16,
        i128,
        isize,
        f32,
        (),
        Vec<u8>,
        Vec<i32>,
        Vec<String>,
        Box<i32>,
        std::time::Duration
    );
    plain!(
        std::path::PathBuf,
        std::cmp::Ordering,
        (usize, usize),
        (String, String),
        (&str, &str)
    );
    macro_rules! alone {
        ($($alone:ty),* $(,)?) => {$(add::<$alone>(&mut registry);)*};
    }
    alone!(
        std::ops::Range<usize>,
        std::ops::Range<i32>,
        std::ops::Range<u32>,
        std::ops::RangeInclusive<usize>,
        std::ops::RangeInclusive<i32>
    );
    alone!(
        Chars<'_>,
        Bytes<'_>,
        CharIndices<'_>,
        Peekable<Chars<'_>>,
        Peekable<CharIndices<'_>>,
        Rev<Chars<'_>>
    );
    registry
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::by_level;
    use crate::secret::Secrecy;

    fn text_of<T>(value: &T) -> String {
        let mut writer = Writer::new(1000);
        writer.start_value(0, Secrecy::None);
        by_level(value).capture_by_level(&mut writer);
        writer.end_value();
        format!("{} {:?}", writer.is_lossy(), writer.bytes())
    }

    fn exact<T: Capture>(value: &T) -> String {
        let mut writer = Writer::new(1000);
        writer.start_value(0, Secrecy::None);
        value.capture(&mut writer);
        writer.end_value();
        format!("{} {:?}", writer.is_lossy(), writer.bytes())
    }

    #[test]
    fn generic_code_sees_the_types_that_are_registered() {
        assert_eq!(text_of(&7i32), exact(&7i32));
        assert_eq!(text_of(&vec!["a"]), exact(&vec!["a"]));
        let local = String::from("of a short life");
        assert_eq!(
            text_of(&local.as_str()),
            exact(&local.as_str()),
            "lifetimes are of no concern"
        );
        assert_eq!(
            text_of(&(Some('a'), None::<char>)),
            exact(&(Some('a'), None::<char>))
        );
        assert!(
            text_of(&std::thread::current()).starts_with("true"),
            "what is not registered is opaque"
        );
    }

    #[test]
    fn a_type_of_the_crate_is_seen_once_it_is_registered() {
        struct Wrapper<'a>(&'a str);
        impl Capture for Wrapper<'_> {
            fn capture(&self, writer: &mut Writer) {
                self.0.capture(writer);
            }
        }
        let text = String::from("text");
        assert!(text_of(&Wrapper(&text)).starts_with("true"));
        register::<Wrapper<'static>>();
        assert_eq!(
            text_of(&Wrapper(&text)),
            exact(&text.as_str()).replace("[0, 8, ", "[0, ")
        );
        assert!(text_of(&Some(&Wrapper(&text))).starts_with("false"));
    }
}
