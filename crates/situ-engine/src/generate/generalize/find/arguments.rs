//! The recorded arguments of the functions of a workspace: the union over all tests and workloads.

use super::functions::{Function, Functions};
use crate::record::plan::{Phase, Position, Site};
use crate::record::read::files_in;
use crate::record::{Lost, Record, read_file};
use situ_recorder::recording::{Exit, ValueSet};
use situ_recorder::value::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The separator in a test's name between the original test and the function.
pub(crate) const OVER: &str = "_over_";

/// The origin of arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// A test, by its path.
    Test(String),
    /// A recording of something else, by its name.
    Workload(String),
}

impl Origin {
    /// Returns the name of the test or workload.
    pub(crate) fn name(&self) -> &str {
        match self {
            Origin::Test(name) | Origin::Workload(name) => name,
        }
    }
}

/// The arguments of one call.
#[derive(Clone, Debug)]
pub(crate) struct ArgumentSet {
    /// The values by the names of the parameters; `self` is one of them.
    pub values: BTreeMap<String, Value>,
    /// The origins.
    pub origins: BTreeSet<Origin>,
    /// The tests that made the call directly, not through another function.
    pub direct: BTreeSet<String>,
    /// Whether the function panicked.
    pub panics: bool,
    /// The branches taken and the exit: sets that agree in both are similar.
    pub path: String,
}

/// A function with all its recorded arguments.
#[derive(Clone, Debug)]
pub(crate) struct CalledFunction {
    pub function: Function,
    /// Its path from the crate on.
    pub path: String,
    /// Its crate's package.
    pub package: String,
    /// The arguments, each once.
    pub sets: Vec<ArgumentSet>,
}

impl CalledFunction {
    /// Returns whether a test called it.
    pub(crate) fn was_called_by(&self, test: &str) -> bool {
        self.sets
            .iter()
            .any(|set| set.origins.contains(&Origin::Test(test.to_owned())))
    }

    /// Returns whether a test called it directly.
    pub(crate) fn was_called_directly_by(&self, test: &str) -> bool {
        self.sets.iter().any(|set| set.direct.contains(test))
    }
}

/// A recording that arguments are read from.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The folder of the recording.
    pub folder: PathBuf,
    /// The workload's name; `None` for the recording of the tests.
    pub workload: Option<String>,
}

/// The recorded calls, and the unreadable parts of the recordings.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    pub functions: Vec<CalledFunction>,
    /// What was lost.
    pub lost: Vec<Lost>,
}

/// Merges all recordings. `tests` are the paths of handwritten tests: arguments in tests generated
/// from these are attributed to their originals.
pub(crate) fn union(sources: &[Source], functions: &Functions, tests: &BTreeSet<String>) -> Calls {
    let (called, known, made) = (BTreeMap::new(), HashMap::new(), HashMap::new());
    let mut union = Union {
        functions,
        tests,
        called,
        known,
        made,
        lost: Vec::new(),
    };
    for source in sources {
        for path in files_in(&source.folder) {
            union.read(&path, source.workload.as_deref());
        }
    }
    let mut called: Vec<CalledFunction> = union.called.into_values().collect();
    called.retain(|function| !function.sets.is_empty());
    Calls {
        functions: called,
        lost: union.lost,
    }
}

struct Union<'u> {
    functions: &'u Functions,
    tests: &'u BTreeSet<String>,
    /// Whether each test was generated here.
    made: HashMap<String, bool>,
    /// The functions by file and first byte.
    called: BTreeMap<(PathBuf, usize), CalledFunction>,
    /// The number of each function's argument set.
    known: HashMap<(PathBuf, usize, String), usize>,
    lost: Vec<Lost>,
}

