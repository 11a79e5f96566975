//! Inputs with holes: plain parts that can have another value in each run, without compiling again.

use super::Scope;
use crate::generate::extract::candidate::Candidate;
use crate::generate::extract::improve::boundary_values::{Edges, Pool};
use crate::generate::extract::improve::nearby_inputs::Input;
use situ_recorder::value::{FROM_ELEMENTS, INTEGER_TYPES, ONLY_VALUE, SeqKind, Shape, Value};
use std::collections::BTreeMap;

/// The maximum number of holes of a template; more are hardly ever filled together as needed.
const MAX_HOLES: usize = 64;

/// The number of elements with holes in a list of structured values.
const MAX_ELEMENTS: usize = 6;

const HOLE: &str = "::situ::rt::seek::hole";
const CHOSEN: &str = "::situ::rt::seek::chosen";
const LIST: &str = "::situ::rt::seek::list";
const SOME_OF: &str = "::situ::rt::seek::some_of";
const SLICE: &str = "::situ::rt::seek::slice";
const SLICE_MUT: &str = "::situ::rt::seek::slice_mut";

/// The fillings of a run, by hole number; other holes keep their original value.
pub(super) type Fillings = BTreeMap<u32, Value>;

#[derive(Clone, Debug)]
pub(super) struct Hole {
    /// What may be in it.
    pub kind: Kind,
    /// Whether it is in a field that the statement names.
    pub is_named: bool,
}

/// What may be in a hole.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// A value like this one.
    Plain(Value),
    /// The index of one of so many values.
    Chosen(usize),
    /// The indices of the elements of a list, which originally had the first ones.
    SomeOf {
        /// The original number of elements.
        own: usize,
        /// The number of elements to choose from.
        of: usize,
    },
}

/// A candidate with holes in its inputs.
#[derive(Clone, Debug)]
pub(super) struct Template {
    pub candidate: Candidate,
    /// The holes, by their numbers.
    pub holes: Vec<Hole>,
}

impl Template {
    /// Makes holes in all inputs that may vary.
    pub(super) fn of(
        candidate: &Candidate,
        edges: &Edges<'_>,
        pool: &Pool,
        scope: &Scope,
    ) -> Template {
        let mut maker = Maker {
            edges,
            pool,
            holes: Vec::new(),
            is_named: true,
        };
        let mut changed = candidate.clone();
        for (input, value) in Input::all(candidate)
            .into_iter()
            .filter(|(input, _)| scope.holds(*input, candidate))
        {
            changed = input.changed(&changed, maker.with_holes(value));
        }
        Template {
            candidate: changed,
            holes: maker.holes,
        }
    }

    /// Returns the candidate for a run with these fillings.
    pub(super) fn filled(&self, fillings: &Fillings) -> Candidate {
        let mut candidate = self.candidate.clone();
        for (input, value) in Input::all(&self.candidate) {
            candidate = input.changed(&candidate, filled(value, fillings));
        }
        candidate
    }
}

struct Maker<'m> {
    edges: &'m Edges<'m>,
    pool: &'m Pool,
    holes: Vec<Hole>,
    /// Whether all fields around are named in the statement.
    is_named: bool,
}

