//! Pieces of instrumentation: texts to insert, each of which can be left out by itself when the compiler rejects it.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// What is inserted for one purpose, possibly at several places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// A name that stays the same when other code changes: the cache of rejected pieces goes by it.
    pub key: String,
    /// The piece that this one is useless without.
    pub parent: Option<usize>,
    /// The variable that it reads, where it is a capture.
    pub variable: Option<String>,
    /// The slot that it fills, where it is a capture.
    pub slot: Option<usize>,
    /// The function that it stands in, by number; types stand in none.
    pub function: Option<usize>,
}

impl Piece {
    /// Whether it captures what something has become.
    pub fn is_after(&self) -> bool {
        self.slot.is_some() && self.key.contains("/After/")
    }
}

/// A text to insert at a byte of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    at: usize,
    opens: bool,
    /// The other end of the node that it stands at: decides which of two insertions at one byte is outside.
    other_end: usize,
    /// Which of two that stand at the same node is outside: the smaller number.
    layer: usize,
    text: String,
    piece: usize,
}

impl Insertion {
    /// Before a node.
    pub fn before(
        node: &Range<usize>,
        layer: usize,
        text: impl Into<String>,
        piece: usize,
    ) -> Self {
        Insertion {
            at: node.start,
            opens: true,
            other_end: node.end,
            layer,
            text: text.into(),
            piece,
        }
    }

    /// After a node.
    pub fn after(node: &Range<usize>, layer: usize, text: impl Into<String>, piece: usize) -> Self {
        Insertion {
            at: node.end,
            opens: false,
            other_end: node.start,
            layer,
            text: text.into(),
            piece,
        }
    }

    /// Right before a node, inside of all that is around it; what several pieces need there stands there once.
    pub fn innermost(node: &Range<usize>, text: &'static str, piece: usize) -> Self {
        Insertion::before(node, usize::MAX, text, piece)
    }

    /// Whether both say the same right before the same node.
    fn is_same(&self, other: &Insertion) -> bool {
        let place = |insertion: &Insertion| (insertion.at, insertion.other_end, insertion.layer);
        self.layer == usize::MAX && place(self) == place(other) && self.text == other.text
    }

    /// A statement before another one: outside of whatever is wrapped around that one's expression.
    pub fn statement_before(node: &Range<usize>, text: impl Into<String>, piece: usize) -> Self {
        Insertion {
            other_end: usize::MAX,
            ..Insertion::before(node, 0, text, piece)
        }
    }

    /// A statement after another one.
    pub fn statement_after(node: &Range<usize>, text: impl Into<String>, piece: usize) -> Self {
        Insertion {
            other_end: 0,
            ..Insertion::after(node, 0, text, piece)
        }
    }

    /// The piece that it belongs to.
    pub fn piece(&self) -> usize {
        self.piece
    }
}

/// The woven text of a file, and which bytes of it belong to which piece.
#[derive(Clone, Debug, Default)]
pub struct Woven {
    /// The text.
    pub text: String,
    /// Ranges of the text with the pieces that they belong to.
    pub regions: Vec<(Range<usize>, usize)>,
}

/// Inserts everything but the dropped pieces and those that are useless without them.
pub fn weave(
    text: &str,
    insertions: &[Insertion],
    pieces: &[Piece],
    dropped: &BTreeSet<usize>,
) -> Woven {
    let mut ordered: Vec<(usize, &Insertion)> = insertions.iter().enumerate().collect();
    // At one byte what ends there comes before what begins there; inner ends first, outer beginnings first.
    ordered.sort_by_key(|(number, insertion)| {
        let layer = if insertion.opens {
            insertion.layer
        } else {
            usize::MAX - insertion.layer
        };
        (
            insertion.at,
            insertion.opens,
            std::cmp::Reverse(insertion.other_end),
            layer,
            *number,
        )
    });
    let mut woven = Woven::default();
    let mut done = 0;
    let mut last: Option<&Insertion> = None;
    for (_, insertion) in ordered {
        if is_dropped(insertion.piece, pieces, dropped)
            || last.is_some_and(|last| last.is_same(insertion))
        {
            continue;
        }
        last = Some(insertion);
        woven.text.push_str(&text[done..insertion.at]);
        done = insertion.at;
        let start = woven.text.len();
        woven.text.push_str(&insertion.text);
        woven
            .regions
            .push((start..woven.text.len(), insertion.piece));
    }
    woven.text.push_str(&text[done..]);
    woven
}

/// Is the piece, or one that it needs, dropped?
pub fn is_dropped(piece: usize, pieces: &[Piece], dropped: &BTreeSet<usize>) -> bool {
    dropped.contains(&piece)
        || pieces[piece]
            .parent
            .is_some_and(|parent| is_dropped(parent, pieces, dropped))
}

/// The pieces with these keys.
pub fn with_keys(pieces: &[Piece], keys: &BTreeSet<String>) -> BTreeSet<usize> {
    let numbers: HashMap<&str, usize> = pieces
        .iter()
        .enumerate()
        .map(|(at, piece)| (piece.key.as_str(), at))
        .collect();
    keys.iter()
        .filter_map(|key| numbers.get(key.as_str()).copied())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(key: &str, parent: Option<usize>) -> Piece {
        Piece {
            key: key.to_owned(),
            parent,
            variable: None,
            slot: None,
            function: None,
        }
    }

    #[test]
    fn insertions_at_one_byte_nest() {
        // Two nodes that start together, `ab` inside `abc`.
        let insertions = [
            Insertion::before(&(0..2), 1, "(", 0),
            Insertion::after(&(0..2), 1, ")", 0),
            Insertion::before(&(0..3), 2, "[", 1),
            Insertion::after(&(0..3), 2, "]", 1),
            Insertion::before(&(0..3), 3, "<", 1),
            Insertion::after(&(0..3), 3, ">", 1),
            Insertion::statement_before(&(0..3), "let g; ", 1),
            Insertion::statement_after(&(0..3), " g.end();", 1),
        ];
        let pieces = [piece("inner", None), piece("outer", None)];
        assert_eq!(
            weave("abc", &insertions, &pieces, &BTreeSet::new()).text,
            "let g; [<(ab)c>] g.end();"
        );
    }

    #[test]
    fn a_dropped_piece_takes_those_that_need_it_with_it() {
        let insertions = [
            Insertion::before(&(0..1), 0, "x", 0),
            Insertion::after(&(0..1), 0, "y", 1),
        ];
        let pieces = [piece("site", None), piece("capture", Some(0))];
        assert_eq!(
            weave("a", &insertions, &pieces, &BTreeSet::from([1])).text,
            "xa"
        );
        assert_eq!(
            weave("a", &insertions, &pieces, &BTreeSet::from([0])).text,
            "a"
        );
    }
}
