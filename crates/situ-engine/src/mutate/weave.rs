//! Weaves mutants into a file: at each site a choice between the original and its alternatives.

use super::mutant::{FileMutants, Mutant};
use super::operators::Form;
use crate::source::{Splice, apply, lex, parse_part};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;
use syn::Expr;

/// Mutants of a file that are woven in, after the compiler's errors so far.
pub(crate) struct FileState {
    pub text: String,
    pub file: FileMutants,
    /// Whether each mutant was woven in at first, by index.
    pub existed: Vec<bool>,
    /// Whether each mutant is woven in now, by index.
    pub alive: Vec<bool>,
    /// Index of the range at which each mutant's choice is made, by mutant index.
    pub level: Vec<usize>,
    /// Functions that must stay `const`.
    pub kept_const: BTreeSet<usize>,
}

/// What a range of a woven text consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Alternative of this mutant, including its pattern.
    Alternative(usize),
    /// Original code at a site of these mutants.
    Original(Vec<usize>),
    Function(usize),
}

/// Text of a file with mutants, and what it consists of.
pub(crate) struct Woven {
    pub text: String,
    /// Ranges and what they consist of; outer ones before inner ones.
    pub parts: Vec<(Range<usize>, Part)>,
    /// First and last mutant of each choice, which identify a site when it is reached.
    pub choices: Vec<(u32, u32)>,
}

impl FileState {
    /// Creates a state in which all mutants are woven in that exist and can be switched.
    pub(crate) fn new(
        text: String,
        file: FileMutants,
        exists: impl Fn(&Mutant) -> bool,
    ) -> FileState {
        let is_possible = |mutant: &Mutant| file.can_switch(mutant) && exists(mutant);
        let alive: Vec<bool> = file.mutants.iter().map(is_possible).collect();
        let level = vec![0; file.mutants.len()];
        FileState {
            text,
            file,
            existed: alive.clone(),
            alive,
            level,
            kept_const: BTreeSet::new(),
        }
    }

    /// Creates a state in which one mutant replaces the original, if it is one of the file's.
    pub(crate) fn single(text: String, file: FileMutants, id: u32) -> FileState {
        let mutant = file.mutants.iter().find(|mutant| mutant.id == id);
        let text = mutant.map_or(text.clone(), |mutant| {
            apply(
                &text,
                &[Splice {
                    range: mutant.range.clone(),
                    text: alone(mutant),
                }],
            )
        });
        let file = FileMutants {
            functions: Vec::new(),
            loops: Vec::new(),
            mutants: Vec::new(),
            ..file
        };
        FileState::new(text, file, |_| false)
    }

    /// Returns the file with all live mutants woven in.
    pub(crate) fn weave(&self) -> Woven {
        let mut nodes = self.nodes();
        // Outer nodes before inner ones, and insertions before everything else at their offset.
        nodes.sort_by_key(|node| {
            (
                node.range.start,
                !node.range.is_empty(),
                Reverse(node.range.end),
                node.kind.order(),
            )
        });
        let mut loom = Loom {
            state: self,
            nodes,
            next: 0,
            text: String::with_capacity(self.text.len() * 3),
            parts: Vec::new(),
            choices: Vec::new(),
        };
        loom.render(0..self.text.len());
        Woven {
            text: loom.text,
            parts: loom.parts,
            choices: loom.choices,
        }
    }

    /// Keeps functions with these names `const` and without mutants. A name may be preceded by the
    /// type.
    pub(crate) fn keep_const(&mut self, names: &BTreeSet<String>) {
        let own_name = |name: &str| name.rsplit("::").next().unwrap_or(name).to_owned();
        for (at, function) in self.file.functions.iter().enumerate() {
            let is_named =
                names.contains(&function.name) || names.contains(&own_name(&function.name));
            if function.const_token.is_some() && is_named {
                self.kept_const.insert(at);
            }
        }
        for (alive, mutant) in self.alive.iter_mut().zip(&self.file.mutants) {
            *alive &= mutant
                .function
                .is_none_or(|function| !self.kept_const.contains(&function));
        }
    }

    /// Returns the range at which a mutant's choice is made now.
    pub(crate) fn place(&self, index: usize) -> &Range<usize> {
        &self.file.mutants[index].levels[self.level[index]]
    }

