//! What `cargo situ carve` does with runs of other kinds: programs that wait, that are ended by hand, that hold long texts; and
//! with answers to its questions.

use crate::project::{Project, own_cargo};
use std::fs;
use std::io::Read as _;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const MANIFEST: &str = "[package]\nname = \"waiter\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n[lints.rust]\nwarnings = \"deny\"\n";

const MAIN: &str = r#"use std::env;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

async fn twice(number: u32) -> u32 {
    number * 2
}

async fn total(numbers: &[u32]) -> u32 {
    let mut sum = 0;
    for number in numbers {
        sum += twice(*number).await;
    }
    sum
}

async fn setting(name: &str) -> Result<u32, String> {
    let text = env::var(name).map_err(|_| format!("no {name}"))?;
    text.parse().map_err(|_| format!("{text} is no number"))
}

fn both(names: &[&str]) -> String {
    names.iter().map(|name| env::var(name).unwrap_or_default()).collect::<Vec<_>>().join("-")
}

fn trimmed(name: &str) -> usize {
    env::var(name).unwrap_or_default().trim_start().len()
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

fn shout(text: &str) -> String {
    text.to_uppercase()
}

fn report(out: &mut impl std::io::Write, count: u32) -> std::io::Result<()> {
    if count > 1 {
        out.write_all(b"many ")?;
    }
    out.write_all(b"words\n")
}

trait Quoting: std::io::Write {
    fn quote(&mut self, text: &str) -> std::io::Result<()> {
        writeln!(self, "> {text}")
    }
}

impl<W: std::io::Write> Quoting for std::io::BufWriter<W> {}

fn reply<Q: Quoting>(letter: impl std::io::BufRead, out: &mut Q) -> std::io::Result<usize> {
    let mut lines = 0;
    for line in letter.lines() {
        out.quote(&line?)?;
        lines += 1;
    }
    Ok(lines)
}

fn count_down<W: std::fmt::Write>(out: &mut W, from: u32) -> std::fmt::Result {
    write!(out, "{from} ")?;
    if from == 0 { Ok(()) } else { count_down(out, from - 1) }
}

fn run<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
    }
}

