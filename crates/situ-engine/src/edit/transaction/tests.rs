//! Changes that are stopped after every step, disturbed by others, or recovered from forged
//! journals.

use super::super::changes::FileChange;
use super::super::journal::{Recovery, recover};
use super::super::undo::{undo_observed, write, write_observed};
use super::*;
use crate::base::user_error::UserError;
use std::collections::BTreeMap;
use tempfile::TempDir;

const OLD: &str = "old\r\n";
const NEW: &str = "new\r\n";

/// Workspace with three files to change and one to create, in a new folder.
struct Example {
    folder: TempDir,
}

impl Example {
    fn new() -> Example {
        let folder = tempfile::tempdir().unwrap();
        let example = Example { folder };
        fs::create_dir_all(example.path("src")).unwrap();
        for name in ["Cargo.toml", "src/lib.rs", "src/other.rs"] {
            fs::write(example.path(name), OLD).unwrap();
        }
        example
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("mine").join(name)
    }

    fn notes(&self) -> PathBuf {
        self.folder.path().join("notes")
    }

    fn files(&self) -> UserFiles<'static> {
        UserFiles::below(&self.path(""), &self.notes())
    }

    fn changed() -> Vec<FileChange> {
        let change = |path: &str, is_new: bool| FileChange {
            path: path.into(),
            before: if is_new {
                String::new()
            } else {
                OLD.to_owned()
            },
            after: NEW.to_owned(),
            is_new,
        };
        vec![
            change("src/lib.rs", false),
            change("src/other.rs", false),
            change("src/texts/deep/a.txt", true),
            change("Cargo.toml", false),
        ]
    }

    /// Returns all files and folders, with the contents of the files.
    fn snapshot(&self) -> BTreeMap<PathBuf, String> {
        fn walk(folder: &Path, found: &mut BTreeMap<PathBuf, String>) {
            for entry in fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().path())
            {
                match entry.is_dir() {
                    true => {
                        found.insert(entry.clone(), "folder".to_owned());
                        walk(&entry, found);
                    }
                    false => drop(found.insert(entry.clone(), fs::read_to_string(&entry).unwrap())),
                }
            }
        }
        let mut found = BTreeMap::new();
        walk(&self.path(""), &mut found);
        found
    }

    /// Returns the file names in the folder of journals, without the lock.
    fn noted(&self) -> Vec<String> {
        let entries = fs::read_dir(self.notes()).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| name != "lock").collect();
        names.sort();
        names
    }
}

/// Returns an observer that stops after step `at`, counted from zero, and a flag that says whether
/// it did.
fn stopping(at: usize) -> (impl FnMut(Step) -> Next, std::rc::Rc<std::cell::Cell<bool>>) {
    let (mut steps, stopped) = (0, std::rc::Rc::new(std::cell::Cell::new(false)));
    let flag = stopped.clone();
    let observe = move |_| {
        steps += 1;
        flag.set(steps == at + 1);
        if flag.get() { Next::Stop } else { Next::GoOn }
    };
    (observe, stopped)
}

#[track_caller]
fn is_input_fault(error: &anyhow::Error, words: &str) {
    assert!(
        matches!(error.downcast_ref(), Some(UserError::Input(text)) if text.contains(words)),
        "{error:?}"
    );
}

#[test]
fn a_write_that_is_killed_at_any_step_is_finished_or_rolled_back_and_leaves_nothing() {
    let (old, new) = {
        let example = Example::new();
        let old = example.snapshot();
        write(&example.files(), &Example::changed()).unwrap();
        (
            relative(&example, old),
            relative(&example, example.snapshot()),
        )
    };
    let mut seen = [0, 0];
    for at in 0.. {
        let example = Example::new();
        let (mut observe, stopped) = stopping(at);
        write_observed(&example.files(), &Example::changed(), &mut observe).unwrap();
        if !stopped.get() {
            assert!(at > 8, "only {at} steps");
            break;
        }
        let recovery = recover(&example.files()).unwrap();
        let now = relative(&example, example.snapshot());
        assert!(
            now == old || now == new,
            "stopped behind step {at}: {now:?}"
        );
        let is_new = now == new;
        seen[usize::from(is_new)] += 1;
        assert_eq!(
            example.noted(),
            if is_new { vec!["1.json"] } else { vec![] },
            "stopped behind step {at}"
        );
        assert_eq!(recovery.finished.len(), if is_new { 4 } else { 0 });
        assert_eq!(
            recover(&example.files()).unwrap(),
            Recovery::default(),
            "once is enough"
        );
        if is_new {
            undo_observed(&example.files(), &mut |_| Next::GoOn).unwrap();
            assert_eq!(relative(&example, example.snapshot()), old);
        }
    }
    assert!(
        seen.iter().all(|count| *count > 0),
        "rolled back and finished: {seen:?}"
    );
}

