//! The search: seeds first, then mutations of each input that reached something new.

use super::corpus::Corpus;
use super::dictionary::Dictionary;
use super::generate::{Maker, some_letters};
use super::goals::{Goals, Progress};
use super::mending::mended;
use super::mutate::Mutator;
use super::outcome::Outcome;
use super::random::Random;
use super::relate::relate_all;
use super::session::{Followed, Session};
use super::sites::SiteSet;
use super::solve::solutions;
use super::substitute::substitutes;
use super::tree::Tree;
use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The maximum number of inputs loaded from a corpus.
const MAX_KEPT: usize = 2_000;
/// The number of executions without new coverage after which a search stagnates.
const PATIENCE: u64 = 20_000;
/// The maximum list lengths of inputs generated later in the search.
const ROOMS: [usize; 6] = [4, 8, 8, 16, 40, 100];
/// The maximum number of seeds combined from data points.
const MAX_SEEDS: usize = 1_000;

/// A running search.
pub struct Search<'s, 'r> {
    pub(super) session: &'s mut Session<'r>,
    pub(super) corpus: Corpus,
    pub(super) dictionary: Dictionary,
    pub(super) random: Random,
    goals: Goals,
    /// Inputs with new coverage whose comparisons have not been examined, oldest first.
    fresh: VecDeque<usize>,
    /// Unexamined inputs in which operands only came nearer to each other; the last came nearest.
    nearer: Vec<usize>,
    /// The time of the last new coverage.
    news: Duration,
    /// The number of executions at that time.
    news_at: u64,
    /// The edges that the seeds cover.
    pub(super) edges_of_seeds: Vec<u32>,
}

