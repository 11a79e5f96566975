//! What is tried before anything is known: what is known to matter in each place, then inputs made from nothing.

use super::dictionary::boundaries;
use super::generate::{Maker, RARE, simplest};
use super::mutate::{behind_points, count, nth};
use super::search::Search;
use super::shape::{Id, Shape};
use super::tree::Tree;

/// How many inputs are made from nothing.
const LARGER: usize = 400;

impl Search<'_, '_> {
    /// Each place of the simplest input in turn with everything that is known to matter there.
    pub(super) fn boundaries(&mut self) {
        let root = self.session.root;
        let base = simplest(root, &self.session.shapes);
        self.try_out(base.clone(), None);
        for place in 0..count(&base, root, &self.session.shapes) {
            let mut copy = base.clone();
            let Some((node, id)) = nth(&mut copy, root, &self.session.shapes, &mut place.clone())
            else {
                continue;
            };
            let values = self.values_for(node, id);
            for value in values {
                if self.session.is_over() {
                    return;
                }
                let mut tree = base.clone();
                if let Some((node, _)) =
                    nth(&mut tree, root, &self.session.shapes, &mut place.clone())
                {
                    *node = value;
                    self.try_out(tree, None);
                }
            }
        }
    }

    /// Inputs made from nothing, larger and larger: much is found by these alone, before anything is known.
    pub(super) fn ever_larger(&mut self) {
        for room in (0..LARGER).map(|step| 1 + step / 4) {
            if self.session.is_over() {
                return;
            }
            let tree = self.something_new(room);
            self.try_out(tree, None);
        }
    }

    fn values_for(&mut self, node: &Tree, id: Id) -> Vec<Tree> {
        let inner = behind_points(node, id, &self.session.shapes);
        let maker = Maker::new(&self.dictionary, &self.session.shapes);
        match self.session.shapes.get(inner) {
            Shape::Int { signed, bits } => {
                let constants = self.dictionary.integers(*signed, *bits);
                constants
                    .into_iter()
                    .chain(boundaries(*signed, *bits))
                    .map(Tree::Int)
                    .collect()
            }
            Shape::Bool => vec![Tree::Int(1)],
            Shape::Text { .. } => {
                let mut texts: Vec<Tree> = self
                    .dictionary
                    .texts()
                    .iter()
                    .cloned()
                    .map(Tree::Text)
                    .collect();
                let alone_and_beside =
                    |one: &char| [format!("{one}"), format!("{one}a"), format!("a{one}")];
                texts.extend(RARE.iter().flat_map(alone_and_beside).map(Tree::Text));
                texts.extend((0..32).map(|_| maker.make(inner, 1, &mut self.random)));
                texts
            }
            _ => (0..16)
                .map(|_| maker.make(inner, 4, &mut self.random))
                .collect(),
        }
    }
}
