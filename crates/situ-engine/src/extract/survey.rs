//! Where the watched statements of a workspace stand in its sources now.

use crate::record::plan::{Crate, Site, Wanted, WorkspaceNames, plan};
use crate::source::module_files;
use crate::workspace::Workspace;
use cargo_metadata::TargetKind;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

/// The sources of a workspace, and the statements to watch in them.
#[derive(Default)]
pub struct Survey {
    /// The statements, by identity.
    pub sites: BTreeMap<u64, Site>,
    /// The files, by path relative to the workspace: text and tree.
    pub files: BTreeMap<PathBuf, Rc<(String, syn::File)>>,
}

/// Reads the libraries and programs of the selected packages.
pub fn survey(workspace: &Workspace, wanted: &Wanted) -> Survey {
    let mut survey = Survey::default();
    let wanted = &Wanted { tested_functions: true, ..wanted.clone() };
    for package in workspace.packages() {
        for target in package.targets.iter().filter(|target| target.kind.iter().all(is_product)) {
            let Ok(mut files) = module_files(target.src_path.as_std_path()) else { continue };
            for file in &mut files {
                file.path = file.path.strip_prefix(workspace.root()).unwrap_or(&file.path).to_path_buf();
            }
            let krate = Crate {
                package: package.name.to_string(),
                name: target.name.replace('-', "_"),
                edition: target.edition.to_string(),
                workspace: WorkspaceNames::default(),
                has_serde: false,
            };
            for site in plan(&krate, &files, wanted).sites {
                survey.sites.entry(site.id).or_insert(site);
            }
            for file in files {
                survey.files.entry(file.path).or_insert_with(|| Rc::new((file.text, file.tree)));
            }
        }
    }
    survey
}

/// All statements of the selected packages. Their identities do not depend on what a user asks for by lines, which are other
/// lines in a mirror.
pub fn survey_all(workspace: &Workspace) -> Survey {
    survey(workspace, &Wanted { all_statements: true, ..Wanted::default() })
}

impl Survey {
    /// Identity here → identity among all statements.
    pub fn identities_in(&self, all: &Survey) -> BTreeMap<u64, u64> {
        let place = |site: &Site| (site.file.clone(), site.bytes, site.position.name());
        let by_place: BTreeMap<_, u64> = all.sites.values().map(|site| (place(site), site.id)).collect();
        self.sites.values().filter_map(|site| Some((site.id, *by_place.get(&place(site))?))).collect()
    }
}

fn is_product(kind: &TargetKind) -> bool {
    !matches!(
        kind,
        TargetKind::Test | TargetKind::Bench | TargetKind::Example | TargetKind::CustomBuild | TargetKind::ProcMacro
    )
}
