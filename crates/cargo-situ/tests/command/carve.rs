//! `cargo situ carve` from the outside: what it writes, what it takes back, what it refuses, and what it says.

use crate::project::{Project, own_cargo};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

const MANIFEST: &str =
    "[package]\nname = \"ledger\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";

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
    let output = own_cargo(project)
        .arg("test")
        .env_remove("LEDGER_LIMIT")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    said
}

#[test]
fn a_run_gives_tests_of_results_state_panics_and_mocked_calls_that_can_be_taken_back() {
    let project = ledger();
    let before = project.snapshot();
    let carved = project.situ(
        &[
            &["carve", "--write", "--json", "--situ-path", REPOSITORY],
            &COMMAND[..],
        ]
        .concat(),
    );
    assert_eq!(carved.code, 0, "{}", carved.stderr);
    let source: String = project.read("src/main.rs").split_whitespace().collect();
    for part in [
        "let mut subject = Account { owner: String::from(\"Ann\"), balance: 0",
        "assert_eq!(subject.balance, 250);",
        "assert_eq!(result, Err(String::from(\"-3 is no deposit\")));",
        "#[should_panic(expected = \"an odd balance\")]",
        "mock(env::var(\"LEDGER_LIMIT\"), Ok(String::from(\"250\"))), check_return(250), check_called(env::var(..), 1)",
        "fn double_returning_8() {",
        "fn half_panicking() {",
        "let result = subject.owned_by(\"Ann\");",
    ] {
        let words: String = part.split_whitespace().collect();
        assert!(source.contains(&words), "{part} in\n{source}");
    }
    let summary = &carved.summary;
    let refused = summary["refused"].as_object().unwrap();
    assert!(
        refused.contains_key("it is the program itself"),
        "{summary}"
    );
    let all: u64 = refused.values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(
        summary["attempted"].as_u64().unwrap(),
        summary["shown"].as_u64().unwrap() + all,
        "{summary}"
    );
    assert_eq!(
        carved.lines.len() as u64,
        summary["shown"].as_u64().unwrap()
    );
    assert!(cargo_test(&project).matches("... ok").count() >= carved.lines.len());
    let again = project.situ(
        &[
            &["carve", "--json", "--situ-path", REPOSITORY],
            &COMMAND[..],
        ]
        .concat(),
    );
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert_eq!(again.summary["shown"], 0, "{}", again.stdout);
    assert_eq!(
        again.summary["already_there"], summary["shown"],
        "{}",
        again.summary
    );
    let undone = project.situ(&["carve", "--undo"]);
    assert_eq!(undone.code, 0, "{}", undone.stderr);
    for (path, bytes) in &before {
        assert_eq!(
            project.snapshot().get(path),
            Some(bytes),
            "{}",
            path.display()
        );
    }
}

#[test]
fn only_the_chosen_module_gets_tests_and_the_patch_stands_alone_on_standard_output() {
    let project = ledger();
    let before = project.snapshot();
    let carved = project.situ(&[&["carve", "--in", "other"], &COMMAND[..]].concat());
    assert_eq!(carved.code, 0, "{}", carved.stderr);
    assert!(
        carved.stdout.starts_with("--- a/src/main.rs\n"),
        "{}",
        carved.stdout
    );
    assert!(
        carved.stdout.contains("double_returning_8") && !carved.stdout.contains("deposit("),
        "{}",
        carved.stdout
    );
    assert!(
        carved.stderr.contains("1 function executed"),
        "{}",
        carved.stderr
    );
    let after: Vec<_> = project
        .snapshot()
        .into_iter()
        .filter(|(path, _)| !path.ends_with("Cargo.lock"))
        .collect();
    assert_eq!(
        after,
        before.into_iter().collect::<Vec<_>>(),
        "nothing is written without --write"
    );
    let nothing = project.situ(&["carve", "--in", "nowhere", "--from", "carve"]);
    assert_eq!(nothing.code, 2, "{}", nothing.stderr);
    assert!(
        nothing
            .stderr
            .contains("`--in nowhere` names no executed function"),
        "{}",
        nothing.stderr
    );
    let missing = project.situ(&["carve", "--from", "friday"]);
    assert_eq!(missing.code, 2, "{}", missing.stderr);
    assert!(
        missing
            .stderr
            .contains("cargo situ record --functions --calls --name friday"),
        "{}",
        missing.stderr
    );
}

const NOTES: &str = r##"mod store {
    use std::time::{SystemTime, UNIX_EPOCH};
    use std::{fs, io, path::Path};

    pub fn save(folder: &Path, title: &str) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        fs::write(folder.join("note.md"), format!("# {title}\n"))?;
        fs::write(folder.join("title.txt"), title)
    }

    pub fn stamp(title: &str) -> u64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        now + title.len() as u64
    }

    pub fn since(nanos: u128) -> u128 {
        nanos / 3
    }

    pub fn set_up(folder: &Path, number: u32) -> bool {
        prepare(folder, number) && announce(number)
    }

    fn prepare(folder: &Path, number: u32) -> bool {
        fs::write(folder.join("number"), number.to_string()).is_ok()
    }

    fn announce(number: u32) -> bool {
        std::env::var("QUIET").is_err() && number > 2
    }
}

