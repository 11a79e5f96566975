//! `cargo situ extract --level block` from end to end, on a copy of the crate under `testdata/fragments`.

use crate::project::{Project, assert_own_tests_pass, own_cargo};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn blocks_and_closures_get_tests_that_pass_and_are_not_added_twice() {
    let project = Project::copy("fragments");
    let shown = project.situ(&[
        "extract",
        "--all",
        "--level",
        "block",
        "--json",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    let number = |key: &str| {
        shown.summary[key]
            .as_u64()
            .unwrap_or_else(|| panic!("{key} in {}", shown.summary))
    };
    assert!(
        number("statements_with_tests") * 10 >= number("statements_reached") * 9,
        "{}",
        shown.summary
    );
    assert_eq!(
        number("fragment_branches_covered"),
        number("fragment_branches_reached"),
        "{}",
        shown.summary
    );
    assert!(number("fragment_branches_reached") <= number("fragment_branches"));
    assert!(shown.lines.iter().all(|test| test["level"] == "block"));
    let texts: Vec<&str> = shown
        .lines
        .iter()
        .map(|test| test["text"].as_str().unwrap())
        .collect();
    let says = |part: &str| texts.iter().any(|text| text.contains(part));
    for part in [
        "check_return(None)",
        "check_break()",
        "check_continue()",
        "check_panic(\"attempt to divide by zero\")",
        "check_value(300)",
        "mock(env::var(\"SITU_FIXTURE_GREETING\"), Err",
        "mock_seq(fs::read_to_string(..), [Ok(String::from(\"one\\n\")), Ok(String::from(\"three\\n\")), Ok(",
        "closuretest!(",
        "args(",
        "next(",
    ] {
        assert!(says(part), "no test says {part}: {texts:#?}");
    }
    check_writing(&project, texts.len());
}

fn check_writing(project: &Project, tests: usize) {
    let arguments = [
        "extract",
        "--all",
        "--level",
        "block",
        "--write",
        "--situ-path",
        REPOSITORY,
    ];
    let written = project.situ(&[&arguments[..], &["--from", "extract"]].concat());
    assert_eq!(written.code, 0, "{}", written.stderr);
    let source = project.read("src/lib.rs");
    assert_eq!(source.matches("test!(").count(), tests, "{source}");
    let output = own_cargo(project).args(["test", "--lib"]).output().unwrap();
    assert!(
        output.status.success(),
        "{}\n{source}",
        String::from_utf8_lossy(&output.stdout)
    );
    let again = project.situ(&arguments);
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert_eq!(
        project.read("src/lib.rs"),
        source,
        "nothing new the second time"
    );
    let start = source.find("        let part = part.trim();").unwrap();
    let first = source[..start].rfind("{\n").unwrap() + 2;
    assert!(source[first..start].contains("blocktest!("), "{source}");
    project.write(
        "src/lib.rs",
        &format!("{}{}", &source[..first], &source[start..]),
    );
    let once_more = project.situ(&arguments);
    assert_eq!(once_more.code, 0, "{}", once_more.stderr);
    assert_eq!(
        project.read("src/lib.rs"),
        source,
        "what is missing is found, beside the tests that are there"
    );
}

#[test]
fn the_least_tested_come_first_and_a_line_names_the_innermost() {
    let project = Project::copy("fragments");
    let one = project.situ(&[
        "extract",
        "--all",
        "--level",
        "block",
        "--top",
        "1",
        "--json",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(one.code, 0, "{}", one.stderr);
    assert_eq!(one.summary["statements_with_tests"], 1, "{}", one.summary);
    let line = 1 + project
        .read("src/lib.rs")
        .lines()
        .position(|line| line.contains("part * 100"))
        .unwrap();
    let at = format!("src/lib.rs:{line}");
    let inner = project.situ(&[
        "extract",
        "--all",
        "--level",
        "block",
        "--at",
        &at,
        "--json",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(inner.code, 0, "{}", inner.stderr);
    assert_eq!(inner.summary["statements_found"], 1, "{}", inner.summary);
    assert!(
        inner.lines.iter().all(|test| test["line"] == line - 1),
        "{:?}",
        inner.lines
    );
}

const BY_HAND: &str = r#"
use std::mem::MaybeUninit;
use std::ops::Deref;

mod numbers {
    pub trait One {
        fn one() -> Self;
    }

    impl One for u64 {
        fn one() -> u64 {
            1
        }
    }

    pub trait Number: One + Copy + std::ops::Add<Output = Self> {}

    impl Number for u64 {}
}

pub fn one_more<T: numbers::Number>(items: &[T]) -> T {
    let mut sum = T::one();
    for item in items {
        sum = sum + *item;
    }
    sum
}

pub struct Limbs {
    data: [MaybeUninit<u64>; 4],
    length: usize,
}

impl Limbs {
    pub fn of(limbs: &[u64]) -> Option<Limbs> {
        let mut made = Limbs { data: [MaybeUninit::uninit(); 4], length: 0 };
        for limb in limbs {
            made.push(*limb)?;
        }
        Some(made)
    }

    pub fn push(&mut self, limb: u64) -> Option<()> {
        if self.len() == 4 {
            return None;
        }
        unsafe { self.add(limb) };
        Some(())
    }

    unsafe fn add(&mut self, limb: u64) {
        let end = unsafe { self.data.as_mut_ptr().add(self.length) };
        unsafe { end.write(MaybeUninit::new(limb)) };
        self.length += 1;
    }
}

impl Deref for Limbs {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        unsafe { std::slice::from_raw_parts(self.data.as_ptr().cast(), self.length) }
    }
}

impl PartialEq for Limbs {
    fn eq(&self, other: &Limbs) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limbs_are_pushed_until_there_is_no_room() {
        let mut limbs = Limbs::of(&[1, 2, 3]).unwrap();
        assert!(limbs.push(4).is_some() && limbs.push(5).is_none());
        assert_eq!(one_more(&limbs), 11);
    }
}
"#;

#[test]
fn memory_by_hand_is_made_by_its_own_function_and_traits_of_bounds_are_imported() {
    let project = Project::library("", BY_HAND);
    let ran = project.situ(&[
        "extract",
        "--all",
        "--level",
        "block",
        "--write",
        "--json",
        "--situ-path",
        REPOSITORY,
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        !ran.summary.to_string().contains("killed by a signal"),
        "{}",
        ran.summary
    );
    ran.text_of("one_more", "setup({ use crate::numbers::One; })");
    // As it is before unsafe code runs, and as it is when that has run.
    ran.text_of(
        "push",
        "(Limbs::of(&[]).unwrap(), 1, Some(()), Limbs::of(&[1]).unwrap())",
    );
    assert_own_tests_pass(&project);
}

const TESTED: &str = r#"
use situ::*;

#[situ]
pub fn grade(points: u32) -> &'static str {
    blocktest!(given(points = 90), check_value("good"));
    blocktest!("fair", each(some, [50, 60]), given(points = some), check_value("fair"));
    let half = points / 2;
    if half > 40 {
        "good"
    } else if half > 20 {
        "fair"
    } else {
        "bad"
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn one() {
        assert_eq!(super::grade(99), "good");
    }
}
"#;

#[test]
fn branches_that_tests_take_which_were_there_are_taken() {
    let situ = |features| {
        format!("situ = {{ path = \"{REPOSITORY}/crates/situ\", features = [{features}] }}\n")
    };
    let manifest = format!(
        "[dependencies]\n{}[dev-dependencies]\n{}",
        situ(""),
        situ("\"test\"")
    );
    let project = Project::library(&manifest, TESTED);
    let ran = project.situ(&["extract", "--all", "--level", "block", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let line = 1 + TESTED
        .lines()
        .position(|line| line.contains("} else {"))
        .unwrap();
    assert_eq!(
        ran.summary["untaken_branches"].to_string(),
        format!("[\"src/lib.rs:{line}\"]"),
        "{}",
        ran.summary
    );
    assert_eq!(
        ran.summary["fragment_branches_covered_before"], 2,
        "{}",
        ran.summary
    );
}
