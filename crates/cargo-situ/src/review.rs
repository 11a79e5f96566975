//! Asks about proposed tests one by one.

use anyhow::{Context as _, Result};
use situ_engine::cargo::workspace::Workspace;
use situ_engine::edit::{NewItem, Preview, Proposal, formatting_of, preview, preview_item};
use std::env;
use std::io::{BufRead, IsTerminal as _, Write, stderr, stdin};
use std::path::Path;

const HELP: &str = "y  keep this test
n  drop it
a  keep it and all that follow
q  stop here, and keep the tests accepted so far
?  this help
";

/// Asks the user on standard error about each in-situ test and returns the accepted ones. Answers
/// are read from standard input, which need not be a terminal; its end means to stop.
pub fn review(workspace: &Workspace, proposals: &[Proposal]) -> Result<Vec<Proposal>> {
    let show = |proposal: &Proposal| {
        let text = workspace.read(&proposal.file)?;
        preview(&text, proposal, &formatting_of(workspace, &proposal.file))
    };
    review_each(proposals, &|proposal| &proposal.file, &show)
}

/// Asks the user about each new item and returns the accepted ones, as [`review`] does for in-situ
/// tests.
pub fn review_items(workspace: &Workspace, items: &[NewItem]) -> Result<Vec<NewItem>> {
    let show = |item: &NewItem| {
        let text = workspace.read(&item.file)?;
        preview_item(&text, item, &formatting_of(workspace, &item.file))
    };
    review_each(items, &|item| &item.file, &show)
}

/// Asks the user about each proposal and returns the accepted ones. `show` renders a proposal as a
/// hunk of a diff.
pub fn review_each<T: Clone>(
    proposed: &[T],
    file: &dyn Fn(&T) -> &Path,
    show: &dyn Fn(&T) -> Result<Preview>,
) -> Result<Vec<T>> {
    let mut dialogue = Dialogue {
        input: &mut stdin().lock(),
        output: &mut stderr().lock(),
        coloured: stderr().is_terminal()
            && !is_set("NO_COLOR")
            && env::var("TERM").as_deref() != Ok("dumb"),
    };
    dialogue.review(proposed, file, show)
}

fn is_set(variable: &str) -> bool {
    env::var_os(variable).is_some_and(|value| !value.is_empty())
}

enum Answer {
    Keep,
    LeaveOut,
    KeepAll,
    Stop,
}

struct Dialogue<'d> {
    input: &'d mut dyn BufRead,
    output: &'d mut dyn Write,
    coloured: bool,
}

impl Dialogue<'_> {
    fn review<T: Clone>(
        &mut self,
        proposals: &[T],
        file: &dyn Fn(&T) -> &Path,
        show: &dyn Fn(&T) -> Result<Preview>,
    ) -> Result<Vec<T>> {
        let mut kept = Vec::new();
        for (number, proposal) in proposals.iter().enumerate() {
            let seen = show(proposal)?;
            let place = format!("{}:{}", file(proposal).display(), seen.line);
            let hunk = if self.coloured {
                coloured(&seen.hunk)
            } else {
                seen.hunk
            };
            self.say(&format!(
                "{place} ({} of {})\n{hunk}",
                number + 1,
                proposals.len()
            ))?;
            match self.ask()? {
                Answer::Keep => kept.push(proposal.clone()),
                Answer::LeaveOut => {}
                Answer::KeepAll => {
                    kept.extend_from_slice(&proposals[number..]);
                    break;
                }
                Answer::Stop => break,
            }
        }
        Ok(kept)
    }

    fn ask(&mut self) -> Result<Answer> {
        loop {
            self.say("Keep this test? [y,n,a,q,?] ")?;
            let mut line = String::new();
            if self
                .input
                .read_line(&mut line)
                .context("reading an answer")?
                == 0
            {
                self.say("\n")?;
                return Ok(Answer::Stop);
            }
            match line.trim().to_lowercase().as_str() {
                "y" | "yes" => return Ok(Answer::Keep),
                "n" | "no" => return Ok(Answer::LeaveOut),
                "a" | "all" => return Ok(Answer::KeepAll),
                "q" | "quit" => return Ok(Answer::Stop),
                _ => self.say(HELP)?,
            }
        }
    }

    fn say(&mut self, text: &str) -> Result<()> {
        self.output
            .write_all(text.as_bytes())
            .and_then(|()| self.output.flush())
            .context("asking about a test")
    }
}

