//! Tables of the values that were recorded at a site, for people.

use super::plan::{Phase, Site};
use super::read::{RecordedCall, RecordedSite, Recording, exit_in_words, leaving_in_words};
use crate::base::shortened::shortened;
use crate::cargo::workspace::Workspace;
use crate::values::{TestModule, TypeTable, expression};
use serde::Serialize;
use situ_recorder::recording::ValueSet;
use situ_recorder::value::{Loss, ONLY_VALUE, Value};

/// Maximum number of chars of a value in a table.
const LONGEST: usize = 72;

/// Recorded values of a site.
#[derive(Clone, Debug, Serialize)]
#[allow(
    missing_docs,
    reason = "each is a key of the JSON, which the book describes"
)]
pub struct Table {
    pub file: String,
    pub line: usize,
    pub function: String,
    pub position: String,
    pub kind: String,
    pub text: String,
    pub hits: u64,
    pub sets: usize,
    pub exact: usize,
    pub rows: Vec<Row>,
}

/// Row of a table, for all value sets that look alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// `name = value` of each input.
    pub inputs: Vec<String>,
    /// `name = value` of each output, or how the execution ended.
    pub outputs: Vec<String>,
    /// Outgoing calls in order, each as `text = value`.
    pub calls: Vec<String>,
    /// Number of value sets that look like this; they differ in the branches taken.
    pub count: usize,
}

impl Row {
    fn looks_like(&self, other: &Row) -> bool {
        self.inputs == other.inputs && self.outputs == other.outputs && self.calls == other.calls
    }
}

/// Returns the table of a site without its outgoing calls.
pub fn table(recorded: &RecordedSite, workspace: &Workspace) -> Table {
    table_with_calls(recorded, &Recording::default(), workspace)
}

/// Returns the table of a site with the outgoing calls of its recording.
pub fn table_with_calls(
    recorded: &RecordedSite,
    recording: &Recording,
    workspace: &Workspace,
) -> Table {
    let site = &recorded.site;
    let shown = Shown {
        here: here(site, workspace),
        types: TypeTable::for_display(),
    };
    let mut rows: Vec<Row> = Vec::new();
    for set in &recorded.sets {
        let mut row = shown.row(recorded, set);
        row.calls = recording
            .calls(set)
            .iter()
            .map(|call| shown.call(call))
            .collect();
        match rows.iter_mut().find(|known| known.looks_like(&row)) {
            Some(known) => known.count += 1,
            None => rows.push(row),
        }
    }
    Table {
        file: site.file.clone(),
        line: site.line,
        function: site.function.clone(),
        position: site.position.name().to_owned(),
        kind: site.kind.clone(),
        text: site.text.clone(),
        hits: recorded.hits,
        sets: recorded.sets.len(),
        exact: recorded
            .sets
            .iter()
            .filter(|set| recorded.is_exact(set))
            .count(),
        rows,
    }
}

/// Returns the module in which a generated test of the site would be.
pub fn here(site: &Site, workspace: &Workspace) -> TestModule {
    let package = workspace
        .all_packages()
        .into_iter()
        .find(|package| *package.name == site.package);
    let library = package.and_then(|package| {
        let file = workspace.root().join(&site.file);
        let mut targets = package.targets.iter().filter(|target| {
            target
                .src_path
                .parent()
                .is_some_and(|folder| file.starts_with(folder.as_std_path()))
        });
        targets.next().map(|target| target.name.replace('-', "_"))
    });
    TestModule {
        krate: library.unwrap_or_else(|| site.package.replace('-', "_")),
        module: site.module.clone(),
        ..TestModule::default()
    }
}

struct Shown {
    here: TestModule,
    types: TypeTable,
}

impl Shown {
    fn row(&self, recorded: &RecordedSite, set: &ValueSet) -> Row {
        let inputs = recorded.values(set, Phase::Before);
        let inputs = inputs
            .into_iter()
            .map(|(name, value)| format!("{name} = {}", self.value(value)))
            .collect();
        let mut outputs: Vec<String> = Vec::new();
        let items = recorded.values(set, Phase::Item);
        if !items.is_empty() {
            // One element per iteration of the loop; a tuple if its pattern binds several
            // variables.
            let bound = recorded
                .site
                .slots
                .iter()
                .filter(|slot| slot.phase == Phase::Item)
                .count()
                .max(1);
            let texts: Vec<String> = items
                .chunks(bound)
                .map(|element| self.element(element))
                .collect();
            outputs.push(shortened(
                &format!("items = [{}]", texts.join(", ")),
                LONGEST,
            ));
        }
        for (name, value) in recorded.outputs(set) {
            if !items.iter().any(|(item, _)| *item == name) {
                outputs.push(format!("{name} = {}", self.value(value)));
            }
        }
        let left = match (&set.left, recorded.left_value(set)) {
            (Some(leaving), Some(value)) => {
                format!("{} {}", leaving_in_words(leaving), self.value(value))
            }
            (Some(leaving), None) => leaving_in_words(leaving),
            (None, _) => exit_in_words(&set.exit),
        };
        if !left.is_empty() {
            outputs.push(left);
        }
        if outputs.is_empty() {
            outputs.push("()".to_owned());
        }
        Row {
            inputs,
            outputs,
            calls: Vec::new(),
            count: 1,
        }
    }

