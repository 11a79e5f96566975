//! The search: seeds first, then changes of whatever did something new.

use super::corpus::Corpus;
use super::dictionary::{Dictionary, boundaries};
use super::generate::{Maker, RARE, simplest};
use super::goals::{Goals, Progress};
use super::mutate::{Mutator, behind_points, count, nth};
use super::outcome::Outcome;
use super::random::Random;
use super::session::{Session, hexadecimal};
use super::shape::{Id, Shape};
use super::shrink::shrink;
use super::solve::solutions;
use super::substitute::substitutes;
use super::tree::Tree;
use std::collections::{HashSet, VecDeque};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Of a corpus so many are used again.
const MOST_KEPT: usize = 2_000;
/// After so many executions without news a search stagnates.
const PATIENCE: u64 = 20_000;
/// How many ways are tried to make up for what a change has spoilt.
const MOST_MENDED: usize = 12;
/// Seeds of data points beyond this are left to chance.
const MOST_SEEDS: usize = 1_000;

/// A search under way.
pub struct Search<'s, 'r> {
    session: &'s mut Session<'r>,
    corpus: Corpus,
    dictionary: Dictionary,
    random: Random,
    goals: Goals,
    /// Inputs with news whose comparisons nobody has looked at, the oldest first.
    fresh: VecDeque<usize>,
    /// The same, where the only news is that operands came nearer to one another; the latest came nearest.
    nearer: Vec<usize>,
    /// When something new was covered last.
    news: Duration,
    /// After how many executions that was.
    news_at: u64,
    /// Edges that the seeds take.
    edges_of_seeds: Vec<u32>,
}

impl<'s, 'r> Search<'s, 'r> {
    /// A search that starts from these inputs.
    pub fn new(session: &'s mut Session<'r>) -> Search<'s, 'r> {
        let text = session.job.dictionary.as_ref().and_then(|path| fs::read_to_string(path).ok());
        let random = Random::new(session.job.seed);
        Search {
            dictionary: Dictionary::parse(&text.unwrap_or_default()),
            session,
            corpus: Corpus::default(),
            random,
            goals: Goals::default(),
            fresh: VecDeque::new(),
            nearer: Vec::new(),
            news: Duration::ZERO,
            news_at: 0,
            edges_of_seeds: Vec::new(),
        }
    }

    /// Searches until time or runs are over.
    pub fn run(&mut self, seeds: Vec<Tree>) {
        for tree in seeds.into_iter().take(MOST_SEEDS) {
            self.try_out(tree, None);
        }
        let edges = self.corpus.entries().iter().flat_map(|entry| entry.edges.iter().copied());
        self.edges_of_seeds = edges.collect();
        self.kept().into_iter().for_each(|tree| self.try_out(tree, None));
        self.boundaries();
        while !self.session.is_over() {
            self.look_at_fresh();
            self.step();
            if self.session.job.until_covered && self.is_covered() {
                self.session.stop();
            }
        }
        if self.session.job.passing {
            self.tell_passing();
        }
    }

    /// Nothing new for as long as it took to find the last news, and two seconds more.
    fn is_covered(&self) -> bool {
        self.session.elapsed() > self.news * 2 + Duration::from_secs(2)
    }

    /// Inputs of earlier searches.
    fn kept(&self) -> Vec<Tree> {
        let Some(folder) = &self.session.job.corpus else { return Vec::new() };
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let mut paths: Vec<_> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
        paths.sort();
        let trees = paths.iter().take(MOST_KEPT).filter_map(|path| Tree::from_bytes(&fs::read(path).ok()?));
        trees.filter(|tree| self.session.shapes.fits(tree, self.session.root)).collect()
    }

    /// Each place of the simplest input in turn with everything that is known to matter there.
    fn boundaries(&mut self) {
        let root = self.session.root;
        let base = simplest(root, &self.session.shapes);
        self.try_out(base.clone(), None);
        for place in 0..count(&base, root, &self.session.shapes) {
            let mut copy = base.clone();
            let Some((node, id)) = nth(&mut copy, root, &self.session.shapes, &mut place.clone()) else { continue };
            let values = self.values_for(node, id);
            for value in values {
                if self.session.is_over() {
                    return;
                }
                let mut tree = base.clone();
                if let Some((node, _)) = nth(&mut tree, root, &self.session.shapes, &mut place.clone()) {
                    *node = value;
                    self.try_out(tree, None);
                }
            }
        }
    }

