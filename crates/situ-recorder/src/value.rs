//! Captured values as trees.

use std::fmt;

/// The primitive integer types, in the order of their codes in a recording.
pub const INTEGER_TYPES: [&str; 12] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
];

/// One captured value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// `()`.
    Unit,
    /// `true` or `false`.
    Bool(bool),
    /// An integer: the name of its type and its two's complement bits.
    Int {
        /// The integer's type.
        type_name: &'static str,
        /// Its bits, sign-extended to 128.
        bits: u128,
    },
    /// A float by its bits, so that NaN and signed zero survive.
    Float {
        /// `f64` rather than `f32`.
        double: bool,
        /// The bits of the float.
        bits: u64,
    },
    /// A char.
    Char(char),
    /// A string slice, without the reference in front of it.
    Str(String),
    /// A reference to a value.
    Ref {
        /// `&mut` rather than `&`.
        mutable: bool,
        /// The referenced value.
        inner: Box<Value>,
    },
    /// A tuple of two or more (or one) parts.
    Tuple(Vec<Value>),
    /// A collection of values.
    Seq {
        /// The kind of collection.
        kind: SeqKind,
        /// The full name of its type, for empty ones.
        type_name: String,
        /// Its elements; those of a map are tuples.
        items: Vec<Value>,
    },
    /// A struct or a variant of an enum, by its fields.
    Struct {
        /// The full name of the type.
        type_name: String,
        /// The name of the variant, if it is an enum.
        variant: Option<String>,
        /// How its fields are written.
        shape: Shape,
        /// Names (or numbers) and values of the fields.
        fields: Vec<(String, Value)>,
    },
    /// An expression `head(arguments)tail` of the standard library or of a function of the type
    /// itself; with an empty head `argument tail`.
    Built {
        /// The full name of the constructed type.
        type_name: String,
        /// The path of the called function.
        head: String,
        /// Its arguments.
        args: Vec<Value>,
        /// What follows the call.
        tail: String,
    },
    /// A value that its own `FromStr` reconstructs; equality was checked when it was captured.
    Parsed {
        /// The full name of the type.
        type_name: String,
        /// The `Display` output.
        text: String,
    },
    /// A value of which only the `Debug` output is known.
    Debug {
        /// The full name of the type.
        type_name: String,
        /// The `Debug` output.
        text: String,
    },
    /// A value of which only the type is known.
    Opaque {
        /// The full name of the type.
        type_name: String,
        /// Why it cannot be captured.
        reason: String,
    },
    /// A value that was larger than a limit.
    Cut {
        /// The limit.
        reason: String,
    },
    /// A value that has the name of a secret, or equals one with such a name.
    Withheld,
    /// A value with a part that no recorder writes.
    Refused(Refusal),
}

/// The part of a value that no recorder writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Refusal {
    /// Its type name is invalid.
    TypeName,
    /// The name of its variant is invalid.
    Variant,
    /// The name of a field is invalid.
    Field,
    /// The expression that constructs it is not one of those that recorders write.
    Expression,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::TypeName => "its type name in the recording is invalid",
            Refusal::Variant => "the name of its variant in the recording is invalid",
            Refusal::Field => "the name of a field in the recording is invalid",
            Refusal::Expression => "the recording constructs it with an unknown expression",
        })
    }
}

/// The collections that have their own way to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(
    missing_docs,
    reason = "each is the collection of that name in the standard library"
)]
pub enum SeqKind {
    Array,
    Slice,
    Vec,
    VecDeque,
    LinkedList,
    BinaryHeap,
    HashSet,
    BTreeSet,
    HashMap,
    BTreeMap,
}

/// All kinds of collections, in the order of their codes in a recording.
pub const SEQ_KINDS: [SeqKind; 10] = [
    SeqKind::Array,
    SeqKind::Slice,
    SeqKind::Vec,
    SeqKind::VecDeque,
    SeqKind::LinkedList,
    SeqKind::BinaryHeap,
    SeqKind::HashSet,
    SeqKind::BTreeSet,
    SeqKind::HashMap,
    SeqKind::BTreeMap,
];

/// How the fields of a struct or variant are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shape {
    /// `Name`.
    Unit,
    /// `Name(a, b)`.
    Tuple,
    /// `Name { a: 1 }`.
    Named,
}

/// The reason why nothing is captured of a type with raw pointers, uninitialized memory or unions
/// and without a usable public interface.
pub const BY_HAND: &str = "its memory is managed by hand";

