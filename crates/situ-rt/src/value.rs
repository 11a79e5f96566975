//! Captured values as trees, and how a tree is read back from the bytes that `Writer` made.

use crate::bytes::{Malformed, Reader};

/// The primitive integer types, in the order of their codes in a recording.
pub const INTEGER_TYPES: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

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
    /// A character.
    Char(char),
    /// A string slice, without the reference in front of it.
    Str(String),
    /// A reference to a value.
    Ref {
        /// `&mut` rather than `&`.
        mutable: bool,
        /// What is referred to.
        inner: Box<Value>,
    },
    /// A tuple of two or more (or one) parts.
    Tuple(Vec<Value>),
    /// A collection of values.
    Seq {
        /// Which collection.
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
        /// The name of the variant, where it is an enum.
        variant: Option<String>,
        /// How its fields are written.
        shape: Shape,
        /// Names (or numbers) and values of the fields.
        fields: Vec<(String, Value)>,
    },
    /// An expression `head(arguments)tail` of the standard library, or of a function of the type itself; with an empty head
    /// `argument tail`.
    Built {
        /// The full name of the type that it makes.
        type_name: String,
        /// The path that is called.
        head: String,
        /// Its arguments.
        args: Vec<Value>,
        /// What follows the call.
        tail: String,
    },
    /// A value that its own `FromStr` gives back, found equal when it was captured.
    Parsed {
        /// The full name of the type.
        type_name: String,
        /// What `Display` wrote.
        text: String,
    },
    /// Only the text of `Debug` is known.
    Debug {
        /// The full name of the type.
        type_name: String,
        /// What `Debug` wrote.
        text: String,
    },
    /// Nothing is known but the type.
    Opaque {
        /// The full name of the type.
        type_name: String,
        /// Why it cannot be captured.
        reason: String,
    },
    /// The value was larger than the bound.
    Cut {
        /// The bound that it passed.
        reason: String,
    },
    /// The value has the name of a secret, or is one that was seen under such a name.
    Withheld,
}

/// The collections that have their own way to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each is the collection of that name in the standard library")]
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

/// Why nothing of a type is captured that holds raw pointers, uninitialised memory or unions, and has no public face.
pub const BY_HAND: &str = "its memory is managed by hand";

/// The head of an expression that collects its one argument, an array, into the type that is made.
pub const FROM_ELEMENTS: &str = "std::iter::FromIterator::from_iter";

/// How the head of an expression begins that calls a function of the type that is made.
pub const OWN_FUNCTION: &str = "Self::";

/// How a value is built of which only its type is known, and that this takes no room: its name, if it is a struct without fields.
pub const ONLY_VALUE: &str = "Self";

/// The type of what is given for a formatter: a format string.
pub const FORMATTER: &str = "core::fmt::Formatter";

/// Why a value cannot be rebuilt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Loss {
    /// By nature: closures, trait objects, handles, memory that may not be looked at.
    Nature,
    /// Its type offers nothing that gives it back.
    Opaque,
    /// Too large.
    Cut,
    /// A secret.
    Withheld,
}

impl Value {
    /// Why this value is not exact, if it is not: the worst loss in its tree.
    pub fn loss(&self) -> Option<Loss> {
        match self {
            Value::Debug { type_name, .. } | Value::Opaque { type_name, .. } if opaque_by_nature(type_name) => {
                Some(Loss::Nature)
            }
            Value::Opaque { reason, .. } if reason == BY_HAND => Some(Loss::Nature),
            Value::Debug { .. } | Value::Opaque { .. } => Some(Loss::Opaque),
            Value::Cut { .. } => Some(Loss::Cut),
            Value::Withheld => Some(Loss::Withheld),
            _ => self.children().filter_map(Value::loss).max(),
        }
    }

    /// Can the value be written as an expression that gives an equal one?
    pub fn is_exact(&self) -> bool {
        self.loss().is_none()
    }

    /// The values directly inside this one.
    pub fn children(&self) -> Box<dyn Iterator<Item = &Value> + '_> {
        match self {
            Value::Ref { inner, .. } => Box::new(std::iter::once(&**inner)),
            Value::Tuple(items) | Value::Seq { items, .. } | Value::Built { args: items, .. } => Box::new(items.iter()),
            Value::Struct { fields, .. } => Box::new(fields.iter().map(|(_, value)| value)),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// The value behind all references.
    pub fn behind_references(&self) -> &Value {
        match self {
            Value::Ref { inner, .. } => inner.behind_references(),
            other => other,
        }
    }
}

/// Closures, trait objects, pointers to functions, handles of the operating system, raw pointers and memory that may not be
/// looked at have no expression anywhere.
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

/// How deep a tree may be; deeper ones are torn or hostile.
const DEEPEST: u32 = 200;

/// Reads one value from the bytes of a record; `names` are the strings that the record interned.
pub fn decode(reader: &mut Reader<'_>, names: &[String]) -> Result<Value, Malformed> {
    Decoder { names }.value(reader, 0)
}

struct Decoder<'n> {
    names: &'n [String],
}

