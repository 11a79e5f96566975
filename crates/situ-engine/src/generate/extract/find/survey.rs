//! The recorded statements of a workspace in its current sources.

use super::comparison_sides::Constants;
use super::inactive_code::Configuration;
use crate::cargo::workspace::Workspace;
use crate::record::plan::{Branch, Crate, Site, Wanted, WorkspaceNames, as_watched, plan};
use crate::source::module_files;
use cargo_metadata::TargetKind;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// The sources of a workspace, and the statements to watch in them.
#[derive(Default)]
pub struct Survey {
    /// The statements, by identity.
    pub sites: BTreeMap<u64, Site>,
    /// The files, by path relative to the workspace: their source, and the parsed tree.
    pub files: BTreeMap<PathBuf, Rc<(String, syn::File)>>,
    /// The branches of each file.
    pub branches: BTreeMap<PathBuf, Vec<Branch>>,
    /// The values of the constants of each file.
    pub constants: BTreeMap<PathBuf, Arc<Constants>>,
}

impl Survey {
    /// Returns the marks of the branches inside a site.
    pub fn branches_in(&self, site: &Site) -> BTreeSet<u32> {
        self.branches_between(&site.file, site.range())
    }

    /// Returns the marks of the branches between two bytes of a file.
    pub fn branches_between(&self, file: &str, range: Range<usize>) -> BTreeSet<u32> {
        let own = self.branches.get(Path::new(file)).into_iter().flatten();
        own.filter(|branch| range.start < branch.at && branch.at < range.end)
            .map(|branch| branch.mark)
            .collect()
    }

    /// Returns the lines of a site.
    pub fn lines(&self, site: &Site) -> RangeInclusive<usize> {
        let text = self
            .files
            .get(Path::new(&site.file))
            .and_then(|file| file.0.get(site.range()));
        site.line..=site.line + text.map_or(0, |text| text.matches('\n').count())
    }
}

/// Reads the libraries and programs of the selected packages.
pub(crate) fn survey(workspace: &Workspace, wanted: &Wanted) -> Survey {
    let mut survey = Survey::default();
    for package in workspace.packages() {
        for target in package
            .targets
            .iter()
            .filter(|target| target.kind.iter().all(is_product))
        {
            let Ok(mut files) = module_files(target.src_path.as_std_path()) else {
                continue;
            };
            for file in &mut files {
                file.path = file
                    .path
                    .strip_prefix(workspace.root())
                    .unwrap_or(&file.path)
                    .to_path_buf();
                workspace.note(&file.path, &file.text);
            }
            let krate = Crate {
                package: package.name.to_string(),
                name: target.name.replace('-', "_"),
                edition: target.edition.to_string(),
                workspace: WorkspaceNames::default(),
                has_serde: false,
            };
            let texts: Vec<String> = files.iter().map(|file| file.text.clone()).collect();
            let files = as_watched(files);
            let plan = plan(&krate, &files, wanted);
            for site in plan.sites {
                survey.sites.entry(site.id).or_insert(site);
            }
            let configuration = Configuration::of(package);
            let trees: Vec<&syn::File> = files.iter().map(|file| &file.tree).collect();
            let constants =
                Constants::of_files(&trees, &|attributes| configuration.leaves_out(attributes));
            for ((file, mut branches), constants) in files.iter().zip(plan.branches).zip(constants)
            {
                let out = configuration.left_out(&file.tree, &constants);
                branches.retain(|branch| !out.iter().any(|range| range.contains(&branch.at)));
                survey.branches.entry(file.path.clone()).or_insert(branches);
                survey
                    .constants
                    .entry(file.path.clone())
                    .or_insert_with(|| Arc::new(constants));
            }
            for (file, text) in files.into_iter().zip(texts) {
                survey
                    .files
                    .entry(file.path)
                    .or_insert_with(|| Rc::new((text, file.tree)));
            }
        }
    }
    survey
}

/// Surveys all statements of the selected packages. Their identities do not depend on the user's
/// lines, which differ in a mirror.
pub(crate) fn survey_all(workspace: &Workspace) -> Survey {
    survey(
        workspace,
        &Wanted {
            all_statements: true,
            fragments: true,
            ..Wanted::default()
        },
    )
}

impl Survey {
    /// Maps the identities here to those among all statements.
    pub fn identities_in(&self, all: &Survey) -> BTreeMap<u64, u64> {
        let place = |site: &Site| (site.file.clone(), site.bytes, site.position.name());
        let by_place: BTreeMap<_, u64> = all
            .sites
            .values()
            .map(|site| (place(site), site.id))
            .collect();
        self.sites
            .values()
            .filter_map(|site| Some((site.id, *by_place.get(&place(site))?)))
            .collect()
    }
}

fn is_product(kind: &TargetKind) -> bool {
    !matches!(
        kind,
        TargetKind::Test
            | TargetKind::Bench
            | TargetKind::Example
            | TargetKind::CustomBuild
            | TargetKind::ProcMacro
    )
}