/// The head of an expression that collects its one argument, an array, into the constructed type.
pub const FROM_ELEMENTS: &str = "std::iter::FromIterator::from_iter";

/// The head of an expression for the rest of a `CharIndices`, after the number of chars already
/// consumed, whose content does not matter.
pub const FROM_THE_MIDDLE: &str = "(|text: &'static str, gone: usize| { let mut rest = text.char_indices(); rest.by_ref().take(gone).count(); rest })";

/// The prefix of a head that calls a function of the constructed type.
pub const OWN_FUNCTION: &str = "Self::";

/// The expression of a zero-sized value of which only the type is known: the type's name, if it is
/// a unit struct.
pub const ONLY_VALUE: &str = "Self";

/// The type name of a formatter's replacement: a format string.
pub const FORMATTER: &str = "core::fmt::Formatter";

/// The reason why a value cannot be reconstructed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Loss {
    /// By nature: closures, trait objects, handles, memory that may not be read.
    Nature,
    /// Its type has no interface that reconstructs it.
    Opaque,
    /// Too large.
    Cut,
    /// A secret.
    Withheld,
    /// Not what a recorder writes.
    Refused,
}

impl Value {
    /// Returns why this value is not exact: the worst loss in its tree, or `None`.
    pub fn loss(&self) -> Option<Loss> {
        match self {
            Value::Debug { type_name, .. } | Value::Opaque { type_name, .. }
                if opaque_by_nature(type_name) =>
            {
                Some(Loss::Nature)
            }
            Value::Opaque { reason, .. } if reason == BY_HAND => Some(Loss::Nature),
            Value::Debug { .. } | Value::Opaque { .. } => Some(Loss::Opaque),
            Value::Cut { .. } => Some(Loss::Cut),
            Value::Withheld => Some(Loss::Withheld),
            Value::Refused(_) => Some(Loss::Refused),
            _ => self.children().filter_map(Value::loss).max(),
        }
    }

    /// Returns whether the value can be written as an expression that evaluates to an equal one.
    pub fn is_exact(&self) -> bool {
        self.loss().is_none()
    }

    /// Returns the values directly inside this one.
    pub fn children(&self) -> Box<dyn Iterator<Item = &Value> + '_> {
        match self {
            Value::Ref { inner, .. } => Box::new(std::iter::once(&**inner)),
            Value::Tuple(items) | Value::Seq { items, .. } | Value::Built { args: items, .. } => {
                Box::new(items.iter())
            }
            Value::Struct { fields, .. } => Box::new(fields.iter().map(|(_, value)| value)),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// Returns the value behind all references.
    pub fn behind_references(&self) -> &Value {
        match self {
            Value::Ref { inner, .. } => inner.behind_references(),
            other => other,
        }
    }
}

/// Returns whether values of a type have no expression anywhere: closures, trait objects, function
/// pointers, OS handles, raw pointers and memory that may not be read.
fn opaque_by_nature(type_name: &str) -> bool {
    const HANDLES: [&str; 10] = [
        "core::fmt::Formatter",
        "std::fs::File",
        "std::net::",
        "std::thread::",
        "std::process::",
        "std::io::",
        "std::sync::mpsc",
        "std::time::Instant",
        "core::task::",
        "core::any::",
    ];
    type_name.contains("{{closure}}")
        || type_name.contains("dyn ")
        || type_name.starts_with("fn(")
        || type_name.contains(" fn(")
        || type_name.contains("*const ")
        || type_name.contains("*mut ")
        || type_name.contains("core::mem::maybe_uninit::MaybeUninit<")
        || HANDLES.iter().any(|handle| type_name.contains(handle))
}

/// Codes of the nodes in a recording.
pub(crate) mod tag {
    pub const UNIT: u8 = 0;
    pub const FALSE: u8 = 1;
    pub const TRUE: u8 = 2;
    pub const INT: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const CHAR: u8 = 5;
    pub const STR: u8 = 6;
    pub const BYTES: u8 = 7;
    pub const REF: u8 = 8;
    pub const REF_MUT: u8 = 9;
    pub const TUPLE: u8 = 10;
    pub const SEQ: u8 = 11;
    pub const STRUCT: u8 = 12;
    pub const BUILT: u8 = 13;
    pub const PARSED: u8 = 14;
    pub const DEBUG: u8 = 15;
    pub const OPAQUE: u8 = 16;
    pub const CUT: u8 = 17;
    pub const WITHHELD: u8 = 18;
    pub const END: u8 = 19;
    pub const FIELD: u8 = 20;
}
