//! Values and places for the tests of what is pure in an extraction.

mod candidates;
mod choices;
mod clauses;
mod rows;
mod shown;

use super::candidate::clauses::Writing;
use super::candidate::statement::StatementIdx;
use super::candidate::{Candidate, CandidateIdx, Claim, ClaimIdx};
use super::find::locate::{InsertionPoint, TailRole, Target};
use crate::edit::Place;
use crate::record::plan::{Phase, Position, Site, Slot, SlotKey};
use crate::record::read::RecordedSite;
use crate::source::SourceFile;
use crate::values::{TestModule, TypeTable};
use proc_macro2::TokenStream;
use situ_recorder::recording::{Exit, ValueSet};
use situ_recorder::value::{SeqKind, Shape, Value};
use std::collections::{BTreeMap, BTreeSet};

fn int(value: u8) -> Value {
    Value::Int {
        type_name: "u8",
        bits: u128::from(value),
    }
}

fn text(text: &str) -> Value {
    reference(Value::Str(text.to_owned()))
}

fn reference(value: Value) -> Value {
    Value::Ref {
        mutable: false,
        inner: Box::new(value),
    }
}

fn string(content: &str) -> Value {
    Value::Built {
        type_name: "alloc::string::String".to_owned(),
        head: "String::from".to_owned(),
        args: vec![text(content)],
        tail: String::new(),
    }
}

fn list(items: Vec<Value>) -> Value {
    Value::Seq {
        kind: SeqKind::Vec,
        type_name: "alloc::vec::Vec<u8>".to_owned(),
        items,
    }
}

fn structure(
    type_name: &str,
    variant: Option<&str>,
    shape: Shape,
    fields: Vec<(&str, Value)>,
) -> Value {
    let fields = fields
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    Value::Struct {
        type_name: type_name.to_owned(),
        variant: variant.map(str::to_owned),
        shape,
        fields,
    }
}

fn place(name: &str, value: Value) -> Claim {
    Claim::Place(name.to_owned(), value)
}

fn candidate(givens: Vec<(&str, Value)>, claims: Vec<Claim>) -> Candidate {
    let givens = givens
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    Candidate {
        givens,
        claims,
        ..Candidate::default()
    }
}

/// Where the tests of a statement of `fn f(declared: u8)` stand.
struct Scene {
    here: TestModule,
    types: TypeTable,
    spot: InsertionPoint,
}

impl Scene {
    fn new() -> Scene {
        let signature = syn::parse_str(
            "fn f<T>(declared: u8,
                scope_end: usize::MAX, of_any_type: T)",
        )
        .unwrap();
        Scene {
            here: TestModule {
                krate: "mine".to_owned(),
                ..TestModule::default()
            },
            types: TypeTable::of(
                "mine",
                &[SourceFile::root(
                    "pub enum Line { Entry { key: String, size: u8 } }",
                )],
            ),
            spot: InsertionPoint {
                place: Place::After(0),
                target: Target::Statement,
                tokens: TokenStream::new(),
                tail: TailRole::OfBlock,
                pattern: None,
                leaves_loop: false,
                signatures: vec![signature],
                declared: Vec::new(),
                streams: Vec::new(),
                closures: BTreeMap::new(),
                scope_end: usize::MAX,
            },
        }
    }

    fn writing(&self) -> Writing<'_> {
        Writing {
            here: &self.here,
            types: &self.types,
            spot: &self.spot,
        }
    }
}

/// Returns the key of a slot; operands of conditions are written as tests write them: `cond(1)`.
fn key(phase: Phase, name: &str) -> SlotKey {
    let operand = || name.strip_prefix("cond(")?.strip_suffix(')')?.parse().ok();
    match phase {
        Phase::Operand => SlotKey::Operand(operand().expect("an operand has a number")),
        _ => SlotKey::from(name),
    }
}

/// Returns a statement with these slots, of which nothing was recorded yet.
fn recorded(position: Position, slots: &[(Phase, &str)]) -> RecordedSite {
    let slots = slots.iter().map(|(phase, name)| Slot {
        phase: *phase,
        key: key(*phase, name),
        secret: false,
    });
    RecordedSite::new(Site {
        id: 1,
        package: "mine".to_owned(),
        file: "src/lib.rs".to_owned(),
        module: String::new(),
        line: 1,
        bytes: (0, 1),
        function: "f".to_owned(),
        kind: "text".to_owned(),
        position,
        text: String::new(),
        slots: slots.collect(),
        piece: 0,
    })
}

/// Returns a set with the values of these slots.
fn set(slots: Vec<(u32, Value)>) -> ValueSet {
    ValueSet {
        site: 1,
        hits: 1,
        exit: Exit::Through,
        left: None,
        thread: String::new(),
        caller: 0,
        withheld: 0,
        slots,
        target: Vec::new(),
        context: Vec::new(),
        calls: Vec::new(),
    }
}