mod bank {
    pub trait Accounts {
        fn withdraw(&mut self, owner: &str, amount: u32) -> u32;
        fn deposit(&mut self, owner: &str, amount: u32) -> u32;
        fn close(&mut self);
    }

    pub struct Files(pub std::path::PathBuf);

    impl Accounts for Files {
        fn withdraw(&mut self, owner: &str, amount: u32) -> u32 {
            self.deposit(owner, amount)
        }

        fn deposit(&mut self, owner: &str, amount: u32) -> u32 {
            std::fs::write(self.0.join(owner), amount.to_string()).unwrap();
            amount
        }

        fn close(&mut self) {
            std::fs::remove_dir_all(&self.0).unwrap();
        }
    }

    pub fn transfer(accounts: &mut dyn Accounts, from: &str, to: &str, amount: u32) -> u32 {
        let sum = accounts.withdraw(from, amount) + accounts.deposit(to, amount);
        accounts.close();
        sum
    }
}

fn main() {
    let folder = std::path::PathBuf::from(std::env::args().nth(1).unwrap());
    store::save(&folder.join("notes"), "Tea").unwrap();
    println!("{} {}", store::stamp("Tea"), store::set_up(&folder, 3));
    let nanos = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos();
    println!("{}", store::since(nanos));
    println!("{}", bank::transfer(&mut bank::Files(folder), "ann", "bob", 5));
}
"##;

/// Wrong effects: what stands in the source, and what is put in its place.
const WRONG: [(&str, &str); 8] = [
    ("format!(\"# {title}\\n\")", "format!(\"## {title}\\n\")"),
    ("folder.join(\"title.txt\")", "folder.join(\"title.md\")"),
    (
        "fs::write(folder.join(\"note.md\"), format!(\"# {title}\\n\"))?;\n        fs::write(folder.join(\"title.txt\"), title)",
        "fs::write(folder.join(\"title.txt\"), title)?;\n        fs::write(folder.join(\"note.md\"), format!(\"# {title}\\n\"))",
    ),
    (
        "        fs::create_dir_all(folder)?;\n        fs::write",
        "        let _ = || fs::create_dir_all(folder);\n        fs::write",
    ),
    (
        "prepare(folder, number) && announce(number)",
        "announce(number) && prepare(folder, number)",
    ),
    (
        "accounts.withdraw(from, amount) + accounts.deposit(to, amount)",
        "accounts.deposit(to, amount) + accounts.withdraw(from, amount)",
    ),
    (
        "accounts.deposit(to, amount)",
        "accounts.deposit(to, amount).max(accounts.deposit(to, amount))",
    ),
    ("        accounts.close();\n        sum", "        sum"),
];

#[test]
fn wrong_effects_let_carved_tests_fail_and_carving_again_adds_nothing() {
    let project = Project::empty();
    project.write("Cargo.toml", &MANIFEST.replace("ledger", "notes"));
    project.write("src/main.rs", NOTES);
    let options = [
        "carve",
        "--quick",
        "--write",
        "--json",
        "--situ-path",
        REPOSITORY,
    ];
    let command = [
        "--",
        "sh",
        "-c",
        "folder=$(mktemp -d); $SITU_BIN $folder; rm -rf $folder",
    ];
    let carved = project.situ(&[&options[..], &command[..]].concat());
    assert_eq!(carved.code, 0, "{}", carved.stderr);
    let source = project.read("src/main.rs");
    let shown = carved.summary["shown"].as_u64().unwrap();
    assert_eq!(shown, 10, "{}\n{source}", carved.stdout);
    assert_eq!(carved.summary["unchecked"], 0, "{}", carved.stdout);
    let words: String = source.split_whitespace().collect();
    for part in [
        "/scratch-folder/notes/note.md\",\"#Tea\\n\"),Ok(()))",
        "check_order(fs::create_dir_all(..),fs::write(",
        "check_order(prepare(..),announce(..))",
        "[\"accounts.withdraw\",\"accounts.deposit\",\"accounts.close\"]",
    ] {
        assert!(words.contains(part), "{part} in\n{source}");
    }
    let again = project.situ(&[&options[..], &command[..]].concat());
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert_eq!(again.summary["already_there"], shown, "{}", again.stdout);
    assert_eq!(
        project.read("src/main.rs"),
        source,
        "another clock and another folder make no other tests"
    );
    cargo_test(&project);
    for (right, wrong) in WRONG {
        let changed = source.replace(right, wrong);
        assert_ne!(changed, source, "{right}");
        project.write("src/main.rs", &changed);
        let output = own_cargo(&project).arg("test").output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            said.contains("test result: FAILED"),
            "{wrong}\n{said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
