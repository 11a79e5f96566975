//! The language server, asked as an editor asks it: by a client of our own, and by Neovim's.

mod client;
mod neovim;

use crate::project::Project;
use client::Client;
use serde_json::{Value, json};

/// Lines are counted from zero in what follows, as editors do.
const LIB: &str = r#"use situ::prelude::*;

#[situ]
pub fn double(x: u32) -> u32 {
    let y = x * 2;
    itest!("of one", given(x = 1), check_eq(y, 2));
    itest!("wrong on purpose", given(x = 1), check_eq(y, 3));
    y
}

pub fn words(text: &str) -> usize {
    let count = text.split(' ').filter(|word| !word.is_empty()).count();
    count
}

#[datapoint]
pub const ONE: u32 = 1;

#[theory]
fn doubling_grows(x: u32) {
    assume!(x < 1000);
    assert!(double(x) > x);
}

#[test]
fn words_are_counted() {
    assert_eq!(words("a  b"), 2);
    assert_eq!(double(2), 4);
}
"#;

const RUN: u32 = 4;
const WRONG: u32 = 6;
const COUNT: u32 = 11;
const THEORY: u32 = 19;

/// One name for both tests: the dependencies take longer than the tests.
fn library() -> Project {
    let project = Project::with_builds_of_last_run("language server");
    let situ = concat!(env!("CARGO_MANIFEST_DIR"), "/../situ");
    project.write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"library\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n[dependencies]\n\
             situ = {{ path = {situ:?} }}\n[dev-dependencies]\nsitu = {{ path = {situ:?}, features = [\"test\"] }}\n"
        ),
    );
    project.write("src/lib.rs", LIB);
    project
}

#[test]
fn an_editor_gets_what_it_asks_for() {
    let project = library();
    assert_eq!(project.situ(&["recordings", "prune"]).code, 0);
    let mut client = Client::start(&project);
    client.open("src/lib.rs", LIB);
    assert_eq!(client.diagnostics(), json!([]));
    what_stands_in_the_text(&mut client);
    tests_are_run_and_failures_shown(&mut client, &project);
    recordings_are_shown_and_used(&mut client, &project);
    tests_are_extracted(&mut client);
    a_theory_is_explored(&mut client);
    assert_eq!(client.end(), 0);
}

fn what_stands_in_the_text(client: &mut Client) {
    let folds = client.ask("textDocument/foldingRange", json!({}));
    assert_eq!(folds[0]["startLine"], RUN, "{folds}");
    assert_eq!(
        (&folds[0]["endLine"], &folds[0]["kind"]),
        (&json!(WRONG), &json!("imports")),
        "{folds}"
    );
    assert_eq!(folds.as_array().unwrap().len(), 1, "{folds}");

    let lenses = client.ask("textDocument/codeLens", json!({}));
    let titles: Vec<&str> = lenses
        .as_array()
        .unwrap()
        .iter()
        .map(|lens| lens["command"]["title"].as_str().unwrap())
        .collect();
    assert_eq!(
        titles,
        [
            "▶ run 2 tests",
            "▶ run test",
            "▶ run test",
            "▶ run theory",
            "explore"
        ]
    );

    let position = json!({ "line": RUN, "character": 8 });
    let edit = client.ask(
        "textDocument/rename",
        json!({ "position": position, "newName": "twice" }),
    );
    let edits = edit["changes"]
        .as_object()
        .unwrap()
        .values()
        .next()
        .unwrap()
        .as_array()
        .unwrap();
    assert_eq!(edits.len(), 4, "the binding, two tests, the tail: {edit}");
    let (why, _) = client.refused(
        "textDocument/rename",
        json!({ "position": position, "newName": "x" }),
    );
    assert!(
        why.contains("`x` is a variable of this function already"),
        "{why}"
    );
    let nowhere = json!({ "position": { "line": 1, "character": 0 } });
    assert!(
        client
            .refused("textDocument/prepareRename", nowhere)
            .0
            .contains("no local variable")
    );
}

