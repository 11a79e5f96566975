//! `#[rstest]` with named cases.

use super::{Emitting, Parameterized};
use crate::cargo::manifest::Dependency;

/// The dependency of such tests. Without the default features, which are for timeouts and for
/// renaming the crate, half as many crates are compiled.
pub const RSTEST: Dependency = Dependency::Published {
    name: "rstest",
    version: "0.28",
    has_default_features: false,
};

/// Returns the text of a test.
pub(super) fn text(emitting: &Emitting<'_>, test: &Parameterized) -> String {
    let table = &emitting.made.tables[emitting.made.targets[test.target].table];
    let names = emitting.parameters(test);
    let mut lines = vec![emitting.comment(test), "#[rstest::rstest]".to_owned()];
    for case in emitting.cases(test) {
        lines.push(format!(
            "#[case::{}({})]",
            case.name,
            case.values.join(", ")
        ));
    }
    lines.extend(test.is_negative.then(|| "#[should_panic]".to_owned()));
    lines.extend(emitting.attributes(test.target));
    let parameters: Vec<String> = names
        .iter()
        .zip(&table.types)
        .map(|(name, of_type)| format!("#[case] {name}: {of_type}"))
        .collect();
    let (before, behind) = emitting.frame(test.target);
    let statements = emitting.statements(test, &names);
    // A test that should panic returns nothing.
    let (behind, statements) = match test.is_negative && !behind.is_empty() {
        true if before.is_empty() => (
            String::new(),
            format!("let run = ||{behind} {{\n{statements}\n}};\nrun().unwrap();"),
        ),
        true => (
            String::new(),
            format!(
                "let outcome: Result<_, _> = async {{\n{statements}\n}}.await;\noutcome.unwrap();"
            ),
        ),
        false => (behind, statements),
    };
    lines.push(format!(
        "{before}fn {}({}){behind} {{",
        test.name,
        parameters.join(", ")
    ));
    lines.push(statements);
    lines.push("}".to_owned());
    lines.join("\n")
}
