//! Secrets are found nowhere: not in any file that Situ keeps, nor in anything that it prints.

use super::project::Project;
use std::cell::RefCell;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::SystemTime;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// What a program itself says when it panics is its own affair.
const COMMAND: &str = "cargo run 2> /dev/null";

/// A password that is recorded before anybody knows that it is one.
const PASSWORD: &str = "Vermilion-58-Quokka";

/// The password in the environment.
const OF_ENVIRONMENT: &str = "tangerine_dream42";

/// A number that is recorded before anybody knows that it is a secret.
const PIN: &str = "6038";

/// A key that is read from a file.
const KEY: &str = "k9Zt4Lq7Xw2Pf8Rb";

/// Texts with the shapes of secrets, whatever their names are; what is secret in them stands between `⟦` and `⟧`.
const SHAPES: [&str; 8] = [
    "postgres://app:⟦w4lrus-parade⟧@db.example.org/main",
    "Authorization: Bearer ⟦abcdef0123456789zz⟧",
    "Authorization: Basic ⟦Ym9iOnNub3djcmFzaDk5⟧",
    "jwt ⟦eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzUxMiJ9.eyJzdWIiOiJib2IifQ.cXVpY2tzaWduYXR1cmU⟧",
    "aws ⟦AKIAQWERTYUIOP123456⟧",
    "github ⟦ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5⟧",
    "slack ⟦xoxb-998877665544-qwertzuiop⟧ google ⟦AIzaSyQ1w2E3r4T5z6U7i8O9p0A1s2D3f4G5h6J⟧",
    "pem -----BEGIN PRIVATE KEY-----⟦MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj⟧-----END PRIVATE KEY-----",
];

fn base64(bytes: &[u8], alphabet: &[u8; 64]) -> String {
    let mut encoded = String::new();
    for group in bytes.chunks(3) {
        let number = group
            .iter()
            .fold(0, |number, byte| number << 8 | usize::from(*byte))
            << (8 * (3 - group.len()));
        (0..=group.len())
            .for_each(|at| encoded.push(char::from(alphabet[number >> (18 - 6 * at) & 0x3f])));
    }
    encoded
}

/// A secret in every way in which it must not be found. Of base64, the part that does not depend on what is around it.
fn forms(secret: &str) -> Vec<String> {
    let mut forms = vec![
        secret.to_owned(),
        secret.to_uppercase(),
        secret.to_lowercase(),
    ];
    forms.push(secret.bytes().map(|byte| format!("{byte:02x}")).collect());
    forms.push(secret.bytes().map(|byte| format!("{byte:02X}")).collect());
    forms.push(secret.bytes().map(|byte| format!("%{byte:02x}")).collect());
    let standard = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let of_urls = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for alphabet in [standard, of_urls] {
        for before in 0..3 {
            let encoded = base64(
                &[&b"xx"[..before], secret.as_bytes(), b"yy"].concat(),
                alphabet,
            );
            let (first, end) = ((before * 8).div_ceil(6), (before + secret.len()) * 8 / 6);
            forms.push(encoded[first..end].to_owned());
        }
    }
    let halves = secret.split_at(secret.len() / 2);
    forms.extend([halves.0.to_owned(), halves.1.to_owned()]);
    forms
}

/// Every file below a folder, links left out: these lead to the user's own files.
fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            files_below(&entry.path(), files);
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
}

/// Looks for many texts in one go: programs are large, and there are many of them.
struct Search {
    forms: Vec<String>,
    /// For each pair of bytes whether a text begins with it.
    starts: Vec<bool>,
    /// Files that were looked at, with their lengths and times.
    seen: RefCell<HashSet<(PathBuf, u64, SystemTime)>>,
}

impl Search {
    fn new() -> Search {
        let of_shapes = SHAPES
            .iter()
            .flat_map(|shape| shape.split('⟦').skip(1))
            .filter_map(|part| part.split('⟧').next());
        let of_basic = ["snowcrash99"];
        let secrets = [PASSWORD, OF_ENVIRONMENT, KEY]
            .into_iter()
            .chain(of_shapes)
            .chain(of_basic);
        let forms: Vec<String> = secrets
            .flat_map(forms)
            .filter(|form| form.len() >= 8)
            .collect();
        let mut starts = vec![false; 1 << 16];
        forms
            .iter()
            .for_each(|form| starts[pair(form.as_bytes())] = true);
        Search {
            forms,
            starts,
            seen: RefCell::default(),
        }
    }

    fn check(&self, place: &str, bytes: &[u8]) {
        for at in 0..bytes.len().saturating_sub(1) {
            if self.starts[pair(&bytes[at..])] {
                let found = self
                    .forms
                    .iter()
                    .find(|form| bytes[at..].starts_with(form.as_bytes()));
                assert!(found.is_none(), "{place} has {found:?}");
            }
        }
    }

