//! `cargo situ mutants` from end to end, on copies of the crates under `testdata`.

use crate::project::{Project, Ran, schema};
use serde_json::Value;
use std::path::Path;

/// The mutants on that line that put this in.
fn found<'a>(ran: &'a Ran, line: usize, replacement: &str) -> Vec<&'a Value> {
    let here = |mutant: &&Value| {
        mutant["file"] == "src/lib.rs"
            && mutant["line"] == line
            && mutant["replacement"] == replacement
    };
    ran.lines.iter().filter(here).collect()
}

/// The line of the test crate's library on which this text stands.
fn line_of(project: &Project, text: &str) -> usize {
    let source = project.read("src/lib.rs");
    source
        .lines()
        .position(|line| line.contains(text))
        .expect(text)
        + 1
}

#[test]
fn every_kind_of_mutant_gets_its_verdict_and_the_tree_stays_untouched() {
    let project = Project::copy("mutants");
    let before = project.snapshot();
    let ran = project.situ(&["mutants", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(project.snapshot(), before, "only target may change");
    let expect = |text: &str, replacement: &str, wanted: &str, how: Option<&str>| {
        let found = found(&ran, line_of(&project, text), replacement);
        assert_eq!(found.len(), 1, "{text} -> {replacement}");
        assert_eq!(found[0]["status"], wanted, "{text} -> {replacement}");
        assert!(
            how.is_none() || found[0]["how"].as_str() == how,
            "{text} -> {replacement}: {}",
            found[0]["how"]
        );
    };
    expect("age >= 18", "age > 18", "killed", Some("failed"));
    expect("age > 65", "age >= 65", "survived", None);
    expect("    x + 1", "x - 1", "unreached", None);
    expect("n -= 1", "n += 1", "timed_out", Some("fuel"));
    expect("1 + depth", "n + 1", "killed", Some("stack overflow"));
    expect("taken += 1;", "", "killed", Some("out of memory"));
    expect("x * 2 + 1", "(x * 2) - 1", "killed", None);
    expect("0 => continue", "break", "survived", None);
    expect("check(seen)?", "let _ = check(seen);", "killed", None);
    expect("x * 3", "x + 3", "killed", None);
    let elsewhere = ran
        .lines
        .iter()
        .filter(|mutant| mutant["function"] == "elsewhere")
        .count();
    assert_eq!(
        elsewhere, 0,
        "what the configuration leaves out is no mutant"
    );
    let doctest = found(&ran, line_of(&project, "x * 2 + 1"), "(x * 2) - 1");
    assert!(
        doctest[0]["killed_by"][0]
            .as_str()
            .unwrap()
            .starts_with("doctest"),
        "{}",
        doctest[0]
    );
    let program: Vec<&Value> = ran
        .lines
        .iter()
        .filter(|mutant| mutant["file"] == "src/main.rs")
        .collect();
    assert!(
        program
            .iter()
            .any(|mutant| mutant["killed_by"][0] == "the_program_adds"),
        "{program:?}"
    );
    check_summary(&ran);
}

fn check_summary(ran: &Ran) {
    let summary = &ran.summary;
    let number = |key: &str| {
        summary[key]
            .as_u64()
            .unwrap_or_else(|| panic!("{key} in {summary}"))
    };
    assert_eq!(number("mutants") as usize, ran.lines.len());
    assert_eq!(
        number("mutants"),
        ["killed", "survived", "timed_out", "unreached"]
            .map(number)
            .iter()
            .sum::<u64>()
    );
    assert!(
        number("not_tried") >= 6,
        "constants and patterns: {summary}"
    );
    assert!(number("not_compiling") >= 1 && summary["seconds"].as_f64().is_some());
    for mutant in &ran.lines {
        let diff = mutant["diff"].as_str().unwrap();
        assert!(
            diff.lines()
                .any(|line| line.starts_with('-') && !line.starts_with("---")),
            "{diff}"
        );
    }
}

#[test]
fn options_narrow_a_run_and_a_second_run_builds_nothing() {
    let project = Project::copy("mutants");
    let narrow = project.situ(&["mutants", "--json", "--in", "is_senior", "--no-doctests"]);
    assert_eq!(narrow.code, 0, "{}", narrow.stderr);
    assert!(
        !narrow.lines.is_empty()
            && narrow
                .lines
                .iter()
                .all(|mutant| mutant["function"] == "is_senior")
    );
    let made = project.modified("target/situ/build/debug/.fingerprint");
    let line = format!("src/lib.rs:{}", line_of(&project, "age >= 18"));
    let by_line = project.situ(&["mutants", "--json", "--in", &line, "--no-doctests"]);
    assert_eq!(by_line.lines.len(), 6);
    assert_eq!(
        project.modified("target/situ/build/debug/.fingerprint"),
        made,
        "nothing is built again"
    );
    let denied = project.situ(&[
        "mutants",
        "--in",
        "is_senior",
        "--deny-survivors",
        "--no-doctests",
    ]);
    assert_eq!(denied.code, 1);
    assert!(
        denied.stdout.starts_with("src/lib.rs:"),
        "{}",
        denied.stdout
    );
    let shards = ["1/2", "2/2"].map(|shard| {
        let ran = project.situ(&[
            "mutants",
            "--json",
            "--in",
            "src/generic.rs",
            "--shard",
            shard,
            "--no-doctests",
        ]);
        ran.lines.len()
    });
    let whole = project.situ(&[
        "mutants",
        "--json",
        "--in",
        "src/generic.rs",
        "--no-doctests",
    ]);
    assert_eq!(shards.iter().sum::<usize>(), whole.lines.len());
    let others = project.situ(&[
        "mutants",
        "--json",
        "--in",
        "is_adult",
        "--tests",
        "seniors",
        "--no-doctests",
    ]);
    assert!(
        others
            .lines
            .iter()
            .all(|mutant| mutant["status"] == "unreached"),
        "only tests that the filter names run"
    );
    let thorough = project.situ(&[
        "mutants",
        "--json",
        "--in",
        "twice",
        "--thorough",
        "--tests",
        "constants",
        "--no-doctests",
    ]);
    assert!(
        thorough
            .lines
            .iter()
            .any(|mutant| mutant["status"] == "killed" && mutant["replacement"] == "x + 2")
    );
    assert_eq!(thorough.summary["not_tried"], 0);
    let matrix = project.situ(&[
        "mutants",
        "--json",
        "--in",
        "count_down",
        "--matrix",
        "--no-doctests",
    ]);
    assert!(
        matrix
            .lines
            .iter()
            .any(|mutant| mutant["killed_by"].as_array().unwrap().len() > 1)
    );
}

#[test]
fn reports_for_other_tools() {
    let project = Project::copy("mutants");
    let path = project.path().join("target/stryker.json");
    let arguments = [
        "mutants",
        "--github",
        "--stryker",
        path.to_str().unwrap(),
        "--in",
        "is_senior",
        "--no-doctests",
    ];
    let ran = project.situ(&arguments);
    assert!(
        ran.stdout
            .lines()
            .all(|line| line.starts_with("::warning file=src/lib.rs,line=")),
        "{}",
        ran.stdout
    );
    let report: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mutants = report["files"]["src/lib.rs"]["mutants"].as_array().unwrap();
    assert!(mutants.iter().any(|mutant| mutant["status"] == "Survived"));
    check_stryker(&report);
    let line = line_of(&project, "age > 65");
    let diff = format!(
        "--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -{line},1 +{line},1 @@\n-    age > 60\n+    age > 65\n"
    );
    project.write("target/change.diff", &diff);
    let ran = project.situ(&[
        "mutants",
        "--json",
        "--in-diff",
        "target/change.diff",
        "--no-doctests",
    ]);
    assert!(!ran.lines.is_empty() && ran.lines.iter().all(|mutant| mutant["line"] == line));
}

/// What we rely on of the schema that is published as the npm package `mutation-testing-report-schema`.
const STRYKER: &str = r##"{
    "type": "object",
    "required": ["schemaVersion", "thresholds", "files", "testFiles"],
    "properties": {
        "files": { "type": "object", "additionalProperties": {
            "type": "object",
            "required": ["language", "source", "mutants"],
            "properties": { "mutants": { "type": "array", "uniqueItems": true, "items": {
                "type": "object",
                "required": ["id", "mutatorName", "location", "status"],
                "properties": {
                    "id": { "type": "string" }, "mutatorName": { "type": "string" }, "replacement": { "type": "string" },
                    "statusReason": { "type": "string" },
                    "status": { "enum": ["Killed", "Survived", "NoCoverage", "Timeout"] },
                    "killedBy": { "type": "array", "items": { "type": "string" } },
                    "location": { "type": "object", "required": ["start", "end"], "additionalProperties": {
                        "required": ["line", "column"], "additionalProperties": { "type": "integer", "minimum": 1 }
                    } }
                }
            } } }
        } },
        "testFiles": { "type": "object", "additionalProperties": {
            "type": "object",
            "required": ["tests"],
            "properties": { "source": { "type": "string" }, "tests": { "type": "array", "items": {
                "type": "object",
                "required": ["id", "name"],
                "properties": { "id": { "type": "string" }, "name": { "type": "string" } }
            } } }
        } }
    }
}"##;

/// Checks a report against our own words for the schema, and against the published one where `.ci/tools` has brought it.
fn check_stryker(report: &Value) {
    let own: Value = serde_json::from_str(STRYKER).unwrap();
    schema::check_against(&own, report).unwrap();
    let published = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .with_file_name("tools")
        .join("mutation-testing-report-schema.json");
    match std::fs::read_to_string(published) {
        Ok(text) => schema::check_against(&serde_json::from_str(&text).unwrap(), report).unwrap(),
        Err(_) => {
            assert!(
                std::env::var_os("SITU_TOOLS_REQUIRED").is_none(),
                "CI has the schema; `.ci/tools` brings it"
            );
            eprintln!("skipped: the published schema is not there; `.ci/tools` brings it");
        }
    }
    let tests = report["testFiles"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|file| file["tests"].as_array().unwrap());
    let ids: Vec<&Value> = tests.map(|test| &test["id"]).collect();
    assert!(
        ids.iter()
            .enumerate()
            .all(|(at, id)| !ids[..at].contains(id)),
        "no test has the id of another: {ids:?}"
    );
    let mutants = report["files"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|file| file["mutants"].as_array().unwrap());
    let killers: Vec<&Value> = mutants
        .flat_map(|mutant| mutant["killedBy"].as_array().unwrap())
        .collect();
    assert!(
        !killers.is_empty() && killers.iter().all(|killer| ids.contains(killer)),
        "{killers:?} of {ids:?}"
    );
    let lib = &report["testFiles"]["src/lib.rs"];
    assert!(
        lib["source"].as_str().unwrap().contains("mod tests"),
        "{lib}"
    );
    assert!(
        lib["tests"][0]["location"]["start"]["line"]
            .as_u64()
            .unwrap()
            > 1,
        "{lib}"
    );
}

#[test]
fn what_was_killed_is_skipped_until_its_function_changes() {
    let project = Project::copy("mutants");
    let first = project.situ(&["mutants", "--json", "--in", "is_adult", "--no-doctests"]);
    let killed = first.summary["killed"].as_u64().unwrap();
    assert!(killed > 0, "{}", first.stderr);
    project.edit(
        "src/lib.rs",
        "assert!(is_adult(18) && !is_adult(17) && is_adult(19));",
        "is_adult(18);",
    );
    let again = project.situ(&[
        "mutants",
        "--json",
        "--in",
        "is_adult",
        "--iterate",
        "--no-doctests",
    ]);
    assert_eq!(
        again.summary["killed"].as_u64().unwrap(),
        killed,
        "taken over from the first run"
    );
    project.edit("src/lib.rs", "    age >= 18", "    age >= 17 + 1");
    let changed = project.situ(&[
        "mutants",
        "--json",
        "--in",
        "is_adult",
        "--iterate",
        "--no-doctests",
    ]);
    assert_eq!(changed.summary["killed"], 0, "{}", changed.stdout);
}

#[test]
fn an_interrupted_run_leaves_the_tree_untouched_and_is_taken_up_again() {
    let project = Project::copy("mutants");
    let before = project.snapshot();
    let arguments = ["mutants", "--json", "--no-doctests"];
    let memory = project.path().join("target/situ/mutants/memory.jsonl");
    let judged = || {
        std::fs::read_to_string(&memory)
            .unwrap_or_default()
            .matches("Judged")
            .count()
    };
    let mut first = project.start(&arguments);
    while judged() < 20 && first.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(project.snapshot(), before, "only target may change");
    let second = project.situ(&arguments);
    assert_eq!(second.code, 0, "{}", second.stderr);
    check_summary(&second);
    // A verdict that was being written when the first run ended may be written again.
    assert!(
        judged() <= second.lines.len() + 2,
        "{} verdicts on {} mutants",
        judged(),
        second.lines.len()
    );
}

#[test]
fn failing_tests_and_wrong_input_have_their_own_codes() {
    let project = Project::copy("mutants");
    assert_eq!(project.situ(&["mutants", "-p", "nobody"]).code, 2);
    assert_eq!(project.situ(&["mutants", "--shard", "3/2"]).code, 2);
    assert_eq!(
        project.situ(&["mutants", "--in", "no_such_function"]).code,
        2
    );
    project.edit(
        "src/lib.rs",
        "assert_eq!(depth(3), 3);",
        "assert_eq!(depth(3), 4);",
    );
    let failing = project.situ(&["mutants", "--json"]);
    assert_eq!((failing.code, failing.lines.len()), (3, 0));
    assert!(
        failing.stderr.contains("tests::depths"),
        "{}",
        failing.stderr
    );
    project.edit(
        "src/lib.rs",
        "fn unused(x: u32) -> u32 {",
        "fn unused(x: u32) -> u32 { nonsense; ",
    );
    let broken = project.situ(&["mutants"]);
    assert_eq!(broken.code, 3);
    assert!(
        broken.stderr.contains("nonsense"),
        "the compiler's own words: {}",
        broken.stderr
    );
}

#[test]
fn in_situ_tests_judge_the_statements_they_stand_at() {
    let project = Project::copy("mutants-in-situ");
    let crates = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    project.write(
        "Cargo.toml",
        &project.read("Cargo.toml").replace("../../crates", crates),
    );
    let ran = project.situ(&["mutants", "--json", "--no-doctests"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let verdict = |text: &str, replacement: &str| {
        let found = found(&ran, line_of(&project, text), replacement);
        assert_eq!(found.len(), 1, "{text} -> {replacement}");
        (
            found[0]["status"].as_str().unwrap().to_owned(),
            found[0]["killed_by"][0].as_str().unwrap_or("").to_owned(),
        )
    };
    let killed = |by: &str| ("killed".to_owned(), by.to_owned());
    assert_eq!(
        verdict("text.len() + 2", "text.len() - 2"),
        killed("situ_width::inner_when_text_abc")
    );
    assert_eq!(
        verdict("if inner > limit", "inner < limit"),
        killed("situ_width::too_wide")
    );
    assert_eq!(
        verdict("self.count += 1", "self.count -= 1"),
        killed("situ_Counter::up_self_count_when_self_count_3")
    );
    assert_eq!(
        verdict("return None;", ""),
        killed("situ_width::too_wide"),
        "also what the expansion rewrites"
    );
    assert_eq!(
        verdict("            continue;", ""),
        killed("situ_first_number::blank")
    );
    assert_eq!(
        verdict("            continue;", "break"),
        killed("situ_first_number::blank")
    );
    assert_eq!(
        verdict("word.parse::<u32>()?;", "let _ = word.parse::<u32>();"),
        killed("situ_first_number::no_number")
    );
    assert_eq!(verdict("text.trim()", "text.trim_start()").0, "survived");
    assert_eq!(verdict("text.trim()", "text").0, "survived");
    let in_tests = ran
        .lines
        .iter()
        .filter(|mutant| mutant["original"] == "\"abc\"" || mutant["original"] == "5")
        .count();
    assert_eq!(in_tests, 0, "the tests' own clauses are not mutated");
    for whole in ["halved", "doubled", "Slot::taken"] {
        let own: Vec<&Value> = ran
            .lines
            .iter()
            .filter(|mutant| mutant["function"] == whole)
            .collect();
        assert!(
            own.iter().any(|mutant| mutant["operator"] == "body"),
            "{whole}"
        );
        assert!(
            own.iter().all(|mutant| mutant["status"] == "killed"),
            "{whole}: {own:#?}"
        );
    }
    let in_loop = ran
        .lines
        .iter()
        .filter(|mutant| mutant["function"] == "summed" && mutant["operator"] == "exits");
    let in_loop: Vec<&Value> = in_loop
        .filter(|mutant| mutant["replacement"] != "return 0;")
        .collect();
    assert_eq!(in_loop.len(), 2, "{in_loop:?}");
    assert!(
        in_loop.iter().all(|mutant| mutant["status"] == "killed"),
        "{in_loop:?}"
    );
    let deleted = |mutant: &Value| {
        let diff = mutant["diff"].as_str().unwrap();
        diff.lines()
            .any(|line| line.starts_with('-') && line.contains("test!"))
    };
    assert!(
        !ran.lines.iter().any(deleted),
        "no mutant takes a test away"
    );
}
