//! Inputs that end the process: confirmed and simplified in processes of their own.

use super::child::{Child, End, Found, Message};
use crate::base::process::own_files;
use anyhow::Result;
use std::fs;
use std::time::{Duration, Instant};

/// The time limit of the simplification.
const MAX_TIME: Duration = Duration::from_secs(10);

/// An input that ended a process.
pub(super) struct Broken {
    /// The input.
    pub tree: Vec<u8>,
    /// How the process died.
    pub cause: String,
}

/// Returns the input that ended a process, and how, or `None` if it ended by itself.
pub(super) fn of_end(end: End) -> Option<Broken> {
    match end {
        End::Broken(tree, cause) => Some(Broken { tree, cause }),
        End::Stuck(tree) => Some(Broken {
            tree,
            cause: "it takes too long".to_owned(),
        }),
        End::Regular | End::Unexplained(_) => None,
    }
}

/// Executes the input alone, then simpler ones; returns `None` if it does not happen again.
pub(super) fn investigate(
    child: &Child<'_>,
    broken: Broken,
    micros: u64,
    executions: u64,
) -> Result<Option<Found>> {
    let started = Instant::now();
    let (mut best, (mut arguments, types)) = match attempt(child, &broken)? {
        Some(shown) => (broken, shown),
        None => return Ok(None),
    };
    while started.elapsed() < MAX_TIME {
        let Some(next) = simpler(child, &best)?.filter(|next| next.cause == best.cause) else {
            break;
        };
        let Some((shown, _)) = attempt(child, &next)? else {
            break;
        };
        (best, arguments) = (next, shown);
    }
    let class = format!("process|{types}|{}", best.cause);
    Ok(Some(Found {
        class,
        message: best.cause,
        arguments,
        micros,
        executions,
        tree: best.tree,
        types,
    }))
}

/// Returns the arguments of an input, and its instance of the generic parameters, if it ends the
/// process in the same way.
fn attempt(child: &Child<'_>, broken: &Broken) -> Result<Option<(Vec<String>, String)>> {
    let (messages, end) = with_tree(child, "once", &broken.tree)?;
    let arguments = messages.into_iter().find_map(|message| match message {
        Message::Arguments(arguments, types) => Some((arguments, types)),
        _ => None,
    });
    Ok(of_end(end)
        .filter(|again| again.cause == broken.cause)
        .and(arguments))
}

/// Returns the first simpler input that ends the process.
fn simpler(child: &Child<'_>, broken: &Broken) -> Result<Option<Broken>> {
    let (_, end) = with_tree(child, "simplify", &broken.tree)?;
    Ok(of_end(end))
}

fn with_tree(child: &Child<'_>, mode: &str, tree: &[u8]) -> Result<(Vec<Message>, End)> {
    let path = child.folder.join("tree");
    fs::create_dir_all(&child.folder)?;
    own_files::write(&path, tree)?;
    let job = format!("{mode} {}\n{}", path.display(), child.job);
    let alone = Child {
        job,
        ..child.clone()
    };
    alone.run(&mut |_| {})
}