fn lens(client: &mut Client, title: &str) -> Value {
    let lenses = client.ask("textDocument/codeLens", json!({}));
    let found = lenses
        .as_array()
        .unwrap()
        .iter()
        .find(|lens| lens["command"]["title"].as_str().unwrap().ends_with(title));
    found.unwrap_or_else(|| panic!("no lens `{title}` in {lenses}"))["command"].clone()
}

fn tests_are_run_and_failures_shown(client: &mut Client, project: &Project) {
    let run = lens(client, "▶ run 2 tests");
    client.ask("workspace/executeCommand", run.clone());
    assert!(client.message().contains("1 failed, 1 passed"));
    let shown = client.diagnostics();
    assert_eq!(shown[0]["range"]["start"]["line"], WRONG, "{shown}");
    assert!(
        shown[0]["message"].as_str().unwrap().contains("expected"),
        "{shown}"
    );
    assert!(
        lens(client, "▶ run 2 tests")["title"]
            .as_str()
            .unwrap()
            .starts_with('✗')
    );

    let mended = LIB.replace("check_eq(y, 3)", "check_eq(y, 2)");
    client.change("src/lib.rs", &mended);
    let (why, _) = client.refused("workspace/executeCommand", run);
    assert!(why.contains("save the files first"), "{why}");
    project.write("src/lib.rs", &mended);
    client.save("src/lib.rs");
    assert!(
        client.message().contains("1 passed"),
        "what failed is run again"
    );
    assert_eq!(client.diagnostics(), json!([]));

    client.change(
        "src/lib.rs",
        &mended.replace("check_eq(y, 2)", "chek_eq(y, 2)"),
    );
    let shown = client.diagnostics();
    assert!(
        shown[0]["message"].as_str().unwrap().contains("chek_eq"),
        "{shown}"
    );
    client.change("src/lib.rs", &mended);
    client.save("src/lib.rs");
}

fn recordings_are_shown_and_used(client: &mut Client, project: &Project) {
    let at = |line: u32| json!({ "position": { "line": line, "character": 8 } });
    assert_eq!(
        client.ask("textDocument/hover", at(COUNT)),
        Value::Null,
        "nothing was recorded yet"
    );
    assert_eq!(project.situ(&["record", "--json"]).code, 0);
    let hover = client.ask("textDocument/hover", at(COUNT));
    assert!(
        hover["contents"]["value"]
            .as_str()
            .unwrap()
            .contains("text = \"a  b\" → count = 2usize"),
        "{hover}"
    );

    let text = project.read("src/lib.rs");
    let begun = text.replace("    count\n", "    itest!(\"two\");\n    count\n");
    client.change("src/lib.rs", &begun);
    let actions = client.ask("textDocument/codeAction", range(COUNT + 1));
    assert_eq!(
        actions[0]["title"], "Situ: fill in the givens from a recording",
        "{actions}"
    );
    let edit = &actions[0]["edit"]["changes"]
        .as_object()
        .unwrap()
        .values()
        .next()
        .unwrap()[0];
    assert_eq!(
        edit["newText"], ", given(text = \"a  b\"), check_eq(count, 2)",
        "{edit}"
    );
    client.change("src/lib.rs", &text);
    client.save("src/lib.rs");
}

fn range(line: u32) -> Value {
    let position = json!({ "line": line, "character": 4 });
    json!({ "range": { "start": position, "end": position }, "context": { "diagnostics": [] } })
}

fn tests_are_extracted(client: &mut Client) {
    let actions = client.ask("textDocument/codeAction", range(COUNT));
    assert_eq!(actions[0]["title"], "Situ: extract tests here", "{actions}");
    client.ask("workspace/executeCommand", actions[0]["command"].clone());
    let edit = client.applied().to_string();
    assert!(
        edit.contains("itest!(given(text = ") && edit.contains("#[situ]"),
        "{edit}"
    );
}

