//! Decoding of values from bytes of any origin. Every name is validated, and a value with an
//! invalid name is refused.

use std::cell::Cell;

use crate::bytes::{Malformed, Reader};
use crate::forms;
use crate::rust_names::{is_field, is_identifier, is_type_name};
use crate::value::{INTEGER_TYPES, Refusal, SEQ_KINDS, Shape, Value, tag};

/// The maximum depth of a tree; deeper ones are damaged or hostile.
const MAX_DEPTH: u32 = 200;

/// The memory that decoded values may still use, and the number of refused values. Without a limit,
/// a few bytes of a recording could refer to a long string again and again.
#[derive(Debug)]
pub struct Budget {
    bytes: Cell<usize>,
    refused: Cell<u64>,
}

impl Budget {
    /// Creates a budget of so many bytes.
    pub fn new(bytes: usize) -> Budget {
        Budget {
            bytes: Cell::new(bytes),
            refused: Cell::new(0),
        }
    }

    /// Returns the remaining bytes.
    pub fn left(&self) -> usize {
        self.bytes.get()
    }

    /// Returns the number of refused values.
    pub fn refused(&self) -> u64 {
        self.refused.get()
    }

    fn spend(&self, bytes: usize) -> Result<(), Malformed> {
        self.bytes
            .set(self.bytes.get().checked_sub(bytes).ok_or(Malformed)?);
        Ok(())
    }

    fn refuse(&self, refusal: Refusal) -> Value {
        self.refused.set(self.refused.get() + 1);
        Value::Refused(refusal)
    }
}

/// An interned string of a record, with the roles that it is valid for.
#[derive(Debug)]
pub struct Name {
    text: String,
    is_type: bool,
    is_identifier: bool,
    is_field: bool,
}

impl Name {
    /// Validates a string.
    pub fn new(text: &str) -> Name {
        Name {
            is_type: is_type_name(text),
            is_identifier: is_identifier(text),
            is_field: is_field(text),
            text: text.to_owned(),
        }
    }
}

/// Decodes one value from the bytes of a record; `names` are the strings that the record interned.
pub fn decode(
    reader: &mut Reader<'_>,
    names: &[Name],
    budget: &Budget,
) -> Result<Value, Malformed> {
    Decoder { names, budget }.value(reader, 0)
}

struct Decoder<'n> {
    names: &'n [Name],
    budget: &'n Budget,
}

