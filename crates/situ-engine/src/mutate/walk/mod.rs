//! Visits a file's syntax tree once and offers each node to each operator.

mod attributes;
mod expressions;
mod fragment;
mod items;
mod statements;

pub(crate) use attributes::{condition, leaves_out};
pub(crate) use fragment::{PlacedExits, placed_exits};

use super::expansion::Expanded;
use super::mutant::{Function, Lines, Mutant};
use super::operators::{BlockKind, Form, Node, OPERATORS, Surroundings};
use crate::source::{AllocatorCode, byte_range, parse_part, parse_part_with};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use syn::visit::Visit;
use syn::{Attribute, Block, Expr, Item, Pat, Type};

/// Maximum nesting depth of sites. The compiler recurses over them.
const DEEPEST: usize = 40;
/// Maximum number of bytes of a choice, because each mutant repeats its text.
const WIDEST: usize = 3000;
/// Maximum length of a list in which all literals are mutated. In longer ones only the first and
/// the last are.
const LONGEST_LIST: usize = 8;

/// Visits a file and returns its mutants.
pub(crate) fn walk<'a>(text: &'a str, tree: &syn::File) -> Walk<'a> {
    let mut walk = Walk::new(text, None);
    walk.allocators = AllocatorCode::of(tree);
    walk.over(tree)
}

/// Visits an expanded file. Copies of fragments get the exits that mutants insert into the
/// fragments.
pub(crate) fn walk_expanded(expanded: &Expanded, exits: PlacedExits) -> Walk<'_> {
    let mut walk = Walk::new(&expanded.text, Some(expanded));
    walk.exits = exits;
    walk.allocators = AllocatorCode::of(&expanded.tree);
    walk.over(&expanded.tree)
}

/// Returns whether a mutant's text parses. A single syntax error would hide all other errors of the
/// crate.
fn parses(mutant: &Mutant) -> bool {
    match mutant.form {
        Form::Expression => parse_part::<Expr>(&mutant.text).is_ok(),
        Form::Statement | Form::Before => {
            parse_part_with(Block::parse_within, &mutant.text).is_ok()
        }
        Form::Guard | Form::Unswitchable => true,
    }
}

/// Visitor of a file that collects its mutants.
pub(crate) struct Walk<'a> {
    text: &'a str,
    lines: Option<Lines<'a>>,
    expanded: Option<&'a Expanded>,
    /// Mutants in the order of the visit.
    pub found: Vec<Mutant>,
    pub functions: Vec<Function>,
    /// Byte offset of each loop's body, and the index of its function.
    pub loops: Vec<(usize, usize)>,
    /// Byte ranges of in-situ tests.
    pub tests: Vec<Range<usize>>,
    function: Option<usize>,
    owner: Option<String>,
    conditions: Vec<String>,
    /// Number of enclosing constant contexts.
    constant: usize,
    depth: usize,
    /// Ranges of the enclosing full expressions, innermost last.
    full: Vec<Range<usize>>,
    returns: Vec<(Option<Type>, bool)>,
    /// Enclosing loops, innermost last.
    around: Vec<BlockKind>,
    /// Original offsets of loop conditions, in an expanded file.
    loop_conditions: BTreeSet<usize>,
    /// Original offsets of match guards.
    guards: BTreeSet<usize>,
    /// Exits that mutants insert, for copies of fragments.
    exits: PlacedExits,
    /// Allocators of the file, which are not mutated.
    allocators: AllocatorCode,
}

impl<'a> Walk<'a> {
    fn new(text: &'a str, expanded: Option<&'a Expanded>) -> Walk<'a> {
        Walk {
            text,
            lines: expanded.is_none().then(|| Lines::of(text)),
            expanded,
            found: Vec::new(),
            functions: Vec::new(),
            loops: Vec::new(),
            tests: Vec::new(),
            function: None,
            owner: None,
            conditions: Vec::new(),
            loop_conditions: BTreeSet::new(),
            guards: BTreeSet::new(),
            exits: PlacedExits::new(),
            allocators: AllocatorCode::default(),
            constant: 0,
            depth: 0,
            full: Vec::new(),
            returns: Vec::new(),
            around: Vec::new(),
        }
    }

    fn over(mut self, tree: &syn::File) -> Walk<'a> {
        tree.items.iter().for_each(|item| self.item(item));
        let (text, mut known) = (self.text, HashMap::new());
        self.found.retain(|mutant| {
            // Tests contain copies of statements, and so the same mutants many times. The cache
            // avoids parsing each.
            let is_own =
                || mutant.form != Form::Expression || mutant.text != text[mutant.range.clone()];
            is_own()
                && *known
                    .entry((mutant.form, mutant.text.clone()))
                    .or_insert_with(|| parses(mutant))
        });
        self
    }

    fn offer(&mut self, node: &Node<'_>) {
        if self.function.is_none() && self.constant == 0 || self.depth > DEEPEST {
            return;
        }
        let (returns, returns_known) = self
            .returns
            .last()
            .map_or((None, false), |(returns, known)| (returns.as_ref(), *known));
        let around = Surroundings {
            text: self.text,
            returns,
            returns_known,
            in_loop: self.around.last().copied(),
        };
        for operator in OPERATORS {
            let mut changes = Vec::new();
            (operator.find)(node, &around, &mut changes);
            for change in changes {
                let is_small = |range: &&Range<usize>| range.len() <= WIDEST;
                let mut wider: Vec<Range<usize>> =
                    self.full.iter().rev().filter(is_small).cloned().collect();
                wider.dedup();
                wider.truncate(3);
                let mut mutant = Mutant::new(operator.name, change, wider);
                // For an expanded file, which may be very long, only positions in the original text
                // are needed.
                if let Some(lines) = &self.lines {
                    (mutant.line, mutant.column) = lines.place(mutant.at);
                }
                if self.constant > 0 {
                    mutant.form = Form::Unswitchable;
                }
                mutant.function = self.function;
                mutant.conditions = self.conditions.clone();
                self.found.push(mutant);
            }
        }
    }

    /// Returns whether an attribute comes from the expansion of in-situ tests; its item contains
    /// copies of user code.
    fn is_generated(&self, attribute: &Attribute) -> bool {
        self.expanded
            .is_some_and(|expanded| expanded.is_generated(&byte_range(attribute)))
    }

    fn constant(&mut self, inside: impl FnOnce(&mut Self)) {
        self.constant += 1;
        inside(self);
        self.constant -= 1;
    }

    fn full(&mut self, expression: &Expr, inside: impl FnOnce(&mut Self)) {
        self.full.push(byte_range(expression));
        inside(self);
        self.full.pop();
    }

    /// Visits code under these attributes, unless it is test code or excluded by the user.
    fn under(&mut self, attributes: &[Attribute], inside: impl FnOnce(&mut Self)) {
        if attributes
            .iter()
            .any(|attribute| leaves_out(attribute) && !self.is_generated(attribute))
        {
            return;
        }
        let before = self.conditions.len();
        self.conditions
            .extend(attributes.iter().filter_map(condition));
        inside(self);
        self.conditions.truncate(before);
    }
}

impl<'ast> Visit<'ast> for Walk<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        self.item(item);
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        self.expression(expression);
    }

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        self.pattern(pattern);
    }

    /// Skips types, which contain only constants: array lengths and generic arguments.
    fn visit_type(&mut self, _: &'ast Type) {}

    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
}
