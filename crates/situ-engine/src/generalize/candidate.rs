//! Candidates: one call of a test × one of its assertions, with the arguments that the call is tried with.

use super::arguments::{ArgumentSet, CalledFunction, Origin, reduced};
use super::body::{CallSite, Form};
use super::helpers::Helpers;
use super::scope::{Kind, Scope};
use super::slice::{Copy, can_pair};
use super::unit_tests::{TestFile, UnitTest};
use crate::record::types_of;
use crate::render::{Here, Imports, Style, TypeTable, styled, type_of};
use crate::source::module_files;
use crate::workspace::Workspace;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::PathBuf;
use std::rc::Rc;

/// Argument sets that every candidate is tried with, beside its own.
const MOST_ROWS: usize = 24;
/// Argument sets of one test in a table: tests that try thousands are parameterized by themselves.
const MOST_ROWS_OF_A_TEST: usize = 64;
/// Longer expressions are nothing that a reader would look at.
const LONGEST_ROW: usize = 2000;
/// How the function is called that keeps what rows borrow.
pub const KEEPER: &str = "self::situ_support::kept";

/// A test with what it does.
pub struct StudiedTest {
    /// The test.
    pub test: UnitTest,
    /// Where its calls stand.
    pub scopes: Vec<Scope>,
}

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

/// A file and a module in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, relative to the workspace.
    pub file: PathBuf,
    /// The module, from the crate on.
    pub module: Vec<String>,
}

impl Place {
    /// Where a test stands.
    pub fn of(test: &UnitTest) -> Place {
        Place { file: test.file.path.clone(), module: test.module.clone() }
    }
}

/// A call of a test that can be generalized over.
#[derive(Clone, Debug)]
pub struct Target {
    /// The test, by number.
    pub test: usize,
    /// The scope, by number.
    pub scope: usize,
    /// The call, by number.
    pub call: usize,
    /// Its table, by number.
    pub table: usize,
    /// Which argument each parameter of the table stands for.
    pub arguments: Vec<usize>,
    /// The variable that each argument is, where a loop or the call of a function gives it: the parameter stands for it
    /// wherever it is mentioned.
    pub variables: Vec<Option<String>>,
}

impl Target {
    /// What stands in the place of each argument: its variable, or what `name` makes of the parameter's number.
    pub fn replaced(&self, name: impl Fn(usize) -> String) -> Vec<(usize, String)> {
        let names =
            self.variables.iter().enumerate().map(|(at, variable)| variable.clone().unwrap_or_else(|| name(at)));
        self.arguments.iter().copied().zip(names).collect()
    }
}

/// A call × an assertion.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The call, by number.
    pub target: usize,
    /// The assertion, by number.
    pub assertion: usize,
}

/// Everything that is tried.
#[derive(Default)]
pub struct Candidates {
    /// The tables.
    pub tables: Vec<Table>,
    /// The calls.
    pub targets: Vec<Target>,
    /// The candidates.
    pub all: Vec<Candidate>,
    /// Test → why it has no candidate.
    pub without: BTreeMap<usize, String>,
}

/// What candidates are made of.
pub struct Material<'m> {
    /// The workspace.
    pub workspace: &'m Workspace,
    /// The tests.
    pub tests: &'m [StudiedTest],
    /// The functions.
    pub functions: &'m [CalledFunction],
    /// Methods of the workspace that only look at what they are called on.
    pub looking: BTreeSet<String>,
    /// Functions of test code, by the root of their crate.
    pub helpers: BTreeMap<PathBuf, Helpers>,
}

impl Material<'_> {
    /// All candidates.
    pub fn candidates(&self) -> Candidates {
        let mut making =
            Making { material: self, types: BTreeMap::new(), tables: BTreeMap::new(), made: Candidates::default() };
        for number in 0..self.tests.len() {
            making.test(number);
        }
        making.made
    }

    /// The function of a target.
    pub fn function<'s>(&'s self, made: &Candidates, target: &Target) -> &'s CalledFunction {
        &self.functions[made.tables[target.table].function]
    }

    /// The call of a target.
    pub fn call(&self, target: &Target) -> &CallSite {
        &self.scope(target).body.calls[target.call]
    }

    /// The scope of a target.
    pub fn scope(&self, target: &Target) -> &Scope {
        &self.tests[target.test].scopes[target.scope]
    }

    /// Whether a test itself called the target's function with the arguments of a row.
    pub fn is_of_test(&self, made: &Candidates, target: &Target, row: usize) -> bool {
        let table = &made.tables[target.table];
        let set = &self.functions[table.function].sets[table.rows[row].set];
        set.direct.contains(&self.tests[target.test].test.path())
    }

    /// The rows that a target is tried with.
    pub fn rows_of(&self, made: &Candidates, target: &Target) -> Vec<usize> {
        let table = &made.tables[target.table];
        let test = Origin::Test(self.tests[target.test].test.path());
        let is_own = |at: &usize| self.functions[table.function].sets[table.rows[*at].set].origins.contains(&test);
        let tried = |at: &usize| table.rows[*at].refused.is_none() && (table.common.contains(at) || is_own(at));
        (0..table.rows.len()).filter(tried).collect()
    }
}

