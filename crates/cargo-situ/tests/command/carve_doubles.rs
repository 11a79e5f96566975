//! What `cargo situ carve` puts in the place of what a test cannot have: doubles of collaborators, and values for calls that
//! leave the chosen modules.

use crate::project::{Project, own_cargo};
use std::process::Output;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const MANIFEST: &str = "[package]\nname = \"greeter\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n[lints.rust]\nwarnings = \"deny\"\n";

const MAIN: &str = r#"mod people {
    #[derive(Clone, Debug, PartialEq)]
    pub struct Person {
        pub first: String,
        pub last: String,
    }

    pub trait Named {
        fn name(&self) -> String;
    }

    pub trait Queue<T> {
        fn next(&mut self) -> Option<T>;
    }

    pub struct Waiting(pub u32);

    impl Queue<Person> for Waiting {
        fn next(&mut self) -> Option<Person> {
            self.0 = self.0.checked_sub(1)?;
            let first = std::env::var("HOUR").ok()?;
            Some(Person { first, last: String::from("Doe") })
        }
    }

    pub trait People: Named + Send + Sync {
        fn find(&self, last: &str) -> Option<Person>;
        fn save(&mut self, person: Person);
        fn count(&self) -> usize;
    }

    pub struct Files {
        pub folder: std::path::PathBuf,
    }

    impl Named for Files {
        fn name(&self) -> String {
            format!("of {}", std::env::var("HOUR").unwrap())
        }
    }

    impl People for Files {
        fn find(&self, last: &str) -> Option<Person> {
            let first = std::fs::read_to_string(self.folder.join(last)).ok()?;
            Some(Person { first: first.trim().to_owned(), last: last.to_owned() })
        }

        fn save(&mut self, person: Person) {
            std::fs::write(self.folder.join(person.last), person.first).unwrap();
        }

        fn count(&self) -> usize {
            std::fs::read_dir(&self.folder).unwrap().count()
        }
    }
}

mod clock {
    pub trait Clock {
        fn hour(&self) -> u32;
    }

    pub struct Wall;

    impl Clock for Wall {
        fn hour(&self) -> u32 {
            std::env::var("HOUR").unwrap().parse().unwrap()
        }
    }

    pub fn minutes(hour: u32) -> u32 {
        hour * 60
    }
}

mod greeting {
    use crate::clock::{self, Clock};
    use crate::people::{People, Person, Queue};
    use std::sync::Arc;

    pub struct Greeter<C: Clock> {
        pub people: Arc<dyn People>,
        pub clock: C,
        pub greeted: u32,
    }

    impl<C: Clock> Greeter<C> {
        pub fn greet(&mut self, last: &str) -> String {
            self.greeted += 1;
            match self.people.find(last) {
                Some(person) if self.clock.hour() < 12 => format!("Good morning, {} {}!", person.first, person.last),
                Some(person) => format!("Hello {} {}!", person.first, person.last),
                None => format!("Who is this '{last}'?"),
            }
        }
    }

    pub fn hours(clock: &dyn Clock, times: usize) -> Vec<u32> {
        (0..times).map(|_| clock.hour()).collect()
    }

    pub fn register(people: &mut impl People, first: &str, last: &str) -> usize {
        if people.find(last).is_none() {
            people.save(Person { first: first.to_owned(), last: last.to_owned() });
        }
        people.count()
    }

    pub fn label(people: &dyn People) -> String {
        let name = people.name();
        format!("people {name}")
    }

    pub fn serve(queue: &mut dyn Queue<Person>) -> Vec<String> {
        let mut served = Vec::new();
        while let Some(person) = queue.next() {
            served.push(person.last);
        }
        served
    }

    pub fn boxed(clock: Box<dyn Clock>) -> bool {
        clock.hour() > 12
    }

    pub fn waiting(hours: &[u32]) -> u32 {
        hours.iter().map(|hour| clock::minutes(*hour)).sum()
    }
}

use people::Files;
use std::sync::Arc;

fn main() {
    let files = || Files { folder: std::env::args().nth(1).unwrap().into() };
    println!("{}", greeting::register(&mut files(), "James", "Carter"));
    let mut greeter = greeting::Greeter { people: Arc::new(files()), clock: clock::Wall, greeted: 0 };
    println!("{} {}", greeter.greet("Carter"), greeter.greet("Nobody"));
    println!("{:?} {}", greeting::hours(&clock::Wall, 2), greeting::boxed(Box::new(clock::Wall)));
    println!("{} {}", greeting::waiting(&[2, 3]), greeting::label(&files()));
    println!("{:?}", greeting::serve(&mut people::Waiting(1)));
}
"#;

const SCRIPT: &str =
    "folder=$(mktemp -d); HOUR=9 $SITU_BIN $folder; HOUR=15 $SITU_BIN $folder; rm -r $folder";

fn greeter() -> Project {
    let project = Project::with_builds_of_last_run("carve-doubles");
    project.write("Cargo.toml", MANIFEST);
    project.write("src/main.rs", MAIN);
    project
}