impl Decoder<'_> {
    fn value(&self, reader: &mut Reader<'_>, depth: u32) -> Result<Value, Malformed> {
        let tag = reader.byte()?;
        self.tagged(tag, reader, depth)
    }

    fn tagged(&self, tag: u8, reader: &mut Reader<'_>, depth: u32) -> Result<Value, Malformed> {
        if depth > DEEPEST {
            return Err(Malformed);
        }
        Ok(match tag {
            tag::UNIT => Value::Unit,
            tag::FALSE => Value::Bool(false),
            tag::TRUE => Value::Bool(true),
            tag::INT => {
                let type_name = INTEGER_TYPES.get(usize::from(reader.byte()?)).ok_or(Malformed)?;
                Value::Int { type_name, bits: reader.signed()? as u128 }
            }
            tag::FLOAT => Value::Float { double: reader.byte()? == 1, bits: reader.fixed64()? },
            tag::CHAR => Value::Char(char::from_u32(reader.length()? as u32).ok_or(Malformed)?),
            tag::STR => Value::Str(reader.text()?.to_owned()),
            tag::REF | tag::REF_MUT => {
                Value::Ref { mutable: tag == tag::REF_MUT, inner: Box::new(self.value(reader, depth + 1)?) }
            }
            tag::TUPLE => Value::Tuple(self.until_end(reader, depth)?),
            tag::SEQ => self.seq(reader, depth)?,
            tag::STRUCT => self.structure(reader, depth)?,
            tag::BUILT => Value::Built {
                type_name: self.name(reader)?,
                head: self.name(reader)?,
                tail: self.name(reader)?,
                args: self.until_end(reader, depth)?,
            },
            tag::PARSED => Value::Parsed { type_name: self.name(reader)?, text: reader.text()?.to_owned() },
            tag::DEBUG => Value::Debug { type_name: self.name(reader)?, text: reader.text()?.to_owned() },
            tag::OPAQUE => Value::Opaque { type_name: self.name(reader)?, reason: self.name(reader)? },
            tag::CUT => Value::Cut { reason: self.name(reader)? },
            tag::WITHHELD => Value::Withheld,
            _ => return Err(Malformed),
        })
    }

    fn seq(&self, reader: &mut Reader<'_>, depth: u32) -> Result<Value, Malformed> {
        let kind = *SEQ_KINDS.get(usize::from(reader.byte()?)).ok_or(Malformed)?;
        let type_name = self.name(reader)?;
        Ok(Value::Seq { kind, type_name, items: self.until_end(reader, depth)? })
    }

    fn structure(&self, reader: &mut Reader<'_>, depth: u32) -> Result<Value, Malformed> {
        let type_name = self.name(reader)?;
        let variant = Some(self.name(reader)?).filter(|name| !name.is_empty());
        let shape = match reader.byte()? {
            0 => Shape::Unit,
            1 => Shape::Tuple,
            _ => Shape::Named,
        };
        let mut fields = Vec::new();
        loop {
            match reader.byte()? {
                tag::END => return Ok(Value::Struct { type_name, variant, shape, fields }),
                tag::FIELD => fields.push((self.name(reader)?, self.value(reader, depth + 1)?)),
                _ => return Err(Malformed),
            }
        }
    }

    fn until_end(&self, reader: &mut Reader<'_>, depth: u32) -> Result<Vec<Value>, Malformed> {
        let mut items = Vec::new();
        loop {
            match reader.byte()? {
                tag::END => return Ok(items),
                tag::BYTES => items
                    .extend(reader.bytes()?.iter().map(|byte| Value::Int { type_name: "u8", bits: u128::from(*byte) })),
                tag => items.push(self.tagged(tag, reader, depth + 1)?),
            }
        }
    }

    fn name(&self, reader: &mut Reader<'_>) -> Result<String, Malformed> {
        self.names.get(reader.length()?).cloned().ok_or(Malformed)
    }
}
