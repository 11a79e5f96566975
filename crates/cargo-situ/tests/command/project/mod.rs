//! A copy of a crate under `testdata`, and the command run on it.

mod kept_folder;
pub mod schema;

use kept_folder::KeptFolder;

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::SystemTime;
use tempfile::TempDir;

pub struct Project {
    folder: PathBuf,
    /// Held for what its destructor does.
    _owner: Owner,
    /// Whether it uses the run-time libraries that were compiled for other projects.
    shares_runtime: bool,
}

/// What happens to the folder in the end.
#[expect(dead_code, reason = "held for what their destructors do")]
enum Owner {
    Temporary(TempDir),
    Kept(KeptFolder),
}

/// What a run of the command left.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    /// The objects on standard output, without the last.
    pub lines: Vec<Value>,
    /// The summary in the last object.
    pub summary: Value,
}

impl Ran {
    /// Runs the command to its end.
    pub fn of(command: &mut Command, arguments: &[&str]) -> Ran {
        Ran::answered(command, arguments, "")
    }

    fn answered(command: &mut Command, arguments: &[&str], answers: &str) -> Ran {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // One that asks nothing may have ended before it could be answered.
        let _ = child.stdin.take().unwrap().write_all(answers.as_bytes());
        let output = child.wait_with_output().unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        let mut lines: Vec<Value> = stdout
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        if arguments.contains(&"--json") {
            let verb = if arguments.contains(&"--undo") {
                "undo"
            } else {
                arguments[0]
            };
            lines.iter().for_each(|line| schema::check(verb, line));
        }
        let summary = lines
            .pop()
            .map(|last| last["summary"].clone())
            .unwrap_or_default();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        Ran {
            code: output.status.code().unwrap(),
            stdout,
            stderr,
            lines,
            summary,
        }
    }

    /// The text of a test in this function that has this part.
    pub fn text_of(&self, function: &str, part: &str) -> &str {
        let tests = self
            .lines
            .iter()
            .filter(|test| test["function"].as_str().unwrap().ends_with(function));
        let mut texts = tests.map(|test| test["text"].as_str().unwrap());
        let found = texts.find(|text| text.contains(part));
        found.unwrap_or_else(|| {
            panic!(
                "{part} in a test of {function}: {:?} {}",
                self.lines, self.summary
            )
        })
    }
}

impl Project {
    pub fn copy(name: &str) -> Project {
        let project = Project::empty();
        let original = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../testdata")
            .join(name);
        copy_folder(&original, project.path());
        project
    }

