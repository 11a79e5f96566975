//! `#[theory]` with data points.

use super::{Emitting, Parameterized};

/// Returns the theory with its data points, or `None` for a failing assertion in a test with other
/// attributes.
pub(super) fn text(emitting: &Emitting<'_>, test: &Parameterized) -> Option<String> {
    let target = &emitting.made.targets[test.target];
    let of = &emitting.material.tests[target.test].test;
    if test.is_negative && (!of.is_plain() || of.gives_result()) {
        return None;
    }
    let table = &emitting.made.tables[target.table];
    let names = emitting.parameters(test);
    let points = points_of(&test.name);
    let (of_type, pattern) = match (table.kept_types.as_slice(), names.as_slice()) {
        ([of_type], [name]) => (of_type.clone(), name.clone()),
        (types, names) => (
            format!("({})", types.join(", ")),
            format!("({})", names.join(", ")),
        ),
    };
    let mut lines = vec![
        emitting.comment(test),
        format!("#[situ::datapoints({:?})]", test.name),
        // An array, because a crate without the standard library has no vectors.
        format!("fn {points}() -> [{of_type}; {}] {{", test.rows.len()),
        "[".to_owned(),
    ];
    for case in emitting.cases(test) {
        let values = if case.values.len() == 1 {
            case.values.concat()
        } else {
            format!("({})", case.values.join(", "))
        };
        lines.push(format!("{values},"));
    }
    lines.extend(["]".to_owned(), "}".to_owned(), String::new()]);
    lines.push("#[situ::theory]".to_owned());
    lines.extend(emitting.attributes(test.target));
    let (before, behind) = emitting.frame(test.target);
    lines.push(format!(
        "{before}fn {}(#[from({:?})] {pattern}: {of_type}){behind} {{",
        test.name, test.name
    ));
    let statements = emitting.statements(test, &names);
    lines.push(match test.is_negative {
        true => claimed_to_fail(&statements),
        false => statements,
    });
    lines.push("}".to_owned());
    Some(lines.join("\n"))
}

/// Returns the name of the function with the data points of a theory.
pub(crate) fn points_of(theory: &str) -> String {
    format!("arguments_of_{theory}")
}

/// Wraps statements that must panic. A theory runs all its data points, so each of them must panic.
fn claimed_to_fail(statements: &str) -> String {
    format!(
        "let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {{\n{statements}\n}}));\n\
         assert!(outcome.is_err());"
    )
}
