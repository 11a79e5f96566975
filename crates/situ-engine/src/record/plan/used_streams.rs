//! Streams that a statement uses. The instrumented copy wraps each mention of one to record the
//! data passing through.
//!
//! Only values of which nothing but a trait bound is known are wrapped: code can use them only
//! through the trait, so it cannot distinguish the wrapper from the original.

use super::mentions::{Mentions, text_of};
use super::places::{Place, secrecy_among};
use super::probes::Probe;
use super::streams::{StreamParameter, StreamTrait, known_as_stream, meaning};
use super::walk::Walk;
use super::{Insertion, Phase, SlotKey};
use situ_recorder::secret::Secrecy;
use std::collections::BTreeMap;
use syn::{
    Expr, GenericArgument, ItemImpl, Local, Pat, PatType, Path, PathArguments, PathSegment,
    Signature, Type,
};

/// Stream that statements may use.
#[derive(Clone, Debug)]
pub(super) struct UsedStream {
    of: StreamTrait,
    is_borrowed: bool,
    /// Generic parameter that is the stream's type, if there is one.
    generic: Option<String>,
    sort: Sort,
}

/// What is known of a stream's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    /// Stream of a type that is known only by its trait.
    Plain,
    /// `BufReader` of a stream.
    Buffered,
    /// `Formatter`, which a function writes to and queries for its format options.
    Formatter,
}

impl UsedStream {
    fn plain(stream: StreamParameter) -> UsedStream {
        let StreamParameter {
            of,
            is_borrowed,
            generic,
            ..
        } = stream;
        UsedStream {
            of,
            is_borrowed,
            generic,
            sort: Sort::Plain,
        }
    }

    fn buffered(is_borrowed: bool) -> UsedStream {
        UsedStream {
            of: StreamTrait::BufRead,
            is_borrowed,
            generic: None,
            sort: Sort::Buffered,
        }
    }

    fn formatter() -> UsedStream {
        UsedStream {
            of: StreamTrait::Text,
            is_borrowed: true,
            generic: None,
            sort: Sort::Formatter,
        }
    }

    /// Returns a call that notifies the guard that a statement may use the stream.
    fn announced(&self, guard: &str, slot: usize, place: &str) -> String {
        match self.sort {
            Sort::Formatter => format!("{guard}.formatter({slot}, &*{place}); "),
            _ => format!(
                "{guard}.stream({slot}, ::situ_recorder::streams::StandIn::{}, {}); ",
                self.stand_in(),
                self.is_borrowed
            ),
        }
    }

    /// Returns the recorder's name for the replacement of the stream in a test.
    fn stand_in(&self) -> &'static str {
        match self.sort {
            Sort::Plain => self.of.stand_in(),
            Sort::Buffered => "Buffered",
            Sort::Formatter => "Formatter",
        }
    }

    /// Returns the code before and after each mention of the stream.
    fn watched(&self, guard: &str, slot: usize) -> (String, &'static str) {
        let (kept, close) = match self.sort {
            Sort::Formatter => ("FormatterWritten", ").formatter()"),
            Sort::Plain | Sort::Buffered => (self.of.watching_type(), ")"),
        };
        (
            format!("::situ_recorder::streams::{kept}::new(&mut {guard}, {slot}, &mut "),
            close,
        )
    }
}

