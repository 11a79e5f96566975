//! Nothing that a verb runs can hurt: mutants, invented inputs and instrumented tests of a crate that removes folders. What
//! does the harm is a foreign crate, which acts only inside the temporary folder of the test.
use crate::project::{Project, Ran};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A folder in which everything may be harmed: a tree, a home, and a process.
struct Victim {
    folder: TempDir,
    bystander: Child,
    /// How long the processes sleep that are left behind; no other process has this number.
    seconds: String,
    project: Project,
}

impl Victim {
    fn new(name: &str) -> Victim {
        let folder = tempfile::tempdir().unwrap();
        let project = Project::copy_with_builds("hostile", name);
        let locked = Command::new("cargo")
            .args(["generate-lockfile", "--offline"])
            .current_dir(project.path())
            .output();
        assert!(locked.unwrap().status.success());
        fs::create_dir_all(folder.path().join("home")).unwrap();
        fs::write(folder.path().join("home/.settings"), "mine").unwrap();
        for (path, contents) in [
            ("tree/Cargo.toml", "mine"),
            ("tree/src/lib.rs", "mine"),
            ("tree/.git/HEAD", "mine"),
        ] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, contents).unwrap();
        }
        let bystander = Command::new("sleep").arg("3000").spawn().unwrap();
        let seconds = format!("3001.{}", std::process::id());
        Victim {
            folder,
            bystander,
            seconds,
            project,
        }
    }

    fn situ(&self, arguments: &[&str]) -> Ran {
        let mut command = self.project.command(arguments);
        command
            .env("HARM", self.folder.path())
            .env("HARM_PROCESS", self.bystander.id().to_string());
        command.env("HARM_SECONDS", &self.seconds);
        // What is kept of the toolchain is found in the real home.
        let home = PathBuf::from(std::env::var_os("HOME").unwrap());
        for (name, below) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            command.env(
                name,
                std::env::var_os(name).map_or_else(|| home.join(below), PathBuf::from),
            );
        }
        command.env("HOME", self.folder.path().join("home"));
        Ran::of(&mut command, arguments)
    }

    /// Everything below the folder, with contents and modes.
    fn state(&self) -> Vec<(PathBuf, String, u32)> {
        let mut state = Vec::new();
        let mut folders = vec![self.folder.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let data = fs::symlink_metadata(&path).unwrap();
                if data.is_dir() {
                    folders.push(path.clone());
                }
                let text = if data.is_file() {
                    fs::read_to_string(&path).unwrap()
                } else {
                    String::new()
                };
                state.push((path, text, data.permissions().mode()));
            }
        }
        state.sort();
        state
    }

    /// The processes that were left behind.
    fn left_behind(&self) -> usize {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
        lines
            .filter(|line| {
                line.split(|byte| *byte == 0)
                    .any(|word| word == self.seconds.as_bytes())
            })
            .count()
    }

    #[track_caller]
    fn assert_unharmed(&mut self, before: &[(PathBuf, String, u32)], what: &str) {
        assert_eq!(self.state(), before, "{what}");
        assert!(
            self.bystander.try_wait().unwrap().is_none(),
            "{what}: the bystander was ended"
        );
        assert_eq!(self.left_behind(), 0, "{what}: processes are left behind");
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.bystander.kill();
        let _ = self.bystander.wait();
        let _ = Command::new("pkill")
            .args(["-f", &self.seconds])
            .stderr(Stdio::null())
            .status();
    }
}

