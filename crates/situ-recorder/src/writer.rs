//! Encoding of captured values, within limits and without secrets. Nothing here is generic, so that
//! it stays fast in unoptimised programs.

use crate::bytes::{Malformed, Reader, put_bytes, put_number, put_signed, put_text};
use crate::secret::{self, Secrecy};
use crate::stack;
use crate::value::{SeqKind, Shape, tag};

/// The maximum depth of a value.
const DEEPEST: u32 = 40;

/// The number of levels of a value that fit into the reserved stack, after which its room is
/// checked again.
const LEVELS_A_LOOK: u32 = 8;

/// A writer of the values of one record.
#[derive(Debug)]
pub struct Writer {
    bytes: Vec<u8>,
    /// Repeated strings (types, fields), written once per record; values refer to them by index.
    names: Vec<&'static str>,
    depth: u32,
    value_start: usize,
    bytes_a_value: usize,
    cut: Option<&'static str>,
    /// The secrecy of the current value by its name.
    secrecy: Secrecy,
    /// The number of bytes of the current value that may be a secret, if its name may mean one.
    secret_bytes: usize,
    /// The depth of the struct whose named fields are being written. Fields of a secret struct may
    /// be no secrets.
    fields_depth: Option<u32>,
    /// Innermost sequence whose elements were all printable so far, and what they spell.
    spelled: Spelled,
    withheld: u64,
    /// Whether a value of the record cannot be reconstructed.
    lossy: bool,
    /// The package whose code is being recorded.
    home: &'static str,
    is_calm: bool,
}

/// What the numbers of a sequence spell, if each of them is a printable ASCII character: UTF-16, or
/// characters as `u32`.
#[derive(Debug, Default)]
struct Spelled {
    /// Depth of the sequence; 0 if there is none.
    depth: u32,
    /// First byte of the sequence.
    start: usize,
    text: Vec<u8>,
    /// Whether all numbers are `u16`, which hardly anything but text is.
    is_utf16: bool,
}

/// Number of the type `u16` among the integer types.
const U16: u8 = 1;

impl Writer {
    /// Creates a writer that cuts values beyond so many bytes.
    pub fn new(bytes_a_value: usize) -> Self {
        Writer {
            bytes: Vec::with_capacity(256),
            names: Vec::new(),
            depth: 0,
            value_start: 0,
            bytes_a_value,
            cut: None,
            secrecy: Secrecy::None,
            secret_bytes: 0,
            fields_depth: None,
            spelled: Spelled::default(),
            withheld: 0,
            lossy: false,
            home: "",
            is_calm: false,
        }
    }

    /// Returns the maximum size of a value, in bytes.
    pub fn bytes_a_value(&self) -> usize {
        self.bytes_a_value
    }

    /// Returns whether a value cannot be reconstructed.
    pub fn is_lossy(&self) -> bool {
        self.lossy
    }

    /// Returns the bytes written so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the number of withheld values.
    pub fn withheld(&self) -> u64 {
        self.withheld
    }

    /// Appends the interned names, as the reader of a record expects them.
    pub fn put_names(&self, into: &mut Vec<u8>) {
        put_number(into, self.names.len() as u128);
        for name in &self.names {
            put_text(into, name);
        }
    }

    /// Starts the value of a slot. Secret values are only inspected, to recognise them elsewhere.
    pub fn start_value(&mut self, slot: u32, secrecy: Secrecy) {
        put_number(&mut self.bytes, u128::from(slot));
        self.value_start = self.bytes.len();
        self.depth = 0;
        self.cut = None;
        self.secrecy = secrecy;
        self.secret_bytes = 0;
        self.fields_depth = None;
    }

    /// Ends the value, which is replaced if it was too large or a secret.
    pub fn end_value(&mut self) {
        if self.must_withhold() {
            self.bytes.truncate(self.value_start);
            self.bytes.push(tag::WITHHELD);
            self.withheld += 1;
        } else if let Some(reason) = self.cut.take() {
            self.bytes.truncate(self.value_start);
            self.bytes.push(tag::CUT);
            self.lossy = true;
            self.name(reason);
        } else if self.bytes.len() == self.value_start {
            self.bytes.push(tag::OPAQUE);
            self.name("");
            self.name("nothing was captured");
        }
        self.secrecy = Secrecy::None;
    }

