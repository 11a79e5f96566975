//! The first inputs of a search: interesting values in each place, then generated inputs.

use super::dictionary::boundaries;
use super::generate::{Maker, RARE, simplest};
use super::mutate::{behind_points, count, nth};
use super::search::Search;
use super::shape::{Id, Shape};
use super::tree::Tree;

/// The number of generated inputs.
const LARGER: usize = 400;

impl Search<'_, '_> {
    /// Tries the simplest input with each interesting value in each place.
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

    /// Tries generated inputs of growing size. They alone find many violations before anything is
    /// learnt.
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