impl Decoder<'_> {
    fn value(&self, reader: &mut Reader<'_>, depth: u32) -> Result<Value, Malformed> {
        let tag = reader.byte()?;
        self.tagged(tag, reader, depth)
    }

    fn tagged(&self, tag: u8, reader: &mut Reader<'_>, depth: u32) -> Result<Value, Malformed> {
        if depth > MAX_DEPTH {
            return Err(Malformed);
        }
        self.budget.spend(size_of::<Value>())?;
        Ok(match tag {
            tag::UNIT => Value::Unit,
            tag::FALSE => Value::Bool(false),
            tag::TRUE => Value::Bool(true),
            tag::INT => {
                let type_name = INTEGER_TYPES
                    .get(usize::from(reader.byte()?))
                    .ok_or(Malformed)?;
                Value::Int {
                    type_name,
                    bits: reader.signed()? as u128,
                }
            }
            tag::FLOAT => Value::Float {
                double: reader.byte()? == 1,
                bits: reader.fixed64()?,
            },
            tag::CHAR => {
                let code = u32::try_from(reader.length()?).map_err(|_| Malformed)?;
                Value::Char(char::from_u32(code).ok_or(Malformed)?)
            }
            tag::STR => Value::Str(self.text(reader)?),
            tag::REF | tag::REF_MUT => Value::Ref {
                mutable: tag == tag::REF_MUT,
                inner: Box::new(self.value(reader, depth + 1)?),
            },
            tag::TUPLE => Value::Tuple(self.until_end(reader, depth)?),
            tag::SEQ => self.seq(reader, depth)?,
            tag::STRUCT => self.structure(reader, depth)?,
            tag::BUILT => self.built(reader, depth)?,
            tag::PARSED => {
                let (name, text) = (self.name(reader)?, self.text(reader)?);
                self.typed(name, |type_name| Value::Parsed { type_name, text })?
            }
            tag::DEBUG => {
                let (name, text) = (self.name(reader)?, self.text(reader)?);
                self.typed(name, |type_name| Value::Debug { type_name, text })?
            }
            tag::OPAQUE => {
                let (name, reason) = (self.name(reader)?, self.copied(self.name(reader)?)?);
                self.typed(name, |type_name| Value::Opaque { type_name, reason })?
            }
            tag::CUT => Value::Cut {
                reason: self.copied(self.name(reader)?)?,
            },
            tag::WITHHELD => Value::Withheld,
            _ => return Err(Malformed),
        })
    }

    /// Creates a value whose type has this name, if that is a valid type name.
    fn typed(&self, name: &Name, value: impl FnOnce(String) -> Value) -> Result<Value, Malformed> {
        Ok(if name.is_type {
            value(self.copied(name)?)
        } else {
            self.budget.refuse(Refusal::TypeName)
        })
    }

    fn seq(&self, reader: &mut Reader<'_>, depth: u32) -> Result<Value, Malformed> {
        let kind = *SEQ_KINDS
            .get(usize::from(reader.byte()?))
            .ok_or(Malformed)?;
        let name = self.name(reader)?;
        let items = self.until_end(reader, depth)?;
        self.typed(name, |type_name| Value::Seq {
            kind,
            type_name,
            items,
        })
    }

    fn built(&self, reader: &mut Reader<'_>, depth: u32) -> Result<Value, Malformed> {
        let [name, head, tail] = [self.name(reader)?, self.name(reader)?, self.name(reader)?];
        let args = self.until_end(reader, depth)?;
        if !forms::is_known(&name.text, &head.text, args.len(), &tail.text) {
            return Ok(self.budget.refuse(Refusal::Expression));
        }
        let (head, tail) = (self.copied(head)?, self.copied(tail)?);
        self.typed(name, |type_name| Value::Built {
            type_name,
            head,
            args,
            tail,
        })
    }

    fn structure(&self, reader: &mut Reader<'_>, depth: u32) -> Result<Value, Malformed> {
        let (name, variant) = (self.name(reader)?, self.name(reader)?);
        let shape = match reader.byte()? {
            0 => Shape::Unit,
            1 => Shape::Tuple,
            _ => Shape::Named,
        };
        let mut refused = None;
        let mut fields = Vec::new();
        loop {
            match reader.byte()? {
                tag::END => break,
                tag::FIELD => {
                    let field = self.name(reader)?;
                    if !field.is_field {
                        refused = Some(Refusal::Field);
                    }
                    fields.push((self.copied(field)?, self.value(reader, depth + 1)?));
                }
                _ => return Err(Malformed),
            }
        }
        if !variant.text.is_empty() && !variant.is_identifier {
            refused = Some(Refusal::Variant);
        }
        if let Some(refusal) = refused {
            return Ok(self.budget.refuse(refusal));
        }
        let variant = Some(self.copied(variant)?).filter(|name| !name.is_empty());
        self.typed(name, |type_name| Value::Struct {
            type_name,
            variant,
            shape,
            fields,
        })
    }

    fn until_end(&self, reader: &mut Reader<'_>, depth: u32) -> Result<Vec<Value>, Malformed> {
        let mut items = Vec::new();
        loop {
            match reader.byte()? {
                tag::END => return Ok(items),
                tag::BYTES => {
                    let bytes = reader.bytes()?;
                    self.budget
                        .spend(bytes.len().saturating_mul(size_of::<Value>()))?;
                    items.extend(bytes.iter().map(|byte| Value::Int {
                        type_name: "u8",
                        bits: u128::from(*byte),
                    }));
                }
                tag => items.push(self.tagged(tag, reader, depth + 1)?),
            }
        }
    }

    fn name(&self, reader: &mut Reader<'_>) -> Result<&Name, Malformed> {
        self.names.get(reader.length()?).ok_or(Malformed)
    }

    fn copied(&self, name: &Name) -> Result<String, Malformed> {
        self.budget.spend(name.text.len())?;
        Ok(name.text.clone())
    }

    fn text(&self, reader: &mut Reader<'_>) -> Result<String, Malformed> {
        let text = reader.text()?;
        self.budget.spend(text.len())?;
        Ok(text.to_owned())
    }
}

#[cfg(test)]
mod tests;
