//! `cargo situ recordings`: shows, merges and removes recordings.

use crate::arguments::Common;
use crate::exit::Exit;
use crate::output::{print_line, warn_of_losses};
use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use serde_json::json;
use situ_engine::base::user_error;
use situ_engine::base::words::count;
use situ_engine::cargo::workspace::Workspace;
use situ_engine::record::merge;
use situ_engine::record::read::{RecordedSite, Recording, open, read};
use situ_engine::record::show::{Table, table_with_calls};
use situ_engine::record::{recording_folder, recordings_folder};
use std::fs;
use std::path::{Path, PathBuf};

const EXAMPLE: &str = "Examples:
  cargo situ recordings                     # list the recordings
  cargo situ recordings show                # every statement, with its number of executions
  cargo situ recordings show src/lib.rs:40  # inputs and outputs at a line
  cargo situ recordings show parse          # in functions of that name
  cargo situ recordings merge ../elsewhere  # copy recordings made elsewhere into `latest`
  cargo situ recordings prune old           # remove the recording `old`";

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub struct Options {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Subcommand)]
enum What {
    /// Print recorded values
    Show {
        /// A function, a file, or `file:line`; without it everything
        place: Option<String>,
        /// Name of the recording
        #[arg(long, default_value = "latest")]
        name: String,
        /// Maximum number of rows for a statement
        #[arg(long, default_value_t = 12)]
        rows: usize,
    },
    /// Copy recordings from other folders into one
    Merge {
        /// Folders with recordings, or names of recordings
        #[arg(required = true)]
        from: Vec<PathBuf>,
        /// Name of the recording to merge into
        #[arg(long, default_value = "latest")]
        into: String,
    },
    /// Remove recordings
    Prune {
        /// Names of the recordings; without them all
        names: Vec<String>,
    },
}

