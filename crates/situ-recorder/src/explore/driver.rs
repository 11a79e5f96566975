//! The entry point of explored theories: builds the input's shape from the parameters and executes
//! the job.

use super::bytes::tree_of;
use super::compares;
use super::coverage;
use super::fuzz;
use super::generate::simplest;
use super::job::{Job, Mode};
use super::outcome::Outcome;
use super::print::arguments;
use super::recorded;
use super::search::Search;
use super::session::{Follower, Run, Session};
use super::shape::{Form, Id, Shape, Shapes, Variant};
use super::shrink::candidates;
use super::tree::Tree;
use std::fs;
use std::path::Path;

/// A parameter of an explored theory.
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// The shape of its type.
    pub id: Id,
    /// The data points: each one's expression, and its tree if it has one.
    pub points: Vec<(String, Option<Tree>)>,
}

/// Explores a theory: `run` executes it with one tree per parameter.
pub fn drive<'r>(shapes: Shapes, parameters: Vec<Parameter>, run: &'r mut Run<'r>) {
    start(shapes, parameters, run, None);
}

/// Explores with somebody who does more with each input.
pub fn drive_followed<'r>(
    shapes: Shapes,
    parameters: Vec<Parameter>,
    run: &'r mut Run<'r>,
    follower: Box<dyn Follower>,
) {
    start(shapes, parameters, run, Some(follower));
}

fn start<'r>(
    mut shapes: Shapes,
    parameters: Vec<Parameter>,
    run: &'r mut Run<'r>,
    follower: Option<Box<dyn Follower>>,
) {
    shapes.settle();
    let (root, parts, seeds) = input(&mut shapes, &parameters);
    shapes.settle();
    if let Some(bytes) = fuzz::given() {
        return fuzzed(&bytes, root, &shapes, run);
    }
    let instance = shapes.instance();
    let job = Job::of_this_process().share_of(instance.of);
    if let Some(bytes) = job.memory {
        limit_memory(bytes);
    }
    let missing = parameters
        .iter()
        .zip(&parts)
        .find(|(_, part)| shapes.depth(**part).is_none());
    let missing = missing.map(|(parameter, _)| parameter.name);
    let mut inputs = combined(&seeds, &parts, &shapes);
    if missing.is_none() {
        inputs.extend(recorded::inputs(&job, root, &shapes));
    }
    let mut session = Session::new(job, shapes, root, run);
    session.follower = follower;
    match (missing, session.job.mode.clone()) {
        (Some(name), _) => session.voice.say(&["cannot", name, instance.label]),
        (None, Mode::Explore) => Search::new(&mut session).run(inputs),
        (None, Mode::Once(path)) => once(&mut session, &path),
        (None, Mode::Simplify(path)) => simplify(&mut session, &path),
        (None, Mode::Import(path)) => import(&mut session, &path),
    }
    session.conclude();
}

/// Notes that all values of an input are constructed. Coverage and comparisons of their
/// construction are discarded: they do not belong to the theory.
pub fn built() {
    coverage::forget();
    compares::forget();
}

/// Returns the shape of an input, those of its parts, and the data points of each part as trees.
fn input(shapes: &mut Shapes, parameters: &[Parameter]) -> (Id, Vec<Id>, Vec<Vec<Tree>>) {
    let mut seeds = Vec::new();
    let mut parts = Vec::new();
    for parameter in parameters {
        let of = shapes.depth(parameter.id).is_some().then_some(parameter.id);
        let points = parameter
            .points
            .iter()
            .map(|(shown, _)| shown.clone())
            .collect();
        parts.push(shapes.add(Shape::Points { of, points }));
        let fits = |tree: &Tree| of.is_some_and(|of| shapes.fits(tree, of));
        let trees = parameter
            .points
            .iter()
            .enumerate()
            .map(|(at, (_, tree))| match tree {
                Some(tree) if fits(tree) => tree.clone(),
                _ => Tree::Point(at as u32),
            });
        seeds.push(trees.collect::<Vec<_>>());
    }
    // The variant is the instance of the generic parameters: each has inputs of its own.
    let mut variants: Vec<Variant> = (0..shapes.instance().number)
        .map(|_| shapes.hidden())
        .collect();
    variants.push(Variant::new(Form::Tuple, parts.clone()));
    (shapes.add(Shape::Choice { variants }), parts, seeds)
}

