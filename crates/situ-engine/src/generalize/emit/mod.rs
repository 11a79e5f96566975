//! Parameterized tests as a reader sees them.

mod case_names;
mod rstest;
mod theory;

pub use rstest::RSTEST;

use super::arguments::{ArgumentSet, Origin, reduced};
use super::candidate::{Candidates, Material, Target};
use super::classify::{Class, Classified};
use super::mending::Mending;
use super::report::Case;
use super::slice::Copy;
use super::unit_tests::is_test_attribute;
use super::words::words_in;
use crate::edit::NewItem;
use crate::source::byte_range;
use case_names::{From, case_names};
use std::collections::{BTreeMap, BTreeSet};

/// Cases that one test shows.
const MOST_CASES: usize = 12;
/// Longer cases are shown only where they are original.
const LONGEST_CASE: usize = 160;

/// How parameterized tests are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `#[rstest]` with named cases.
    Rstest,
    /// `#[theory]` with data points.
    Theory,
}

/// A parameterized test.
#[derive(Clone, Debug)]
pub struct Parameterized {
    /// The call that it is parameterized over, by number.
    pub target: usize,
    /// The candidates whose assertions it has.
    pub candidates: Vec<usize>,
    /// Its cases: rows of the table.
    pub rows: Vec<usize>,
    /// Those among them that the test itself has.
    pub original: BTreeSet<usize>,
    /// All arguments that it holds for, and those that falsify it.
    pub valid: usize,
    /// Rows for which an assertion fails.
    pub falsifying: Vec<usize>,
    /// Its name.
    pub name: String,
    /// What the compiler has said about it.
    pub mending: Mending,
    /// Whether it says that the assertion fails.
    pub is_negative: bool,
}

/// Candidates that become one test.
#[derive(Default)]
struct Group<'g> {
    /// The first of their calls.
    target: usize,
    /// The candidates whose assertions the test has.
    candidates: Vec<usize>,
    /// All arguments that they hold for.
    valid: BTreeSet<usize>,
    /// All of them.
    all: Vec<&'g Classified>,
}

/// What tests are written from.
pub struct Emitting<'e> {
    /// What candidates are made of.
    pub material: &'e Material<'e>,
    /// The candidates.
    pub made: &'e Candidates,
    /// How they are written.
    pub style: Style,
}