type TableKey = (Place, usize, Vec<String>, Option<Vec<String>>);

struct Making<'m> {
    material: &'m Material<'m>,
    types: BTreeMap<String, Rc<TypeTable>>,
    tables: BTreeMap<TableKey, Result<usize, String>>,
    made: Candidates,
}

impl<'m> Making<'m> {
    fn test(&mut self, number: usize) {
        let studied = &self.material.tests[number];
        let mut reason = "it calls no function of the workspace".to_owned();
        let mut has_candidate = false;
        let calls = studied.scopes.iter().enumerate().flat_map(|(scope, of)| {
            let own = of.body.calls.iter().enumerate().filter(|(_, site)| of.owns(site.statement));
            own.map(move |(call, site)| (scope, call, site))
        });
        for (scope, call, site) in calls {
            match self.target(number, scope, call, site) {
                Ok(Some(target)) => {
                    let made = self.pair(target);
                    has_candidate |= made;
                    if !made {
                        reason = "no assertion is about its calls, or it needs what a loop gives".to_owned();
                    }
                }
                Ok(None) => {}
                Err(why) => reason = why,
            }
        }
        if !has_candidate {
            self.made.without.insert(number, reason);
        }
    }

    /// The candidates of a target; says whether there are any.
    fn pair(&mut self, target: Target) -> bool {
        let studied = &self.material.tests[target.test];
        let scope = &studied.scopes[target.scope];
        let call = &scope.body.calls[target.call];
        let replaced = target.replaced(|at| format!("situ_{at}"));
        let number = self.made.targets.len();
        let before = self.made.all.len();
        for (at, assertion) in scope.body.assertions.iter().enumerate() {
            let copy = Copy {
                text: studied.test.text(),
                scope,
                call,
                replaced: &replaced,
                chosen: &[at],
                reached: "",
                looking: &self.material.looking,
            };
            if can_pair(call, assertion) && copy.statements().is_some() {
                self.made.all.push(Candidate { target: number, assertion: at });
            }
        }
        self.made.targets.push(target);
        self.made.all.len() > before
    }

    /// The target that a call is; an error says why a call of the workspace is none.
    fn target(&mut self, test: usize, scope: usize, call: usize, site: &CallSite) -> Result<Option<Target>, String> {
        let studied = &self.material.tests[test];
        let named = match self.called(&studied.test, site)? {
            Some(function) => Some((function, self.replaceable(function, site)?)),
            None => self.handed_on(studied, scope, site),
        };
        let Some((function, arguments)) = named else { return Ok(None) };
        if site.is_repeated {
            return Err("its calls stand in loops over cases, or in closures".to_owned());
        }
        let names = arguments.iter().map(|(_, name)| name.clone()).collect();
        let table = self.table(&studied.test, function, names)?;
        let of = &studied.scopes[scope];
        let variable = |(at, _): &(usize, String)| {
            let text = studied.test.text()[site.arguments[*at].range.clone()].trim();
            of.gives(text).then(|| text.to_owned())
        };
        let variables = arguments.iter().map(variable).collect();
        let arguments = arguments.into_iter().map(|(at, _)| at).collect();
        Ok(Some(Target { test, scope, call, table, arguments, variables }))
    }

    /// The function of the workspace that a call of a test means.
    fn called(&self, test: &UnitTest, site: &CallSite) -> Result<Option<usize>, String> {
        let path = test.path();
        let may_be = |called: &&CalledFunction| {
            called.function.may_be(&site.words, site.receiver.is_some(), site.arguments.len())
        };
        let named = self.material.functions.iter().enumerate().filter(|(_, called)| may_be(called));
        let mut found: Vec<usize> =
            named.clone().filter(|(_, called)| called.was_called_directly_by(&path)).map(|(at, _)| at).collect();
        if found.is_empty() {
            found = named.filter(|(_, called)| called.was_called_by(&path)).map(|(at, _)| at).collect();
        }
        match self.of_named_type(&found, site).as_slice() {
            [] => Ok(None),
            [only] => Ok(Some(*only)),
            _ => Err("it cannot be told which function a call means".to_owned()),
        }
    }