    fn is_new(&self, path: &Path) -> bool {
        let data = path.metadata().unwrap();
        self.seen
            .borrow_mut()
            .insert((path.to_owned(), data.len(), data.modified().unwrap()))
    }

    fn check_all(&self, project: &Project, what: &str, output: &Output) {
        self.check(&format!("the output of {what}"), &output.stdout);
        self.check(&format!("the errors of {what}"), &output.stderr);
        let mut files = Vec::new();
        files_below(&project.root().join("target/situ"), &mut files);
        assert!(files.iter().any(|path| {
            path.extension()
                .is_some_and(|extension| extension == "siturec")
        }));
        for path in files {
            let is_left = path
                .extension()
                .is_some_and(|extension| extension == "situsec" || extension == "closing");
            assert!(!is_left, "{} is left behind by {what}", path.display());
            if self.is_new(&path) {
                self.check(
                    &format!("after {what}, {}", path.display()),
                    &fs::read(&path).unwrap(),
                );
            }
        }
    }
}

fn pair(bytes: &[u8]) -> usize {
    usize::from(bytes[0]) << 8 | usize::from(bytes[1])
}

/// The project, and the file with the secrets outside of it.
fn project() -> (Project, tempfile::TempDir, PathBuf) {
    let (project, outside) = (Project::copy_of("secrets"), tempfile::tempdir().unwrap());
    let file = outside.path().join("samples.txt");
    let shapes: Vec<String> = SHAPES
        .iter()
        .map(|shape| shape.replace(['⟦', '⟧'], ""))
        .collect();
    fs::write(&file, format!("{PASSWORD}\n{}\n{KEY}\n", shapes.join("\n"))).unwrap();
    (project, outside, file)
}

#[test]
fn secrets_are_found_in_no_file_and_in_no_output() {
    let (project, _outside, file) = project();
    let search = Search::new();
    let page = project.root().join("target/situ/page.html");
    let page = page.to_str().unwrap();
    let run = |words: &[&str]| {
        let environment = [
            ("SAMPLE_FILE", file.to_str().unwrap()),
            ("DB_PASSWORD", OF_ENVIRONMENT),
            ("SAMPLE_NUMBER", PIN),
        ];
        let output = project.situ_with(words, &environment);
        let what = words.join(" ");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{what}: {said}{}",
            String::from_utf8_lossy(&output.stdout)
        );
        search.check_all(&project, &what, &output);
        String::from_utf8(output.stdout).unwrap()
    };
    let recorded = run(&["record", "--functions", "--calls", "--all-statements"]);
    assert!(
        recorded.contains("values withheld\n  by their names: ") && recorded.contains("password ("),
        "{recorded}"
    );
    let json = run(&[
        "record",
        "--functions",
        "--calls",
        "--all-statements",
        "--json",
        "--",
        "sh",
        "-c",
        COMMAND,
    ]);
    let last: serde_json::Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    let names = last["summary"]["withheld_names"].as_object().unwrap();
    for name in [
        "password",
        "line",
        "found",
        "api_key",
        "X-Api-Key",
        "value",
        "reason",
        "text",
        "pin",
        "label",
    ] {
        assert!(names.contains_key(name), "{name} in {names:?}");
    }
    assert_eq!(
        last["summary"]["withheld"].as_u64(),
        names.values().map(serde_json::Value::as_u64).sum()
    );
    let shown = run(&["recordings", "show", "leaks"]);
    for seen in [
        "host = \"localhost\"",
        "<withheld>",
        "String::from(\"example.org\")",
        "user = \"admin\"",
    ] {
        assert!(shown.contains(seen), "{seen} in {shown}");
    }
    assert!(!shown.contains(PIN), "{shown}");
    run(&["recordings", "--json", "show"]);
    let extracted = run(&[
        "extract",
        "--all",
        "--json",
        "--html",
        page,
        "--situ-path",
        REPOSITORY,
    ]);
    assert!(
        extracted.lines().count() > 1,
        "what is no secret gets tests: {extracted}"
    );
    run(&[
        "extract",
        "--all",
        "--level",
        "block",
        "--situ-path",
        REPOSITORY,
    ]);
    run(&[
        "carve",
        "--json",
        "--html",
        page,
        "--situ-path",
        REPOSITORY,
        "--",
        "sh",
        "-c",
        COMMAND,
    ]);
    run(&[
        "carve",
        "--from",
        "latest",
        "--quick",
        "--situ-path",
        REPOSITORY,
    ]);
    let style = [
        "generalize",
        "--json",
        "--html",
        page,
        "--style",
        "theory",
        "--situ-path",
        REPOSITORY,
    ];
    run(&[&style[..], &["--", "sh", "-c", COMMAND]].concat());
}