    fn values_for(&mut self, node: &Tree, id: Id) -> Vec<Tree> {
        let inner = behind_points(node, id, &self.session.shapes);
        let maker = Maker { dictionary: &self.dictionary, shapes: &self.session.shapes, is_plain: false };
        match self.session.shapes.get(inner) {
            Shape::Int { signed, bits } => {
                let constants = self.dictionary.integers(*signed, *bits);
                constants.into_iter().chain(boundaries(*signed, *bits)).map(Tree::Int).collect()
            }
            Shape::Bool => vec![Tree::Int(1)],
            Shape::Text { .. } => {
                let mut texts: Vec<Tree> = self.dictionary.texts().iter().cloned().map(Tree::Text).collect();
                let alone_and_beside = |one: &char| [format!("{one}"), format!("{one}a"), format!("a{one}")];
                texts.extend(RARE.iter().flat_map(alone_and_beside).map(Tree::Text));
                texts.extend((0..32).map(|_| maker.make(inner, 1, &mut self.random)));
                texts
            }
            _ => (0..16).map(|_| maker.make(inner, 4, &mut self.random)).collect(),
        }
    }

    /// Executes an input and keeps it if it does something new.
    fn try_out(&mut self, tree: Tree, parent: Option<usize>) {
        let outcome = self.session.execute(&tree);
        self.judge(tree, outcome, parent, Progress::None);
    }

    fn judge(&mut self, tree: Tree, outcome: Outcome, parent: Option<usize>, progress: Progress) {
        let accepted = match outcome {
            Outcome::Violated(message) => return self.session.violated(tree, message),
            Outcome::NotBuilt => return,
            Outcome::Held => true,
            Outcome::Rejected(..) => false,
        };
        let new = self.session.coverage.new_features(true);
        if new == 0 && progress == Progress::None {
            return;
        }
        if new > 0 {
            self.news = self.session.elapsed();
            self.news_at = self.session.executions();
            self.keep(&tree);
        }
        if let Some(parent) = parent {
            self.corpus.note_child(parent);
        }
        let at = self.corpus.add(tree, self.session.coverage.taken(), accepted);
        if new > 0 || progress == Progress::Reached {
            self.fresh.push_back(at);
        } else {
            self.nearer.push(at);
        }
    }

    fn keep(&self, tree: &Tree) {
        let Some(folder) = &self.session.job.corpus else { return };
        if self.corpus.len() < MOST_KEPT {
            let bytes = tree.to_bytes();
            // A corpus that cannot be written costs time in the next search, and nothing else.
            let _ = fs::write(Path::new(folder).join(name_of(&bytes)), bytes);
        }
    }

    /// Puts what was compared into the place of what it was compared with.
    fn look_at_fresh(&mut self) {
        while let Some(at) = self.fresh.pop_front().or_else(|| self.nearer.pop()) {
            if self.session.is_over() {
                return;
            }
            let tree = self.corpus.get(at).tree.clone();
            let outcome = self.session.traced(&tree);
            if let Outcome::Violated(_) | Outcome::NotBuilt = outcome {
                continue;
            }
            self.goals.note(&self.session.log.integers);
            self.learn();
            let equal: HashSet<usize> = self.session.log.equal_sites().collect();
            let substitutes = substitutes(&tree, self.session.root, &self.session.shapes, &self.session.log);
            for substitute in substitutes {
                if self.session.is_over() {
                    return;
                }
                self.try_traced(substitute.clone(), Some(at));
                self.mend(&substitute, &equal, at);
            }
            for solution in solutions(self.session, &mut self.goals, &tree) {
                if self.session.is_over() {
                    return;
                }
                self.try_traced(solution, Some(at));
            }
        }
    }