/// Makes the paths relative, because each example has its own folder.
fn relative(example: &Example, snapshot: BTreeMap<PathBuf, String>) -> BTreeMap<PathBuf, String> {
    let root = example.path("");
    snapshot
        .into_iter()
        .map(|(path, text)| (path.strip_prefix(&root).unwrap().to_path_buf(), text))
        .collect()
}

#[test]
fn an_undo_that_is_killed_at_any_step_has_happened_or_not_and_can_be_asked_for_again() {
    for at in 0.. {
        let example = Example::new();
        let old = example.snapshot();
        write(&example.files(), &Example::changed()).unwrap();
        let new = example.snapshot();
        let (mut observe, stopped) = stopping(at);
        undo_observed(&example.files(), &mut observe).unwrap();
        if !stopped.get() {
            assert_eq!(example.snapshot(), old);
            assert!(at > 5, "only {at} steps");
            break;
        }
        recover(&example.files()).unwrap();
        let files_now = |snapshot: BTreeMap<PathBuf, String>| -> Vec<(PathBuf, String)> {
            snapshot
                .into_iter()
                .filter(|(_, text)| text != "folder")
                .collect()
        };
        let now = files_now(example.snapshot());
        assert!(
            now == files_now(old.clone()) || now == files_now(new.clone()),
            "stopped behind step {at}: {now:?}"
        );
        if now == files_now(new) {
            undo_observed(&example.files(), &mut |_| Next::GoOn).unwrap();
            assert_eq!(example.snapshot(), old);
        }
        assert!(example.noted().is_empty(), "{:?}", example.noted());
    }
}

#[test]
fn undo_of_a_write_that_was_killed_rolls_it_back_and_nothing_else() {
    let example = Example::new();
    write(&example.files(), &Example::changed()).unwrap();
    let first = example.snapshot();
    let again = FileChange {
        path: "src/lib.rs".into(),
        before: NEW.to_owned(),
        after: "newer".to_owned(),
        is_new: false,
    };
    let more = FileChange {
        path: "src/other.rs".into(),
        ..again.clone()
    };
    let mut replaced = 0;
    let mut observe = |step: Step| {
        replaced += usize::from(step == Step::Replaced);
        if replaced == 1 {
            Next::Stop
        } else {
            Next::GoOn
        }
    };
    write_observed(&example.files(), &[again, more], &mut observe).unwrap();
    assert_ne!(example.snapshot(), first);
    let files = undo_observed(&example.files(), &mut |_| Next::GoOn).unwrap();
    assert_eq!(files, [PathBuf::from("src/lib.rs")]);
    assert_eq!(
        example.snapshot(),
        first,
        "the change before is still there"
    );
}

#[test]
fn a_file_that_an_editor_saves_at_the_last_moment_is_kept_and_stops_everything() {
    let example = Example::new();
    let mut before = example.snapshot();
    let saved = example.path("src/other.rs");
    let mut observe = |step: Step| {
        if step == Step::AllStaged {
            fs::write(&saved, "mine").unwrap();
        }
        Next::GoOn
    };
    let error = write_observed(&example.files(), &Example::changed(), &mut observe).unwrap_err();
    is_input_fault(
        &error,
        "src/other.rs changed since it was read; nothing was written",
    );
    before.insert(saved.clone(), "mine".to_owned());
    assert_eq!(example.snapshot(), before);
    assert!(example.noted().is_empty());
}

