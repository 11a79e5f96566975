//! Adds the dependency on `situ` to a manifest without changing anything else in it.

use crate::base::user_error;
use crate::source::lines::{dominant_ending, line_start};
use crate::source::{Splice, apply};
use anyhow::{Context as _, Result, ensure};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use toml_edit::{Document, Item, TableLike, Value};

/// Where a package gets `situ` from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SituSource {
    /// Folder of the crate `situ` on this machine.
    Path(PathBuf),
    /// Version requirement in the registry.
    Registry(String),
    /// Inherited from `[workspace.dependencies]`.
    Workspace,
}

/// Dependency of generated tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dependency {
    /// Situ itself, as a dependency and, with its feature `test`, as a dev-dependency.
    Situ(SituSource),
    /// Published crate, as a dev-dependency.
    Published {
        name: &'static str,
        /// Version requirement to write if the package does not depend on the crate yet.
        version: &'static str,
        /// Whether to enable the default features. Disabling them saves compile time.
        has_default_features: bool,
    },
}

impl Dependency {
    pub fn name(&self) -> &'static str {
        match self {
            Dependency::Situ(_) => "situ",
            Dependency::Published { name, .. } => name,
        }
    }
}

impl SituSource {
    /// Returns the published version that belongs to this command, as `major.minor`.
    pub fn published() -> SituSource {
        let version = env!("CARGO_PKG_VERSION");
        let last = version.rfind('.').unwrap_or(version.len());
        SituSource::Registry(version[..last].to_owned())
    }

    /// Returns the source for a local checkout: `folder` is that of the crate `situ` or of its
    /// repository.
    pub fn checkout(folder: &Path) -> Result<SituSource> {
        let is_situ = |folder: &Path| {
            let text = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
            let manifest = Document::parse(text).ok();
            let package = manifest
                .as_ref()
                .and_then(|manifest| manifest.get("package")?.get("name")?.as_str());
            package == Some("situ")
        };
        let found = [folder.to_path_buf(), folder.join("crates/situ")]
            .into_iter()
            .find(|folder| is_situ(folder));
        let found = found.and_then(|folder| folder.canonicalize().ok());
        let text = || {
            format!(
                "no crate `situ` in {}; pass the folder of its checkout",
                folder.display()
            )
        };
        found
            .map(SituSource::Path)
            .ok_or_else(|| user_error::input(text()))
    }

    /// Returns the fields of an inline table that say where the dependency is from. A path is
    /// relative to the manifest: it holds for everybody who has both folders, and reveals nothing
    /// about this machine.
    fn fields(&self, folder: &Path) -> Result<String> {
        Ok(match self {
            SituSource::Registry(version) => format!("version = {}", quoted(version)),
            SituSource::Workspace => "workspace = true".to_owned(),
            SituSource::Path(path) => {
                let folder = folder
                    .canonicalize()
                    .unwrap_or_else(|_| folder.to_path_buf());
                let path = relative(&folder, path).ok_or_else(|| {
                    let text =
                        "no relative path from the manifest to the checkout of Situ; put both on one drive";
                    user_error::input(text)
                })?;
                format!(
                    "path = {}",
                    quoted(&path.to_string_lossy().replace('\\', "/"))
                )
            }
        })
    }
}

/// Returns the manifest with `situ` as a dependency and, with its feature `test`, as a
/// dev-dependency. Returns `None` if it has both. `folder` is the manifest's folder.
pub fn with_situ(manifest: &str, folder: &Path, source: &SituSource) -> Result<Option<String>> {
    let fields = source.fields(folder)?;
    let mut text = manifest.to_owned();
    for edit in [add_dependency, add_test_feature] {
        let splices = edit(&Manifest::parse(&text)?, &fields)?;
        text = apply(&text, &splices);
    }
    let parsed = Manifest::parse(&text)?;
    ensure!(
        add_dependency(&parsed, &fields)?.is_empty(),
        "the dependency on situ was not added"
    );
    ensure!(
        add_test_feature(&parsed, &fields)?.is_empty(),
        "the feature of situ was not added"
    );
    Ok(Some(text).filter(|text| text != manifest))
}

