//! The arguments of a function as they are written in one module.

use super::candidate::{Material, Place};
use super::no_candidate::NoCandidate;
use crate::generate::generalize::find::arguments::{ArgumentSet, CalledFunction, Origin, reduced};
use crate::generate::generalize::find::unit_tests::{TestFile, UnitTest};
use crate::record::{declarations_of, types_of};
use crate::source::module_files;
use crate::values::{Declarations, Imports, Style, TestModule, TypeTable, styled, type_of};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// The number of argument sets that every candidate is tried with, beside its own.
const MAX_ROWS: usize = 24;
/// The maximum number of argument sets of one test in a table: tests with thousands are
/// parameterized already.
const MAX_ROWS_OF_A_TEST: usize = 64;
/// The maximum length of a row in chars; nobody would read a longer one.
const LONGEST_ROW: usize = 2000;
/// The length in chars above which an argument beside shorter ones is not varied.
const LONGEST_ARGUMENT: usize = 80;
/// The number of values that the usual length is computed from.
const MAX_LOOKED_AT: usize = 50;
/// The path of the function that leaks what rows borrow.
pub(crate) const KEEPER: &str = "self::situ_support::kept";

/// One row of a table.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The argument set of the function; the first if several differ only in arguments that are not
    /// varied.
    pub set: usize,
    /// The origins of the arguments.
    pub origins: BTreeSet<Origin>,
    /// The tests that called the function directly.
    pub direct: BTreeSet<String>,
    /// The expressions, one for each parameter, for the tables of the mirror.
    pub kept: Vec<String>,
    /// The expressions for the final test.
    pub shown: Vec<String>,
    /// The reason why it is not tried.
    pub refused: Option<String>,
}

/// The arguments of a function as they are written in one module.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub function: usize,
    /// The file and the module.
    pub place: Place,
    /// The parameters.
    pub names: Vec<String>,
    /// The types of the parameters in the tables of the mirror.
    pub kept_types: Vec<String>,
    /// Their types as parameters.
    pub types: Vec<String>,
    pub rows: Vec<Row>,
    /// The rows that every candidate is tried with.
    pub common: Vec<usize>,
}

type TableKey = (Place, usize, Vec<String>, Option<Vec<String>>);

/// The tables, each built once.
pub(crate) struct Tables<'m> {
    material: &'m Material<'m>,
    declared: Declarations,
    types: BTreeMap<String, Rc<TypeTable>>,
    known: BTreeMap<TableKey, Result<usize, NoCandidate>>,
    lengths: BTreeMap<(Place, usize, String), Option<usize>>,
    /// The tables.
    pub made: Vec<Table>,
}

