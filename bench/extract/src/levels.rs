//! How long the tests of each step of the reduction run: written into the subject, run, taken back.

use bench_subjects::{Prepared, in_folder};
use serde_json::{Value, json};
use situ_engine::base::process;
use situ_engine::cargo::workspace::cargo;
use std::path::Path;
use std::time::Duration;

/// Level → number of tests and seconds of their run, without compilation. `again` extracts with more options.
pub fn measure(subject: &Prepared, again: &dyn Fn(&[&str]) -> Value, limit: Duration) -> Value {
    let Ok(folder) = &subject.folder else {
        return Value::Null;
    };
    let mut levels = json!({});
    for level in ["base", "coverage", "mutants"] {
        let summary = again(&["--keep", level, "--write"]);
        levels[level] = match summary.get("failure") {
            Some(failure) => json!({ "failure": failure }),
            None => {
                let seconds = run_seconds(folder, limit);
                let _ = again(&["--undo"]);
                json!({ "tests": summary["tests"], "run_seconds": seconds })
            }
        };
    }
    levels
}

/// What the test runners say of their own time, the second time they run.
fn run_seconds(folder: &Path, limit: Duration) -> Option<f64> {
    let mut said = String::new();
    for _ in 0..2 {
        let mut command = in_folder(cargo(), folder);
        command.args(["test", "--tests", "situ_"]);
        let finished = process::run(&mut command, Some(limit)).ok()?;
        if !finished.status.success() {
            return None;
        }
        said = finished.stdout;
    }
    Some(said.lines().filter_map(finished_in).sum())
}

fn finished_in(line: &str) -> Option<f64> {
    let (_, after) = line
        .strip_prefix("test result:")?
        .rsplit_once("finished in ")?;
    after.trim_end().strip_suffix('s')?.parse().ok()
}