/// Returns the manifest with a published crate as a dev-dependency. Returns `None` if tests can use
/// it already.
pub fn with_dev_dependency(
    manifest: &str,
    name: &str,
    version: &str,
    has_default_features: bool,
) -> Result<Option<String>> {
    let parsed = Manifest::parse(manifest)?;
    let section = parsed.dev_section();
    if ["dependencies", section]
        .into_iter()
        .any(|section| parsed.named_in(section, name).is_some())
    {
        return Ok(None);
    }
    let line = match has_default_features {
        true => format!("{name} = {}", quoted(version)),
        false => format!(
            "{name} = {{ version = {}, default-features = false }}",
            quoted(version)
        ),
    };
    let splice = match parsed.table(section)? {
        Some(header) => parsed.line_in(section, header, name, &line),
        None => parsed.new_section(section, &line),
    };
    let text = apply(manifest, &[splice]);
    ensure!(
        Manifest::parse(&text)?.named_in(section, name).is_some(),
        "the dependency on {name} was not added"
    );
    Ok(Some(text))
}

/// Returns whether a workspace manifest has `situ` in `[workspace.dependencies]`.
pub fn is_in_workspace(manifest: &str) -> bool {
    let document = Document::parse(manifest).ok();
    let dependencies = document
        .as_ref()
        .and_then(|document| document.get("workspace")?.get("dependencies"));
    dependencies.is_some_and(|dependencies| dependencies.get("situ").is_some())
}

/// Returns whether a manifest takes `situ` from the registry.
pub fn takes_from_registry(manifest: &str) -> bool {
    let Ok(document) = Document::parse(manifest) else {
        return false;
    };
    let elsewhere = ["path", "git", "workspace", "registry"];
    ["dependencies", "dev-dependencies", "dev_dependencies"]
        .iter()
        .any(|section| {
            let situ = document
                .get(section)
                .and_then(|section| section.get("situ"));
            situ.is_some_and(|situ| elsewhere.iter().all(|key| situ.get(key).is_none()))
        })
}

struct Manifest<'t> {
    text: &'t str,
    document: Document<&'t str>,
    ending: &'static str,
}

/// Dependency of a table, in the order of the file: its name, and its byte range from name to
/// value.
struct Entry<'m> {
    name: &'m str,
    range: Range<usize>,
}

fn add_dependency(manifest: &Manifest<'_>, fields: &str) -> Result<Vec<Splice>> {
    if manifest.situ_in("dependencies").is_some() {
        return Ok(Vec::new());
    }
    let line = match fields.strip_prefix("version = ") {
        Some(version) => format!("situ = {version}"),
        None if fields == "workspace = true" => "situ.workspace = true".to_owned(),
        None => format!("situ = {{ {fields} }}"),
    };
    Ok(vec![match manifest.table("dependencies")? {
        Some(header) => manifest.line_in("dependencies", header, "situ", &line),
        None => manifest.new_section("dependencies", &line),
    }])
}

fn add_test_feature(manifest: &Manifest<'_>, fields: &str) -> Result<Vec<Splice>> {
    let normal = manifest.situ_in("dependencies");
    if normal.is_some_and(has_test_feature) {
        return Ok(Vec::new());
    }
    let section = manifest.dev_section();
    if let Some(there) = manifest.situ_in(section) {
        return if has_test_feature(there) {
            Ok(Vec::new())
        } else {
            manifest.complete(section, there)
        };
    }
    let fields = normal
        .and_then(|normal| manifest.source_of(normal))
        .unwrap_or_else(|| fields.to_owned());
    let line = format!("situ = {{ {fields}, features = [\"test\"] }}");
    Ok(vec![match manifest.table(section)? {
        Some(header) => manifest.line_in(section, header, "situ", &line),
        None => manifest.new_section(section, &line),
    }])
}

fn has_test_feature(dependency: &Item) -> bool {
    let features = dependency.get("features").and_then(Item::as_array);
    features.is_some_and(|features| {
        features
            .iter()
            .any(|feature| feature.as_str() == Some("test"))
    })
}

impl<'t> Manifest<'t> {
    fn parse(text: &'t str) -> Result<Manifest<'t>> {
        let document = Document::parse(text).context("reading the manifest")?;
        Ok(Manifest {
            text,
            document,
            ending: dominant_ending(text),
        })
    }

    fn situ_in(&self, section: &str) -> Option<&Item> {
        self.named_in(section, "situ")
    }

    fn named_in(&self, section: &str, name: &str) -> Option<&Item> {
        self.document.get(section)?.as_table_like()?.get(name)
    }

    /// Returns the name of the section for dev-dependencies. Old manifests may write it with an
    /// underscore.
    fn dev_section(&self) -> &'static str {
        if self.document.contains_key("dev_dependencies") {
            "dev_dependencies"
        } else {
            "dev-dependencies"
        }
    }