impl<'m> Tables<'m> {
    /// No tables yet.
    pub(crate) fn new(material: &'m Material<'m>) -> Tables<'m> {
        let declared = declarations_of(material.workspace);
        Tables {
            material,
            declared,
            types: BTreeMap::new(),
            known: BTreeMap::new(),
            lengths: BTreeMap::new(),
            made: Vec::new(),
        }
    }

    /// Returns the arguments of a function whose values have expressions in a test's module. If
    /// some are short and some long, only the short ones; what nobody would read stays as the test
    /// has it.
    pub(crate) fn writable(
        &mut self,
        test: &UnitTest,
        function: usize,
        arguments: &[(usize, String)],
    ) -> Vec<(usize, String)> {
        let lengths: Vec<Option<usize>> = arguments
            .iter()
            .map(|(_, name)| self.usual_length(test, function, name))
            .collect();
        let is_short =
            |length: &Option<usize>| length.is_some_and(|length| length <= LONGEST_ARGUMENT);
        let has_short = lengths.iter().any(is_short);
        let chosen = arguments
            .iter()
            .zip(&lengths)
            .filter(|(_, length)| match has_short {
                true => is_short(length),
                false => length.is_some(),
            });
        chosen.map(|(argument, _)| argument.clone()).collect()
    }

    /// Returns the median length of a parameter's values in a test's module.
    fn usual_length(&mut self, test: &UnitTest, function: usize, name: &str) -> Option<usize> {
        let key = (Place::of(test), function, name.to_owned());
        if let Some(known) = self.lengths.get(&key) {
            return *known;
        }
        let (here, types) = (here(test), self.types_for(&test.file));
        let sets = self.material.functions[function].sets.iter().enumerate();
        let rows =
            sets.filter_map(|(number, set)| row(number, set, &[name.to_owned()], &here, &types));
        let mut lengths: Vec<usize> = rows
            .take(MAX_LOOKED_AT)
            .map(|(_, row)| row.shown.concat().len())
            .collect();
        lengths.sort_unstable();
        let found = lengths.get(lengths.len() / 2).copied();
        self.lengths.insert(key, found);
        found
    }

    /// Returns the number of the table with the arguments of a function for a test.
    pub(crate) fn table(
        &mut self,
        test: &UnitTest,
        function: usize,
        names: Vec<String>,
    ) -> Result<usize, NoCandidate> {
        let own_types = self.own_types(test, function, &names)?;
        let key = (Place::of(test), function, names.clone(), own_types.clone());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let made = self.new_table(test, function, names, own_types);
        let number = made.map(|table| {
            self.made.push(table);
            self.made.len() - 1
        });
        self.known.insert(key, number);
        number
    }

    /// Returns the argument types of a test's own calls: for a generic function no others fit.
    fn own_types(
        &mut self,
        test: &UnitTest,
        function: usize,
        names: &[String],
    ) -> Result<Option<Vec<String>>, NoCandidate> {
        let (here, types, path) = (here(test), self.types_for(&test.file), test.path());
        let sets = self.material.functions[function].sets.iter().enumerate();
        let mut own = sets
            .filter(|(_, set)| set.direct.contains(&path))
            .peekable();
        if own.peek().is_none() {
            return Ok(None);
        }
        let written = own.find_map(|(number, set)| row(number, set, names, &here, &types));
        match written {
            Some((kept_types, _)) => Ok(Some(kept_types)),
            None => Err(NoCandidate::UnwritableArguments),
        }
    }

    fn new_table(
        &mut self,
        test: &UnitTest,
        function: usize,
        names: Vec<String>,
        own_types: Option<Vec<String>>,
    ) -> Result<Table, NoCandidate> {
        let here = here(test);
        let types = self.types_for(&test.file);
        let called: &'m CalledFunction = &self.material.functions[function];
        let module = test.module.join("::");
        let is_beside =
            |path: &&String| path.rsplit_once("::").map_or("", |(module, _)| module) == module;
        let in_module = |row: &Row| row.direct.iter().any(|path| is_beside(&path));
        let mut groups: BTreeMap<Vec<String>, Vec<(usize, Row)>> = BTreeMap::new();
        let mut seen: HashMap<Vec<String>, usize> = HashMap::new();
        for (number, set) in called.sets.iter().enumerate() {
            let Some((kept_types, row)) = row(number, set, &names, &here, &types) else {
                continue;
            };
            let group = groups.entry(kept_types).or_default();
            match seen
                .get(&row.shown)
                .and_then(|at| group.get_mut(*at))
                .filter(|(_, known)| known.shown == row.shown)
            {
                Some((_, known)) => {
                    known.origins.extend(row.origins);
                    known.direct.extend(row.direct);
                }
                None => {
                    seen.insert(row.shown.clone(), group.len());
                    group.push((number, row));
                }
            }
        }
        // For a generic function the types that the test uses, otherwise those of the tests beside
        // it.
        let own = |group: &[(usize, Row)]| group.iter().filter(|(_, row)| in_module(row)).count();
        let of_test = own_types.and_then(|own_types| groups.remove_entry(&own_types));
        let best = of_test.or_else(|| {
            groups
                .into_iter()
                .max_by_key(|(_, group)| (own(group), group.len()))
        });
        let Some((kept_types, group)) = best else {
            return Err(NoCandidate::UnwritableArguments);
        };
        if group.len() < 2 {
            return Err(NoCandidate::NoOtherArguments);
        }
        let sets: Vec<&'m ArgumentSet> = group.iter().map(|(set, _)| &called.sets[*set]).collect();
        let common = reduced(&sets, MAX_ROWS, &|_| false);
        let mut of_tests: BTreeMap<String, usize> = BTreeMap::new();
        let mut is_own = |row: &Row| {
            let own = row.direct.iter().filter(is_beside);
            own.fold(false, |is_own, path| {
                let count = of_tests.entry(path.clone()).or_default();
                *count += 1;
                is_own || *count <= MAX_ROWS_OF_A_TEST
            })
        };
        let own = (0..sets.len()).filter(|at| is_own(&group[*at].1));
        let all: Vec<usize> = own
            .chain(common.iter().copied())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let place = |at: &usize| all.iter().position(|one| one == at);
        let common = common.iter().filter_map(place).collect();
        let first = &called.sets[group[0].0];
        let plain = names
            .iter()
            .map(|name| type_of(&first.values[name], &here, &types, ""))
            .collect::<Option<Vec<_>>>();
        Ok(Table {
            function,
            place: Place::of(test),
            names,
            types: plain.unwrap_or_else(|| kept_types.clone()),
            kept_types,
            rows: all.iter().map(|at| group[*at].1.clone()).collect(),
            common,
        })
    }

    /// Returns the types that a file can name: those of its crate, or of the library that it tests.
    fn types_for(&mut self, file: &TestFile) -> Rc<TypeTable> {
        let krate = file
            .krate
            .outside_of
            .as_ref()
            .unwrap_or(&file.krate.name)
            .clone();
        let key = format!("{krate} {}", file.krate.root.display());
        let (workspace, root) = (self.material.workspace, &file.krate.root);
        let declared = &self.declared;
        let made = self.types.entry(key).or_insert_with(|| {
            Rc::new(match &file.krate.outside_of {
                Some(library) => types_of(workspace, library, declared),
                None => {
                    let mut own =
                        TypeTable::of(&file.krate.name, &module_files(root).unwrap_or_default());
                    own.add_declarations(declared);
                    own
                }
            })
        });
        Rc::clone(made)
    }
}