pub fn run(options: &Options) -> Result<Exit> {
    let workspace = options.common.workspace()?;
    let folder = recordings_folder(&workspace);
    let json = options.common.json;
    match &options.what {
        None => list(&folder, json),
        Some(What::Show { place, name, rows }) => show(
            &workspace,
            &recording_folder(&workspace, name)?,
            place.as_deref(),
            *rows,
            json,
        ),
        Some(What::Merge { from, into }) => merge(
            &folder,
            &recording_folder(&workspace, into)?,
            from,
            into,
            json,
        ),
        Some(What::Prune { names }) => prune(&folder, names, json),
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = folders
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn list(folder: &Path, json: bool) -> Result<Exit> {
    let names = names_in(folder);
    for name in &names {
        let recording = read(&folder.join(name));
        warn_of_losses(&recording.lost);
        let sets: usize = recording.sites.values().map(|site| site.sets.len()).sum();
        let statements = recording.statements().count();
        if json {
            print_line(&format!(
                "{}",
                json!({ "name": name, "statements": statements, "value_sets": sets, "files": recording.files })
            ));
        } else {
            let (statements, sets) = (count(statements, "statement"), count(sets, "value set"));
            print_line(&format!(
                "{name}: {statements}, {sets}, {}",
                count(recording.files, "file")
            ));
        }
    }
    finish(json, json!({ "recordings": names.len() }));
    if !json && names.is_empty() {
        print_line("no recordings yet: make one with `cargo situ record`");
    }
    Ok(Exit::Done)
}

fn finish(json: bool, summary: serde_json::Value) {
    if json {
        print_line(&format!(
            "{}",
            json!({ "verb": "recordings", "summary": summary })
        ));
    }
}

fn opened(folder: &Path) -> Result<Recording> {
    let recording = open(folder)?;
    warn_of_losses(&recording.lost);
    Ok(recording)
}

fn show(
    workspace: &Workspace,
    folder: &Path,
    place: Option<&str>,
    rows: usize,
    json: bool,
) -> Result<Exit> {
    let recording = opened(folder)?;
    let mut sites: Vec<&RecordedSite> = recording
        .sites
        .values()
        .filter(|site| site.site.position.has_values())
        .filter(|site| place.is_none_or(|place| is_meant(site, place)))
        .collect();
    sites.sort_by_key(|site| (site.site.file.clone(), site.site.line));
    if sites.is_empty() {
        let place = place.unwrap_or("anything");
        return Err(user_error::input(format!(
            "nothing was recorded at `{place}`; `cargo situ recordings show` lists all"
        )));
    }
    let sets: usize = sites.iter().map(|site| site.sets.len()).sum();
    for site in &sites {
        let table = table_with_calls(site, &recording, workspace);
        if json {
            print_line(&serde_json::to_string(&table).context("writing a table")?);
        } else if place.is_none() && sites.len() > 8 {
            print_line(&format!(
                "{}:{}: {} · {}, {}",
                table.file,
                table.line,
                table.text,
                count(table.hits, "hit"),
                count(table.sets, "value set")
            ));
        } else {
            print_table(&table, rows);
        }
    }
    finish(json, json!({ "sites": sites.len(), "value_sets": sets }));
    Ok(Exit::Done)
}

fn is_meant(site: &RecordedSite, place: &str) -> bool {
    if let Some((file, line)) = place.rsplit_once(':')
        && let Ok(line) = line.parse::<usize>()
    {
        return site.site.line == line && Path::new(&site.site.file).ends_with(file);
    }
    Path::new(&site.site.file).ends_with(place)
        || site.site.function == place
        || site.site.function.ends_with(&format!("::{place}"))
        || site.site.function.split("::").any(|part| part == place)
}

fn print_table(table: &Table, rows: usize) {
    print_line(&format!(
        "{}:{} in {} ({})",
        table.file, table.line, table.function, table.position
    ));
    print_line(&format!("    {}", table.text));
    let (hits, sets) = (count(table.hits, "hit"), count(table.sets, "value set"));
    print_line(&format!("    {hits}, {sets}, {} exact", table.exact));
    for row in table.rows.iter().take(rows) {
        let times = if row.count > 1 {
            format!("  ×{}", row.count)
        } else {
            String::new()
        };
        print_line(&format!(
            "      {} → {}{times}",
            row.inputs.join(", "),
            row.outputs.join(", ")
        ));
        row.calls
            .iter()
            .for_each(|call| print_line(&format!("          calls {call}")));
    }
    if table.rows.len() > rows {
        print_line(&format!("      … and {} more", table.rows.len() - rows));
    }
    print_line("");
}

fn merge(folder: &Path, target: &Path, from: &[PathBuf], into: &str, json: bool) -> Result<Exit> {
    let found = |source: &PathBuf| {
        if source.is_dir() {
            source.clone()
        } else {
            folder.join(source)
        }
    };
    let sources: Vec<PathBuf> = from.iter().map(found).collect();
    let merged = merge::merge(&sources, target)?;
    if !json && merged.files > 0 {
        print_line(&format!(
            "{} merged into `{into}`",
            count(merged.files, "file")
        ));
    }
    finish(
        json,
        json!({ "files": merged.files, "left_out": merged.left_out.len() }),
    );
    if merged.left_out.is_empty() {
        return Ok(Exit::Done);
    }
    let reasons: Vec<String> = merged.left_out.iter().map(ToString::to_string).collect();
    let what = if merged.files == 0 {
        "nothing was merged"
    } else {
        "not everything was merged"
    };
    Err(user_error::input(format!("{what}: {}", reasons.join("; "))))
}

fn prune(folder: &Path, names: &[String], json: bool) -> Result<Exit> {
    let known = names_in(folder);
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        return Err(user_error::input(format!(
            "there is no recording `{unknown}`; there are: {}",
            known.join(", ")
        )));
    }
    let removed = if names.is_empty() { &known } else { names };
    for name in removed {
        fs::remove_dir_all(folder.join(name))
            .with_context(|| format!("removing the recording {name}"))?;
    }
    if !json {
        print_line(&format!("{} removed", count(removed.len(), "recording")));
    }
    finish(json, json!({ "removed": removed.len() }));
    Ok(Exit::Done)
}