impl Maker<'_> {
    fn with_holes(&mut self, value: &Value) -> Value {
        if self.holes.len() >= MAX_HOLES {
            return value.clone();
        }
        match value {
            value if is_plain(value) => self.plain(value),
            Value::Ref { mutable, inner } => match &**inner {
                Value::Seq {
                    kind: SeqKind::Slice,
                    type_name,
                    items,
                } => {
                    let head = if *mutable { SLICE_MUT } else { SLICE };
                    let owned = format!(
                        "alloc::vec::Vec<{}>",
                        type_name.trim_start_matches('[').trim_end_matches(']')
                    );
                    let list = self.list(SeqKind::Vec, &owned, items);
                    built(type_name, head, vec![list])
                }
                inner => Value::Ref {
                    mutable: *mutable,
                    inner: Box::new(self.with_holes(inner)),
                },
            },
            Value::Tuple(parts) => {
                Value::Tuple(parts.iter().map(|part| self.with_holes(part)).collect())
            }
            Value::Seq {
                kind: kind @ (SeqKind::Vec | SeqKind::Array),
                type_name,
                items,
            } => self.list(*kind, type_name, items),
            Value::Struct { .. } => self.structure(value),
            // These have holes of their own kind.
            Value::Built { head, .. } if head == ONLY_VALUE || head == FROM_ELEMENTS => {
                value.clone()
            }
            Value::Built {
                type_name,
                head,
                args,
                tail,
            } => {
                let args = args.iter().map(|part| self.with_holes(part)).collect();
                Value::Built {
                    type_name: type_name.clone(),
                    head: head.clone(),
                    args,
                    tail: tail.clone(),
                }
            }
            other => other.clone(),
        }
    }

    fn hole(&mut self, kind: Kind) -> Value {
        self.holes.push(Hole {
            kind,
            is_named: self.is_named,
        });
        Value::Int {
            type_name: "u32",
            bits: self.holes.len() as u128 - 1,
        }
    }

    fn plain(&mut self, value: &Value) -> Value {
        let number = self.hole(Kind::Plain(value.clone()));
        built(type_name_of(value), HOLE, vec![number, value.clone()])
    }

    fn list(&mut self, kind: SeqKind, type_name: &str, items: &[Value]) -> Value {
        let of = |items: Vec<Value>| Value::Seq {
            kind,
            type_name: type_name.to_owned(),
            items,
        };
        let element = element_type(type_name);
        if items.iter().all(is_plain) && (!items.is_empty() || element.and_then(plain_of).is_some())
        {
            let list = of(items.to_vec());
            let number = self.hole(Kind::Plain(list.clone()));
            return match kind {
                SeqKind::Vec => built(type_name, LIST, vec![number, as_array(items, element)]),
                _ => built(type_name, HOLE, vec![number, list]),
            };
        }
        let others = match kind {
            SeqKind::Vec => element.map_or(&[][..], |element| self.pool.like(element)),
            _ => &[],
        };
        let others: Vec<Value> = others
            .iter()
            .filter(|other| !items.contains(other))
            .take(MAX_ELEMENTS)
            .cloned()
            .collect();
        let (own, all) = (items.len(), items.len() + others.len());
        let number =
            (kind == SeqKind::Vec && all > 0).then(|| self.hole(Kind::SomeOf { own, of: all }));
        let (first, rest) = items.split_at(items.len().min(MAX_ELEMENTS));
        let first: Vec<Value> = first.iter().map(|item| self.with_holes(item)).collect();
        match number {
            Some(number) => {
                let own = Value::Int {
                    type_name: "usize",
                    bits: own as u128,
                };
                built(
                    type_name,
                    SOME_OF,
                    vec![
                        number,
                        own,
                        as_array(&[&first, rest, &others].concat(), element),
                    ],
                )
            }
            None => of([&first, rest].concat()),
        }
    }

    fn structure(&mut self, value: &Value) -> Value {
        let Value::Struct {
            type_name,
            variant,
            shape,
            fields,
        } = value
        else {
            return value.clone();
        };
        let others = self.pool.others(value);
        let number = (!others.is_empty()).then(|| self.hole(Kind::Chosen(1 + others.len())));
        let around = self.is_named;
        let mut changed = Vec::new();
        for (name, field) in fields {
            self.is_named = around && (*shape != Shape::Named || self.edges.names(name));
            changed.push((name.clone(), self.with_holes(field)));
        }
        self.is_named = around;
        let own = Value::Struct {
            type_name: type_name.clone(),
            variant: variant.clone(),
            shape: *shape,
            fields: changed,
        };
        let Some(number) = number else { return own };
        let kind = SeqKind::Array;
        let items: Vec<Value> = [own].into_iter().chain(others).collect();
        let list = Value::Seq {
            kind,
            type_name: format!("[{type_name}; {}]", items.len()),
            items,
        };
        built(type_name, CHOSEN, vec![number, list])
    }
}

/// Returns whether a value is a number, char or string.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Bool(_) | Value::Int { .. } | Value::Float { .. } | Value::Char(_) => true,
        Value::Ref {
            mutable: false,
            inner,
        } => matches!(**inner, Value::Str(_)),
        _ => false,
    }
}

