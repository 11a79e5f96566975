//! The branches of the run that existing tests cover.

use crate::cargo::workspace::{SecretNames, Workspace};
use crate::generate::carve::find::sources::Source;
use crate::record::plan::{Position, Wanted};
use crate::record::{self, Options, Workload};
use cargo_metadata::TargetKind;
use std::collections::BTreeSet;
use std::path::Path;

/// A branch: the site of its function, and its mark.
pub(crate) type Branch = (u64, u32);

/// Returns the branches that the existing tests cover, or `None` if there are no tests or they do
/// not build.
pub(crate) fn taken_by_existing_tests(
    workspace: &Workspace,
    sources: &[Source],
    program: &Path,
    secrets: &SecretNames,
    step: &dyn Fn(&str),
) -> Option<BTreeSet<Branch>> {
    if !has_tests(workspace, sources) {
        return None;
    }
    let options = Options {
        wanted: Wanted {
            functions: true,
            through_traits: true,
            secrets: secrets.clone(),
            ..Wanted::default()
        },
        workload: Workload::Tests,
        name: "carve-existing-tests".to_owned(),
        append: false,
        program: program.to_owned(),
        unique_sets: None,
        bytes_a_value: None,
        follows_opaque: true,
        compares_builds: false,
        cargo_arguments: Vec::new(),
        round_trip: false,
        quiet: true,
        each_test_apart: false,
        timeout: None,
        opaque_types: Vec::new(),
    };
    let recording = record::record(workspace, &options, step).ok()?.recording;
    let functions = recording
        .sites
        .values()
        .filter(|site| site.site.position == Position::Function);
    let branches = functions.flat_map(|function| {
        let id = function.site.id;
        function
            .sets
            .iter()
            .flat_map(move |set| set.target.iter().map(move |mark| (id, *mark)))
    });
    Some(branches.collect())
}

fn has_tests(workspace: &Workspace, sources: &[Source]) -> bool {
    let is_test = |kind: &TargetKind| matches!(kind, TargetKind::Test);
    let mut targets = workspace
        .packages()
        .iter()
        .flat_map(|package| &package.targets);
    let mark = |source: &Source| {
        ["#[test]", "::test]", "#[rstest"]
            .iter()
            .any(|mark| source.file.text.contains(mark))
    };
    targets.any(|target| target.kind.iter().any(is_test)) || sources.iter().any(mark)
}