impl Union<'_> {
    fn read(&mut self, path: &Path, workload: Option<&str>) {
        let file = read_file(path);
        self.lost.extend(file.lost);
        let mut sites: HashMap<u64, Site> = HashMap::new();
        for record in file.records {
            match record {
                Record::Site(site) => {
                    let site = Some(site).filter(|site| site.position == Position::Function);
                    sites.extend(site.map(|site| (site.id, site)));
                }
                Record::Values(set) => {
                    if let Some(site) = sites.get(&set.site) {
                        self.add(site, &set, workload);
                    }
                }
            }
        }
    }

    /// Returns whether a test's name is that of a generated test.
    fn was_made_here(&mut self, test: &str) -> bool {
        let tests = self.tests;
        let is_made = || {
            let is_of = |other: &String| {
                test.strip_prefix(other.as_str())
                    .is_some_and(|rest| rest.starts_with(OVER))
            };
            !tests.contains(test) && tests.iter().any(is_of)
        };
        *self.made.entry(test.to_owned()).or_insert_with(is_made)
    }

    fn add(&mut self, site: &Site, set: &ValueSet, workload: Option<&str>) {
        if workload.is_none() && self.was_made_here(&set.thread) {
            return;
        }
        let key = (PathBuf::from(&site.file), site.bytes.0);
        let Some(function) = self.functions.get(&key) else {
            return;
        };
        let values: BTreeMap<String, Value> = set
            .slots
            .iter()
            .filter_map(|(slot, value)| {
                let slot = site.slots.get(*slot as usize)?;
                (slot.phase == Phase::Before).then(|| (slot.key.to_string(), value.clone()))
            })
            .collect();
        let origin = match workload {
            Some(name) => Origin::Workload(name.to_owned()),
            None => Origin::Test(set.thread.clone()),
        };
        let called = self
            .called
            .entry(key.clone())
            .or_insert_with(|| CalledFunction {
                function: function.clone(),
                path: site.function.clone(),
                package: site.package.clone(),
                sets: Vec::new(),
            });
        let number = *self
            .known
            .entry((key.0, key.1, format!("{values:?}")))
            .or_insert_with(|| {
                called.sets.push(ArgumentSet {
                    values,
                    origins: BTreeSet::new(),
                    direct: BTreeSet::new(),
                    panics: matches!(set.exit, Exit::Panic(_)),
                    path: path_of(site, set),
                });
                called.sets.len() - 1
            });
        let known = &mut called.sets[number];
        if set.caller == 0 && workload.is_none() {
            known.direct.insert(set.thread.clone());
        }
        known.origins.insert(origin);
    }
}

/// Returns the branches of a call, and how it ended.
fn path_of(site: &Site, set: &ValueSet) -> String {
    let mut branches = set.target.clone();
    branches.sort_unstable();
    branches.dedup();
    let result = set.slots.iter().find_map(|(slot, value)| {
        let slot = site.slots.get(*slot as usize)?;
        (slot.phase == Phase::Result).then(|| outcome_of(value))
    });
    let exit = match &set.exit {
        Exit::Panic(_) => "panics".to_owned(),
        _ => result.unwrap_or_default(),
    };
    format!("{branches:?} {exit}")
}

/// Returns the kind of a result: values of one kind count as one outcome.
fn outcome_of(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Struct {
            variant: Some(variant),
            fields,
            ..
        } => match fields.as_slice() {
            [
                (
                    _,
                    inner @ Value::Struct {
                        variant: Some(_), ..
                    },
                ),
            ] => format!("{variant}({})", outcome_of(inner)),
            _ => variant.clone(),
        },
        _ => String::new(),
    }
}

/// Returns at most `most` argument sets: the shortest of every path, then the next shortest of
/// each, and so on. Those that `always` selects are kept.
pub(crate) fn reduced(
    sets: &[&ArgumentSet],
    most: usize,
    always: &dyn Fn(&ArgumentSet) -> bool,
) -> Vec<usize> {
    let mut kept: BTreeSet<usize> = (0..sets.len())
        .filter(|at| always(sets[*at]))
        .take(most)
        .collect();
    let mut paths: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, set) in sets.iter().enumerate().filter(|(at, _)| !kept.contains(at)) {
        paths.entry(&set.path).or_default().push(at);
    }
    let mut paths: Vec<std::vec::IntoIter<usize>> = paths
        .into_values()
        .map(|mut path| {
            path.sort_by_cached_key(|at| format!("{:?}", sets[*at].values).len());
            path.into_iter()
        })
        .collect();
    while kept.len() < most && paths.iter().any(|path| path.len() > 0) {
        for path in &mut paths {
            if kept.len() < most {
                kept.extend(path.next());
            }
        }
    }
    kept.into_iter().collect()
}
