//! The arguments of a function as they are written in one module.

use super::arguments::{ArgumentSet, CalledFunction, reduced};
use super::candidate::{Material, Place};
use super::unit_tests::{TestFile, UnitTest};
use crate::record::types_of;
use crate::render::{Here, Imports, Style, TypeTable, styled, type_of};
use crate::source::module_files;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

/// Argument sets that every candidate is tried with, beside its own.
const MOST_ROWS: usize = 24;
/// Argument sets of one test in a table: tests that try thousands are parameterized by themselves.
const MOST_ROWS_OF_A_TEST: usize = 64;
/// Longer expressions are nothing that a reader would look at.
const LONGEST_ROW: usize = 2000;
/// How the function is called that keeps what rows borrow.
pub const KEEPER: &str = "self::situ_support::kept";

/// One row of a table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The argument set of the function.
    pub set: usize,
    /// The expressions, one for each parameter, where values may be chosen between.
    pub kept: Vec<String>,
    /// The expressions as a reader sees them.
    pub shown: Vec<String>,
    /// Why it is not tried.
    pub refused: Option<String>,
}

/// The arguments of a function as they are written in one module.
#[derive(Clone, Debug)]
pub struct Table {
    /// The function, by number.
    pub function: usize,
    /// The file and the module.
    pub place: Place,
    /// The parameters.
    pub names: Vec<String>,
    /// Their types where values are kept for good.
    pub kept_types: Vec<String>,
    /// Their types as parameters.
    pub types: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
    /// The rows that every candidate is tried with.
    pub common: Vec<usize>,
}

type TableKey = (Place, usize, Vec<String>, Option<Vec<String>>);

/// The tables that are asked for, each made once.
pub struct Tables<'m> {
    material: &'m Material<'m>,
    types: BTreeMap<String, Rc<TypeTable>>,
    known: BTreeMap<TableKey, Result<usize, String>>,
    writable: BTreeMap<(Place, usize, String), bool>,
    /// The tables.
    pub made: Vec<Table>,
}