    /// Returns the byte range of a section's header, or `None` if there is no such section.
    fn table(&self, section: &str) -> Result<Option<Range<usize>>> {
        let Some(item) = self.document.get(section) else {
            return Ok(None);
        };
        let table = item.as_table().filter(|table| !table.is_dotted());
        let table = table.ok_or_else(|| {
            user_error::input(format!(
                "`{section}` has no header of its own; write it as `[{section}]`"
            ))
        })?;
        Ok(table
            .span()
            .filter(|span| !table.is_implicit() && !span.is_empty()))
    }

    /// Returns the dependencies below the header of a section, in the order of the file.
    fn entries(&self, section: &str) -> Vec<Entry<'_>> {
        let table = self.document.get(section).and_then(Item::as_table);
        let own = table
            .into_iter()
            .flat_map(|table| table.iter())
            .filter_map(|(name, item)| {
                let key = table
                    .and_then(|table| table.key(name))
                    .and_then(|key| key.span());
                let range = match item {
                    Item::Value(value) => key?.start..value.span()?.end,
                    Item::Table(inner) if inner.is_dotted() => {
                        let ends = inner
                            .iter()
                            .filter_map(|(_, field)| field.span())
                            .map(|span| span.end)
                            .max();
                        key?.start..ends?
                    }
                    _ => return None,
                };
                Some(Entry { name, range })
            });
        let mut own: Vec<Entry<'_>> = own.collect();
        own.sort_by_key(|entry| entry.range.start);
        own
    }

    /// Returns a splice that adds a line to a section: in alphabetical order if the section is
    /// sorted, at its end otherwise.
    fn line_in(&self, section: &str, header: Range<usize>, name: &str, line: &str) -> Splice {
        let entries = self.entries(section);
        let before = if entries.is_sorted_by_key(|entry| entry.name) {
            entries
                .iter()
                .rev()
                .find(|entry| entry.name < name)
                .map_or(header.end, |entry| entry.range.end)
        } else {
            entries.last().map_or(header.end, |entry| entry.range.end)
        };
        self.line_behind(before, line)
    }

    fn line_behind(&self, end: usize, line: &str) -> Splice {
        let ending = self.ending;
        match self.text[end..].find('\n') {
            Some(newline) => {
                let at = end + newline + 1;
                Splice {
                    range: at..at,
                    text: format!("{line}{ending}"),
                }
            }
            None => Splice {
                range: self.text.len()..self.text.len(),
                text: format!("{ending}{line}"),
            },
        }
    }

    /// Returns a splice that adds a section. `[dependencies]` goes before the dev-dependencies, and
    /// these after `[dependencies]`; otherwise the section goes to the end.
    fn new_section(&self, section: &str, line: &str) -> Splice {
        let ending = self.ending;
        let before = if section == "dependencies" {
            self.table(self.dev_section())
                .ok()
                .flatten()
                .map(|header| header.start)
        } else {
            self.end_of("dependencies")
                .and_then(|end| self.next_header(end))
        };
        if let Some(header) = before {
            let at = self.with_comments(header);
            return Splice {
                range: at..at,
                text: format!("[{section}]{ending}{line}{ending}{ending}"),
            };
        }
        let end = self.text.len();
        let gap = match self.text {
            "" => String::new(),
            text if text.ends_with('\n') => ending.to_owned(),
            _ => format!("{ending}{ending}"),
        };
        Splice {
            range: end..end,
            text: format!("{gap}[{section}]{ending}{line}{ending}"),
        }
    }

    /// Returns the end of the last dependency of a section, including `[dependencies.name]` tables.
    fn end_of(&self, section: &str) -> Option<usize> {
        let item = self.document.get(section)?;
        let mut ends = Vec::new();
        spans(item, &mut ends);
        ends.into_iter().map(|span| span.end).max()
    }

    fn next_header(&self, from: usize) -> Option<usize> {
        let mut headers = Vec::new();
        self.document
            .iter()
            .for_each(|(_, item)| header_spans(item, &mut headers));
        headers.into_iter().filter(|start| *start >= from).min()
    }

    /// Returns the start of the comment lines just above a header.
    fn with_comments(&self, header: usize) -> usize {
        let mut start = line_start(self.text, header);
        while start > 0 {
            let above = line_start(self.text, start - 1);
            if !self.text[above..start].trim_start().starts_with('#') {
                break;
            }
            start = above;
        }
        start
    }

    /// Returns the fields of an inline table that say where an existing dependency is from.
    fn source_of(&self, dependency: &Item) -> Option<String> {
        if let Some(version) = dependency.as_value().filter(|value| value.is_str()) {
            return Some(format!("version = {}", &self.text[version.span()?]));
        }
        let names = [
            "workspace",
            "version",
            "path",
            "git",
            "branch",
            "tag",
            "rev",
            "registry",
            "package",
        ];
        let fields = names.iter().filter_map(|name| {
            let span = dependency.get(name)?.span()?;
            Some(format!("{name} = {}", &self.text[span]))
        });
        let fields: Vec<String> = fields.collect();
        Some(fields.join(", ")).filter(|fields| !fields.is_empty())
    }

    /// Returns splices that add the feature `test` to an existing dependency.
    fn complete(&self, section: &str, dependency: &Item) -> Result<Vec<Splice>> {
        let at = |at: usize, text: &str| Splice {
            range: at..at,
            text: text.to_owned(),
        };
        if let Some(features) = dependency.get("features") {
            let array = features
                .as_array()
                .and_then(|array| Some((array, array.span()?)));
            let (array, span) = array
                .with_context(|| format!("the features of situ in [{section}] are not an array"))?;
            return Ok(vec![match array.iter().last().and_then(Value::span) {
                Some(last) => at(last.end, ", \"test\""),
                None => at(span.start + 1, "\"test\""),
            }]);
        }
        let spans = || {
            let mut found = Vec::new();
            spans(dependency, &mut found);
            found
        };
        let last = spans().into_iter().map(|span| span.end).max();
        let last =
            last.with_context(|| format!("situ in [{section}] has no position in the file"))?;
        Ok(match dependency {
            Item::Value(Value::InlineTable(table)) => {
                let values = table
                    .iter()
                    .filter_map(|(_, value)| value.span())
                    .map(|span| span.end)
                    .max();
                let end = values.context("situ is an empty table")?;
                vec![at(end, ", features = [\"test\"]")]
            }
            Item::Value(value) => {
                let span = value
                    .span()
                    .with_context(|| format!("situ in [{section}] has no position in the file"))?;
                vec![
                    at(span.start, "{ version = "),
                    at(span.end, ", features = [\"test\"] }"),
                ]
            }
            Item::Table(table) if table.is_dotted() => {
                vec![self.line_behind(last, "situ.features = [\"test\"]")]
            }
            _ => vec![self.line_behind(last, "features = [\"test\"]")],
        })
    }
}