fn cargo_test(project: &Project, words: &[&str]) -> Output {
    own_cargo(project).arg("test").args(words).output().unwrap()
}

/// Whether a text has these words, however it is laid out.
fn has(text: &str, part: &str) -> bool {
    let words = |text: &str| {
        text.split_whitespace()
            .collect::<String>()
            .replace(",)", ")")
            .replace(",}", "}")
    };
    words(text).contains(&words(part))
}

#[test]
fn collaborators_get_doubles_and_calls_of_other_modules_get_values() {
    let project = greeter();
    let options = [
        "carve",
        "--quick",
        "--in",
        "greeting",
        "--situ-path",
        REPOSITORY,
        "--write",
        "--json",
    ];
    let carved = project.situ(&[&options[..], &["--", "sh", "-c", SCRIPT]].concat());
    assert_eq!(carved.code, 0, "{}", carved.stderr);
    let source = project.read("src/main.rs");
    for part in [
        "let clock = ClockDouble::new(\"clock\", &calls).on_hour(|| 9);",
        "let people = PeopleDouble::new(\"people\", &calls).on_find(|last| { assert_eq!(last, \"Carter\"); Some(Person {",
        "let mut subject = Greeter { people: Arc::new(people), clock, greeted: 0 };",
        "assert_eq!(result, \"Good morning, James Carter!\"); assert_eq!(subject.greeted, 1);",
        ".on_hour(|| 9).on_hour(|| 9)",
        "assert_eq!(result, vec![9, 9]);",
        ".on_save(|person| { assert_eq!(person, Person {",
        "let result = register(&mut people, first, last);",
        "let clock = Box::new(ClockDouble::new(\"clock\", &calls).on_hour(|| 15)); let result = boxed(clock);",
        "fn register_when_find_gives_none_returning_1() {",
        "mock(clock::minutes(2), 120), mock(clock::minutes(3), 180), check_return(300), check_order(clock::minutes(2), clock::minutes(3))",
        "expect(\"an unexpected call of `find`\")",
        "let people = PeopleDouble::new(\"people\", &calls).on_name(|| String::from(\"of 9\"));",
        "impl crate::people::Named for PeopleDouble {",
        "assert_eq!(*calls.lock().unwrap(), [\"people.find\", \"clock.hour\"]);",
        "assert_eq!(*calls.lock().unwrap(), [\"people.find\", \"people.save\", \"people.count\"]);",
        "impl Queue<Person> for PersonQueueDouble {",
        ".on_next(|| None); let result = serve(&mut queue); assert_eq!(result, [\"Doe\"]);",
    ] {
        assert!(has(&source, part), "{part} in\n{source}\n{}", carved.stdout);
    }
    assert_eq!(carved.summary["functions_seen"], 7, "{}", carved.summary);
    assert_eq!(
        carved.summary["refused"].as_object().unwrap().len(),
        0,
        "{}",
        carved.summary
    );
    assert!(
        !has(&source, "fn minutes_returning"),
        "what is not chosen gets no tests"
    );
    let tests = cargo_test(&project, &[]);
    assert!(
        tests.status.success(),
        "{}",
        String::from_utf8_lossy(&tests.stderr)
    );
    let broken = source.replace("self.people.find(last)", "self.people.find(\"Smith\")");
    assert_ne!(broken, source);
    project.write("src/main.rs", &broken);
    let tests = cargo_test(&project, &["greet"]);
    let said = String::from_utf8_lossy(&tests.stdout);
    assert!(
        !tests.status.success() && said.contains("FAILED"),
        "a double that is asked something else lets its test fail"
    );
    with_mockall(&project);
}

/// The same recording, with doubles of another make.
fn with_mockall(project: &Project) {
    project.write("src/main.rs", MAIN);
    project.write("Cargo.toml", MANIFEST);
    let options = [
        "carve",
        "--quick",
        "--in",
        "greeting",
        "--style",
        "mockall",
        "--situ-path",
        REPOSITORY,
        "--write",
        "--json",
    ];
    let carved = project.situ(&[&options[..], &["--from", "carve"]].concat());
    assert_eq!(carved.code, 0, "{}", carved.stderr);
    let source = project.read("src/main.rs");
    for part in [
        "mockall::mock! { Clock {} impl Clock for Clock { fn hour(&self) -> u32; } }",
        "let mut clock = MockClock::new(); clock.expect_hour().times(1).in_sequence(&mut sequence).returning(|| 9);",
        "let mut people = MockPeople::new(); people.expect_find().times(1).in_sequence(&mut sequence).returning(|last| { assert_eq!(last, \"Carter\");",
    ] {
        assert!(has(&source, part), "{part} in\n{source}");
    }
    assert!(
        project
            .read("Cargo.toml")
            .contains("[dev-dependencies]\nmockall = "),
        "{}",
        project.read("Cargo.toml")
    );
    assert!(
        carved.summary["shown"].as_u64().unwrap() >= 8,
        "{}",
        carved.summary
    );
    let tests = cargo_test(project, &[]);
    assert!(
        tests.status.success(),
        "{}",
        String::from_utf8_lossy(&tests.stderr)
    );
}
