//! The recorded sites at a line of an open document.

use super::document::Document;
use situ_engine::cargo::workspace::Workspace;
use situ_engine::record::read::{RecordedSite, Recording, files_in, read};
use situ_engine::record::recordings_folder;
use std::path::Path;
use std::time::SystemTime;

/// The last recording of the workspace, reloaded when its files have changed.
#[derive(Default)]
pub struct LastRecording {
    read: Option<(SystemTime, Recording)>,
}

impl LastRecording {
    /// Returns the recording, or `None` if there is none yet.
    pub fn get(&mut self, workspace: &Workspace) -> Option<&Recording> {
        let folder = recordings_folder(workspace).join("latest");
        let changed = files_in(&folder)
            .iter()
            .filter_map(|file| modified(file))
            .max()?;
        if self.read.as_ref().is_none_or(|(when, _)| *when != changed) {
            self.read = Some((changed, read(&folder)));
        }
        self.read.as_ref().map(|(_, recording)| recording)
    }
}

fn modified(file: &Path) -> Option<SystemTime> {
    file.metadata().ok()?.modified().ok()
}

/// Finds the recorded sites that start at a line of the document. Sites are compared by their
/// source code, because lines may have moved since the recording.
pub fn at_line<'r>(
    recording: &'r Recording,
    document: &Document,
    line: usize,
) -> Vec<&'r RecordedSite> {
    let start: usize = document
        .text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let rest = document.text.get(start..).unwrap_or_default();
    let first = without_space(rest.lines().next().unwrap_or_default());
    let whole = without_space(rest);
    let here = |site: &&RecordedSite| {
        let text = without_space(site.site.text.trim_end_matches('…'));
        let found = (!text.is_empty()).then(|| whole.find(&text)).flatten();
        site.site.position.has_values()
            && document.path.ends_with(&site.site.file)
            && found.is_some_and(|found| found < first.len())
    };
    let mut sites: Vec<&RecordedSite> = recording.sites.values().filter(here).collect();
    // Of two statements with the same source, prefer the nearer one.
    sites.sort_by_key(|site| (site.site.line.abs_diff(line), site.site.id));
    let nearest = sites.first().map(|site| site.site.line);
    sites.retain(|site| Some(site.site.line) == nearest);
    sites
}

fn without_space(text: &str) -> String {
    text.chars().filter(|char| !char.is_whitespace()).collect()
}