    fn nodes(&self) -> Vec<Node> {
        let mut sites: BTreeMap<(usize, usize, Form), Vec<usize>> = BTreeMap::new();
        let mut changed = BTreeSet::new();
        for (index, mutant) in self
            .file
            .mutants
            .iter()
            .enumerate()
            .filter(|(index, _)| self.alive[*index])
        {
            let place = self.place(index);
            sites
                .entry((place.start, place.end, mutant.form))
                .or_default()
                .push(index);
            changed.extend(mutant.function);
        }
        let sites = sites.into_iter().map(|((start, end, form), mutants)| Node {
            range: start..end,
            kind: Kind::Site(form, mutants),
        });
        let functions = self.file.functions.iter().enumerate();
        let marks = functions.clone().map(|(at, function)| Node {
            range: function.range.clone(),
            kind: Kind::Function(at),
        });
        // The mutant switch is not `const`, so a function with mutants cannot be either.
        let constants =
            functions.filter(|(at, _)| changed.contains(at) && !self.kept_const.contains(at));
        let constants = constants.filter_map(|(_, function)| {
            Some(Node {
                range: function.const_token.clone()?,
                kind: Kind::Gone,
            })
        });
        let stays_const = |function: &usize| {
            let is_const = self.file.functions[*function].const_token.is_some();
            is_const && (!changed.contains(function) || self.kept_const.contains(function))
        };
        let loops = self
            .file
            .loops
            .iter()
            .filter(|(_, function)| !stays_const(function));
        let loops = loops.map(|(at, _)| Node {
            range: *at..*at,
            kind: Kind::Loop,
        });
        sites.chain(marks).chain(constants).chain(loops).collect()
    }

    /// Returns the text of a mutant's alternative on one line, so that line numbers do not change.
    fn alternative(&self, index: usize) -> String {
        let (mutant, place) = (&self.file.mutants[index], self.place(index));
        let before = &self.text[place.start..mutant.range.start];
        let after = &self.text[mutant.range.end..place.end];
        // A choice at a wider range repeats the text around the mutant.
        let is_whole = before.is_empty() && after.is_empty();
        let text = match is_whole {
            true => mutant.text.clone(),
            false => format!("{before}({}){after}", mutant.text),
        };
        if !text.contains('\n') {
            return text;
        }
        // Printing tokens puts them on one line and drops comments.
        lex(&text).map_or(text, |tokens| tokens.to_string())
    }
}

struct Node {
    range: Range<usize>,
    kind: Kind,
}

enum Kind {
    Site(Form, Vec<usize>),
    Function(usize),
    Loop,
    Gone,
}

impl Kind {
    fn order(&self) -> (u8, Form) {
        match self {
            Kind::Function(_) => (0, Form::Before),
            Kind::Site(form, _) => (1, *form),
            Kind::Loop => (2, Form::Before),
            Kind::Gone => (3, Form::Before),
        }
    }
}

struct Loom<'a> {
    state: &'a FileState,
    nodes: Vec<Node>,
    next: usize,
    text: String,
    parts: Vec<(Range<usize>, Part)>,
    choices: Vec<(u32, u32)>,
}