fn a_theory_is_explored(client: &mut Client) {
    let actions = client.ask("textDocument/codeAction", range(THEORY));
    assert_eq!(
        actions[0]["title"], "Situ: explore this theory",
        "{actions}"
    );
    client.ask("workspace/executeCommand", actions[0]["command"].clone());
    let edit = client.applied().to_string();
    assert!(
        edit.contains("#[datapoint]") && edit.contains("u32 = 0"),
        "{edit}"
    );
}

#[test]
fn a_folder_without_a_manifest_is_told() {
    let project = Project::empty();
    let mut client = Client::start(&project);
    assert!(client.message().contains("Cargo.toml"));
    assert_eq!(client.end(), 0);
}

#[test]
fn whatever_an_editor_sends_the_server_answers_or_says_why() {
    let project = Project::library("", "");
    let mut client = Client::start(&project);
    for wrong in [
        "Content-Length: 3\r\n\r\n{\"a",
        "hello\r\n\r\n",
        "Content-Length: 99999999999999999\r\n\r\n{}",
    ] {
        client.send_raw(wrong.as_bytes());
        let (why, code) = client.unasked_error();
        assert_eq!(code, -32700, "{why}");
        assert!(
            client
                .refused("situ/nonsense", json!({}))
                .0
                .contains("unknown"),
            "after {wrong:?}"
        );
    }
    let (why, code) = client.refused("textDocument/hover", json!({ "position": "nowhere" }));
    assert_eq!(code, -32602, "{why}");
    client.notify("textDocument/didOpen", json!({ "textDocument": 1 }));
    assert!(
        client
            .logged()
            .contains("`textDocument/didOpen` is ignored")
    );
    client.notify("textDocument/didChange", json!([]));
    assert!(
        client
            .logged()
            .contains("`textDocument/didChange` is ignored")
    );

    let deep = format!(
        "fn f() -> u8 {{\n    {}1{}\n}}\n",
        "(".repeat(3_000),
        ")".repeat(3_000)
    );
    client.open("src/lib.rs", &deep);
    let shown = client.diagnostics();
    assert!(
        shown[0]["message"]
            .as_str()
            .unwrap()
            .contains("nested too deeply"),
        "{shown}"
    );
    let position = json!({ "line": 0, "character": 3 });
    assert!(
        client
            .refused(
                "textDocument/rename",
                json!({ "position": position, "newName": "g" })
            )
            .0
            .contains("deeply")
    );

    let marked = "\u{feff}fn f(a: u8) -> u8 {\r\n    let b = a;\r\n    b\r\n}\r\n";
    client.open("src/lib.rs", marked);
    let position = json!({ "line": 1, "character": 8 });
    let edit = client.ask(
        "textDocument/rename",
        json!({ "position": position, "newName": "sum" }),
    );
    let edits = edit["changes"]
        .as_object()
        .unwrap()
        .values()
        .next()
        .unwrap()
        .as_array()
        .unwrap()
        .clone();
    let starts: Vec<&Value> = edits.iter().map(|edit| &edit["range"]["start"]).collect();
    assert_eq!(
        starts,
        [
            &json!({ "line": 1, "character": 8 }),
            &json!({ "line": 2, "character": 4 })
        ]
    );

    let many: String = (0..20_000)
        .map(|x| format!("    itest!(given(x = {x}), check_eq(y, {x}));\n"))
        .collect();
    client.open(
        "src/lib.rs",
        &format!("#[situ]\nfn f(x: u32) -> u32 {{\n    let y = x;\n{many}    y\n}}\n"),
    );
    assert_eq!(
        client
            .ask("textDocument/codeLens", json!({}))
            .as_array()
            .unwrap()
            .len(),
        20_001
    );
    assert_eq!(
        client
            .ask("textDocument/foldingRange", json!({}))
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(client.end(), 0);
}
