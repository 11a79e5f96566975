//! The inputs worth keeping, and the choice of the next one to mutate.

use super::random::Random;
use super::tree::Tree;

/// The inputs that reached something new.
#[derive(Debug, Default)]
pub struct Corpus {
    entries: Vec<Entry>,
}

/// One input.
#[derive(Debug)]
pub struct Entry {
    /// The input.
    pub tree: Tree,
    /// The edges that it covers.
    pub edges: Vec<u32>,
    /// Whether the theory's assumptions accepted it.
    pub accepted: bool,
    /// How often it was mutated.
    picked: u32,
    /// How many inputs worth keeping were derived from it.
    children: u32,
    size: usize,
}

impl Corpus {
    /// Adds an input and returns its index.
    pub fn add(&mut self, tree: Tree, edges: Vec<u32>, accepted: bool) -> usize {
        let size = tree.size();
        self.entries.push(Entry {
            tree,
            edges,
            accepted,
            picked: 0,
            children: 0,
            size,
        });
        self.entries.len() - 1
    }

    /// Returns the number of inputs.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the input with this index.
    pub fn get(&self, at: usize) -> &Entry {
        &self.entries[at]
    }

    /// Returns all inputs.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Notes that an input led to one worth keeping.
    pub fn note_child(&mut self, of: usize) {
        self.entries[of].children += 1;
    }

    /// Selects the input to mutate next. It prefers those seldom selected, fruitful, accepted and
    /// small, and new ones most of all.
    pub fn pick(&mut self, random: &mut Random) -> Option<usize> {
        if self.entries.is_empty() {
            return None;
        }
        let newest = self.entries.len().saturating_sub(8);
        let draw = |random: &mut Random| {
            if random.one_in(4) {
                newest + random.below(self.entries.len() - newest)
            } else {
                random.below(self.entries.len())
            }
        };
        let candidates = [draw(random), draw(random), draw(random)];
        let best = candidates
            .into_iter()
            .min_by_key(|at| self.entries[*at].weariness())?;
        self.entries[best].picked += 1;
        Some(best)
    }
}

impl Entry {
    fn weariness(&self) -> u64 {
        let tried = u64::from(self.picked) * 8 / (1 + u64::from(self.children));
        let rejected = if self.accepted { 1 } else { 4 };
        (8 + tried) * rejected * (4 + self.size as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::Corpus;
    use crate::explore::Tree;
    use crate::explore::random::Random;

    #[test]
    fn every_input_has_its_turn_and_accepted_ones_more_often() {
        let mut corpus = Corpus::default();
        for value in 0..20 {
            corpus.add(Tree::Int(value), Vec::new(), value % 2 == 0);
        }
        let mut random = Random::new(9);
        let mut turns = [0; 20];
        (0..4_000).for_each(|_| turns[corpus.pick(&mut random).unwrap()] += 1);
        let sum = |rest: usize| -> usize { turns.iter().skip(rest).step_by(2).sum() };
        assert!(
            turns.iter().all(|turns| *turns > 10) && sum(0) > 2 * sum(1),
            "{turns:?}"
        );
    }
}