impl Emitting<'_> {
    /// The tests to be shown: assertions that hold for the same arguments are merged.
    pub fn tests(&self, classified: &[Classified], falsifying: bool) -> Vec<Parameterized> {
        let mut merged: BTreeMap<(usize, BTreeSet<usize>), Vec<&Classified>> = BTreeMap::new();
        for one in classified {
            let has_more = matches!(one.class, Class::FalsifiablyCoupled | Class::Decoupled);
            if has_more && (one.is_falsified || one.is_general) {
                let target = self.made.all[one.candidate].target;
                merged.entry((target, one.valid.clone())).or_default().push(one);
            }
        }
        // Calls of one function that the same is claimed of are one test.
        let mut by_body: BTreeMap<(usize, usize, String), Group<'_>> = BTreeMap::new();
        for ((target, valid), candidates) in merged {
            let of = &self.made.targets[target];
            let key = (of.test, of.table, self.body(target, &candidates));
            let group = by_body.entry(key).or_insert_with(|| Group { target, ..Group::default() });
            if group.candidates.is_empty() {
                group.candidates = candidates.iter().map(|one| one.candidate).collect();
            }
            group.valid.extend(valid);
            group.all.extend(candidates);
        }
        let mut groups: Vec<Group<'_>> = by_body.into_values().collect();
        groups.sort_by_key(|group| group.target);
        let mut names = self.names_taken();
        let mut tests = Vec::new();
        for group in groups {
            let test = self.test(&group, &mut names);
            let negative = (falsifying && !test.falsifying.is_empty()).then(|| self.negative(&test, &mut names));
            tests.push(test);
            tests.extend(negative);
        }
        tests
    }

    fn test(&self, group: &Group<'_>, names: &mut BTreeMap<usize, BTreeSet<String>>) -> Parameterized {
        let of = &self.made.targets[group.target];
        let original: BTreeSet<usize> = group.all.iter().flat_map(|one| one.original.iter().copied()).collect();
        let falsifying: BTreeSet<usize> = group.all.iter().flat_map(|one| one.falsifying.iter().copied()).collect();
        let falsifying = falsifying.difference(&group.valid).copied().collect();
        Parameterized {
            target: group.target,
            candidates: group.candidates.clone(),
            rows: self.chosen(of, &group.valid, &original),
            valid: group.valid.len(),
            original,
            falsifying: self.chosen(of, &falsifying, &BTreeSet::new()),
            name: self.name(of, "", names),
            mending: Mending::default(),
            is_negative: false,
        }
    }

    fn negative(&self, test: &Parameterized, names: &mut BTreeMap<usize, BTreeSet<String>>) -> Parameterized {
        let of = &self.made.targets[test.target];
        Parameterized {
            rows: test.falsifying.clone(),
            original: BTreeSet::new(),
            name: self.name(of, "_fails", names),
            is_negative: true,
            ..test.clone()
        }
    }

    /// The rows that are shown: original ones, then the shortest of every path.
    fn chosen(&self, target: &Target, rows: &BTreeSet<usize>, original: &BTreeSet<usize>) -> Vec<usize> {
        let table = &self.made.tables[target.table];
        let length = |row: &usize| table.rows[*row].shown.iter().map(String::len).sum::<usize>();
        let readable = |row: &usize| original.contains(row) || length(row) <= LONGEST_CASE;
        let mut all: Vec<usize> = rows.iter().copied().filter(readable).collect();
        all.sort_by_key(|row| (!original.contains(row), length(row)));
        let sets: Vec<&ArgumentSet> = all.iter().map(|row| self.set(target, *row)).collect();
        let own = all.iter().take_while(|row| original.contains(row)).count();
        // A test that went over many arguments by itself leaves room for others.
        let shown = if own < all.len() { own.min(MOST_CASES / 2) } else { own.min(MOST_CASES) };
        let mut kept: BTreeSet<usize> = (0..shown).collect();
        kept.extend(reduced(&sets[own..], MOST_CASES - shown, &|_| false).into_iter().map(|at| at + own));
        kept.into_iter().map(|at| all[at]).collect()
    }

    fn set(&self, target: &Target, row: usize) -> &ArgumentSet {
        let table = &self.made.tables[target.table];
        &self.material.functions[table.function].sets[table.rows[row].set]
    }

    /// The names of all items, by test: what stands beside it.
    fn names_taken(&self) -> BTreeMap<usize, BTreeSet<String>> {
        let of = |studied: &super::candidate::StudiedTest| {
            let names = studied.test.beside.iter().filter_map(|item| match item {
                syn::Item::Fn(function) => Some(function.sig.ident.to_string()),
                _ => None,
            });
            names.collect()
        };
        self.material.tests.iter().enumerate().map(|(number, studied)| (number, of(studied))).collect()
    }

    fn name(&self, target: &Target, behind: &str, names: &mut BTreeMap<usize, BTreeSet<String>>) -> String {
        let (test, function) = (&self.material.tests[target.test].test, self.material.function(self.made, target));
        let base = format!("{}_over_{}{behind}", test.name(), function.function.name);
        let base = base.replace("r#", "");
        let taken = names.entry(target.test).or_default();
        let numbered = (2..).map(|number| format!("{base}_{number}"));
        let name = [base.clone()].into_iter().chain(numbered).find(|name| !taken.contains(name)).unwrap_or(base);
        taken.insert(name.clone());
        name
    }

    /// The names of the parameters in a test: those of the function, unless the test uses them otherwise.
    fn parameters(&self, test: &Parameterized) -> Vec<String> {
        self.parameters_of(test.target, &test.candidates, &test.mending)
    }

    fn parameters_of(&self, target: usize, candidates: &[usize], mending: &Mending) -> Vec<String> {
        let target = &self.made.targets[target];
        let placeholders: Vec<String> = (0..target.arguments.len()).map(|at| format!("situ_{at}")).collect();
        let mut used: BTreeSet<String> =
            words_in(&self.statements_of(target, candidates, &placeholders, mending)).into_iter().collect();
        // A variable of that name would come to life again, and hide the parameter.
        used.extend(self.material.scope(target).body.variables.iter().map(|variable| variable.name.clone()));
        let table = &self.made.tables[target.table];
        let free = |(at, name): (usize, &String)| {
            if let Some(variable) = &target.variables[at] {
                return variable.clone();
            }
            let receiver = self.material.function(self.made, target).function.of_type.as_deref().map(snake_case);
            let name = receiver.as_ref().filter(|_| name == "self").unwrap_or(name);
            let plain = name.trim_start_matches('_');
            let plain = if plain.is_empty() { "argument" } else { plain };
            let mut names = [plain.to_owned(), format!("{plain}_argument")]
                .into_iter()
                .chain((2..).map(|at| format!("{plain}_{at}")));
            names.find(|name| !used.contains(name)).unwrap_or_default()
        };
        table.names.iter().enumerate().map(free).collect()
    }

    /// The statements of a test with these names in the place of arguments.
    fn statements(&self, test: &Parameterized, names: &[String]) -> String {
        self.statements_of(&self.made.targets[test.target], &test.candidates, names, &test.mending)
    }

    fn statements_of(&self, target: &Target, candidates: &[usize], names: &[String], mending: &Mending) -> String {
        let studied = &self.material.tests[target.test];
        let replaced = target.replaced(|at| names[at].clone());
        let chosen: Vec<usize> = candidates.iter().map(|at| self.made.all[*at].assertion).collect();
        let copy = Copy {
            text: studied.test.text(),
            scope: self.material.scope(target),
            call: self.material.call(target),
            replaced: &replaced,
            chosen: &chosen,
            reached: "",
            looking: &self.material.looking,
            mending,
        };
        let mut statements = copy.statements().unwrap_or_default();
        // The end of a closure is a statement here.
        if let Some(last) = statements.last_mut().filter(|last| !last.ends_with([';', '}'])) {
            last.push_str(if studied.test.gives_result() { "" } else { ";" });
        }
        statements.join("\n")
    }

    fn body(&self, target: usize, group: &[&Classified]) -> String {
        let candidates: Vec<usize> = group.iter().map(|one| one.candidate).collect();
        let mending = Mending::default();
        let names = self.parameters_of(target, &candidates, &mending);
        self.statements_of(&self.made.targets[target], &candidates, &names, &mending)
    }

    /// The comment above a test.
    fn comment(&self, test: &Parameterized) -> String {
        let target = &self.made.targets[test.target];
        let (of, function) = (&self.material.tests[target.test].test, self.material.function(self.made, target));
        if test.is_negative {
            return format!(
                "// `{}` for arguments of `{}` that its assertion does not hold for.",
                of.name(),
                function.path
            );
        }
        format!("// `{}` for other arguments of `{}`.", of.name(), function.path)
    }

    /// The attributes of the original that the new test needs too.
    fn attributes(&self, test: &Parameterized) -> Vec<String> {
        let of = &self.material.tests[self.made.targets[test.target].test].test;
        let is_replaced = of.is_plain() || self.style == Style::Theory;
        let kept = of.running_attributes().filter(|attribute| !(is_replaced && is_test_attribute(attribute)));
        kept.map(|attribute| of.text()[byte_range(attribute)].to_owned()).collect()
    }

    /// What stands before and behind the parameters: `async`, the result.
    fn frame(&self, test: &Parameterized) -> (String, String) {
        let of = &self.material.tests[self.made.targets[test.target].test].test;
        let signature = &of.item.sig;
        let before = if signature.asyncness.is_some() { "async " } else { "" };
        let behind = match &signature.output {
            syn::ReturnType::Default => String::new(),
            written => format!(" {}", &of.text()[byte_range(written)]),
        };
        (before.to_owned(), behind)
    }

    /// A test as an item behind the one that it is made from; none where the style has no form for it.
    pub fn item(&self, test: &Parameterized) -> Option<NewItem> {
        let text = match self.style {
            Style::Rstest => rstest::text(self, test),
            Style::Theory => theory::text(self, test)?,
        };
        let of = &self.material.tests[self.made.targets[test.target].test].test;
        Some(NewItem { file: of.file.path.clone(), after: of.range.end, text })
    }

    /// The cases of a test, each with where it comes from.
    pub fn cases(&self, test: &Parameterized) -> Vec<Case> {
        let target = &self.made.targets[test.target];
        let own = self.material.tests[target.test].test.path();
        let from = |row: &usize| {
            let origins = &self.set(target, *row).origins;
            let mut others = origins.iter().filter(|origin| origin.name() != own);
            match others.next() {
                _ if test.original.contains(row) => From::Original,
                None if !origins.is_empty() => From::Inside,
                other => From::Elsewhere(other),
            }
        };
        let table = &self.made.tables[target.table];
        let shown = |row: &usize| table.rows[*row].shown.as_slice();
        let cases: Vec<(From<'_>, &[String])> = test.rows.iter().map(|row| (from(row), shown(row))).collect();
        let named = case_names(&cases).into_iter().zip(&test.rows).map(|(name, row)| {
            let set = self.set(target, *row);
            let of = |origin: &Origin| matches!(origin, Origin::Test(_));
            let (tests, workloads): (Vec<&Origin>, Vec<&Origin>) = set.origins.iter().partition(|origin| of(origin));
            let names = |origins: Vec<&Origin>| origins.into_iter().map(|origin| origin.name().to_owned()).collect();
            Case {
                name: if set.panics { format!("panics_{name}") } else { name },
                values: shown(row).to_vec(),
                original: test.original.contains(row),
                tests: names(tests),
                workloads: names(workloads),
                panicked: set.panics,
            }
        });
        named.collect()
    }
}

/// `PeriodicTable` → `periodic_table`
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for (at, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && at > 0 && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}
