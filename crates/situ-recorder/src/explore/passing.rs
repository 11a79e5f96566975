//! Selection of inputs that pass on new paths, as few and as simple as possible.

use super::outcome::Outcome;
use super::search::Search;
use super::session::hexadecimal;
use super::shrink::shrink;
use super::tree::Tree;
use std::collections::HashSet;

impl Search<'_, '_> {
    /// Reports the fewest inputs that the theory accepts and that cover edges which the data points
    /// do not, each of them shrunk.
    pub(super) fn tell_passing(&mut self) {
        let mut covered: HashSet<u32> = self.edges_of_seeds.iter().copied().collect();
        loop {
            let gain = |edges: &[u32]| edges.iter().filter(|edge| !covered.contains(edge)).count();
            let accepted = self.corpus.entries().iter().filter(|entry| entry.accepted);
            let best = accepted
                .max_by_key(|entry| gain(&entry.edges))
                .filter(|entry| gain(&entry.edges) > 0);
            let Some(best) = best else { return };
            let wanted: Vec<u32> = best
                .edges
                .iter()
                .filter(|edge| !covered.contains(edge))
                .copied()
                .collect();
            let tree = best.tree.clone();
            covered.extend(best.edges.iter().copied());
            let tree = self.reduced(tree, &wanted);
            let arguments = self.session.arguments(&tree);
            let (edges, bytes) = (wanted.len().to_string(), hexadecimal(&tree.to_bytes()));
            let label = self.session.instance.label;
            self.session
                .voice
                .say(&["passing", &arguments, &edges, &bytes, label]);
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