/// Returns where the expressions of a test's module stand.
fn here(test: &UnitTest) -> TestModule {
    let module = test.module.join("::");
    TestModule {
        krate: test.file.krate.name.clone(),
        imports: Imports::of(&test.beside, &module),
        module,
        function: None,
        short_names: true,
    }
}

/// Returns the types and expressions of an argument set, or `None` if a value has none.
fn row(
    number: usize,
    set: &ArgumentSet,
    names: &[String],
    here: &TestModule,
    types: &TypeTable,
) -> Option<(Vec<String>, Row)> {
    let shown = Style {
        typed_by_place: true,
        ..Style::default()
    };
    let kept = Style {
        keeper: Some(KEEPER),
        ..shown
    };
    let (origins, direct) = (set.origins.clone(), set.direct.clone());
    let mut row = Row {
        set: number,
        origins,
        direct,
        kept: Vec::new(),
        shown: Vec::new(),
        refused: None,
    };
    let mut of_types = Vec::new();
    for name in names {
        let value = set.values.get(name).filter(|value| value.is_exact())?;
        of_types.push(type_of(value, here, types, "'static ")?);
        row.kept.push(styled(value, here, types, kept).ok()?);
        row.shown.push(styled(value, here, types, shown).ok()?);
    }
    let length: usize = row.shown.iter().map(String::len).sum();
    (length <= LONGEST_ROW).then_some((of_types, row))
}
