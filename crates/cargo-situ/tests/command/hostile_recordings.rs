//! Recordings that somebody has tampered with: nothing in them is ever run.

use crate::project::Project;
use situ_recorder::bytes::{Reader, put_text};
use situ_recorder::recording::{self, MAGIC, frame, header};
use std::fs;
use std::path::{Path, PathBuf};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

const LIB: &str = r#"
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    pub x: i32,
    pub y: i32,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Shade {
    Dark,
    Light(u8),
}

impl Shade {
    pub fn from_name(name: &str) -> Shade {
        if name == "dark" { Shade::Dark } else { Shade::Light(1) }
    }
}

pub fn shout(word: String) -> String {
    let loud = word.trim().to_uppercase();
    loud
}

pub fn total(point: Point) -> i32 {
    let total = (point.x << 2) | point.y;
    total
}

pub fn level(shade: Shade) -> u8 {
    let level = match shade {
        Shade::Dark => 0,
        Shade::Light(level) => level << 1,
    };
    level
}

pub fn count(list: Vec<Point>) -> usize {
    let count = list.len() << 1;
    count
}

pub fn later(since: std::time::Duration) -> u64 {
    let later = since.as_secs() << 1;
    later
}

pub fn padded(text: &str, width: usize) -> String {
    let padded = format!("{text:>width$}").replace(' ', ".");
    padded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_called() {
        assert_eq!(shout(String::from(" ab")), "AB");
        assert_eq!(total(Point { x: 1, y: 2 }), 6);
        assert_eq!(level(Shade::Light(3)) + level(Shade::Dark), 6);
        assert_eq!(count(Vec::new()), 0);
        assert_eq!(later(std::time::Duration::new(4, 0)), 8);
        assert_eq!(padded("a", 3), "..a");
        assert_eq!(Shade::from_name("dark"), Shade::Dark);
    }
}
"#;

/// The payloads of a recording, each with what it is replaced by.
fn tampered(path: &Path, change: &dyn Fn(Vec<u8>) -> Vec<u8>) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    let mut rest = &bytes[MAGIC.len() + 4..];
    let mut whole = header();
    while !rest.is_empty() {
        let length = u32::from_le_bytes(*rest.first_chunk().unwrap()) as usize;
        whole.extend(frame(&change(rest[12..12 + length].to_vec())));
        rest = &rest[12 + length..];
    }
    whole
}

/// Replaces every string with its length in front that is `old`.
fn with_string(payload: &[u8], old: &str, new: &str) -> Vec<u8> {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    put_text(&mut before, old);
    put_text(&mut after, new);
    let mut changed = Vec::new();
    let mut at = 0;
    while at < payload.len() {
        match payload[at..].starts_with(&before) {
            true => {
                changed.extend(&after);
                at += before.len();
            }
            false => {
                changed.push(payload[at]);
                at += 1;
            }
        }
    }
    changed
}

/// Changes the description of a site, whose text is the last thing of its record.
fn with_description(payload: &[u8], old: &str, new: &str) -> Vec<u8> {
    if payload.first() != Some(&1) {
        return payload.to_vec();
    }
    let description = Reader::new(&payload[9..]).text().unwrap().replace(old, new);
    let mut changed = payload[..9].to_vec();
    put_text(&mut changed, &description);
    changed
}

/// One recording of the fixture, and a folder that only hostile code would write to.
struct Fixture {
    project: Project,
    marks: PathBuf,
}