/// Collects the byte ranges of all headers and values in an item.
fn spans(item: &Item, found: &mut Vec<Range<usize>>) {
    found.extend(item.span());
    let inner: Option<&dyn TableLike> = item.as_table().map(|table| table as &dyn TableLike);
    inner
        .into_iter()
        .flat_map(|table| table.iter())
        .for_each(|(_, item)| spans(item, found));
}

fn header_spans(item: &Item, found: &mut Vec<usize>) {
    match item {
        Item::Table(table) => {
            found.extend(
                table
                    .span()
                    .filter(|span| !span.is_empty() && !table.is_dotted())
                    .map(|span| span.start),
            );
            table.iter().for_each(|(_, item)| header_spans(item, found));
        }
        Item::ArrayOfTables(tables) => {
            for table in tables {
                found.extend(table.span().map(|span| span.start));
                table.iter().for_each(|(_, item)| header_spans(item, found));
            }
        }
        _ => {}
    }
}

fn quoted(text: &str) -> String {
    if text.contains(['"', '\\']) {
        format!("'{text}'")
    } else {
        format!("\"{text}\"")
    }
}

/// Returns the relative path from one folder to another, or `None` between two drives.
fn relative(from: &Path, to: &Path) -> Option<PathBuf> {
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (from.components().collect(), to.components().collect());
    let shared = from
        .iter()
        .zip(&to)
        .take_while(|(one, other)| one == other)
        .count();
    if shared == 0 {
        return None;
    }
    let up = std::iter::repeat_n(Component::ParentDir, from.len() - shared);
    let path: PathBuf = up.chain(to[shared..].iter().copied()).collect();
    Some(if path.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        path
    })
}
