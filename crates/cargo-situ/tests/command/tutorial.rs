//! The first hour of the book, followed to the letter: its files are written, its changes made, its commands run, and what they
//! print is what the page shows.
//!
//! In the page, `…` stands for what differs from run to run: on a line of its own for any lines, inside of one for any text.

use crate::project::{Project, without_cargo};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use testkit::markdown::{self, CodeBlock};
use testkit::repository;

const PAGE: &str = "book/src/first-hour.md";

/// A reader, who does what the page says, one block after the other.
struct Reader {
    /// Where the last `cd` led.
    folder: PathBuf,
    /// What the last command printed, and the line of the page that it stands on.
    printed: Option<(usize, String)>,
}

impl Reader {
    fn follow(&mut self, block: &CodeBlock) {
        let file = block
            .info
            .split(',')
            .find_map(|word| word.strip_prefix("file="));
        match file.map(|file| self.folder.join(file)) {
            Some(file) if block.is("diff") => change(&file, block),
            Some(file) => {
                std::fs::write(&file, &block.code).unwrap();
                #[cfg(unix)]
                if block.is("sh") {
                    use std::os::unix::fs::PermissionsExt as _;
                    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755))
                        .unwrap();
                }
            }
            None if block.is("console") => self.run(block),
            None => self.compare(block),
        }
    }

    fn run(&mut self, block: &CodeBlock) {
        for (index, line) in block.code.lines().enumerate() {
            let command = line
                .strip_prefix("$ ")
                .expect("a console block holds commands only");
            if let Some(folder) = command.strip_prefix("cd ") {
                self.folder = self.folder.join(folder);
                continue;
            }
            self.printed = Some((block.line + index, self.output_of(command)));
        }
    }

    fn output_of(&self, command: &str) -> String {
        let programs = Path::new(env!("CARGO_BIN_EXE_cargo-situ"))
            .parent()
            .unwrap();
        let path = std::env::join_paths(
            [programs.to_owned()]
                .into_iter()
                .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
        );
        let mut shell = Command::new("sh");
        shell
            .arg("-c")
            .arg(format!("{command} 2>&1"))
            .current_dir(&self.folder)
            .stdin(Stdio::null());
        without_cargo(&mut shell);
        let output = shell.env("PATH", path.unwrap()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    fn compare(&self, block: &CodeBlock) {
        assert!(
            block.is("text") || block.is("diff"),
            "line {}: what is this block?",
            block.line
        );
        let (line, printed) = self
            .printed
            .as_ref()
            .expect("a command goes before what it prints");
        let shown: Vec<&str> = block.code.lines().collect();
        let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
        assert!(
            are_shown(&lines, &shown),
            "{PAGE}, line {line}: the page shows\n{}\nthe command printed\n{printed}",
            block.code
        );
    }
}

/// Whether the page shows these lines.
fn are_shown(lines: &[&str], shown: &[&str]) -> bool {
    match (lines, shown) {
        (_, ["…", rest @ ..]) => {
            (0..=lines.len()).any(|skipped| are_shown(&lines[skipped..], rest))
        }
        ([line, lines @ ..], [first, shown @ ..]) => {
            is_shown(line, first) && are_shown(lines, shown)
        }
        ([], []) => true,
        _ => false,
    }
}

fn is_shown(line: &str, shown: &str) -> bool {
    let mut parts = shown.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    let mut open = false;
    for part in parts {
        open = part.is_empty();
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    open || rest.is_empty()
}

/// Makes the change of a `diff` block without hunk headers.
fn change(file: &Path, block: &CodeBlock) {
    let side = |other: char| -> String {
        let lines = block.code.lines().filter(|line| !line.starts_with(other));
        lines
            .map(|line| line.get(1..).unwrap_or_default().to_owned() + "\n")
            .collect()
    };
    let text = std::fs::read_to_string(file).unwrap();
    let old = side('+');
    assert_eq!(
        text.matches(&old).count(),
        1,
        "line {}: not once in the file:\n{old}\n---\n{text}",
        block.line
    );
    std::fs::write(file, text.replacen(&old, &side('-'), 1)).unwrap();
}

#[test]
fn the_first_hour_goes_as_the_book_says() {
    let home = Project::empty();
    // The clone beside which the page is followed.
    #[cfg(unix)]
    std::os::unix::fs::symlink(repository::root(), home.path().join("situ")).unwrap();
    let mut reader = Reader {
        folder: home.path().to_owned(),
        printed: None,
    };
    for block in markdown::code_blocks(&repository::text(PAGE)) {
        reader.follow(&block);
    }
}

#[test]
fn what_differs_from_run_to_run_is_passed_over() {
    assert!(are_shown(&["a 3.5 s", "b", "c"], &["a … s", "…", "c"]));
    assert!(!are_shown(&["a 3.5 s", "b"], &["a … s", "…", "c"]));
    assert!(is_shown("of 12: 3", "of …") && !is_shown("of 12: 3 more", "of …: 3"));
}