impl Fixture {
    fn new() -> Fixture {
        let project = Project::library("", LIB);
        let marks = project.path().join("target/marks");
        fs::create_dir_all(&marks).unwrap();
        let ran = project.situ(&["record", "--functions", "--calls", "--name", "honest"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        Fixture { project, marks }
    }

    fn folder(&self, name: &str) -> PathBuf {
        self.project
            .path()
            .join("target/situ/recordings")
            .join(name)
    }

    fn file(&self) -> PathBuf {
        fs::read_dir(self.folder("honest"))
            .unwrap()
            .next()
            .unwrap()
            .unwrap()
            .path()
    }

    /// Code that leaves a mark, and is an expression with this value.
    fn hostile(&self, name: &str, value: &str) -> String {
        let mark = self.marks.join(name);
        format!(
            "{{ std::fs::write({:?}, \"\").unwrap(); {value} }}",
            mark.to_str().unwrap()
        )
    }

    /// Puts a recording in place whose payloads are changed.
    fn put(&self, name: &str, change: &dyn Fn(Vec<u8>) -> Vec<u8>) {
        fs::create_dir_all(self.folder(name)).unwrap();
        fs::write(
            self.folder(name).join("1-1.siturec"),
            tampered(&self.file(), change),
        )
        .unwrap();
    }

    fn marks(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.marks).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect()
    }
}

#[test]
fn no_name_in_a_recording_is_run() {
    let fixture = Fixture::new();
    let hostile = |name: &str, value: &str| fixture.hostile(name, value);
    let names = [
        ("String::from", hostile("head", "String::from")),
        ("library::Point", hostile("type", "library::Point")),
        ("x", hostile("field", "x")),
        ("Light", hostile("variant", "Shade::Light")),
        (
            "alloc::vec::Vec<library::Point>",
            format!("alloc::vec::Vec<[u8; {}]>", hostile("length", "1")),
        ),
        (
            "std::time::Duration::new",
            hostile("path", "std::time::Duration::new"),
        ),
    ];
    let all = |mut payload: Vec<u8>| {
        for (old, new) in &names {
            payload = with_string(&payload, old, new);
        }
        payload
    };
    fixture.put("names", &all);
    let descriptions = |mut payload: Vec<u8>| {
        for name in ["word", "point", "shade", "list", "since", "text"] {
            let new = format!("before:{}", hostile(&format!("slot-{name}"), name));
            payload = with_description(&payload, &format!("before:{name}"), &new);
            let new = format!("after:{}", hostile(&format!("after-{name}"), name));
            payload = with_description(&payload, &format!("after:{name}"), &new);
        }
        for name in ["loud", "total", "level", "count", "later", "padded"] {
            let new = format!("made:{}", hostile(&format!("made-{name}"), name));
            payload = with_description(&payload, &format!("made:{name}"), &new);
        }
        payload
    };
    fixture.put("descriptions", &descriptions);
    for name in ["names", "descriptions"] {
        for level in ["inline", "block"] {
            let arguments = [
                "extract",
                "--all",
                "--from",
                name,
                "--level",
                level,
                "--json",
                "--situ-path",
                REPOSITORY,
            ];
            let ran = fixture.project.situ(&arguments);
            assert!(
                [0, 2].contains(&ran.code),
                "{name} {level}: {} {}",
                ran.code,
                ran.stderr
            );
            assert!(!ran.stdout.contains("std::fs::write"), "{}", ran.stdout);
        }
        let carved =
            fixture
                .project
                .situ(&["carve", "--from", name, "--json", "--situ-path", REPOSITORY]);
        assert!(
            [0, 2].contains(&carved.code),
            "{name}: {} {}",
            carved.code,
            carved.stderr
        );
        assert!(
            !carved.stdout.contains("std::fs::write"),
            "{}",
            carved.stdout
        );
        let shown = fixture
            .project
            .situ(&["recordings", "show", "--name", name, "--json"]);
        assert!(
            [0, 2].contains(&shown.code),
            "{name}: {} {}",
            shown.code,
            shown.stderr
        );
    }
    assert_eq!(fixture.marks(), Vec::<String>::new(), "hostile code ran");
    damage_costs_what_is_damaged(&fixture);
    garbage_is_named(&fixture);
}

/// The bytes of a recording with one bit flipped in the middle of one of its records, counted from
/// zero.
fn with_flipped_bit(path: &Path, record: usize) -> Vec<u8> {
    let mut bytes = fs::read(path).unwrap();
    let mut at = MAGIC.len() + 4;
    for _ in 0..record {
        at += 12 + u32::from_le_bytes(*bytes[at..].first_chunk().unwrap()) as usize;
    }
    let length = u32::from_le_bytes(*bytes[at..].first_chunk().unwrap()) as usize;
    bytes[at + 12 + length / 2] ^= 1;
    bytes
}

fn damage_costs_what_is_damaged(fixture: &Fixture) {
    let honest = recording::read(&fixture.file()).unwrap();
    assert!(honest.damaged.is_empty() && honest.refused_values == 0 && honest.records.len() > 20);
    let shown = |name: &str| {
        let ran = fixture
            .project
            .situ(&["recordings", "show", "--name", name, "--json"]);
        (ran.code, ran.lines.len(), ran.stderr)
    };
    let (code, all, errors) = shown("honest");
    assert_eq!((code, errors.as_str()), (0, ""));
    let folder = fixture.folder("damaged");
    fs::create_dir_all(&folder).unwrap();
    for record in [0, 1, 2, honest.records.len() - 2] {
        fs::write(
            folder.join("1-1.siturec"),
            with_flipped_bit(&fixture.file(), record),
        )
        .unwrap();
        let (code, left, errors) = shown("damaged");
        assert_eq!(code, 0, "{errors}");
        assert!(
            left + 1 >= all,
            "record {record}: {left} of {all} places are left"
        );
        assert!(
            errors.contains("damaged, ") && errors.contains(" bytes from byte "),
            "{errors}"
        );
    }
    let extract = [
        "extract",
        "--all",
        "--from",
        "damaged",
        "--in",
        "shout",
        "--situ-path",
        REPOSITORY,
    ];
    let ran = fixture.project.situ(&extract);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("warning: ") && ran.stderr.contains("damaged, "),
        "{}",
        ran.stderr
    );
}