impl<'m> Tables<'m> {
    /// No tables yet.
    pub fn new(material: &'m Material<'m>) -> Tables<'m> {
        Tables { material, types: BTreeMap::new(), known: BTreeMap::new(), writable: BTreeMap::new(), made: Vec::new() }
    }

    /// Those of a function's parameters that values can be written for where a test stands.
    pub fn writable(&mut self, test: &UnitTest, function: usize, name: &str) -> bool {
        let key = (Place::of(test), function, name.to_owned());
        if let Some(known) = self.writable.get(&key) {
            return *known;
        }
        let (here, types) = (here(test), self.types_for(&test.file));
        let mut sets = self.material.functions[function].sets.iter().enumerate();
        let found = sets.any(|(number, set)| row(number, set, &[name.to_owned()], &here, &types).is_some());
        self.writable.insert(key, found);
        found
    }

    /// The number of the table with the arguments of a function for a test.
    pub fn table(&mut self, test: &UnitTest, function: usize, names: Vec<String>) -> Result<usize, String> {
        let own_types = self.own_types(test, function, &names)?;
        let key = (Place::of(test), function, names.clone(), own_types.clone());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let made = self.new_table(test, function, names, own_types);
        let number = made.map(|table| {
            self.made.push(table);
            self.made.len() - 1
        });
        self.known.insert(key, number.clone());
        number
    }

    /// The types that a test itself calls a function with: where it is generic, no others fit into its place.
    fn own_types(&mut self, test: &UnitTest, function: usize, names: &[String]) -> Result<Option<Vec<String>>, String> {
        let (here, types, path) = (here(test), self.types_for(&test.file), test.path());
        let sets = self.material.functions[function].sets.iter().enumerate();
        let mut own = sets.filter(|(_, set)| set.direct.contains(&path)).peekable();
        if own.peek().is_none() {
            return Ok(None);
        }
        let written = own.find_map(|(number, set)| row(number, set, names, &here, &types));
        match written {
            Some((kept_types, _)) => Ok(Some(kept_types)),
            None => Err("the arguments of its calls cannot be written where it stands".to_owned()),
        }
    }

    fn new_table(
        &mut self,
        test: &UnitTest,
        function: usize,
        names: Vec<String>,
        own_types: Option<Vec<String>>,
    ) -> Result<Table, String> {
        let here = here(test);
        let types = self.types_for(&test.file);
        let called: &'m CalledFunction = &self.material.functions[function];
        let module = test.module.join("::");
        let is_beside = |path: &&String| path.rsplit_once("::").map_or("", |(module, _)| module) == module;
        let in_module = |set: &ArgumentSet| set.direct.iter().any(|path| is_beside(&path));
        let mut groups: BTreeMap<Vec<String>, Vec<(usize, Row)>> = BTreeMap::new();
        let mut seen = HashSet::new();
        for (number, set) in called.sets.iter().enumerate() {
            let Some((kept_types, row)) = row(number, set, &names, &here, &types) else { continue };
            if seen.insert(row.shown.clone()) {
                groups.entry(kept_types).or_default().push((number, row));
            }
        }
        // Where the function is generic, the types that the test uses, else those of the tests beside it.
        let own = |group: &[(usize, Row)]| group.iter().filter(|(set, _)| in_module(&called.sets[*set])).count();
        let of_test = own_types.and_then(|own_types| groups.remove_entry(&own_types));
        let best = of_test.or_else(|| groups.into_iter().max_by_key(|(_, group)| (own(group), group.len())));
        let Some((kept_types, group)) = best else {
            return Err("the arguments of its calls cannot be written where it stands".to_owned());
        };
        if group.len() < 2 {
            return Err("the functions that it calls were seen with no other arguments".to_owned());
        }
        let sets: Vec<&'m ArgumentSet> = group.iter().map(|(set, _)| &called.sets[*set]).collect();
        let common = reduced(&sets, MOST_ROWS, &|_| false);
        let mut of_tests: BTreeMap<&String, usize> = BTreeMap::new();
        let mut is_own = |set: &'m ArgumentSet| {
            let own = set.direct.iter().filter(is_beside);
            own.fold(false, |is_own, path| {
                let count = of_tests.entry(path).or_default();
                *count += 1;
                is_own || *count <= MOST_ROWS_OF_A_TEST
            })
        };
        let own = (0..sets.len()).filter(|at| is_own(sets[*at]));
        let all: Vec<usize> = own.chain(common.iter().copied()).collect::<BTreeSet<_>>().into_iter().collect();
        let place = |at: &usize| all.iter().position(|one| one == at);
        let common = common.iter().filter_map(place).collect();
        let first = &called.sets[group[0].0];
        let plain =
            names.iter().map(|name| type_of(&first.values[name], &here, &types, "")).collect::<Option<Vec<_>>>();
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

    /// The types that a file can name: those of its crate, or of the library that it is outside of.
    fn types_for(&mut self, file: &TestFile) -> Rc<TypeTable> {
        let krate = file.krate.outside_of.as_ref().unwrap_or(&file.krate.name).clone();
        let key = format!("{krate} {}", file.krate.root.display());
        let (workspace, root) = (self.material.workspace, &file.krate.root);
        let made = self.types.entry(key).or_insert_with(|| {
            Rc::new(match &file.krate.outside_of {
                Some(library) => types_of(workspace, library),
                None => TypeTable::of(&file.krate.name, &module_files(root).unwrap_or_default()),
            })
        });
        Rc::clone(made)
    }
}

/// Where the expressions of a test's module stand.
fn here(test: &UnitTest) -> Here {
    let module = test.module.join("::");
    Here {
        krate: test.file.krate.name.clone(),
        imports: Imports::of(&test.beside, &module),
        module,
        function: None,
        short_names: true,
    }
}

/// The types and expressions of an argument set; none where a value has none.
fn row(
    number: usize,
    set: &ArgumentSet,
    names: &[String],
    here: &Here,
    types: &TypeTable,
) -> Option<(Vec<String>, Row)> {
    let shown = Style { typed_by_place: true, ..Style::default() };
    let kept = Style { keeper: Some(KEEPER), ..shown };
    let mut row = Row { set: number, kept: Vec::new(), shown: Vec::new(), refused: None };
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