impl Loom<'_> {
    /// Writes this range of the original, with the nodes inside it.
    fn render(&mut self, range: Range<usize>) {
        let mut done = range.start;
        while let Some(node) = self.nodes.get(self.next) {
            let inside = node.range.start >= done && node.range.end <= range.end;
            if !inside {
                break;
            }
            let (node_range, start) = (node.range.clone(), node.range.start);
            self.text.push_str(&self.state.text[done..start]);
            let at = self.next;
            self.next += 1;
            self.node(at, node_range.clone());
            done = node_range.end;
        }
        self.text.push_str(&self.state.text[done..range.end]);
    }

    fn node(&mut self, at: usize, range: Range<usize>) {
        match &self.nodes[at].kind {
            Kind::Gone => {}
            Kind::Loop => self.text.push_str("::__situ::t();"),
            Kind::Function(function) => {
                let part = Part::Function(*function);
                self.part(part, |loom| loom.render(range));
            }
            Kind::Site(form, mutants) => {
                let (form, mutants) = (*form, mutants.clone());
                let runs = self.runs(&mutants);
                match form {
                    Form::Guard => self.guard(&runs, range),
                    _ => self.choice(form, &runs, range),
                }
            }
        }
    }

    /// Groups the mutants of a site into runs of consecutive numbers.
    fn runs(&self, mutants: &[usize]) -> Vec<Vec<usize>> {
        let mut runs: Vec<Vec<usize>> = Vec::new();
        for &index in mutants {
            match runs.last_mut() {
                Some(run)
                    if run
                        .last()
                        .is_some_and(|last| self.id(*last) + 1 == self.id(index)) =>
                {
                    run.push(index)
                }
                _ => runs.push(vec![index]),
            }
        }
        runs
    }

    fn id(&self, index: usize) -> u32 {
        self.state.file.mutants[index].id
    }

    fn part(&mut self, part: Part, inside: impl FnOnce(&mut Self)) {
        let (start, slot) = (self.text.len(), self.parts.len());
        self.parts.push((start..start, part));
        inside(self);
        self.parts[slot].0.end = self.text.len();
    }

    /// Writes a choice for the first run around a choice for the others around the original.
    fn choice(&mut self, form: Form, runs: &[Vec<usize>], range: Range<usize>) {
        let Some((run, others)) = runs.split_first() else {
            return self.original(form, range);
        };
        let (low, high) = (self.id(run[0]), self.id(run[run.len() - 1]));
        self.choices.push((low, high));
        let is_expression = form == Form::Expression;
        let open = if is_expression { "(" } else { "" };
        let _ = write!(self.text, "{open}match ::__situ::s({low},{high}){{0=>");
        self.part(Part::Original(run.clone()), |loom| match is_expression {
            true => loom.choice(form, others, range),
            false => {
                loom.text.push('{');
                loom.choice(form, others, range);
                loom.text.push('}');
            }
        });
        self.text.push(',');
        for &index in run {
            let (id, alternative) = (self.id(index), self.state.alternative(index));
            self.part(Part::Alternative(index), |loom| {
                let _ = match is_expression {
                    true => write!(loom.text, "{id}=>{}", as_arm(&alternative)),
                    false => write!(loom.text, "{id}=>{{{alternative}}}"),
                };
            });
            self.text.push(',');
        }
        self.text.push_str(if is_expression {
            "_=>::__situ::no()})"
        } else {
            "_=>::__situ::no()}"
        });
        if form == Form::Before {
            self.text.push(' ');
        }
    }

    fn original(&mut self, form: Form, range: Range<usize>) {
        let is_arm =
            form == Form::Expression && starts_like_a_block(&self.state.text[range.clone()]);
        self.text.push_str(if is_arm { "(" } else { "" });
        self.render(range);
        self.text.push_str(if is_arm { ")" } else { "" });
    }

    /// Writes a guard that fails if a mutant that removes the arm is on.
    fn guard(&mut self, runs: &[Vec<usize>], range: Range<usize>) {
        let mutants: Vec<usize> = runs.concat();
        let has_guard = !range.is_empty();
        self.text.push_str(if has_guard { "" } else { " if " });
        for (at, index) in mutants.iter().enumerate() {
            let (id, joined) = (self.id(*index), if at == 0 { "" } else { "&&" });
            self.choices.push((id, id));
            self.part(Part::Alternative(*index), |loom| {
                let _ = write!(loom.text, "{joined}::__situ::s({id},{id})==0");
            });
        }
        if has_guard {
            let has_let = self.state.text[range.clone()].contains("let ");
            self.text.push_str(if has_let { " && " } else { " && (" });
            self.render(range);
            self.text.push_str(if has_let { "" } else { ")" });
        }
    }
}

/// Returns the text that a mutant puts in place of the original in a file without choices.
fn alone(mutant: &Mutant) -> String {
    if mutant.form == Form::Guard {
        return if mutant.range.is_empty() {
            " if false".to_owned()
        } else {
            "false".to_owned()
        };
    }
    // An operator around it could bind tighter.
    match parse_part::<Expr>(&mutant.text) {
        Ok(Expr::Binary(_) | Expr::Cast(_) | Expr::Range(_) | Expr::Closure(_)) => {
            format!("({})", mutant.text)
        }
        _ => mutant.text.clone(),
    }
}

fn as_arm(text: &str) -> String {
    if starts_like_a_block(text) {
        format!("({text})")
    } else {
        text.to_owned()
    }
}

/// Returns whether a match arm would end before this expression does.
fn starts_like_a_block(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "match", "if", "loop", "while", "for", "unsafe", "async", "const", "try",
    ];
    let word: String = text
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    text.starts_with(['{', '\'']) || WORDS.contains(&word.as_str())
}