/// Returns whether a value is plain, or a shared borrow of a list of plain ones.
pub(super) fn is_plain_or_list(value: &Value) -> bool {
    let is_list =
        |value: &Value| matches!(value, Value::Seq { items, .. } if items.iter().all(is_plain));
    is_plain(value) || matches!(value, Value::Ref { mutable: false, inner } if is_list(inner))
}

/// Returns what a list holds, by the name of its type.
fn element_type(type_name: &str) -> Option<&str> {
    let inner = type_name
        .strip_prefix("alloc::vec::Vec<")
        .and_then(|rest| rest.strip_suffix('>'));
    inner
        .or_else(|| {
            type_name
                .strip_prefix('[')?
                .strip_suffix(']')?
                .split(';')
                .next()
        })
        .map(str::trim)
}

/// Returns some value of a type whose values are plain.
pub(super) fn plain_of(type_name: &str) -> Option<Value> {
    Some(match type_name {
        "bool" => Value::Bool(false),
        "char" => Value::Char('a'),
        "f32" | "f64" => Value::Float {
            double: type_name == "f64",
            bits: 0,
        },
        "&str" => Value::Ref {
            mutable: false,
            inner: Box::new(Value::Str(String::new())),
        },
        other => Value::Int {
            type_name: INTEGER_TYPES.iter().find(|name| **name == other)?,
            bits: 0,
        },
    })
}

/// Returns some element for a list of plain values.
pub(super) fn element_of(list: &Value) -> Option<Value> {
    let Value::Seq {
        type_name, items, ..
    } = list
    else {
        return None;
    };
    items
        .first()
        .cloned()
        .or_else(|| plain_of(element_type(type_name)?))
}

fn type_name_of(value: &Value) -> &str {
    match value {
        Value::Bool(_) => "bool",
        Value::Int { type_name, .. } => type_name,
        Value::Float { double: true, .. } => "f64",
        Value::Float { .. } => "f32",
        Value::Char(_) => "char",
        _ => "&str",
    }
}

/// Returns elements as an array, which crates without `alloc` can write too.
fn as_array(items: &[Value], element: Option<&str>) -> Value {
    let type_name = format!("[{}; {}]", element.unwrap_or("_"), items.len());
    Value::Seq {
        kind: SeqKind::Array,
        type_name,
        items: items.to_vec(),
    }
}

fn built(type_name: &str, head: &str, args: Vec<Value>) -> Value {
    Value::Built {
        type_name: type_name.to_owned(),
        head: head.to_owned(),
        args,
        tail: String::new(),
    }
}

/// Returns the value without holes.
fn filled(value: &Value, fillings: &Fillings) -> Value {
    let all = |parts: &[Value]| {
        parts
            .iter()
            .map(|part| filled(part, fillings))
            .collect::<Vec<_>>()
    };
    match value {
        Value::Built {
            type_name,
            head,
            args,
            tail,
        } => match (head.as_str(), args.as_slice()) {
            (HOLE, [number, own]) => filling(number, fillings)
                .cloned()
                .unwrap_or_else(|| own.clone()),
            (CHOSEN, [number, Value::Seq { items, .. }]) => {
                let place = filling(number, fillings).and_then(place).unwrap_or(0);
                filled(&items[place.min(items.len() - 1)], fillings)
            }
            (LIST, [number, Value::Seq { items, .. }]) => filling(number, fillings)
                .cloned()
                .unwrap_or_else(|| Value::Seq {
                    kind: SeqKind::Vec,
                    type_name: type_name.clone(),
                    items: items.clone(),
                }),
            (SOME_OF, [number, own, Value::Seq { items, .. }]) => {
                let items = match filling(number, fillings) {
                    Some(Value::Seq { items: places, .. }) => {
                        let taken = places.iter().filter_map(|at| items.get(place(at)?));
                        taken.map(|item| filled(item, fillings)).collect()
                    }
                    _ => all(&items[..place(own).unwrap_or(0).min(items.len())]),
                };
                Value::Seq {
                    kind: SeqKind::Vec,
                    type_name: type_name.clone(),
                    items,
                }
            }
            (SLICE | SLICE_MUT, [list]) => {
                let items = match filled(list, fillings) {
                    Value::Seq { items, .. } => items,
                    _ => Vec::new(),
                };
                let inner = Value::Seq {
                    kind: SeqKind::Slice,
                    type_name: type_name.clone(),
                    items,
                };
                Value::Ref {
                    mutable: head == SLICE_MUT,
                    inner: Box::new(inner),
                }
            }
            _ => Value::Built {
                type_name: type_name.clone(),
                head: head.clone(),
                args: all(args),
                tail: tail.clone(),
            },
        },
        Value::Ref { mutable, inner } => Value::Ref {
            mutable: *mutable,
            inner: Box::new(filled(inner, fillings)),
        },
        Value::Tuple(parts) => Value::Tuple(all(parts)),
        Value::Seq {
            kind,
            type_name,
            items,
        } => Value::Seq {
            kind: *kind,
            type_name: type_name.clone(),
            items: all(items),
        },
        Value::Struct {
            type_name,
            variant,
            shape,
            fields,
        } => {
            let fields = fields
                .iter()
                .map(|(name, field)| (name.clone(), filled(field, fillings)))
                .collect();
            Value::Struct {
                type_name: type_name.clone(),
                variant: variant.clone(),
                shape: *shape,
                fields,
            }
        }
        other => other.clone(),
    }
}

