//! `cargo situ mutants --kill`: the call that tests miss, for survivors of every kind.

use crate::project::{Project, Ran};
use serde_json::Value;

/// The lines of the mutants of a function that tests do not kill.
fn alive<'r>(ran: &'r Ran, function: &str) -> Vec<&'r Value> {
    let is_alive = |line: &&Value| line["status"] == "survived" || line["status"] == "unreached";
    ran.lines
        .iter()
        .filter(|line| line["function"] == function)
        .filter(is_alive)
        .collect()
}

/// The killing call of a mutant that puts this in the place of the original.
#[track_caller]
fn call<'r>(ran: &'r Ran, function: &str, replacement: &str) -> [&'r str; 3] {
    let found = alive(ran, function)
        .into_iter()
        .find(|line| line["replacement"] == replacement);
    let line = found.unwrap_or_else(|| panic!("no `{replacement}` in {function}: {}", ran.stdout));
    ["killing_call", "original", "mutant"].map(|key| {
        line[key]
            .as_str()
            .unwrap_or_else(|| panic!("no {key}: {line}"))
    })
}

#[test]
fn each_survivor_gets_the_call_that_tests_miss() {
    let project = Project::copy("kill");
    let ran = project.situ(&[
        "mutants",
        "--kill",
        "--time",
        "20s",
        "--json",
        "--no-doctests",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(
        call(&ran, "size", "bytes <= 1024"),
        ["size(1024)", "\"1.0 KB\"", "\"1024 B\""]
    );
    let [changed, original, _] = call(&ran, "append", "number * 2");
    assert!(changed.contains("append(&mut value"), "{changed}");
    assert!(original.starts_with("vec!["), "{original}");
    let [state, ..] = call(&ran, "Counter::up", "self.value <= self.most");
    assert!(state.contains("receiver.up()"), "{state}");
    let [boundary, original, mutant] = call(&ran, "percent", "part < whole");
    assert!(
        boundary.starts_with("percent(")
            && !original.contains("panics")
            && mutant.contains("panics"),
        "{boundary} {original} {mutant}"
    );
    // Nobody outside can call the function that holds the mutant.
    assert_eq!(call(&ran, "doubled", "x >= 10")[0], "shown(10)");
    // What cannot be told apart is said to be so, or nothing is said: never that a call tells it apart.
    let same = alive(&ran, "count_zeros")
        .into_iter()
        .filter(|line| line["replacement"] == "index < items.len()");
    for line in same {
        assert!(line.get("killing_call").is_none(), "{line}");
    }
    for line in alive(&ran, "length") {
        assert_eq!(line["verdict"], "open", "{line}");
        assert!(line["reason"].as_str().unwrap().contains("files"), "{line}");
    }
    // The only input that tells it apart ends the process.
    let abort = alive(&ran, "guarded")
        .into_iter()
        .find(|line| line["original"] == "number == 99" && line["replacement"] == "false");
    assert_eq!(abort.unwrap()["verdict"], "open");
    // Calls that loop, abort, print or panic in `Drop` do not end the search.
    for function in ["steps", "guarded", "noisy", "touch"] {
        let killed = alive(&ran, function)
            .into_iter()
            .filter(|line| line.get("killing_call").is_some());
        assert!(killed.count() > 0, "{function}: {}", ran.stdout);
    }
    let count = |key: &str| ran.summary[key].as_u64().unwrap();
    assert_eq!(
        count("killable") + count("probably_equivalent") + count("open"),
        count("survived") + count("unreached")
    );
    assert!(ran.summary["not_callable"].is_object());
}
