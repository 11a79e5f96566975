//! Recorded values, for searches to start from.

use crate::cargo::workspace::Workspace;
use crate::record::plan::Phase;
use crate::record::read::{self, Recording};
use crate::record::recordings_folder;
use situ_recorder::explore::Sketch;
use situ_recorder::value::Value;
use std::collections::BTreeSet;
use std::fs;

/// The maximum length of a value; longer ones are slow to mutate and to read.
const LONGEST: usize = 4_000;
const MOST: usize = 2_000;

/// Returns a line for each recorded value and each row of values, shortest first.
pub(crate) fn lines(workspace: &Workspace) -> String {
    let mut lines: BTreeSet<(usize, String)> = BTreeSet::new();
    // Each recording has a folder of its own, by its name.
    let folders = fs::read_dir(recordings_folder(workspace))
        .into_iter()
        .flatten()
        .flatten();
    let recordings: Vec<Recording> = folders.map(|folder| read::read(&folder.path())).collect();
    for site in recordings
        .iter()
        .flat_map(|recording| recording.sites.values())
    {
        for set in &site.sets {
            let inputs = site.values(set, Phase::Before);
            let sketches: Option<Vec<Sketch>> =
                inputs.iter().map(|(_, value)| sketch(value)).collect();
            let row = sketches.map(|parts| Sketch::Node(String::new(), parts));
            let single = inputs.iter().filter_map(|(_, value)| sketch(value));
            for sketch in single.chain(row) {
                let mut line = String::new();
                sketch.write(&mut line);
                lines.insert((line.len(), line));
            }
        }
    }
    let short = lines
        .into_iter()
        .filter(|(length, _)| *length <= LONGEST)
        .take(MOST);
    short.map(|(_, line)| line + "\n").collect()
}

/// Converts a value, or returns `None` if it cannot be constructed.
fn sketch(value: &Value) -> Option<Sketch> {
    let all = |values: &[Value]| values.iter().map(sketch).collect::<Option<Vec<_>>>();
    Some(match value {
        Value::Unit => Sketch::Node(String::new(), Vec::new()),
        Value::Bool(value) => Sketch::Int(i128::from(*value)),
        Value::Int { bits, .. } => Sketch::Int(*bits as i128),
        Value::Float { double: true, bits } => Sketch::Float(f64::from_bits(*bits)),
        Value::Float { bits, .. } => Sketch::Float(f64::from(f32::from_bits(*bits as u32))),
        Value::Char(one) => Sketch::Int(i128::from(u32::from(*one))),
        Value::Str(text) => Sketch::Text(text.clone()),
        Value::Ref { inner, .. } => sketch(inner)?,
        Value::Tuple(parts) => Sketch::Node(String::new(), all(parts)?),
        Value::Seq { items, .. } => Sketch::List(all(items)?),
        Value::Struct {
            variant, fields, ..
        } => {
            let fields = fields
                .iter()
                .map(|(_, value)| sketch(value))
                .collect::<Option<Vec<_>>>()?;
            Sketch::Node(variant.clone().unwrap_or_default(), fields)
        }
        Value::Built { head, args, .. } => {
            let name = head.rsplit("::").next().unwrap_or_default();
            Sketch::Node(name.to_owned(), all(args)?)
        }
        Value::Parsed { .. }
        | Value::Debug { .. }
        | Value::Opaque { .. }
        | Value::Cut { .. }
        | Value::Withheld
        | Value::Refused(_) => {
            return None;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::sketch;
    use situ_recorder::explore::Sketch;
    use situ_recorder::value::Value;

    #[test]
    fn what_cannot_be_rebuilt_has_no_sketch() {
        let number = Value::Int {
            type_name: "i8",
            bits: -3_i128 as u128,
        };
        assert_eq!(sketch(&number), Some(Sketch::Int(-3)));
        assert_eq!(
            sketch(&Value::Tuple(vec![number.clone(), Value::Withheld])),
            None
        );
        let text = Value::Built {
            type_name: "String".into(),
            head: "String::from".into(),
            args: vec![Value::Str("a".into())],
            tail: String::new(),
        };
        assert_eq!(
            sketch(&text),
            Some(Sketch::Node("from".into(), vec![Sketch::Text("a".into())]))
        );
        let referred = Value::Ref {
            mutable: false,
            inner: Box::new(number),
        };
        assert_eq!(sketch(&referred), Some(Sketch::Int(-3)));
    }
}
