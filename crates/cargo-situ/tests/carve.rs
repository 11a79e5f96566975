//! `cargo situ carve` from the outside: what it writes, what it takes back, what it refuses, and what it says.

mod project;

use project::Project;
use std::process::Command;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

const MANIFEST: &str = "[package]\nname = \"ledger\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";

const MAIN: &str = r#"mod account {
    use std::env;

    #[derive(Debug, PartialEq)]
    pub struct Account {
        owner: String,
        balance: i64,
    }

    impl Account {
        pub fn open(owner: &str) -> Account {
            Account { owner: owner.to_owned(), balance: 0 }
        }

        pub fn deposit(&mut self, amount: i64) -> Result<i64, String> {
            if amount <= 0 {
                return Err(format!("{} is no deposit", amount));
            }
            self.balance += amount;
            Ok(self.balance)
        }

        pub fn owned_by(mut self, owner: &str) -> Account {
            self.owner = owner.to_owned();
            self
        }

        pub fn half(&self) -> i64 {
            assert!(self.balance % 2 == 0, "an odd balance");
            self.balance / 2
        }
    }

    pub fn limit() -> i64 {
        let text = env::var("LEDGER_LIMIT").unwrap_or_default();
        text.parse().unwrap_or(100)
    }

    pub fn serial(number: &std::cell::Cell<u32>) -> std::rc::Rc<dyn Fn() -> u32> {
        let number = number.get();
        std::rc::Rc::new(move || number)
    }
}

mod other {
    pub fn double(number: u8) -> u8 {
        number * 2
    }
}

fn main() {
    let mut account = account::Account::open("Eve").owned_by("Ann");
    println!("{:?} {:?}", account.deposit(account::limit()), account.deposit(-3));
    println!("{} {}", account.half(), other::double(4));
    let _ = account.deposit(1);
    println!("{}", account::serial(&std::cell::Cell::new(3))());
    let odd = std::panic::catch_unwind(move || account.half());
    println!("{}", odd.is_err());
}
"#;

fn ledger() -> Project {
    let project = Project::empty();
    project.write("Cargo.toml", MANIFEST);
    project.write("src/main.rs", MAIN);
    project
}

const COMMAND: [&str; 4] = ["--", "sh", "-c", "LEDGER_LIMIT=250 $SITU_BIN"];

fn cargo_test(project: &Project) -> String {
    let mut command = Command::new(env!("CARGO"));
    command.arg("test").current_dir(project.path()).env_remove("CARGO_TARGET_DIR").env_remove("LEDGER_LIMIT");
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

#[test]
fn a_run_gives_tests_of_results_state_panics_and_mocked_calls_that_can_be_taken_back() {
    let project = ledger();
    let before = project.snapshot();
    let carved = project.situ(&[&["carve", "--write", "--json", "--situ-path", REPOSITORY], &COMMAND[..]].concat());
    assert_eq!(carved.code, 0, "{}", carved.stderr);
    let source: String = project.read("src/main.rs").split_whitespace().collect();
    for part in [
        "let mut subject = Account { owner: String::from(\"Ann\"), balance: 0",
        "assert_eq!(subject.balance, 250);",
        "assert_eq!(result, Err(String::from(\"-3 is no deposit\")));",
        "#[should_panic(expected = \"an odd balance\")]",
        "mock(env::var(\"LEDGER_LIMIT\"), Ok(String::from(\"250\")))",
        "fn double_returning_8() {",
        "fn half_panicking() {",
        "let result = subject.owned_by(\"Ann\");",
    ] {
        let words: String = part.split_whitespace().collect();
        assert!(source.contains(&words), "{part} in\n{source}");
    }
    let summary = &carved.summary;
    let refused = summary["refused"].as_object().unwrap();
    assert!(refused.contains_key("it is the program itself"), "{summary}");
    let all: u64 = refused.values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(summary["attempted"].as_u64().unwrap(), summary["shown"].as_u64().unwrap() + all, "{summary}");
    assert_eq!(carved.lines.len() as u64, summary["shown"].as_u64().unwrap());
    assert!(cargo_test(&project).matches("... ok").count() >= carved.lines.len());
    let again = project.situ(&[&["carve", "--json", "--situ-path", REPOSITORY, "--from", "carve"][..]].concat());
    assert_eq!(again.code, 0, "{}", again.stderr);
    let undone = project.situ(&["carve", "--undo"]);
    assert_eq!(undone.code, 0, "{}", undone.stderr);
    for (path, bytes) in &before {
        assert_eq!(project.snapshot().get(path), Some(bytes), "{}", path.display());
    }
}

#[test]
fn only_the_chosen_module_gets_tests_and_the_patch_stands_alone_on_standard_output() {
    let project = ledger();
    let before = project.snapshot();
    let carved = project.situ(&[&["carve", "--in", "other"], &COMMAND[..]].concat());
    assert_eq!(carved.code, 0, "{}", carved.stderr);
    assert!(carved.stdout.starts_with("--- a/src/main.rs\n"), "{}", carved.stdout);
    assert!(carved.stdout.contains("double_returning_8") && !carved.stdout.contains("deposit("), "{}", carved.stdout);
    assert!(carved.stderr.contains("1 functions seen"), "{}", carved.stderr);
    let after: Vec<_> = project.snapshot().into_iter().filter(|(path, _)| !path.ends_with("Cargo.lock")).collect();
    assert_eq!(after, before.into_iter().collect::<Vec<_>>(), "nothing is written without --write");
    let nothing = project.situ(&["carve", "--in", "nowhere", "--from", "carve"]);
    assert_eq!(nothing.code, 2, "{}", nothing.stderr);
    assert!(nothing.stderr.contains("`--in nowhere` names no function that was seen"), "{}", nothing.stderr);
    let missing = project.situ(&["carve", "--from", "friday"]);
    assert_eq!(missing.code, 2, "{}", missing.stderr);
    assert!(missing.stderr.contains("cargo situ record --functions --calls --name friday"), "{}", missing.stderr);
}