    /// The function of the workspace that a function of test code hands its arguments on to, and these arguments with the
    /// names of the parameters that they end at.
    fn handed_on(&self, studied: &StudiedTest, scope: usize, site: &CallSite) -> Option<(usize, Vec<(usize, String)>)> {
        let is_inlined = studied
            .scopes
            .iter()
            .any(|other| matches!(other.kind, Kind::Helper { .. }) && scope == 0 && other.first == site.statement);
        let helpers = self.material.helpers.get(&studied.test.file.krate.root);
        let helper = site.words.last().and_then(|name| helpers?.get(name)).filter(|_| site.receiver.is_none());
        let helper = helper.filter(|helper| !is_inlined && helper.parameters.len() == site.arguments.len())?;
        for inner in &helper.calls {
            let Ok(Some(function)) = self.called(&studied.test, &inner.site) else { continue };
            let Ok(inside) = self.replaceable(function, &inner.site) else { continue };
            let handed_on = inside.into_iter().filter_map(|(at, name)| {
                let argument = inner.handed_on.get(at).copied().flatten()?;
                (site.arguments[argument].form != Form::Fixed).then_some((argument, name))
            });
            let arguments: Vec<(usize, String)> = handed_on.collect();
            if !arguments.is_empty() {
                return Some((function, arguments));
            }
        }
        None
    }

    /// Of several functions those of the type that the call names.
    fn of_named_type(&self, found: &[usize], site: &CallSite) -> Vec<usize> {
        let Some(of_type) = site.words.iter().rev().nth(1) else { return found.to_vec() };
        let is_of_type = |at: &&usize| self.material.functions[**at].function.of_type.as_ref() == Some(of_type);
        let of_type: Vec<usize> = found.iter().filter(is_of_type).copied().collect();
        if of_type.is_empty() { found.to_vec() } else { of_type }
    }

    /// The arguments that values can stand for, with the names of their parameters.
    fn replaceable(&self, function: usize, site: &CallSite) -> Result<Vec<(usize, String)>, String> {
        let called = &self.material.functions[function];
        // `Type::method(receiver, …)`
        let shift = usize::from(called.function.has_receiver && site.receiver.is_none());
        if called.function.parameters.is_empty() {
            return Err("the functions that it calls take no arguments".to_owned());
        }
        let mut replaced = Vec::new();
        for (at, parameter) in called.function.parameters.iter().enumerate() {
            let number = at + shift;
            let Some(name) = parameter.name.as_ref().filter(|_| !parameter.is_fixed) else { continue };
            let is_written = site.arguments.get(number).is_some_and(|argument| argument.form != Form::Fixed);
            let is_known = |set: &ArgumentSet| set.values.get(name).is_some_and(|value| value.is_exact());
            if is_written && called.sets.iter().any(is_known) {
                replaced.push((number, name.clone()));
            }
        }
        if replaced.is_empty() {
            return Err("the arguments of its calls cannot be rebuilt".to_owned());
        }
        Ok(replaced)
    }

    fn table(&mut self, test: &UnitTest, function: usize, names: Vec<String>) -> Result<usize, String> {
        let own_types = self.own_types(test, function, &names);
        let key = (Place::of(test), function, names.clone(), own_types.clone());
        if let Some(known) = self.tables.get(&key) {
            return known.clone();
        }
        let made = self.new_table(test, function, names, own_types);
        let number = made.map(|table| {
            self.made.tables.push(table);
            self.made.tables.len() - 1
        });
        self.tables.insert(key, number.clone());
        number
    }

    /// The types that a test itself calls a function with: where it is generic, no others fit into its place.
    fn own_types(&mut self, test: &UnitTest, function: usize, names: &[String]) -> Option<Vec<String>> {
        let (here, types, path) = (here(test), self.types_for(&test.file), test.path());
        let sets = self.material.functions[function].sets.iter().enumerate();
        let mut own = sets.filter(|(_, set)| set.direct.contains(&path));
        own.find_map(|(number, set)| row(number, set, names, &here, &types)).map(|(kept_types, _)| kept_types)
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
