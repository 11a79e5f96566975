//! Long-running jobs: child processes of this same command, one after the other.

use crossbeam_channel::{Receiver, Sender, unbounded};
use gen_lsp_types::{Command, ExecuteCommandParams};
use serde_json::json;
use situ_engine::base::process;
use situ_engine::base::words::count;
use std::path::{Path, PathBuf};
use std::thread;

/// A job that an editor can start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Job {
    /// Run the tests at these places.
    Run(Vec<String>),
    /// Extract tests at a place.
    Extract(String),
    /// Explore a theory.
    Explore(String),
}

/// The LSP commands that an editor may send.
pub const COMMANDS: [&str; 3] = ["situ.run", "situ.extract", "situ.explore"];

/// The time limit of an exploration that an editor starts.
const EXPLORED_FOR: &str = "10s";

impl Job {
    /// Returns the LSP command that starts the job.
    pub fn command(&self, title: &str) -> Command {
        let (name, words) = match self {
            Job::Run(places) => (COMMANDS[0], places.clone()),
            Job::Extract(place) => (COMMANDS[1], vec![place.clone()]),
            Job::Explore(theory) => (COMMANDS[2], vec![theory.clone()]),
        };
        let arguments = words.into_iter().map(|word| json!(word)).collect();
        Command {
            title: title.to_owned(),
            command: name.to_owned(),
            arguments: Some(arguments),
            ..Command::default()
        }
    }

    /// Parses an LSP command. Returns `None` if it is unknown or lacks arguments.
    pub fn asked(params: &ExecuteCommandParams) -> Option<Job> {
        let words = params.arguments.iter().flatten();
        let words: Vec<String> = words
            .filter_map(|word| word.as_str().map(str::to_owned))
            .collect();
        let first = words.first()?.clone();
        match params.command.as_str() {
            "situ.run" => Some(Job::Run(words)),
            "situ.extract" => Some(Job::Extract(first)),
            "situ.explore" => Some(Job::Explore(first)),
            _ => None,
        }
    }

    /// Returns the job's title, for progress messages.
    pub fn title(&self) -> String {
        match self {
            Job::Run(places) if places.len() == 1 => format!("running the test at {}", places[0]),
            Job::Run(places) => format!("running {}", count(places.len(), "test")),
            Job::Extract(place) => format!("extracting tests at {place}"),
            Job::Explore(theory) => format!("exploring {theory}"),
        }
    }

    fn arguments(&self, situ_path: Option<&Path>) -> Vec<String> {
        let words: Vec<&str> = match self {
            Job::Run(places) => {
                let places = places.iter().flat_map(|place| ["--file", place]);
                ["test", "--json"].into_iter().chain(places).collect()
            }
            Job::Extract(place) => vec!["extract", "--all", "--at", place],
            Job::Explore(theory) => vec!["explore", theory, "--time", EXPLORED_FOR],
        };
        let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        if let (Job::Extract(_), Some(path)) = (self, situ_path) {
            words.extend([
                "--situ-path".to_owned(),
                path.to_string_lossy().into_owned(),
            ]);
        }
        words
    }
}

/// A finished job.
pub struct Done {
    pub number: usize,
    pub job: Job,
    /// The exit code; `None` if the process was ended by a signal or never started.
    pub code: Option<i32>,
    /// The job's standard output.
    pub printed: String,
    /// The job's standard error.
    pub said: String,
}

/// The job queue of a server.
pub struct Jobs {
    waiting: Sender<(usize, Job)>,
    /// Receives the finished jobs.
    pub done: Receiver<Done>,
    next: usize,
}

impl Jobs {
    /// Starts the thread that runs the jobs, one after the other: two builds of one workspace would
    /// wait for each other anyway.
    pub fn start(manifest: PathBuf, situ_path: Option<PathBuf>) -> Jobs {
        let (waiting, taken) = unbounded::<(usize, Job)>();
        let (ended, done) = unbounded();
        thread::spawn(move || {
            for (number, job) in taken {
                let ran = run(&job, &manifest, situ_path.as_deref());
                let done = match ran {
                    Ok(finished) => Done {
                        number,
                        job,
                        code: finished.status.code(),
                        printed: finished.stdout,
                        said: finished.stderr,
                    },
                    Err(error) => Done {
                        number,
                        job,
                        code: None,
                        printed: String::new(),
                        said: format!("{error:#}"),
                    },
                };
                if ended.send(done).is_err() {
                    return;
                }
            }
        });
        Jobs {
            waiting,
            done,
            next: 0,
        }
    }

    /// Queues a job and returns its number.
    pub fn add(&mut self, job: Job) -> usize {
        self.next += 1;
        // The send cannot fail: the thread lives as long as the server does.
        let _ = self.waiting.send((self.next, job));
        self.next
    }
}

fn run(job: &Job, manifest: &Path, situ_path: Option<&Path>) -> anyhow::Result<process::Finished> {
    let mut command = std::process::Command::new(std::env::current_exe()?);
    command
        .arg("situ")
        .args(job.arguments(situ_path))
        .arg("--manifest-path")
        .arg(manifest);
    if let Some(folder) = manifest.parent() {
        command.current_dir(folder);
    }
    process::run(&mut command, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_comes_back_as_the_job_that_made_it() {
        for job in [
            Job::Run(vec!["a.rs:1".into(), "a.rs:2".into()]),
            Job::Extract("a.rs:3".into()),
            Job::Explore("t".into()),
        ] {
            let command = job.command("title");
            let params = ExecuteCommandParams {
                command: command.command,
                arguments: command.arguments,
                ..ExecuteCommandParams::default()
            };
            assert_eq!(Job::asked(&params), Some(job));
        }
        let unknown = ExecuteCommandParams {
            command: "other".into(),
            ..ExecuteCommandParams::default()
        };
        assert_eq!(Job::asked(&unknown), None);
    }
}