/// Colours a hunk as git does.
fn coloured(hunk: &str) -> String {
    let colour_of = |line: &str| match line.chars().next() {
        Some('+') => Some("32"),
        Some('-') => Some("31"),
        Some('@') => Some("36"),
        _ => None,
    };
    let colour = |line: &str| match colour_of(line) {
        Some(colour) => format!(
            "\u{1b}[{colour}m{}\u{1b}[0m\n",
            line.trim_end_matches(['\r', '\n'])
        ),
        None => line.to_owned(),
    };
    hunk.split_inclusive('\n').map(colour).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use situ_engine::edit::Place;

    fn proposals() -> Vec<Proposal> {
        let proposal = |number: usize| Proposal {
            file: "src/lib.rs".into(),
            place: Place::After(number),
            text: format!("itest!(check(x == {number}));"),
        };
        (1..=4).map(proposal).collect()
    }

    /// Feeds answers to a review of three proposals; returns the accepted ones and the printed
    /// text.
    fn answered(answers: &str, coloured: bool) -> (Vec<Place>, String) {
        let show = |proposal: &Proposal| {
            let Place::After(line) = proposal.place else {
                panic!("an example stands after a statement")
            };
            Ok(Preview {
                line,
                hunk: format!("@@ -1,1 +1,2 @@\n let x;\n+{}\n", proposal.text),
            })
        };
        let mut said = Vec::new();
        let mut input = answers.as_bytes();
        let kept = Dialogue {
            input: &mut input,
            output: &mut said,
            coloured,
        }
        .review(&proposals(), &|proposal| &proposal.file, &show)
        .unwrap();
        (
            kept.into_iter().map(|proposal| proposal.place).collect(),
            String::from_utf8(said).unwrap(),
        )
    }

    #[track_caller]
    fn keeps(answers: &str, numbers: &[usize]) {
        let places: Vec<Place> = numbers.iter().map(|number| Place::After(*number)).collect();
        assert_eq!(answered(answers, false).0, places, "{answers:?}");
    }

    #[test]
    fn each_answer_does_what_it_says() {
        keeps("y\nn\ny\nn\n", &[1, 3]);
        keeps("n\na\n", &[2, 3, 4]);
        keeps("y\nq\n", &[1]);
        keeps(" YES \r\nno\nQuit\n", &[1]);
    }

    #[test]
    fn the_end_of_input_keeps_what_was_kept() {
        keeps("", &[]);
        keeps("y\ny", &[1, 2]);
    }

    #[test]
    fn what_is_no_answer_gets_help_and_the_question_again() {
        let (kept, said) = answered("what\n?\n\ny\nq\n", false);
        assert_eq!(kept, [Place::After(1)]);
        assert_eq!(said.matches(HELP).count(), 3);
        assert_eq!(said.matches("Keep this test?").count(), 5);
    }

    #[test]
    fn a_test_is_shown_where_it_will_stand() {
        let (_, said) = answered("n\nq\n", false);
        assert!(
            said.starts_with(
                "src/lib.rs:1 (1 of 4)\n@@ -1,1 +1,2 @@\n let x;\n+itest!(check(x == 1));\nKeep"
            ),
            "{said}"
        );
        assert!(said.contains("src/lib.rs:2 (2 of 4)\n") && !said.contains('\u{1b}'));
    }

    #[test]
    fn colours_are_for_terminals() {
        let (_, said) = answered("q\n", true);
        assert!(
            said.contains("\u{1b}[32m+itest!(check(x == 1));\u{1b}[0m\n"),
            "{said}"
        );
        assert!(said.contains("\n let x;\n"));
    }
}