#[test]
fn no_verb_changes_anything_outside_its_folder() {
    let mut victim = Victim::new("hostile");
    let (before, sources) = (victim.state(), victim.project.snapshot());
    for arguments in [
        &["record", "--json"][..],
        &["extract", "--all", "--json"],
        &["extract", "--all", "--level", "block", "--json"],
        &["generalize", "--json"],
        &["explore", "--time", "2s", "--json"],
        &["carve", "--json", "--", "hostile", "no-such-job"],
    ] {
        let ran = victim.situ(arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        victim.assert_unharmed(&before, &format!("{arguments:?}"));
        assert_eq!(victim.project.snapshot(), sources, "{arguments:?}");
    }
    // Without a sandbox an invented input removes the tree, or the test proves nothing.
    let free = victim.situ(&["extract", "--all", "--json", "--no-sandbox"]);
    assert_eq!(free.code, 0, "{}", free.stderr);
    assert_ne!(victim.state(), before);
}

#[test]
fn mutants_do_no_harm_and_survive_where_harm_is_all_that_they_do() {
    let mut victim = Victim::new("hostile-mutants");
    let before = victim.state();
    let confined = victim.situ(&["mutants", "--json"]);
    assert_eq!(confined.code, 0, "{}", confined.stderr);
    victim.assert_unharmed(&before, "mutants");
    // The condition of everything that does harm: nothing that it lets happen succeeds.
    let is_guard = |line: &&serde_json::Value| line["original"] == "is_meant";
    let guards: Vec<_> = confined.lines.iter().filter(is_guard).collect();
    assert!(
        !guards.is_empty() && guards.iter().all(|line| line["status"] == "survived"),
        "{guards:?}"
    );
    // Without a sandbox all of this happens, or the test proves nothing.
    let free = victim.situ(&["mutants", "--json", "--no-sandbox"]);
    assert_eq!(free.code, 0, "{}", free.stderr);
    let guards: Vec<_> = free.lines.iter().filter(is_guard).collect();
    assert!(
        guards.iter().any(|line| line["status"] == "killed"),
        "{guards:?}"
    );
    assert_ne!(victim.state(), before);
    assert!(victim.bystander.try_wait().unwrap().is_some());
}

#[test]
fn tests_that_write_elsewhere_are_named_and_left_out_unless_they_may() {
    let text = "pub fn double(x: u32) -> u32 { x + x }\n\
        #[cfg(test)]\nmod tests {\n    use super::*;\n    \
        fn save(path: &str) { std::fs::write(path, double(2).to_string()).unwrap(); }\n    \
        #[test]\n    fn saves() { save(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/out/number\")); }\n    \
        #[test]\n    fn saves_below_target() { std::fs::create_dir_all(\"target/numbers\").unwrap(); save(\"target/numbers/one\"); }\n    \
        #[test]\n    fn doubles() { assert_eq!(double(3), 6); }\n}\n";
    let project = Project::library("", text);
    project.write("out/.keep", "");
    let ran = project.situ(&["mutants", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.contains(": library: tests::saves\n"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("--allow-write PATH"), "{}", ran.stderr);
    assert_eq!(ran.summary["survived"], 0, "{}", ran.summary);
    let recorded = project.situ(&["record", "--json"]);
    assert_eq!(
        (recorded.code, &recorded.summary["outcome_differences"]),
        (0, &0.into()),
        "{}",
        recorded.stderr
    );
    assert!(
        recorded.stderr.contains("tests::saves"),
        "{}",
        recorded.stderr
    );
    let allowed = project.situ(&["mutants", "--json", "--allow-write", "out"]);
    assert_eq!(allowed.code, 0, "{}", allowed.stderr);
    assert!(!allowed.stderr.contains("sandbox"), "{}", allowed.stderr);
    let nowhere = project.situ(&["mutants", "--allow-write", "nowhere"]);
    assert_eq!(nowhere.code, 2, "{}", nowhere.stderr);
}

/// The processes that have this in their command line.
fn processes_with(part: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(part)).collect()
}

/// Waits for something that happens sooner or later.
#[track_caller]
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(
            started.elapsed() < Duration::from_secs(300),
            "{what} does not happen"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn whatever_ends_the_command_ends_everything_that_it_started() {
    // The number of seconds tells the processes from all others.
    let seconds = format!("3002.{}", std::process::id());
    let text = format!(
        "pub fn double(x: u32) -> u32 {{ x + x }}\n#[test]\nfn sleeps() {{\n    \
         std::process::Command::new(\"setsid\").args([\"sleep\", \"{seconds}\"]).spawn().unwrap();\n    \
         std::thread::sleep(std::time::Duration::from_secs(3002 * double(1) as u64));\n}}\n"
    );
    let project = Project::library("", &text);
    let folder = project.path().join("target").to_str().unwrap().to_owned();
    for signal in ["-TERM", "-HUP", "-KILL"] {
        let mut child = project.start(&["mutants"]);
        wait_until("a test", || {
            !processes_with(&format!("sleep {seconds}")).is_empty()
        });
        assert!(
            Command::new("kill")
                .args([signal, &child.id().to_string()])
                .status()
                .unwrap()
                .success()
        );
        let status = child.wait().unwrap();
        assert!(!status.success(), "{signal}: {status}");
        wait_until(signal, || {
            processes_with(&seconds).is_empty() && processes_with(&folder).is_empty()
        });
    }
}

#[test]
fn programs_find_neither_what_others_have_left_nor_what_the_command_was_started_with() {
    let text = "pub fn loud(x: u32) -> u32 { x + 2 }\npub fn quiet(x: u32) -> u32 { x * 3 }\n\
        #[test]\nfn works_in_a_folder() {\n    \
        let folder = std::env::temp_dir().join(\"journal\");\n    std::fs::create_dir(&folder).unwrap();\n    \
        assert_eq!(loud(1), 3);\n    let _ = quiet(2);\n    std::fs::remove_dir(&folder).unwrap();\n}\n\
        #[test]\nfn has_nobody_s_log() {\n    \
        let links = std::fs::read_dir(\"/proc/self/fd\").unwrap().flatten();\n    \
        let mut paths = links.filter_map(|link| std::fs::read_link(link.path()).ok());\n    \
        assert!(!paths.any(|path| path.ends_with(\"somebody.log\")));\n}\n";
    let project = Project::library("", text);
    let log = project.path().join("somebody.log");
    let situ = |arguments: &[&str]| {
        let command = project.command(arguments);
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "exec \"$@\" 9>\"$LOG\"", "sh"])
            .arg(command.get_program())
            .args(command.get_args());
        shell
            .envs(
                command
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
            .env("LOG", &log);
        Ran::of(shell.current_dir(project.path()), arguments)
    };
    let ran = situ(&["mutants", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    // What a mutant of one function has left does not fail the test for those of the other.
    let of = |function: &str, status: &str| {
        let lines = ran
            .lines
            .iter()
            .filter(|line| line["function"] == function && line["status"] == status);
        lines.count()
    };
    assert!(
        of("loud", "killed") > 1 && of("loud", "survived") == 0,
        "{:?}",
        ran.lines
    );
    assert!(
        of("quiet", "survived") > 1 && of("quiet", "killed") == 0,
        "{:?}",
        ran.lines
    );
    // The user's own command has what the user gave it.
    let ran = situ(&["record", "--json", "--", "sh", "-c", "echo said >&9"]);
    assert_eq!(
        (ran.code, fs::read_to_string(&log).unwrap().as_str()),
        (0, "said\n"),
        "{}",
        ran.stderr
    );
}
