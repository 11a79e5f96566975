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

fn is_product(kind: &TargetKind) -> bool {
    !matches!(
        kind,
        TargetKind::Test | TargetKind::Bench | TargetKind::Example | TargetKind::CustomBuild | TargetKind::ProcMacro
    )
}
