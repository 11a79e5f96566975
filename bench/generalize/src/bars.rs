//! The bars that generalization is held to, pooled over all subjects, and the subjects that miss them.

use crate::tables::number;
use bench_subjects::Row;
use std::fmt::Write as _;

/// A share of something, and how it is held against its bar.
struct Bar {
    name: &'static str,
    part: &'static str,
    whole: &'static str,
    holds: fn(f64) -> bool,
}

const BARS: [Bar; 5] = [
    Bar {
        name: "tests with candidates, at least 60 %",
        part: "tests_with_candidates",
        whole: "tests_considered",
        holds: |share| share >= 0.6,
    },
    Bar {
        name: "ill-formed, at most 5 %",
        part: "ill_formed",
        whole: "candidates",
        holds: |share| share <= 0.05,
    },
    Bar {
        name: "tests that become general, at least 25 %",
        part: "tests_generalized",
        whole: "tests_considered",
        holds: |share| share >= 0.25,
    },
    Bar {
        name: "new tests that clippy tells of, none",
        part: "told_by_clippy",
        whole: "emitted",
        holds: |share| share == 0.0,
    },
    Bar {
        name: "runs with the new tests that pass, all",
        part: "runs_passed",
        whole: "runs",
        holds: |share| share >= 1.0,
    },
];

/// Each bar with what was reached and who misses it.
pub fn bars(rows: &[Row]) -> String {
    let measured: Vec<&Row> = rows.iter().filter(|row| row.summary.is_some()).collect();
    let mut text = format!(
        "- subjects measured: {} of {}\n",
        measured.len(),
        rows.len()
    );
    for row in rows {
        if let Some(failure) = &row.failure {
            let _ = writeln!(text, "  - {}: {failure}", row.name);
        }
    }
    for bar in BARS {
        let share = |rows: &[&Row]| {
            let sum = |key: &str| rows.iter().map(|row| number(row, key)).sum::<f64>();
            (sum(bar.whole) > 0.0).then(|| sum(bar.part) / sum(bar.whole))
        };
        let Some(pooled) = share(&measured) else {
            continue;
        };
        let verdict = if (bar.holds)(pooled) {
            "reached"
        } else {
            "missed"
        };
        let missing = measured
            .iter()
            .filter(|row| share(&[**row]).is_some_and(|share| !(bar.holds)(share)));
        let missing: Vec<String> = missing
            .map(|row| {
                format!(
                    "{} {:.0} %",
                    row.name,
                    100.0 * share(&[*row]).unwrap_or(0.0)
                )
            })
            .collect();
        let missing = if missing.is_empty() {
            "none".to_owned()
        } else {
            missing.join(", ")
        };
        let _ = writeln!(
            text,
            "- {}: {:.1} %, {verdict}; alone it is missed by: {missing}",
            bar.name,
            100.0 * pooled
        );
    }
    text
}
