//! Programs that are easily disturbed do what they do without being recorded, and recording comes to an end.

use super::project::Project;
use serde_json::{Value, json};
use situ_recorder::recording;
use std::fs;

fn restrictions(summary: &Value) -> Vec<(&str, Option<&str>)> {
    let all = summary["restrictions"].as_array().unwrap().iter();
    all.map(|one| (one["kind"].as_str().unwrap(), one["type"].as_str()))
        .collect()
}

#[test]
#[cfg(target_os = "linux")]
fn allocators_descriptors_forks_signals_and_deep_stacks_are_left_as_they_are() {
    let project = Project::copy_of("fragile");
    let (summary, code) = project.summary(&["record", "--json", "--functions"]);
    assert_eq!(
        (code, &summary["outcome_differences"], &summary["timed_out"]),
        (0, &json!(0), &json!([])),
        "{summary}"
    );
    assert_eq!(restrictions(&summary), [], "{summary}");
    assert_eq!(
        (
            &summary["units_not_instrumented"],
            &summary["probes_dropped"]
        ),
        (&json!(0), &json!(0)),
        "{summary}"
    );
    let child = project.shown(&["only_in_child"]);
    assert!(
        child.contains("end = 50u32"),
        "a child is recorded, if its parent had one thread: {child}"
    );
    let deep = project.shown(&["depth", "--rows", "10000"]);
    assert!(
        deep.contains("level = 8000u32") && !deep.contains("level = 7000u32"),
        "only so many levels: {deep}"
    );
    for unrecorded in ["alloc", "note", "tick", "count_tick"] {
        let shown = project.situ(&["recordings", "show", unrecorded]);
        assert_eq!(shown.status.code(), Some(2), "`{unrecorded}` was recorded");
    }
    code_that_hangs_or_has_effects_is_not_run(&project);
    programs_that_abort_at_a_panic(&project);
    a_command_has_a_time_limit(&project);
    allocators_have_no_mutants(&project);
}

fn code_that_hangs_or_has_effects_is_not_run(project: &Project) {
    let arguments = ["record", "--json", "--functions", "--features", "foreign"];
    let (summary, code) = project.summary(&arguments);
    assert_eq!(
        (code, &summary["outcome_differences"]),
        (0, &json!(0)),
        "{summary}"
    );
    let found = restrictions(&summary);
    assert!(
        found.contains(&("hanging_type", Some("gauge::Meter"))),
        "{summary}"
    );
    assert!(
        found.contains(&("foreign_code", None)),
        "a tally counts how often it is shown: {summary}"
    );
    let told = [
        &arguments[..],
        &["--opaque", "gauge::Meter", "--opaque", "gauge::Tally"],
    ]
    .concat();
    let (summary, code) = project.summary(&told);
    assert_eq!(
        (code, &summary["outcome_differences"]),
        (0, &json!(0)),
        "{summary}"
    );
    assert_eq!(restrictions(&summary), [], "{summary}");
}

/// Programs for a command are compiled as the profile says, and tests are not.
fn programs_that_abort_at_a_panic(project: &Project) {
    let folder = project.root().join("target/scratch");
    fs::create_dir_all(&folder).unwrap();
    let script = format!(
        "for what in descriptors few-descriptors elsewhere forks signals cleared deep loud; do \
         test \"$(\"$SITU_BIN\" $what '{}' 2>&1)\" = fine || exit 9; done",
        folder.display()
    );
    let (summary, code) =
        project.summary(&["record", "--json", "--functions", "--", "sh", "-c", &script]);
    assert_eq!(code, 0, "{summary}");
    let output = project.situ(&["record", "--functions", "--", "sh", "-c", &script]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(!said.contains("exit code"), "{said}");
}

fn a_command_has_a_time_limit(project: &Project) {
    let pids = project.root().join("target/pids");
    let script = format!(
        "\"$SITU_BIN\" deep; setsid sleep 600 & echo $! > '{}'; sleep 600; echo too late",
        pids.display()
    );
    let output = project.situ(&["record", "--timeout", "5", "--", "sh", "-c", &script]);
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert_eq!(output.status.code(), Some(2), "{out}{err}");
    assert!(
        err.contains("did not end within 5 s") && err.contains("--timeout"),
        "{err}"
    );
    let left = fs::read_to_string(&pids).unwrap();
    // Whoever inherits what has ended may take its time to ask how.
    let status = fs::read_to_string(format!("/proc/{}/stat", left.trim())).unwrap_or_default();
    assert!(
        status.is_empty() || status.contains(") Z "),
        "what it had started is still there: {status}"
    );
    let deep = project.shown(&["depth", "--rows", "10000"]);
    assert!(
        deep.contains("level = 60000u32"),
        "what was recorded is kept: {deep}"
    );
}

fn allocators_have_no_mutants(project: &Project) {
    let output = project.situ(&["mutants", "--json", "--in", "src/allocator.rs"]);
    let lines: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let summary = &lines.last().unwrap()["summary"];
    assert!(summary["killed"].as_u64() > Some(0), "{summary}");
    let text = fs::read_to_string(project.root().join("src/allocator.rs")).unwrap();
    let end = text
        .lines()
        .position(|line| line.starts_with("/// The larger one"))
        .unwrap() as u64;
    let start = text
        .lines()
        .position(|line| line.contains("impl GlobalAlloc"))
        .unwrap() as u64;
    let inside = |line: &&Value| {
        line["line"]
            .as_u64()
            .is_some_and(|line| (start..end).contains(&line))
    };
    assert_eq!(
        lines.iter().find(inside),
        None,
        "an allocator and what only it calls stay as they are"
    );
}

#[test]
fn tests_that_do_not_end_are_named_and_what_they_did_is_kept() {
    let project = Project::copy_of("stuck");
    let output = project.situ(&["record", "--timeout", "5"]);
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert_eq!(output.status.code(), Some(2), "{out}{err}");
    assert!(
        err.contains("not ended: tests::ends_where_it_is_not_recorded;"),
        "{err}"
    );
    let shown = project.shown(&["mixed"]);
    assert!(shown.contains("number = 16u32 → mixed = 498u32"), "{shown}");
    let files = fs::read_dir(project.recording("latest"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    assert!(files.into_iter().all(|path| recording::read(&path).is_ok()));

    let output = project.situ(&["record", "--timeout", "5", "--features", "endless"]);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        output.status.code(),
        Some(3),
        "they do not end without being recorded either: {err}"
    );
    assert!(err.contains("tests::never_ends"), "{err}");
}