    /// Where a change has made operands differ that were equal, a sum or a length has to follow it.
    fn mend(&mut self, tree: &Tree, equal: &HashSet<usize>, parent: usize) {
        let spoilt = self.session.log.unequal_at(equal);
        if spoilt.integers.is_empty() {
            return;
        }
        let mended = substitutes(tree, self.session.root, &self.session.shapes, &spoilt);
        for tree in mended.into_iter().take(MOST_MENDED) {
            self.try_traced(tree, Some(parent));
        }
    }

    /// Operands are worth a try elsewhere too.
    fn learn(&mut self) {
        for compared in self.session.log.integers.iter().filter(|one| one.left != one.right).take(256) {
            self.dictionary.add_integer(i128::from(compared.right));
            self.dictionary.add_integer(i128::from(compared.left));
        }
        for compared in self.session.log.bytes.iter().take(64) {
            let (left, right) = compared.both();
            for bytes in [left, right] {
                if let Ok(text) = std::str::from_utf8(bytes) {
                    self.dictionary.add_text(text);
                }
            }
        }
    }

    fn try_traced(&mut self, tree: Tree, parent: Option<usize>) {
        let outcome = self.session.traced(&tree);
        let progress = self.goals.note(&self.session.log.integers);
        self.judge(tree, outcome, parent, progress);
    }

    /// One new input: a change of one that was kept, or something new.
    fn step(&mut self) {
        let root = self.session.root;
        let parent = self.corpus.pick(&mut self.random);
        // Where changes lead nowhere, something new may.
        let stagnates = self.session.executions() > self.news_at + PATIENCE;
        let share = if stagnates { 3 } else { 16 };
        let Some(parent) = parent.filter(|_| !self.random.one_in(share)) else {
            let is_plain = self.random.one_in(2);
            let maker = Maker { dictionary: &self.dictionary, shapes: &self.session.shapes, is_plain };
            let tree = maker.make(root, 6, &mut self.random);
            return self.try_out(tree, None);
        };
        let mut tree = self.corpus.get(parent).tree.clone();
        let other = self.random.below(self.corpus.len());
        let mutator = Mutator { dictionary: &self.dictionary, shapes: &self.session.shapes };
        mutator.mutate(&mut tree, root, Some(&self.corpus.get(other).tree), &mut self.random);
        if self.random.one_in(4) {
            self.try_traced(tree, Some(parent));
        } else {
            self.try_out(tree, Some(parent));
        }
    }

    /// Inputs that the theory accepts and that take edges which the data points do not, the fewest, made simple.
    fn tell_passing(&mut self) {
        let mut covered: HashSet<u32> = self.edges_of_seeds.iter().copied().collect();
        loop {
            let gain = |edges: &[u32]| edges.iter().filter(|edge| !covered.contains(edge)).count();
            let accepted = self.corpus.entries().iter().filter(|entry| entry.accepted);
            let best = accepted.max_by_key(|entry| gain(&entry.edges)).filter(|entry| gain(&entry.edges) > 0);
            let Some(best) = best else { return };
            let wanted: Vec<u32> = best.edges.iter().filter(|edge| !covered.contains(edge)).copied().collect();
            let tree = best.tree.clone();
            covered.extend(best.edges.iter().copied());
            let tree = self.reduced(tree, &wanted);
            let arguments = self.session.arguments(&tree);
            self.session.voice.say(&["passing", &arguments, &wanted.len().to_string(), &hexadecimal(&tree.to_bytes())]);
        }
    }

    fn reduced(&mut self, tree: Tree, wanted: &[u32]) -> Tree {
        let shapes = std::mem::take(&mut self.session.shapes);
        let root = self.session.root;
        let mut runs = 0;
        let small = shrink(tree, root, &shapes, &mut |candidate| {
            runs += 1;
            if runs > 5_000 || self.session.execute(candidate) != Outcome::Held {
                return false;
            }
            let taken = self.session.coverage.taken();
            wanted.iter().all(|edge| taken.binary_search(edge).is_ok())
        });
        self.session.shapes = shapes;
        small
    }
}

fn name_of(bytes: &[u8]) -> String {
    let hash = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}