impl Walk<'_, '_> {
    /// Wraps the streams that a statement uses, and removes them from its inputs: a test needs only
    /// the data that passes through.
    pub(super) fn use_streams(
        &mut self,
        probe: &mut Probe,
        inputs: &mut Vec<Place>,
        insert: &dyn Fn(String, usize) -> Insertion,
        visit: impl Fn(&mut Mentions<'_>),
    ) -> Vec<Insertion> {
        let mut insertions = Vec::new();
        // Data derived from a secret may be written to the stream.
        if !self.planner.wanted.streams || secrecy_among(inputs) != Secrecy::None {
            return insertions;
        }
        inputs.retain(|input| {
            let Some(stream) = self.stream_at(input) else {
                return true;
            };
            let (place, is_borrowed) = (input.text.as_str(), stream.is_borrowed);
            let mut mentions = Mentions::of(place, is_borrowed);
            visit(&mut mentions);
            if !mentions.are_uses() {
                return true;
            }
            insertions.extend(self.use_stream(probe, &stream, &mentions, insert));
            false
        });
        insertions
    }

    /// Records replacements for streams inside the inputs of a fragment that it does not use
    /// itself. A test that constructs the whole input needs them.
    pub(super) fn hold_streams(
        &mut self,
        probe: &mut Probe,
        inputs: &[Place],
        insert: &dyn Fn(String, usize) -> Insertion,
        visit: impl Fn(&mut Mentions<'_>),
    ) -> Vec<Insertion> {
        let mut insertions = Vec::new();
        if !self.planner.wanted.streams || secrecy_among(inputs) != Secrecy::None {
            return insertions;
        }
        let is_held = |place: &str| {
            place
                .split_once('.')
                .is_some_and(|(whole, _)| inputs.iter().any(|input| input.text == whole))
        };
        let embedded: Vec<(String, UsedStream)> = self
            .used_streams
            .iter()
            .filter(|(place, _)| is_held(place))
            .map(|(place, stream)| (place.clone(), stream.clone()))
            .collect();
        for (place, stream) in embedded {
            let mut mentions = Mentions::of(&place, stream.is_borrowed);
            visit(&mut mentions);
            if let (true, Some(generic)) = (mentions.are_none(), &stream.generic) {
                let held = SlotKey::Held {
                    place: place.clone(),
                    generic: generic.clone(),
                };
                let slot = probe.slot(Phase::Held, held, Secrecy::None);
                let piece = self.planner.piece_of_slot(probe, slot, "stream");
                insertions.push(insert(
                    stream.announced(&probe.guard(), slot, &place),
                    piece,
                ));
            }
        }
        insertions
    }

    fn use_stream(
        &mut self,
        probe: &mut Probe,
        stream: &UsedStream,
        mentions: &Mentions<'_>,
        insert: &dyn Fn(String, usize) -> Insertion,
    ) -> Vec<Insertion> {
        let of = stream.of;
        let slot = probe.slot(Phase::Passed, mentions.place, Secrecy::None);
        let piece = self.planner.piece_of_slot(probe, slot, "stream");
        probe.stand_in(stream.generic.as_deref(), of);
        let (guard, layer) = (probe.guard(), probe.number);
        let has_methods = stream.sort == Sort::Formatter || self.brings_methods(of);
        let imported = if has_methods {
            String::new()
        } else {
            format!("use {} as _; ", of.path())
        };
        let begin = format!(
            "{imported}{}",
            stream.announced(&guard, slot, mentions.place)
        );
        let (open, close) = stream.watched(&guard, slot);
        let mut insertions = vec![insert(begin, piece)];
        for (range, needs_borrow) in &mentions.used {
            let borrow = if *needs_borrow { "&mut " } else { "" };
            insertions.push(Insertion::before(
                range,
                layer,
                format!("{borrow}{open}"),
                piece,
            ));
            if stream.is_borrowed {
                // A reference has a size, even if the stream is unsized.
                insertions.push(Insertion::innermost(range, "&mut *", piece));
            }
            insertions.push(Insertion::after(range, layer, close, piece));
        }
        insertions
    }

    /// Notes that a parameter is a stream, until it is shadowed.
    pub(super) fn bind_stream(&mut self, typed: &PatType, signature: &Signature) {
        let Pat::Ident(name) = &*typed.pat else {
            return;
        };
        let name = name.ident.to_string();
        let meaning = |path: &Path| meaning(path, &self.imports);
        let generics = [&signature.generics, &self.around];
        let plain = known_as_stream(&typed.ty, &generics, &meaning).map(UsedStream::plain);
        let stream = plain
            .or_else(|| boxed_stream(&typed.ty, &meaning))
            .or_else(|| {
                let (of_type, is_borrowed) = behind(&typed.ty);
                let read = known_as_stream(self.read_by_buffer(of_type)?, &generics, &meaning)?;
                (read.of.is_read() && read.generic.is_some())
                    .then(|| UsedStream::buffered(is_borrowed))
            });
        let stream = stream.or_else(|| self.is_formatter(&typed.ty).then(UsedStream::formatter));
        let stream = stream.filter(|_| signature.asyncness.is_none());
        if let (Some(stream), Some(variable)) = (stream, self.scope.get_mut(&name)) {
            variable.is_stream = true;
            self.used_streams.insert(name, stream);
        }
    }

    /// Returns the type that a `BufReader` reads from, if the type is one.
    fn read_by_buffer<'t>(&self, of_type: &'t Type) -> Option<&'t Type> {
        let Type::Path(path) = of_type else {
            return None;
        };
        let last = path
            .path
            .segments
            .last()
            .filter(|_| self.is_buffer(&path.path.segments))?;
        match &last.arguments {
            PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
                GenericArgument::Type(read) => Some(read),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns whether a path, or its prefix, is `std::io::BufReader`.
    fn is_buffer<'s>(&self, segments: impl IntoIterator<Item = &'s PathSegment>) -> bool {
        let words: Vec<String> = segments
            .into_iter()
            .map(|word| word.ident.to_string())
            .collect();
        let whole = self.imports.resolve(&words).unwrap_or(words);
        whole == ["std", "io", "BufReader"]
    }

    /// Returns whether a type is a mutable reference to `std::fmt::Formatter`.
    fn is_formatter(&self, of_type: &Type) -> bool {
        let (Type::Path(path), true) = behind(of_type) else {
            return false;
        };
        let words: Vec<String> = path
            .path
            .segments
            .iter()
            .map(|word| word.ident.to_string())
            .collect();
        let whole = self.imports.resolve(&words).unwrap_or(words);
        let whole: Vec<&str> = whole.iter().map(String::as_str).collect();
        path.qself.is_none() && matches!(whole[..], ["std" | "core" | "alloc", "fmt", "Formatter"])
    }

    /// Notes that the variable of `let mut out: Box<dyn Write> = …;` is a stream.
    pub(super) fn bind_object(&mut self, local: &Local) {
        let Pat::Type(typed) = &local.pat else { return };
        let Pat::Ident(name) = &*typed.pat else {
            return;
        };
        let name = name.ident.to_string();
        let stream = boxed_stream(&typed.ty, &|path| meaning(path, &self.imports));
        if let (Some(stream), Some(variable)) = (stream, self.scope.get_mut(&name)) {
            variable.is_stream = true;
            self.used_streams.insert(name, stream);
        }
    }

    /// Notes that the variable of `let mut lines = BufReader::new(input);` is a stream, if `input`
    /// is a reader.
    pub(super) fn bind_buffer(&mut self, local: &Local) {
        let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init) else {
            return;
        };
        let Expr::Call(call) = &*init.expr else {
            return;
        };
        let (Expr::Path(function), Some(read)) = (&*call.func, call.args.first()) else {
            return;
        };
        let segments = &function.path.segments;
        let is_new = segments.last().is_some_and(|last| last.ident == "new");
        if !is_new || !self.is_buffer(segments.iter().take(segments.len() - 1)) {
            return;
        }
        let is_read = text_of(read).is_some_and(|text| {
            let known = self
                .used_streams
                .get(&text)
                .filter(|stream| stream.of.is_read() && stream.sort == Sort::Plain);
            known.is_some()
                && self
                    .scope
                    .get(&text)
                    .is_some_and(|variable| variable.is_stream)
        });
        let name = name.ident.to_string();
        if let (true, Some(variable)) = (is_read, self.scope.get_mut(&name)) {
            variable.is_stream = true;
            self.used_streams.insert(name, UsedStream::buffered(false));
        }
    }