fn filling<'f>(number: &Value, fillings: &'f Fillings) -> Option<&'f Value> {
    let Value::Int { bits, .. } = number else {
        return None;
    };
    fillings.get(&u32::try_from(*bits).ok()?)
}

fn place(value: &Value) -> Option<usize> {
    let Value::Int { bits, .. } = value else {
        return None;
    };
    usize::try_from(*bits).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn byte(number: u8) -> Value {
        Value::Int {
            type_name: "u8",
            bits: u128::from(number),
        }
    }

    fn list(kind: SeqKind, type_name: &str, items: Vec<Value>) -> Value {
        Value::Seq {
            kind,
            type_name: type_name.to_owned(),
            items,
        }
    }

    fn option(value: Option<u8>) -> Value {
        Value::Struct {
            type_name: "core::option::Option<u8>".to_owned(),
            variant: Some(if value.is_some() { "Some" } else { "None" }.to_owned()),
            shape: if value.is_some() {
                Shape::Tuple
            } else {
                Shape::Unit
            },
            fields: value
                .into_iter()
                .map(|number| ("0".to_owned(), byte(number)))
                .collect(),
        }
    }

    fn template(values: Vec<Value>) -> Template {
        let givens = values
            .into_iter()
            .map(|value| ("x".to_owned(), value))
            .collect();
        let candidate = Candidate {
            givens,
            ..Candidate::default()
        };
        let pool = Pool::of([option(Some(7))].iter());
        let edges = Edges::of(&quote!(x), &pool);
        Template::of(&candidate, &edges, &pool, &Scope::Everything)
    }

    #[test]
    fn without_fillings_everything_is_as_it_was() {
        let text = Value::Ref {
            mutable: false,
            inner: Box::new(Value::Str("ab".to_owned())),
        };
        let bytes = list(SeqKind::Slice, "[u8]", vec![byte(1), byte(2)]);
        let slice = Value::Ref {
            mutable: true,
            inner: Box::new(bytes),
        };
        let options = list(
            SeqKind::Vec,
            "alloc::vec::Vec<core::option::Option<u8>>",
            vec![option(None)],
        );
        let values = vec![
            text,
            slice,
            options,
            Value::Tuple(vec![byte(1), option(Some(1))]),
        ];
        let template = template(values.clone());
        let filled = template.filled(&Fillings::new());
        assert_eq!(
            filled
                .givens
                .into_iter()
                .map(|(_, value)| value)
                .collect::<Vec<_>>(),
            values
        );
        assert!(filled.is_near);
        // The text, the slice, which elements, what is in it, the number, which option, what is in it.
        assert_eq!(template.holes.len(), 7, "{:?}", template.holes);
    }

    #[test]
    fn holes_are_filled_with_what_is_said() {
        let template = template(vec![byte(1), option(None)]);
        let fillings = Fillings::from([(0, byte(9)), (1, byte(1))]);
        let filled: Vec<Value> = template
            .filled(&fillings)
            .givens
            .into_iter()
            .map(|(_, value)| value)
            .collect();
        assert_eq!(filled, [byte(9), option(Some(7))]);
    }
}
