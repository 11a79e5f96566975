//! The table of the mutants of another tool.

use crate::numbers::{Foreign, share, whole};
use bench_subjects::{Row, markdown};

/// A line for each subject that was judged so, and one for all.
pub fn table(rows: &[Row]) -> String {
    const TITLES: [&str; 10] = [
        "subject",
        "mutants",
        "not compiling",
        "extracted",
        "unit tests",
        "both",
        "survivors killed",
        "not made by Situ",
        "of these extracted",
        "of these unit tests",
    ];
    let mut cells = vec![TITLES.map(str::to_owned).to_vec()];
    for row in rows {
        let Some(found) = row
            .summary
            .as_ref()
            .and_then(|summary| summary.get("foreign"))
        else {
            continue;
        };
        cells.push(match found["failure"].as_str() {
            Some(failure) => vec![row.name.clone(), failure.to_owned()],
            None => line(&row.name, &[row]),
        });
    }
    let told = match cells.len() {
        1 => "Nothing was measured.\n".to_owned(),
        _ => {
            cells.push(line("all", &rows.iter().collect::<Vec<_>>()));
            markdown(&cells)
        }
    };
    format!("### Mutants of another tool\n\n{told}")
}

fn line(name: &str, rows: &[&Row]) -> Vec<String> {
    let (all, new) = (
        Foreign::of(rows.iter().copied()),
        Foreign::new_ones(rows.iter().copied()),
    );
    vec![
        name.to_owned(),
        whole(all.mutants),
        whole(all.not_compiling),
        share(all.by_extracted, all.mutants),
        share(all.by_unit, all.mutants),
        share(all.by_either, all.mutants),
        share(all.by_either - all.by_unit, all.mutants - all.by_unit),
        whole(new.mutants),
        share(new.by_extracted, new.mutants),
        share(new.by_unit, new.mutants),
    ]
}
