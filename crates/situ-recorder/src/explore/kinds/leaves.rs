//! Booleans, chars, numbers and strings.

use super::super::shape::{Form, Shape, Shapes, Variant};
use super::super::tree::Tree;
use super::Explore;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Mutex;

macro_rules! integers {
    ($($integer:ty)*) => {$(
        impl Explore for $integer {
            fn shape(_: &mut Shapes) -> Shape {
                Shape::Int { signed: <$integer>::MIN != 0, bits: <$integer>::BITS }
            }

            #[inline]
            fn build(tree: &Tree) -> Option<Self> {
                match tree {
                    Tree::Int(value) => Some(*value as $integer),
                    _ => None,
                }
            }

            fn tree(&self) -> Option<Tree> {
                Some(Tree::Int(*self as i128))
            }
        }
    )*};
}

integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! non_zero {
    ($($name:ident $integer:ty),*) => {$(
        impl Explore for std::num::$name {
            fn shape(shapes: &mut Shapes) -> Shape {
                let of = shapes.of::<$integer>();
                let name = concat!("‹std::num::", stringify!($name), "›::new(");
                Shape::single(Form::Around(name.to_owned(), ").unwrap()".to_owned()), vec![of])
            }

            fn build(tree: &Tree) -> Option<Self> {
                Self::new(<$integer>::build(&tree.parts::<1>()?[0])?)
            }

            fn tree(&self) -> Option<Tree> {
                Some(Tree::Node(0, vec![self.get().tree()?]))
            }
        }
    )*};
}

non_zero!(NonZeroU8 u8, NonZeroU16 u16, NonZeroU32 u32, NonZeroU64 u64, NonZeroUsize usize);
non_zero!(NonZeroI8 i8, NonZeroI16 i16, NonZeroI32 i32, NonZeroI64 i64, NonZeroIsize isize);

macro_rules! floats {
    ($($float:ty, $bits:literal;)*) => {$(
        impl Explore for $float {
            fn shape(_: &mut Shapes) -> Shape {
                Shape::Float { bits: $bits }
            }

            #[inline]
            fn build(tree: &Tree) -> Option<Self> {
                match tree {
                    Tree::Float(value) => Some(*value as $float),
                    _ => None,
                }
            }

            fn tree(&self) -> Option<Tree> {
                Some(Tree::Float(f64::from(*self)))
            }
        }
    )*};
}

floats!(f32, 32; f64, 64;);

impl Explore for bool {
    fn shape(_: &mut Shapes) -> Shape {
        Shape::Bool
    }

    #[inline]
    fn build(tree: &Tree) -> Option<Self> {
        match tree {
            Tree::Int(value) => Some(*value != 0),
            _ => None,
        }
    }

    fn tree(&self) -> Option<Tree> {
        Some(Tree::Int(i128::from(*self)))
    }
}

impl Explore for char {
    fn shape(_: &mut Shapes) -> Shape {
        Shape::Char
    }

    fn build(tree: &Tree) -> Option<Self> {
        match tree {
            Tree::Int(value) => char::from_u32(u32::try_from(*value).ok()?),
            _ => None,
        }
    }

    fn tree(&self) -> Option<Tree> {
        Some(Tree::Int(i128::from(u32::from(*self))))
    }
}

impl Explore for () {
    fn shape(_: &mut Shapes) -> Shape {
        Shape::single(Form::Unit("()".to_owned()), Vec::new())
    }

    fn build(_: &Tree) -> Option<Self> {
        Some(())
    }

    fn tree(&self) -> Option<Tree> {
        Some(Tree::Node(0, Vec::new()))
    }
}

/// Implements [`Explore`] for owned string types.
macro_rules! texts {
    ($($text:ty, $open:literal, $close:literal, $read:expr;)*) => {$(
        impl Explore for $text {
            fn shape(_: &mut Shapes) -> Shape {
                Shape::Text { open: $open, close: $close }
            }

            #[inline]
            fn build(tree: &Tree) -> Option<Self> {
                match tree {
                    Tree::Text(text) => Some(text.clone().into()),
                    _ => None,
                }
            }

            fn tree(&self) -> Option<Tree> {
                let read: for<'t> fn(&'t $text) -> Option<&'t str> = $read;
                read(self).map(|text| Tree::Text(text.to_owned()))
            }
        }
    )*};
}

texts! {
    String, "String::from(", ")", |text| Some(text);
    Box<str>, "Box::from(", ")", |text| Some(text);
    std::rc::Rc<str>, "‹std::rc::Rc›::from(", ")", |text| Some(text);
    std::sync::Arc<str>, "‹std::sync::Arc›::from(", ")", |text| Some(text);
    Cow<'static, str>, "‹std::borrow::Cow›::from(", ")", |text| Some(text);
    PathBuf, "‹std::path::PathBuf›::from(", ")", |path| path.to_str();
    OsString, "‹std::ffi::OsString›::from(", ")", |text| text.to_str();
}

/// Builds a `&'static str` by leaking each distinct string once.
impl Explore for &'static str {
    fn shape(_: &mut Shapes) -> Shape {
        Shape::Text {
            open: "",
            close: "",
        }
    }

    fn build(tree: &Tree) -> Option<Self> {
        static KEPT: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
        let Tree::Text(text) = tree else { return None };
        let mut kept = KEPT
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let kept = kept.get_or_insert_with(HashSet::new);
        if let Some(known) = kept.get(text.as_str()) {
            return Some(known);
        }
        let leaked: &'static str = text.clone().leak();
        kept.insert(leaked);
        Some(leaked)
    }

    fn tree(&self) -> Option<Tree> {
        Some(Tree::Text((*self).to_owned()))
    }
}

impl Explore for Ordering {
    fn shape(_: &mut Shapes) -> Shape {
        let unit = |name: &str| {
            Variant::new(
                Form::Unit(format!("‹std::cmp::Ordering›::{name}")),
                Vec::new(),
            )
        };
        Shape::Choice {
            variants: ["Less", "Equal", "Greater"].map(unit).to_vec(),
        }
    }

    fn build(tree: &Tree) -> Option<Self> {
        match tree {
            Tree::Node(0, _) => Some(Ordering::Less),
            Tree::Node(1, _) => Some(Ordering::Equal),
            Tree::Node(2, _) => Some(Ordering::Greater),
            _ => None,
        }
    }

    fn tree(&self) -> Option<Tree> {
        Some(Tree::Node((*self as i8 + 1) as u32, Vec::new()))
    }
}