    /// Formats a call as `std::env::var(key) = Ok(…)`, with the values of its operands.
    fn call(&self, call: &RecordedCall<'_>) -> String {
        let inputs = call.call.slots.iter().filter_map(|(slot, value)| {
            let slot = call.site.slots.get(*slot as usize)?;
            (slot.phase == Phase::Before).then(|| format!("{} = {}", slot.key, self.value(value)))
        });
        let inputs: Vec<String> = inputs.collect();
        let with = if inputs.is_empty() {
            String::new()
        } else {
            format!(" with {}", inputs.join(", "))
        };
        let mut outputs: Vec<String> = call
            .result()
            .map(|value| self.value(value))
            .into_iter()
            .collect();
        outputs.extend(
            call.changes()
                .iter()
                .map(|(name, value)| format!("{name} = {}", self.value(value))),
        );
        outputs.extend(Some(exit_in_words(&call.call.exit)).filter(|words| !words.is_empty()));
        format!("{}{with} → {}", call.site.text, outputs.join(", "))
    }

    fn element(&self, parts: &[(&str, &Value)]) -> String {
        let texts: Vec<String> = parts.iter().map(|(_, value)| self.value(value)).collect();
        if texts.len() == 1 {
            texts[0].clone()
        } else {
            format!("({})", texts.join(", "))
        }
    }

    fn value(&self, value: &Value) -> String {
        let text = expression(value, &self.here, &self.types).unwrap_or_else(|_| described(value));
        shortened(&text.replace("crate::", ""), LONGEST)
    }
}

/// Describes a value that has no expression.
fn described(value: &Value) -> String {
    match value.behind_references() {
        Value::Debug { text, .. } => text.clone(),
        Value::Opaque { type_name, .. } => {
            let behind = type_name.trim_start_matches('&').trim_start_matches("mut ");
            format!("<{}>", without_modules(behind))
        }
        Value::Built {
            type_name, head, ..
        } if head == ONLY_VALUE => format!("<{}>", without_modules(type_name)),
        Value::Cut { .. } => "<too large>".to_owned(),
        Value::Withheld => "<withheld>".to_owned(),
        Value::Refused(_) => "<refused>".to_owned(),
        Value::Struct {
            type_name,
            variant,
            fields,
            ..
        } => {
            let name = variant.as_deref().unwrap_or_else(|| last_word(type_name));
            let fields: Vec<String> = fields
                .iter()
                .map(|(field, value)| format!("{field}: {}", described(value)))
                .collect();
            format!("{name} {{ {} }}", fields.join(", "))
        }
        // Shows the parts of a value that are not secret.
        Value::Tuple(items) if value.loss() == Some(Loss::Withheld) => {
            format!("({})", described_all(items))
        }
        Value::Seq { items, .. } if value.loss() == Some(Loss::Withheld) => {
            format!("[{}]", described_all(items))
        }
        Value::Built { args, .. }
            if args
                .iter()
                .any(|arg| *arg.behind_references() == Value::Withheld) =>
        {
            "<withheld>".to_owned()
        }
        other => expression(other, &TestModule::default(), &TypeTable::for_display())
            .unwrap_or_else(|_| "<partly unknown>".to_owned()),
    }
}

fn described_all(values: &[Value]) -> String {
    values.iter().map(described).collect::<Vec<_>>().join(", ")
}

/// Returns a type's name with only the last segment of each path: `Box<dyn Read>`.
fn without_modules(type_name: &str) -> String {
    let is_path = |char: char| char.is_alphanumeric() || char == '_' || char == ':';
    let words = type_name.split_inclusive(|char: char| !is_path(char));
    words
        .map(|word| word.rsplit("::").next().unwrap_or(word))
        .collect()
}

fn last_word(type_name: &str) -> &str {
    let path = type_name.split('<').next().unwrap_or(type_name);
    path.rsplit("::").next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_types_are_shown_without_their_modules() {
        let names = [
            ("alloc::boxed::Box<dyn std::io::Read>", "Box<dyn Read>"),
            ("&mut core::fmt::Formatter<'_>", "&mut Formatter<'_>"),
            ("(far::Point, u8)", "(Point, u8)"),
        ];
        for (name, shown) in names {
            assert_eq!(without_modules(name), shown);
        }
    }
}
