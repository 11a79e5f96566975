//! `#[theory]` with data points.

use super::{Emitting, Parameterized};

/// The text of a theory and its data points; none for tests that need a runtime, and for those that say what fails.
pub fn text(emitting: &Emitting<'_>, test: &Parameterized) -> Option<String> {
    let target = &emitting.made.targets[test.target];
    let of = &emitting.material.tests[target.test].test;
    if !of.is_plain() || of.gives_result() || test.is_negative {
        return None;
    }
    let table = &emitting.made.tables[target.table];
    let names = emitting.parameters(test);
    let points = format!("arguments_of_{}", test.name);
    let (of_type, pattern) = match (table.kept_types.as_slice(), names.as_slice()) {
        ([of_type], [name]) => (of_type.clone(), name.clone()),
        (types, names) => (format!("({})", types.join(", ")), format!("({})", names.join(", "))),
    };
    let mut lines = vec![
        emitting.comment(test),
        format!("#[situ::datapoints({:?})]", test.name),
        format!("fn {points}() -> Vec<{of_type}> {{"),
        "vec![".to_owned(),
    ];
    for (_, values) in emitting.cases(test) {
        let values = if values.len() == 1 { values.concat() } else { format!("({})", values.join(", ")) };
        lines.push(format!("{values},"));
    }
    lines.extend(["]".to_owned(), "}".to_owned(), String::new()]);
    lines.push("#[situ::theory]".to_owned());
    lines.extend(emitting.attributes(test));
    lines.push(format!("fn {}(#[from({:?})] {pattern}: {of_type}) {{", test.name, test.name));
    lines.push(emitting.statements(test, &names));
    lines.push("}".to_owned());
    Some(lines.join("\n"))
}
