//! Round trip: writes recorded values as expressions, compiles these where a test would be, and
//! captures their values again.

use super::close::close;
use super::compile::Purpose;
use super::plan::{CHECK_NAME, Check, Phase, Wanted};
use super::read::Recording;
use super::run::Options;
use super::secrets;
use super::session::Session;
use super::show::here;
use super::watch::Watch;
use super::workspace_types::{declarations_of, types_of};
use crate::base::process::Scratch;
use crate::cargo::workspace::Workspace;
use crate::programs::outcomes::{self, Confinement};
use crate::values::{TypeTable, expression};
use anyhow::{Context as _, Result};
use cargo_metadata::{Target, TargetKind};
use situ_recorder::bytes::checksum;
use situ_recorder::recorder;
use situ_recorder::recording::{self, Record};
use situ_recorder::value::{SeqKind, Value};
use std::collections::{BTreeMap, HashMap};
use std::fs;

/// Maximum number of value sets per statement.
const SETS_A_STATEMENT: usize = 20;

/// Number of values that were rebuilt, and why others were not.
#[derive(Clone, Debug, Default)]
pub struct RoundTrip {
    /// Number of complete values that were tried.
    pub tried: usize,
    /// Number of values that were rebuilt equal.
    pub rebuilt: usize,
    /// Number of values without an expression in the module of a test.
    pub without_expression: usize,
    /// Number of values whose expression the compiler rejected.
    pub rejected: usize,
    /// Number of values that were rebuilt differently.
    pub changed: usize,
    /// Descriptions of a few failures.
    pub failures: Vec<String>,
}

/// Rebuilds the complete values of a recording.
pub(super) fn check(
    workspace: &Workspace,
    options: &Options,
    recording: &Recording,
) -> Result<RoundTrip> {
    let mut outcome = RoundTrip::default();
    let (checks, originals) = checks_of(workspace, recording, &mut outcome);
    if checks.is_empty() {
        return Ok(outcome);
    }
    let folder = workspace.situ_folder().join("round-trip");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).context("creating the folder of the round trip")?;
    let text = serde_json::to_string(&checks).context("writing the expressions to check")?;
    // The file name contains a checksum of the expressions, so that other expressions cause another
    // build.
    let list = folder.join(format!("{:016x}.json", checksum(text.as_bytes())));
    fs::write(&list, text).context("writing the expressions to check")?;
    let wanted = Wanted {
        through_traits: false,
        ..options.wanted.clone()
    };
    let mut session = Session::prepare(
        workspace,
        &options.program,
        &wanted,
        None,
        Purpose::Checking(list),
    )?;
    let mut arguments = arguments_for_inner_tests(workspace);
    arguments.extend(options.cargo_arguments.iter().cloned());
    let built = session.build_instrumented(&options.program, &arguments)?;
    let values = folder.join("values");
    let notes = Watch::prepare(folder.join("notes"), &[])?;
    let mut variables = vec![
        notes.variable(),
        (
            recorder::FOLDER_VARIABLE.to_owned(),
            values.to_string_lossy().into_owned(),
        ),
        (recorder::UNIQUE_VARIABLE.to_owned(), "1000000".to_owned()),
    ];
    variables.extend(secrets::variables(&wanted));
    // Constructors may do anything with combinations of values that never occurred.
    let confinement = Confinement::Scratch(Scratch::new(&folder)?);
    outcomes::run_matching(&built.tests, &variables, CHECK_NAME, &confinement)?;
    close(&values)?;
    compare(&values, &checks, &originals, &mut outcome);
    Ok(outcome)
}

/// Returns the cargo arguments that build the unit tests of libraries and binaries.
pub(super) fn arguments_for_inner_tests(workspace: &Workspace) -> Vec<String> {
    let mut arguments = vec![
        "test".to_owned(),
        "--no-run".to_owned(),
        "--bins".to_owned(),
    ];
    // Cargo returns an error for `--lib` if no package has a library.
    let is_linked = |kind: &TargetKind| {
        !matches!(
            kind,
            TargetKind::Bin
                | TargetKind::Test
                | TargetKind::Bench
                | TargetKind::Example
                | TargetKind::CustomBuild
        )
    };
    let is_library = |target: &Target| target.kind.iter().any(is_linked);
    if workspace
        .packages()
        .iter()
        .any(|package| package.targets.iter().any(is_library))
    {
        arguments.push("--lib".to_owned());
    }
    arguments
}

fn checks_of(
    workspace: &Workspace,
    recording: &Recording,
    outcome: &mut RoundTrip,
) -> (Vec<Check>, HashMap<u64, Value>) {
    let mut checks = Vec::new();
    let mut originals = HashMap::new();
    let mut tables: BTreeMap<String, TypeTable> = BTreeMap::new();
    let declared = declarations_of(workspace);
    for recorded in recording.statements() {
        let site = &recorded.site;
        let here = here(site, workspace);
        let types = tables
            .entry(here.krate.clone())
            .or_insert_with(|| types_of(workspace, &here.krate, &declared));
        for set in recorded.sets.iter().take(SETS_A_STATEMENT) {
            let mut values = recorded.values(set, Phase::Before);
            values.extend(recorded.outputs(set));
            for (name, value) in values.into_iter().filter(|(_, value)| value.is_exact()) {
                let id = checksum(format!("{}{value:?}", site.file).as_bytes());
                if originals.insert(id, value.clone()).is_some() {
                    continue;
                }
                outcome.tried += 1;
                match expression(value, &here, types) {
                    Ok(expression) => checks.push(Check {
                        id,
                        file: site.file.clone(),
                        expression,
                    }),
                    Err(reason) => {
                        outcome.without_expression += 1;
                        outcome
                            .failures
                            .push(format!("{}:{}: {name}: {}", site.file, site.line, reason.0));
                    }
                }
            }
        }
    }
    (checks, originals)
}

fn compare(
    folder: &std::path::Path,
    checks: &[Check],
    originals: &HashMap<u64, Value>,
    outcome: &mut RoundTrip,
) {
    let mut back: HashMap<u64, Value> = HashMap::new();
    for path in super::read::files_in(folder) {
        for record in recording::read(&path)
            .map(|contents| contents.records)
            .unwrap_or_default()
        {
            if let Record::Values(set) = record
                && let Some((_, value)) = set.slots.into_iter().next()
            {
                back.insert(set.site, value);
            }
        }
    }
    for check in checks {
        let failure = match (back.get(&check.id), originals.get(&check.id)) {
            (Some(value), Some(original)) if is_same(value, original) => {
                outcome.rebuilt += 1;
                continue;
            }
            (Some(value), _) => {
                outcome.changed += 1;
                format!("is rebuilt as {value:?}")
            }
            (None, _) => {
                outcome.rejected += 1;
                "does not compile or panics".to_owned()
            }
        };
        outcome
            .failures
            .push(format!("{}: `{}` {failure}", check.file, check.expression));
    }
}

/// Returns whether values are equal. A reference to an array equals one to a slice, because the
/// context of the expression decides which it is.
fn is_same(value: &Value, original: &Value) -> bool {
    let (
        Value::Ref {
            inner: value_inner,
            mutable,
        },
        Value::Ref {
            inner: original_inner,
            mutable: original_mutable,
        },
    ) = (value, original)
    else {
        return value == original;
    };
    match (&**value_inner, &**original_inner) {
        (
            Value::Seq {
                kind: SeqKind::Array,
                items,
                ..
            },
            Value::Seq {
                kind: SeqKind::Slice,
                items: original,
                ..
            },
        ) => mutable == original_mutable && items == original,
        _ => value == original,
    }
}