impl<'s, 'r> Search<'s, 'r> {
    /// Creates a search.
    pub fn new(session: &'s mut Session<'r>) -> Search<'s, 'r> {
        let text = session
            .job
            .dictionary
            .as_ref()
            .and_then(|path| fs::read_to_string(path).ok());
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

    /// Searches until the time or the number of executions is used up.
    pub fn run(&mut self, seeds: Vec<Tree>) {
        for tree in seeds.into_iter().take(MAX_SEEDS) {
            self.try_out(tree, None);
        }
        let edges = self
            .corpus
            .entries()
            .iter()
            .flat_map(|entry| entry.edges.iter().copied());
        self.edges_of_seeds = edges.collect();
        self.kept()
            .into_iter()
            .for_each(|tree| self.try_out(tree, None));
        self.boundaries();
        self.ever_larger();
        while !self.session.is_over() {
            let before = self.session.executions();
            self.look_at_fresh();
            // Solving comparisons and blind mutation get the same share of executions.
            let spent = (self.session.executions() - before).max(1);
            for _ in 0..spent {
                self.step();
                if self.session.is_over() {
                    break;
                }
            }
            if self.session.job.until_covered && self.is_covered() {
                self.session.stop();
            }
        }
        if self.session.job.passing {
            self.tell_passing();
        }
    }

    /// Returns whether nothing new was covered for as long as it took to find the last new
    /// coverage, plus two seconds.
    fn is_covered(&self) -> bool {
        self.session.elapsed() > self.news * 2 + Duration::from_secs(2)
    }

    /// Loads the inputs of earlier searches.
    fn kept(&self) -> Vec<Tree> {
        let Some(folder) = &self.session.job.corpus else {
            return Vec::new();
        };
        let Ok(entries) = fs::read_dir(folder) else {
            return Vec::new();
        };
        let mut paths: Vec<_> = entries
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .collect();
        paths.sort();
        let trees = paths
            .iter()
            .take(MAX_KEPT)
            .filter_map(|path| Tree::from_bytes(&fs::read(path).ok()?));
        trees
            .filter(|tree| self.session.shapes.fits(tree, self.session.root))
            .collect()
    }

    /// Executes an input and keeps it if it reaches something new.
    pub(super) fn try_out(&mut self, tree: Tree, parent: Option<usize>) {
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
        if self.session.follower.is_some() {
            return self.follow(tree, accepted, new, parent, progress);
        }
        if new == 0 && progress == Progress::None {
            return;
        }
        self.take_in(
            tree,
            self.session.coverage.taken(),
            accepted,
            new,
            parent,
            progress,
        );
    }

    /// Lets whoever follows see an input, and keeps it if either sees news in it.
    fn follow(
        &mut self,
        tree: Tree,
        accepted: bool,
        new: usize,
        parent: Option<usize>,
        progress: Progress,
    ) {
        let taken = self.session.coverage.taken();
        let is_new = new > 0 || progress != Progress::None;
        let followed = self.session.follow(&tree, is_new);
        let new = new + usize::from(followed == Followed::News);
        if new > 0 || progress != Progress::None {
            self.take_in(tree, taken, accepted, new, parent, progress);
        }
    }

    fn take_in(
        &mut self,
        tree: Tree,
        taken: Vec<u32>,
        accepted: bool,
        new: usize,
        parent: Option<usize>,
        progress: Progress,
    ) {
        if new > 0 {
            self.news = self.session.elapsed();
            self.news_at = self.session.executions();
            self.keep(&tree);
        }
        if let Some(parent) = parent {
            self.corpus.note_child(parent);
        }
        let at = self.corpus.add(tree, taken, accepted);
        match progress {
            // What solving reached mostly leads to the next comparison to solve.
            Progress::Equal => self.fresh.push_front(at),
            Progress::None | Progress::Nearer if new == 0 => self.nearer.push(at),
            _ => self.fresh.push_back(at),
        }
    }

    fn keep(&self, tree: &Tree) {
        let Some(folder) = &self.session.job.corpus else {
            return;
        };
        if self.corpus.len() < MAX_KEPT {
            let bytes = tree.to_bytes();
            // A corpus that cannot be written only makes the next search slower.
            let _ = fs::write(Path::new(folder).join(name_of(&bytes)), bytes);
        }
    }

    /// Replaces the compared parts of one unexamined input by what they were compared with.
    fn look_at_fresh(&mut self) {
        let Some(at) = self.fresh.pop_front().or_else(|| self.nearer.pop()) else {
            return;
        };
        let tree = self.corpus.get(at).tree.clone();
        let outcome = self.session.traced(&tree);
        if let Outcome::Violated(_) | Outcome::NotBuilt = outcome {
            return;
        }
        self.goals.note(&self.session.log.integers);
        self.learn();
        let equal: SiteSet = self.session.log.equal_sites().collect();
        let log = &self.session.log;
        let substitutes = substitutes(
            &tree,
            self.session.root,
            &self.session.shapes,
            &log.integers,
            &log.bytes,
        );
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

    /// Repairs an input after a mutation made equal operands different: a sum or a length has to be
    /// adjusted.
    fn mend(&mut self, tree: &Tree, equal: &SiteSet, parent: usize) {
        let spoilt = self.session.log.unequal_at(equal);
        if spoilt.is_empty() {
            return;
        }
        let news = self.news_at;
        for tree in mended(
            tree,
            self.session.root,
            &self.session.shapes,
            &spoilt,
            &self.goals,
        ) {
            self.try_traced(tree, Some(parent));
        }
        self.goals.note_mended(&spoilt, self.news_at != news);
    }

    /// Adds the operands of comparisons to the dictionary.
    fn learn(&mut self) {
        for compared in self
            .session
            .log
            .integers
            .iter()
            .filter(|one| one.left != one.right)
            .take(256)
        {
            self.dictionary.add_integer(i128::from(compared.right));
            self.dictionary.add_integer(i128::from(compared.left));
            if let (8 | 32, Some(one)) = (compared.bits, character(compared.left)) {
                self.dictionary.add_character(one);
            }
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

    /// Tries one new input: a mutation of a kept one, or a generated one.
    fn step(&mut self) {
        let root = self.session.root;
        let parent = self.corpus.pick(&mut self.random);
        // If mutations lead nowhere, a generated input may.
        let stagnates = self.session.executions() > self.news_at + PATIENCE;
        let share = if stagnates { 3 } else { 8 };
        let Some(parent) = parent.filter(|_| !self.random.one_in(share)) else {
            let room = ROOMS[self.random.below(ROOMS.len())];
            let tree = self.something_new(room);
            return self.try_out(tree, None);
        };
        let mut tree = self.corpus.get(parent).tree.clone();
        let other = self.random.below(self.corpus.len());
        let mutator = Mutator {
            dictionary: &self.dictionary,
            shapes: &self.session.shapes,
        };
        mutator.mutate(
            &mut tree,
            root,
            Some(&self.corpus.get(other).tree),
            &mut self.random,
        );
        if self.random.one_in(4) {
            self.try_traced(tree, Some(parent));
        } else {
            self.try_out(tree, Some(parent));
        }
    }

    /// Generates an input.
    pub(super) fn something_new(&mut self, room: usize) -> Tree {
        let random = &mut self.random;
        let letters = random
            .one_in(2)
            .then(|| some_letters(&self.dictionary, random));
        let maker = Maker {
            letters,
            room,
            ..Maker::new(&self.dictionary, &self.session.shapes)
        };
        let mut tree = maker.make(self.session.root, 6, random);
        if !random.one_in(4) {
            let mutator = Mutator {
                dictionary: &self.dictionary,
                shapes: &self.session.shapes,
            };
            relate_all(&mutator, &mut tree, self.session.root, random);
        }
        tree
    }
}

/// Converts a constant into a char, if it is likely meant as one.
fn character(constant: u64) -> Option<char> {
    let one = char::from_u32(u32::try_from(constant).ok()?)?;
    (!one.is_control() || matches!(one, '\t' | '\n' | '\r' | '\u{1b}')).then_some(one)
}

fn name_of(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