/// Files that are no recordings, and recordings of other versions.
fn garbage_is_named(fixture: &Fixture) {
    let folder = fixture.folder("garbage");
    fs::create_dir_all(&folder).unwrap();
    let mut newer = fs::read(fixture.file()).unwrap();
    newer[MAGIC.len()] = 99;
    for (bytes, words) in [
        (b"garbage".to_vec(), "is not a recording of Situ"),
        (newer, "update cargo-situ"),
    ] {
        fs::write(folder.join("1-1.siturec"), bytes).unwrap();
        for verb in [
            &["recordings", "show", "--name"][..],
            &["extract", "--all", "--from"],
            &["carve", "--from"],
            &["generalize", "--from"],
        ] {
            let ran = fixture.project.situ(&[verb, &["garbage"]].concat());
            assert_eq!(ran.code, 2, "{verb:?}: {}", ran.stderr);
            assert!(ran.stderr.contains(words), "{verb:?}: {}", ran.stderr);
        }
    }
    // A folder with the name of a recording.
    fs::remove_file(folder.join("1-1.siturec")).unwrap();
    fs::create_dir_all(folder.join("1-1.siturec")).unwrap();
    assert_eq!(
        fixture
            .project
            .situ(&["recordings", "show", "--name", "garbage"])
            .code,
        2
    );
    assert_eq!(fixture.project.situ(&["recordings"]).code, 0);
    for name in ["../honest", "a/b", ""] {
        let ran = fixture.project.situ(&["extract", "--all", "--from", name]);
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(
            ran.stderr.contains("is not a valid name for a recording"),
            "{}",
            ran.stderr
        );
    }
    fs::remove_dir_all(&folder).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(fixture.file()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "nobody else reads a recording");
        let merged = fixture
            .project
            .situ(&["recordings", "merge", "honest", "--into", "merged"]);
        assert_eq!(merged.code, 0, "{}", merged.stderr);
        let copy = fs::read_dir(fixture.folder("merged"))
            .unwrap()
            .next()
            .unwrap()
            .unwrap();
        assert_eq!(copy.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}

/// Damages every file below Situ's folder whose path has this part, and returns how many there
/// were.
fn damage(project: &Project, part: &str, how: fn(&Path)) -> usize {
    let mut folders = vec![project.path().join("target/situ")];
    let mut damaged = 0;
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
        {
            if path.is_symlink() {
                continue;
            } else if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().contains(part) {
                how(&path);
                damaged += 1;
            }
        }
    }
    damaged
}

#[test]
fn garbage_in_our_own_folder_is_mended_or_named_and_never_changes_an_answer() {
    let project = Project::library("", LIB).with_own_runtime();
    let (mutants, record): (&[&str], &[&str]) = (&["mutants", "--json"], &["record", "--json"]);
    let known = [project.situ(mutants), project.situ(record)];
    let garbage: fn(&Path) = |path| fs::write(path, [0xff, 0x00, b'{', 0xfe]).unwrap();
    let empty: fn(&Path) = |path| fs::write(path, "").unwrap();
    let folder: fn(&Path) = |path| {
        fs::remove_file(path)
            .and_then(|()| fs::create_dir(path))
            .unwrap()
    };
    // What is damaged, how, who comes by it, and whether it can only be named.
    let all = [
        ("/libsitu_recorder.rlib", garbage, mutants, false),
        ("/libsitu_recorder.rlib", folder, record, false),
        ("/libsitu_recorder.kept", empty, mutants, false),
        ("/mutants/numbers.json", garbage, mutants, false),
        ("/wrappers/", empty, record, false),
        ("/swap/", folder, record, false),
        ("/recordings/", folder, record, false),
        ("/mutants/inventory.json", folder, mutants, true),
        ("/index/", garbage, record, true),
    ];
    for (part, how, words, is_named) in all {
        assert!(damage(&project, part, how) > 0, "{part} is nowhere");
        let before = &known[usize::from(words == record)];
        let ran = project.situ(words);
        let said = format!("{part}, {words:?}: {}", ran.stderr);
        if is_named {
            assert!(ran.code == 2 && ran.stderr.contains("remove"), "{said}");
            continue;
        }
        assert_eq!(ran.code, before.code, "{said}");
        for number in ["killed", "survived", "mutants", "value_sets", "probes"] {
            assert_eq!(
                ran.summary[number], before.summary[number],
                "{number}, {said}"
            );
        }
    }
}