#[test]
fn a_file_that_is_edited_after_a_kill_stays_as_it_is() {
    let example = Example::new();
    let mut observe = |step: Step| {
        if step == Step::Replaced {
            Next::Stop
        } else {
            Next::GoOn
        }
    };
    write_observed(&example.files(), &Example::changed(), &mut observe).unwrap();
    fs::write(example.path("src/lib.rs"), "mine").unwrap();
    let recovery = recover(&example.files()).unwrap();
    assert_eq!(recovery.edited, [PathBuf::from("src/lib.rs")]);
    assert_eq!(
        fs::read_to_string(example.path("src/lib.rs")).unwrap(),
        "mine"
    );
    assert_eq!(
        fs::read_to_string(example.path("src/other.rs")).unwrap(),
        OLD
    );
}

#[test]
fn where_one_file_cannot_be_replaced_the_others_get_their_text_back() {
    let example = Example::new();
    let other = example.path("src/other.rs");
    // A folder in place of the second file makes its replacement fail after the first was replaced.
    let mut observe = |step: Step| {
        if step == Step::Replaced && other.is_file() {
            fs::remove_file(&other).unwrap();
            fs::create_dir_all(other.join("inner")).unwrap();
        }
        Next::GoOn
    };
    let failed = write_observed(&example.files(), &Example::changed(), &mut observe);
    assert!(failed.is_err());
    assert_eq!(fs::read_to_string(example.path("src/lib.rs")).unwrap(), OLD);
    assert!(!example.path("src/texts").exists());
}

#[test]
fn a_new_file_never_replaces_one_that_is_there() {
    let example = Example::new();
    let texts = example.path("src/texts/deep/a.txt");
    fs::create_dir_all(texts.parent().unwrap()).unwrap();
    fs::write(&texts, "mine").unwrap();
    let before = example.snapshot();
    let error = write(&example.files(), &Example::changed()).unwrap_err();
    is_input_fault(&error, "src/texts/deep/a.txt changed since it was read");
    assert_eq!(example.snapshot(), before);
}

/// Writes a journal or undo record for one file into Situ's folder.
fn put_note(example: &Example, name: &str, path: &str, then: Then) {
    let file = JournalFile {
        path: path.into(),
        before: Some(String::new()),
        after: Some(OLD.to_owned()),
    };
    let journal = Journal::new(&example.files(), vec![file], vec![], then);
    fs::create_dir_all(example.notes()).unwrap();
    fs::write(
        example.notes().join(name),
        serde_json::to_string(&journal).unwrap(),
    )
    .unwrap();
}

#[test]
fn notes_about_files_outside_of_the_workspace_are_refused_and_nothing_is_written() {
    for path in ["../outside.rs", "src/../../outside.rs", "ABSOLUTE"] {
        let example = Example::new();
        let outside = example.folder.path().join("outside.rs");
        fs::write(&outside, OLD).unwrap();
        let path = if path == "ABSOLUTE" {
            outside.to_str().unwrap()
        } else {
            path
        };
        put_note(&example, "1.json", path, Then::Keep(1));
        let error = undo_observed(&example.files(), &mut |_| Next::GoOn).unwrap_err();
        is_input_fault(&error, "nothing was written");
        let journal = journal::place(&example.files());
        put_note(
            &example,
            journal.file_name().unwrap().to_str().unwrap(),
            path,
            Then::Keep(2),
        );
        is_input_fault(
            &recover(&example.files()).unwrap_err(),
            "nothing was written",
        );
        assert_eq!(fs::read_to_string(&outside).unwrap(), OLD);
    }
}

#[test]
fn notes_that_are_garbage_or_of_another_version_are_named_with_what_to_do() {
    for (text, words) in [
        ("garbage", "it is damaged"),
        ("{\"format\": 99}", "another version"),
        ("", "it is damaged"),
    ] {
        let example = Example::new();
        fs::create_dir_all(example.notes()).unwrap();
        fs::write(example.notes().join("7.json"), text).unwrap();
        let error = undo_observed(&example.files(), &mut |_| Next::GoOn).unwrap_err();
        is_input_fault(&error, words);
        is_input_fault(&error, "remove ");
        fs::write(journal::place(&example.files()), text).unwrap();
        is_input_fault(&recover(&example.files()).unwrap_err(), words);
    }
}