    /// Returns whether the current value must be withheld, as far as it is known.
    fn must_withhold(&self) -> bool {
        match self.secrecy {
            Secrecy::None => false,
            Secrecy::IfText | Secrecy::IfLong => self.secret_bytes >= secret::SHORTEST,
            Secrecy::Derived | Secrecy::Always => true,
        }
    }

    /// Remembers a string under the name of a secret.
    fn remember(&self, text: &[u8]) {
        let is_field = self.fields_depth.is_some();
        secret::remember(
            text,
            if is_field {
                self.secrecy.of_what_is_made()
            } else {
                self.secrecy
            },
        );
    }

    /// Returns whether a string is written. One under the name of a secret is remembered, so that
    /// it is recognised under other names.
    fn may_show(&mut self, text: &[u8]) -> bool {
        if self.secrecy != Secrecy::None {
            self.secret_bytes += text.len();
            self.remember(text);
            return !self.must_withhold();
        }
        if secret::is_in(text) {
            self.withhold();
            return false;
        }
        true
    }

    /// Writes a slot whose value is cut.
    pub fn cut_value(&mut self, slot: u32, reason: &'static str) {
        self.start_value(slot, Secrecy::None);
        self.cut = Some(reason);
        self.end_value();
    }

    /// Returns whether to stop writing this value.
    pub fn is_full(&mut self) -> bool {
        if self.cut.is_none() && self.bytes.len() - self.value_start > self.bytes_a_value {
            self.cut = Some("larger than the limit of bytes per value");
        }
        self.cut.is_some()
    }