    /// Returns the fields of `self` whose type is a parameter that the `impl` only knows as a
    /// stream.
    pub(super) fn streams_of_receiver(&self, item: &ItemImpl) -> BTreeMap<String, UsedStream> {
        let Type::Path(own) = &*item.self_ty else {
            return BTreeMap::new();
        };
        let Some(last) = own.path.segments.last() else {
            return BTreeMap::new();
        };
        let PathArguments::AngleBracketed(arguments) = &last.arguments else {
            return BTreeMap::new();
        };
        let types: Vec<&Type> = arguments
            .args
            .iter()
            .filter_map(|argument| match argument {
                GenericArgument::Type(of_type) => Some(of_type),
                _ => None,
            })
            .collect();
        let fields = self
            .planner
            .generic_fields
            .get(&last.ident.to_string())
            .map_or(&[][..], Vec::as_slice);
        let streams = fields.iter().filter_map(|field| {
            let of_type = types.get(field.parameter)?;
            let stream = known_as_stream(of_type, &[&item.generics], &|path| {
                meaning(path, &self.imports)
            })?;
            let is_plain = stream.generic.is_some() && !stream.is_borrowed;
            let stream = UsedStream {
                is_borrowed: field.is_borrowed,
                ..UsedStream::plain(stream)
            };
            is_plain.then(|| (format!("self.{}", field.name), stream))
        });
        streams.collect()
    }

    /// Returns the stream at a place, if there is one.
    fn stream_at(&self, place: &Place) -> Option<UsedStream> {
        let known = self.used_streams.get(&place.text)?;
        let is_same = self
            .scope
            .get(&place.root)
            .is_some_and(|variable| variable.is_stream || place.text != place.root);
        is_same.then(|| known.clone())
    }

    /// Returns whether the trait is imported by name, so that its methods are in scope. A `*`
    /// import does not count, because its contents are not known.
    fn brings_methods(&self, of: StreamTrait) -> bool {
        let name = of.path().rsplit("::").next().unwrap_or_default().to_owned();
        let path = self.imports.resolve(&[name]).unwrap_or_default();
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        StreamTrait::of_path(&words) == Some(of)
    }
}

/// Returns the target of a mutable reference, and whether the type is one.
fn behind(of_type: &Type) -> (&Type, bool) {
    match of_type {
        Type::Reference(reference) if reference.mutability.is_some() => (&reference.elem, true),
        other => (other, false),
    }
}

/// Returns the stream that a boxed trait object is.
fn boxed_stream(
    of_type: &Type,
    meaning: &dyn Fn(&Path) -> Option<StreamTrait>,
) -> Option<UsedStream> {
    let (of_type, is_borrowed) = behind(of_type);
    let Type::Path(path) = of_type else {
        return None;
    };
    let last = path
        .path
        .segments
        .last()
        .filter(|last| last.ident == "Box")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let boxed = arguments
        .args
        .first()
        .filter(|_| arguments.args.len() == 1)?;
    let GenericArgument::Type(boxed @ Type::TraitObject(_)) = boxed else {
        return None;
    };
    let stream = known_as_stream(boxed, &[], meaning)?;
    Some(UsedStream {
        is_borrowed,
        ..UsedStream::plain(stream)
    })
}