    /// An empty project that has the builds of the run before: for a test whose dependencies take longer than the test.
    pub fn with_builds_of_last_run(name: &str) -> Project {
        let owner = Owner::Kept(KeptFolder::wait_for(name));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).unwrap();
        let project = Project {
            folder,
            _owner: owner,
            shares_runtime: true,
        };
        project
            .snapshot()
            .into_keys()
            .for_each(|path| fs::remove_file(path).unwrap());
        project
    }

    /// A copy in a folder that keeps its builds, with paths to this repository made whole.
    pub fn copy_with_builds(original: &str, name: &str) -> Project {
        let project = Project::with_builds_of_last_run(name);
        let original = Project::copy(original);
        for (path, contents) in original.snapshot() {
            let path = path
                .strip_prefix(original.path())
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            project.write(&path, &String::from_utf8(contents).unwrap());
        }
        let repository = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let manifest = project.read("Cargo.toml").replace("../..", repository);
        project.write("Cargo.toml", &manifest);
        project
    }

    /// A library with this text.
    pub fn library(manifest: &str, text: &str) -> Project {
        let project = Project::empty();
        let head =
            "[package]\nname = \"library\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
        project.write("Cargo.toml", &format!("{head}{manifest}"));
        project.write("src/lib.rs", text);
        project
    }

    pub fn empty() -> Project {
        let temporary = tempfile::tempdir().unwrap();
        Project {
            folder: temporary.path().to_owned(),
            _owner: Owner::Temporary(temporary),
            shares_runtime: true,
        }
    }

    /// The project with run-time libraries of its own, for a test that damages them.
    pub fn with_own_runtime(mut self) -> Project {
        self.shares_runtime = false;
        self
    }

    /// The same project in a folder below its own.
    pub fn moved_to(mut self, below: &str) -> Project {
        let folder = self.folder.join(below);
        fs::create_dir_all(&folder).unwrap();
        copy_folder(&self.folder.join("src"), &folder.join("src"));
        for name in ["Cargo.toml", "Cargo.lock"] {
            let _ = fs::rename(self.folder.join(name), folder.join(name));
        }
        fs::remove_dir_all(self.folder.join("src")).unwrap();
        self.folder = folder;
        self
    }

    pub fn path(&self) -> &Path {
        &self.folder
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn edit(&self, name: &str, old: &str, new: &str) {
        let text = self.read(name);
        assert!(text.contains(old), "{old} in {name}");
        self.write(name, &text.replacen(old, new, 1));
    }

    /// The latest change below a folder.
    pub fn modified(&self, name: &str) -> SystemTime {
        let entries = fs::read_dir(self.path().join(name)).unwrap();
        entries
            .map(|entry| entry.unwrap().metadata().unwrap().modified().unwrap())
            .max()
            .unwrap()
    }

    /// Every file but those below `target`, with its contents.
    pub fn snapshot(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(self.path(), &mut files);
        files
    }

    pub fn situ(&self, arguments: &[&str]) -> Ran {
        self.situ_answered(arguments, "")
    }

    /// The same, with answers to what it asks.
    pub fn situ_answered(&self, arguments: &[&str], answers: &str) -> Ran {
        Ran::answered(&mut self.command(arguments), arguments, answers)
    }

    /// Starts the command and does not wait for it.
    pub fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    /// Starts the command, and lets the caller read what it prints.
    pub fn watched(&self, arguments: &[&str]) -> Child {
        self.command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        if self.shares_runtime {
            share_runtime(self.path());
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-situ"));
        command.arg("situ").args(arguments).current_dir(self.path());
        without_cargo(&mut command);
        command
    }
}

/// Lets a package use the run-time libraries that the command compiled for others: one takes longer than most of what
/// these tests ask the command for.
pub fn share_runtime(package: &Path) {
    let folder = package.join("target/situ");
    let has_own = folder.join("runtime").exists();
    // Some tests put a file where the folder should be.
    if !package.join("Cargo.toml").exists() || has_own || fs::create_dir_all(&folder).is_err() {
        return;
    }
    let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runtime");
    fs::create_dir_all(&shared).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(shared, folder.join("runtime")).unwrap();
}

/// That all tests of a project pass when its user runs them, without a warning where it denies these.
pub fn assert_own_tests_pass(project: &Project) {
    let tested = own_cargo(project).arg("test").output().unwrap();
    let (out, err) = (
        String::from_utf8_lossy(&tested.stdout),
        String::from_utf8_lossy(&tested.stderr),
    );
    assert!(
        tested.status.success(),
        "{out}{err}{}",
        project.read("src/lib.rs")
    );
}

/// The user's own cargo. Dependencies of generated tests are built once for all test programs and runs.
pub fn own_cargo(project: &Project) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(project.path());
    without_cargo(&mut command);
    command.env(
        "CARGO_TARGET_DIR",
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("own-builds"),
    );
    command
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_PROFILE_TEST_DEBUG", "0");
    command
}

/// What cargo tells its tests about this package is not true of the copy.
pub fn without_cargo(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("CARGO_") && name != "CARGO_HOME" || name == "RUSTFLAGS" {
            command.env_remove(&*name);
        }
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true if entry.file_name() == "target" => {}
            true => copy_folder(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}

fn collect(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_name() == "target" {
            continue;
        }
        match entry.file_type().unwrap().is_dir() {
            true => collect(&entry.path(), files),
            false => drop(files.insert(entry.path(), fs::read(entry.path()).unwrap())),
        }
    }
}