    fn name(&mut self, name: &'static str) {
        let known = self
            .names
            .iter()
            .position(|other| std::ptr::eq(*other, name) || *other == name);
        let index = known.unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        });
        put_number(&mut self.bytes, index as u128);
    }

    fn push(&mut self, tag: u8) -> bool {
        if self.is_full() {
            return false;
        }
        self.bytes.push(tag);
        true
    }

    /// Writes `()`.
    pub fn unit(&mut self) {
        self.push(tag::UNIT);
    }

    /// Writes a boolean.
    pub fn bool(&mut self, value: bool) {
        self.push(if value { tag::TRUE } else { tag::FALSE });
    }

    /// Writes an integer: the index of its type and its sign-extended bits.
    pub fn int(&mut self, kind: u8, bits: i128) {
        if self.secrecy != Secrecy::None {
            self.secret_number(bits);
        } else if secret::is_number(bits) {
            return self.withhold();
        }
        self.spell(kind, bits);
        if self.push(tag::INT) {
            self.bytes.push(kind);
            put_signed(&mut self.bytes, bits);
        }
    }

    /// Counts and remembers a number under the name of a secret.
    fn secret_number(&mut self, number: i128) {
        let is_long = match self.secrecy {
            Secrecy::IfText => i32::try_from(number).is_err() && u32::try_from(number).is_err(),
            _ => number.unsigned_abs() >= 1000,
        };
        if is_long {
            self.secret_bytes += size_of::<u64>();
            self.remember(number.to_string().as_bytes());
        }
    }

    /// Writes a float by its bits.
    pub fn float(&mut self, double: bool, bits: u64) {
        let value = if double {
            f64::from_bits(bits)
        } else {
            f64::from(f32::from_bits(bits as u32))
        };
        if value.abs() >= 1000.0 && value.is_finite() {
            match self.secrecy {
                Secrecy::None if secret::is_known(value) => return self.withhold(),
                Secrecy::IfText if secret::is_known(value) => {
                    self.secret_bytes += size_of::<u64>();
                }
                Secrecy::None | Secrecy::IfText => {}
                Secrecy::IfLong | Secrecy::Derived | Secrecy::Always => {
                    self.secret_bytes += size_of::<u64>();
                    self.remember(value.to_string().as_bytes());
                }
            }
        }
        if self.push(tag::FLOAT) {
            self.bytes.push(u8::from(double));
            self.bytes.extend_from_slice(&bits.to_le_bytes());
        }
    }

    /// Writes a char.
    pub fn char(&mut self, value: char) {
        self.secret_bytes += value.len_utf8();
        if self.push(tag::CHAR) {
            put_number(&mut self.bytes, u128::from(u32::from(value)));
        }
    }

    /// Writes the elements of a sequence of chars, which together may be a secret.
    pub fn char_items(&mut self, value: &[char]) {
        let text: String = value.iter().collect();
        if self.may_show(text.as_bytes()) {
            value.iter().for_each(|char| self.char(*char));
        }
    }

    /// Writes a string slice.
    pub fn str(&mut self, value: &str) {
        if self.may_show(value.as_bytes()) && self.push(tag::STR) {
            self.limited(value.as_bytes());
        }
    }

    /// Writes the elements of a sequence of bytes.
    pub fn byte_items(&mut self, value: &[u8]) {
        if self.may_show(value) && self.push(tag::BYTES) {
            self.limited(value);
        }
    }

    fn limited(&mut self, bytes: &[u8]) {
        if bytes.len() > self.bytes_a_value {
            self.cut = Some("larger than the limit of bytes per value");
        } else {
            put_bytes(&mut self.bytes, bytes);
        }
    }

    /// Writes a reference; its target follows.
    pub fn reference(&mut self, mutable: bool) {
        self.push(if mutable { tag::REF_MUT } else { tag::REF });
    }

    fn deeper(&mut self) {
        self.depth += 1;
        let has_room = !self.depth.is_multiple_of(LEVELS_A_LOOK) || stack::has_room();
        if (self.depth > DEEPEST || !has_room) && self.cut.is_none() {
            self.cut = Some("nested too deeply, or a cycle");
        }
    }

    /// Returns whether the maximum depth is reached.
    pub fn too_deep(&self) -> bool {
        self.depth > DEEPEST
    }

    /// Begins a tuple; its parts and `end` follow.
    pub fn tuple(&mut self) {
        self.deeper();
        self.push(tag::TUPLE);
    }

    /// Begins a collection; its elements and `end` follow.
    pub fn seq(&mut self, kind: SeqKind, type_name: &'static str) {
        self.deeper();
        self.spelled.depth = self.depth;
        self.spelled.start = self.bytes.len();
        self.spelled.text.clear();
        self.spelled.is_utf16 = true;
        if self.push(tag::SEQ) {
            self.bytes.push(kind as u8);
            self.name(type_name);
        }
    }

    /// Begins a struct or variant; its fields and `end` follow.
    pub fn structure(&mut self, type_name: &'static str, variant: &'static str, shape: Shape) {
        self.deeper();
        if shape == Shape::Named && self.secrecy != Secrecy::None && self.fields_depth.is_none() {
            self.fields_depth = Some(self.depth);
        }
        if self.push(tag::STRUCT) {
            self.name(type_name);
            self.name(variant);
            self.bytes.push(shape as u8);
        }
    }

    /// Writes the name of a field; its value follows.
    pub fn field(&mut self, name: &'static str) {
        if self.push(tag::FIELD) {
            self.name(name);
        }
    }

    /// Sets the package whose code is being recorded, and whether values of its own types are valid
    /// at this moment.
    pub(crate) fn watches(&mut self, package: &'static str, is_calm: bool) {
        self.home = package;
        self.is_calm = is_calm;
    }

    /// Returns whether all values are valid at this moment, even those that the recorded code
    /// assembles with unsafe code.
    pub(crate) fn is_calm(&self) -> bool {
        self.is_calm
    }

    /// Returns whether the recorded code belongs to the crate that declares this type, so that the
    /// value may be partially valid at this moment.
    pub(crate) fn is_at_home(&self, type_name: &str) -> bool {
        let krate = type_name.split("::").next().unwrap_or_default();
        krate.len() == self.home.len()
            && krate
                .bytes()
                .zip(self.home.bytes())
                .all(|(a, b)| a == b || (a, b) == (b'_', b'-'))
    }

    /// Begins an expression of the standard library; its arguments and `end` follow.
    pub fn built(&mut self, type_name: &'static str, head: &'static str, tail: &'static str) {
        self.deeper();
        if self.push(tag::BUILT) {
            self.name(type_name);
            self.name(head);
            self.name(tail);
        }
    }

    /// Ends a tuple, collection, struct or expression.
    pub fn end(&mut self) {
        if self.fields_depth == Some(self.depth) {
            self.fields_depth = None;
        }
        let spells_secret = self.spelled.depth == self.depth && self.spells_secret();
        self.depth = self.depth.saturating_sub(1);
        if spells_secret {
            self.bytes.truncate(self.spelled.start);
            self.withhold();
        } else {
            self.push(tag::END);
        }
    }

    /// Adds a number to what the sequence that it stands in spells.
    fn spell(&mut self, kind: u8, number: i128) {
        if self.spelled.depth != self.depth || self.depth == 0 {
            return;
        }
        match u8::try_from(number) {
            Ok(byte @ b' '..=b'~') => self.spelled.text.push(byte),
            _ => self.spelled.depth = 0,
        }
        self.spelled.is_utf16 &= kind == U16;
    }

    /// Ends the sequence at hand. Returns whether its numbers spell what was made from a secret; below
    /// the name of a secret, what they spell is remembered.
    fn spells_secret(&mut self) -> bool {
        let text = std::mem::take(&mut self.spelled.text);
        self.spelled.depth = 0;
        let mut spells_secret = false;
        if text.len() >= secret::SHORTEST {
            match self.secrecy {
                Secrecy::None => spells_secret = secret::is_in(&text),
                Secrecy::IfText | Secrecy::IfLong if !self.spelled.is_utf16 => {}
                _ => {
                    self.secret_bytes += text.len();
                    self.remember(&text);
                }
            }
        }
        self.spelled.text = text;
        spells_secret
    }

    /// Writes a value that its `FromStr` reconstructs from this string.
    pub fn parsed(&mut self, type_name: &'static str, text: &str) {
        if secret::is_type_of_secrets(type_name) {
            secret::remember(text.as_bytes(), Secrecy::Always);
            return self.withhold();
        }
        if self.may_show(text.as_bytes()) && self.push(tag::PARSED) {
            self.name(type_name);
            self.limited(text.as_bytes());
        }
    }

    /// Writes the `Debug` output of a value.
    pub fn debug(&mut self, type_name: &'static str, text: &str) {
        self.secret_bytes += text.len();
        let is_of_secrets = secret::is_type_of_secrets(type_name);
        if self.secrecy != Secrecy::None || is_of_secrets {
            secret::quoted(text).for_each(|quoted| self.remember(quoted.as_bytes()));
        }
        if is_of_secrets || secret::is_named_in(text) || secret::is_in(text.as_bytes()) {
            self.withhold();
        } else if self.push(tag::DEBUG) {
            self.lossy = true;
            self.name(type_name);
            self.limited(without_addresses(text).as_bytes());
        }
    }

    /// Writes a value of which only the type is known.
    pub fn opaque(&mut self, type_name: &'static str, reason: &'static str) {
        if self.push(tag::OPAQUE) {
            self.lossy = true;
            self.name(type_name);
            self.name(reason);
        }
    }

    /// Withholds the current value.
    pub fn withhold(&mut self) {
        if self.push(tag::WITHHELD) {
            self.withheld += 1;
        }
    }

    /// Writes a part with the name of a secret: it is remembered, and written only if it cannot be
    /// one.
    pub fn secret_part(&mut self, secrecy: Secrecy, look: impl FnOnce(&mut Writer)) {
        let (start, depth) = (self.bytes.len(), self.depth);
        let outer = (
            self.secrecy,
            std::mem::take(&mut self.secret_bytes),
            self.fields_depth,
        );
        self.secrecy = self.secrecy.max(secrecy);
        if secrecy == Secrecy::Always {
            self.fields_depth = None;
        }
        look(self);
        let must_withhold = self.must_withhold();
        (self.secrecy, self.fields_depth) = (outer.0, outer.2);
        self.secret_bytes += outer.1;
        if must_withhold {
            self.depth = depth;
            self.bytes.truncate(start);
            self.withhold();
        }
    }

    /// Writes one of several adjacent parts, such as key and value. Returns the secrecy of the next
    /// part if this one is its name.
    pub fn part(&mut self, secrecy: Secrecy, look: impl FnOnce(&mut Writer)) -> Secrecy {
        let start = self.bytes.len();
        if secrecy == Secrecy::None {
            look(self);
        } else {
            self.secret_part(secrecy, look);
        }
        self.secrecy_behind(start)
    }

    /// Returns the secrecy of what follows the string that was written from this byte on.
    fn secrecy_behind(&self, start: usize) -> Secrecy {
        let mut reader = Reader::new(self.bytes.get(start..).unwrap_or_default());
        self.key_in(&mut reader)
            .map_or(Secrecy::None, |key| Secrecy::of_key(key.trim_matches('"')))
    }

    fn key_in<'b>(&self, reader: &mut Reader<'b>) -> Result<&'b str, Malformed> {
        loop {
            match reader.byte()? {
                tag::REF | tag::REF_MUT => {}
                tag::BUILT => {
                    for _ in 0..3 {
                        reader.number()?;
                    }
                }
                tag::STR => return reader.text(),
                tag::PARSED | tag::DEBUG => {
                    reader.number()?;
                    return reader.text();
                }
                _ => return Err(Malformed),
            }
        }
    }

    /// Writes elements in the order of their bytes.
    pub fn sorted<T>(
        &mut self,
        elements: impl Iterator<Item = T>,
        mut write: impl FnMut(T, &mut Writer),
    ) {
        let start = self.bytes.len();
        let mut ends = Vec::new();
        for element in elements {
            if self.is_full() {
                return;
            }
            write(element, self);
            ends.push(self.bytes.len());
        }
        let starts = std::iter::once(start).chain(ends.iter().copied());
        let mut parts: Vec<Vec<u8>> = starts
            .zip(&ends)
            .map(|(from, to)| self.bytes[from..*to].to_vec())
            .collect();
        parts.sort();
        self.bytes.truncate(start);
        self.bytes.extend(parts.into_iter().flatten());
    }

    /// Calls a capture that may turn out not to apply, and then removes what it wrote.
    pub fn attempt(&mut self, capture: impl FnOnce(&mut Writer) -> bool) -> bool {
        let (start, depth, cut) = (self.bytes.len(), self.depth, self.cut);
        let secrets = (self.withheld, self.secret_bytes);
        let kept = capture(self);
        if !kept {
            self.bytes.truncate(start);
            self.depth = depth;
            self.cut = cut;
            (self.withheld, self.secret_bytes) = secrets;
        }
        kept
    }
}

/// Replaces memory addresses, which would make every hit unique and mean nothing elsewhere.
fn without_addresses(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("0x") {
        let digits = rest[at + 2..]
            .bytes()
            .take_while(u8::is_ascii_hexdigit)
            .count();
        kept.push_str(&rest[..at]);
        kept.push_str(if digits >= 7 {
            "<address>"
        } else {
            &rest[at..at + 2 + digits]
        });
        rest = &rest[at + 2 + digits..];
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_replaced_and_short_hex_numbers_stay() {
        assert_eq!(
            without_addresses("P { at: 0x7ffe12345678, n: 0x1f }"),
            "P { at: <address>, n: 0x1f }"
        );
        assert_eq!(without_addresses("0x"), "0x");
    }

    #[test]
    fn a_value_beyond_the_bound_is_cut_as_a_whole() {
        let mut writer = Writer::new(10);
        writer.start_value(0, Secrecy::None);
        writer.str("longer than ten bytes");
        writer.end_value();
        writer.start_value(1, Secrecy::None);
        writer.bool(true);
        writer.end_value();
        assert_eq!(writer.bytes(), [0, tag::CUT, 0, 1, tag::TRUE]);
    }
}