fn main() {
    println!("{} {:?} {:?}", run(total(&[1, 2])), run(setting("ONE")), run(setting("NONE")));
    println!("{} {}", both(&["ONE", "TWO"]), trimmed("HELLO"));
    println!("{} {}", words(&"and so on ".repeat(100)), shout(&"so it goes ".repeat(24)).len());
    report(&mut std::io::stdout(), 3).unwrap();
    reply(std::io::stdin().lock(), &mut std::io::BufWriter::new(std::io::stdout())).unwrap();
    count_down(&mut String::new(), 2).unwrap();
    if env::args().nth(1).as_deref() == Some("serve") {
        std::fs::write(env::args().nth(2).unwrap(), "ready").unwrap();
        loop {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}
"#;

fn waiter() -> Project {
    let project = Project::empty();
    project.write("Cargo.toml", MANIFEST);
    project.write("src/main.rs", MAIN);
    project
}

/// Whether a text has these words, however it is laid out.
fn has(text: &str, part: &str) -> bool {
    let words = |text: &str| {
        text.split_whitespace()
            .collect::<String>()
            .replace(",)", ")")
    };
    words(text).contains(&words(part))
}

#[test]
fn futures_several_answers_and_long_texts_become_tests_that_are_asked_about_and_taken_back() {
    let project = waiter();
    let before = project.snapshot();
    let options = ["carve", "--quick", "--situ-path", REPOSITORY];
    let command = [
        "--",
        "sh",
        "-c",
        "printf 'so\nit goes' | ONE=1 TWO=2 HELLO=$(printf %300s x) $SITU_BIN",
    ];
    let carved = project.situ(&[&options[..], &["--write", "--json"], &command[..]].concat());
    assert_eq!(carved.code, 0, "{}", carved.stderr);
    let source = project.read("src/main.rs");
    for part in [
        "given(numbers = &[1, 2]), check_return(6)",
        "mock(env::var(\"ONE\"), Ok(String::from(\"1\"))), check_return(Ok(1)), check_called(env::var(..), 1)",
        "check_return(Err(String::from(\"no NONE\")))",
        "mock(env::var(\"ONE\"), Ok(String::from(\"1\"))), mock(env::var(\"TWO\"), Ok(String::from(\"2\"))), check_return(String::from(\"1-2\")), check_order(env::var(\"ONE\"), env::var(\"TWO\"))",
        "const TEXT: &str = include_str!(\"carved/main_text.txt\");",
        "let result = words(text); assert_eq!(result, 300);",
        "const EXPECTED: &str = \"SO IT GOES SO IT GOES",
        "assert_eq!(result, EXPECTED);",
        "let mut out = Vec::<u8>::new(); let count = 3; let result = report(&mut out, count);",
        "assert!(result.is_ok()); assert_eq!(String::from_utf8(out).unwrap(), \"many words\\n\");",
        "let letter = \"so\\nit goes\".as_bytes(); let mut out = QuotingDouble::default(); let result = reply(letter, &mut out);",
        "assert_eq!(String::from_utf8(out.written).unwrap(), \"> so\\n> it goes\\n\");",
        "let from = 2; let result = count_down(&mut out, from);",
        "assert_eq!(out, \"2 1 0 \");",
        "mock(env::var(\"HELLO\"), Ok(String::from(include_str!(\"carved/main_in_trimmed.txt\"))))",
    ] {
        assert!(has(&source, part), "{part} in\n{source}");
    }
    assert_eq!(
        project.read("src/carved/main_text.txt"),
        "and so on ".repeat(100)
    );
    assert_eq!(
        project.read("src/carved/main_in_trimmed.txt"),
        format!("{:>300}", "x")
    );
    let tested = own_cargo(&project).arg("test").output().unwrap();
    assert!(
        tested.status.success(),
        "{}",
        String::from_utf8_lossy(&tested.stdout)
    );
    assert_eq!(project.situ(&["carve", "--undo"]).code, 0);
    assert_eq!(
        project.situ(&["carve", "--undo"]).code,
        2,
        "there is nothing more to undo"
    );
    for (path, bytes) in &before {
        assert_eq!(
            project.snapshot().get(path),
            Some(bytes),
            "{}",
            path.display()
        );
    }
    assert!(
        !project.path().join("src/carved").exists(),
        "what was made for the tests goes with them"
    );
    check_review(&project);
}

fn check_review(project: &Project) {
    let review = [
        "carve", "--quick", "--from", "carve", "--in", "words", "--in", "shout", "--review",
    ];
    let nothing = project.situ_answered(&review, "n\nn\n");
    assert_eq!(nothing.code, 0, "{}", nothing.stderr);
    assert_eq!(project.read("src/main.rs"), MAIN, "nothing was kept");
    let one = project.situ_answered(&review, "y\nn\n");
    assert_eq!(one.code, 0, "{}", one.stderr);
    let source = project.read("src/main.rs");
    assert_eq!(source.matches("#[test]").count(), 1, "{source}");
    let again = project.situ(&[
        "carve", "--quick", "--from", "carve", "--in", "words", "--in", "shout", "--json",
    ]);
    assert_eq!(again.summary["already_there"], 1, "{}", again.summary);
}

#[test]
fn a_run_that_is_ended_by_hand_gives_tests_of_what_it_did() {
    let project = waiter();
    let ready = project.path().join("target/ready");
    fs::create_dir_all(ready.parent().unwrap()).unwrap();
    let script = format!(
        "ONE=1 TWO=2 exec $SITU_BIN serve {} < /dev/null",
        ready.display()
    );
    let mut carving = project.watched(&[
        "carve", "--quick", "--json", "--in", "words", "--", "sh", "-c", &script,
    ]);
    let started = Instant::now();
    while !ready.exists()
        && carving.try_wait().unwrap().is_none()
        && started.elapsed() < Duration::from_secs(400)
    {
        thread::sleep(Duration::from_millis(50));
    }
    assert!(ready.exists(), "the program runs");
    // A terminal interrupts the command and what it runs alike.
    let command = carving.id().to_string();
    let running = Command::new("pgrep")
        .args(["-P", &command])
        .output()
        .unwrap();
    let running = String::from_utf8(running.stdout).unwrap();
    for process in [command.as_str()]
        .into_iter()
        .chain(running.split_whitespace())
    {
        assert!(
            Command::new("kill")
                .args(["-INT", process])
                .status()
                .unwrap()
                .success()
        );
    }
    let mut said = String::new();
    carving
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    assert_eq!(carving.wait().unwrap().code(), Some(0), "{said}");
    assert!(
        said.contains("words_returning_300") && said.contains("\"shown\":1"),
        "{said}"
    );
}