/// Executes one input of a fuzzer, to which the end of the process signals a violation.
fn fuzzed(bytes: &[u8], root: Id, shapes: &Shapes, run: &mut Run<'_>) {
    let tree = tree_of(bytes, root, shapes);
    let Tree::Node(_, parts) = &tree else { return };
    if let Outcome::Violated(message) = run(parts) {
        let shown = arguments(&tree, root, shapes)
            .join(", ")
            .replace(['‹', '›', '\u{1}'], "");
        eprintln!("violated by ({shown})\n{message}");
        std::process::abort();
    }
}

/// Executes a fuzzer's finding, and shrinks and reports it like any other violation.
fn import(session: &mut Session<'_>, path: &Path) {
    let Ok(bytes) = fs::read(path) else { return };
    let tree = tree_of(&bytes, session.root, &session.shapes);
    if let Outcome::Violated(message) = session.execute(&tree) {
        session.violated(tree, message);
    }
}

/// Returns every combination of data points if there are few. In any case each data point occurs
/// with the first ones of the other parameters.
fn combined(seeds: &[Vec<Tree>], parts: &[Id], shapes: &Shapes) -> Vec<Tree> {
    const MOST: usize = 200;
    if parts.iter().any(|part| shapes.depth(*part).is_none()) {
        return Vec::new();
    }
    let all: Vec<Vec<Tree>> = seeds
        .iter()
        .zip(parts)
        .map(|(seeds, part)| {
            if seeds.is_empty() {
                vec![simplest(*part, shapes)]
            } else {
                seeds.clone()
            }
        })
        .collect();
    let mut rows: Vec<Vec<Tree>> = vec![Vec::new()];
    for values in &all {
        let combined = rows.iter().flat_map(|row| {
            values.iter().map(move |value| {
                row.iter()
                    .cloned()
                    .chain([value.clone()])
                    .collect::<Vec<_>>()
            })
        });
        rows = combined.take(MOST).collect();
    }
    for (at, values) in all.iter().enumerate() {
        for value in values {
            let row = all
                .iter()
                .enumerate()
                .map(|(other, values)| if other == at { value } else { &values[0] });
            rows.push(row.cloned().collect());
        }
    }
    let variant = shapes.instance().number as u32;
    rows.into_iter()
        .map(|row| Tree::Node(variant, row))
        .collect()
}

fn read(session: &Session<'_>, path: &Path) -> Option<Tree> {
    let tree = Tree::from_bytes(&fs::read(path).ok()?)?;
    session.shapes.fits(&tree, session.root).then_some(tree)
}

fn once(session: &mut Session<'_>, path: &Path) {
    let Some(tree) = read(session, path) else {
        return;
    };
    let arguments = session.arguments(&tree);
    let label = session.instance.label;
    session.voice.say(&["arguments", &arguments, label]);
    if let Outcome::Violated(message) = session.execute(&tree) {
        session.voice.say(&["failed", &message]);
    }
}

/// Executes simpler inputs one after the other. If one ends the process, the journal contains it.
fn simplify(session: &mut Session<'_>, path: &Path) {
    let Some(tree) = read(session, path) else {
        return;
    };
    for candidate in candidates(&tree, session.root, &session.shapes) {
        session.execute(&candidate);
    }
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn limit_memory(bytes: u64) {
    const CORE: i32 = 4;
    const ADDRESS_SPACE: i32 = if cfg!(target_os = "linux") { 9 } else { 5 };
    unsafe extern "C" {
        fn setrlimit(resource: i32, limit: *const [u64; 2]) -> i32;
    }
    // SAFETY: setrlimit(2) reads two 64-bit numbers from the pointer, and both arrays live through the calls.
    unsafe {
        setrlimit(ADDRESS_SPACE, &[bytes, bytes]);
        setrlimit(CORE, &[0, 0]);
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn limit_memory(_: u64) {}
