//! Pieces of instrumentation: insertions that can be dropped one by one when the compiler rejects
//! them.

use crate::trial::owned_text::OwnedText;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// Insertions for one purpose, possibly at several places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Key that does not depend on other code, for the cache of rejected pieces.
    pub key: String,
    /// Piece that this one needs.
    pub parent: Option<usize>,
    /// Variable that the piece reads, if it is a capture.
    pub variable: Option<String>,
    /// Slot that the piece fills, if it is a capture.
    pub slot: Option<usize>,
    /// Number of the function that contains the piece; `None` for types.
    pub function: Option<usize>,
}

impl Piece {
    /// Returns whether the piece captures a value after the statement.
    pub fn is_after(&self) -> bool {
        self.slot.is_some() && self.key.contains("/After/")
    }
}

/// Text to insert at a byte offset of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    at: usize,
    opens: bool,
    /// Other end of the node at which the text is inserted. It decides which of two insertions at
    /// one offset is outside.
    other_end: usize,
    /// Of two insertions at the same node, the one with the smaller layer is outside.
    layer: usize,
    text: String,
    piece: usize,
}

impl Insertion {
    /// Returns an insertion before a node.
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

    /// Returns an insertion after a node.
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

    /// Returns an insertion just before a node, inside all other insertions. If several pieces
    /// insert the same text there, it is inserted once.
    pub fn innermost(node: &Range<usize>, text: &'static str, piece: usize) -> Self {
        Insertion::before(node, usize::MAX, text, piece)
    }

    /// Returns whether two insertions insert the same text just before the same node.
    fn is_same(&self, other: &Insertion) -> bool {
        let place = |insertion: &Insertion| (insertion.at, insertion.other_end, insertion.layer);
        self.layer == usize::MAX && place(self) == place(other) && self.text == other.text
    }

    /// Returns an insertion of a statement before another one, outside everything that wraps the
    /// expression of that.
    pub fn statement_before(node: &Range<usize>, text: impl Into<String>, piece: usize) -> Self {
        Insertion {
            other_end: usize::MAX,
            ..Insertion::before(node, 0, text, piece)
        }
    }

    /// Returns an insertion of a statement after another one.
    pub fn statement_after(node: &Range<usize>, text: impl Into<String>, piece: usize) -> Self {
        Insertion {
            other_end: 0,
            ..Insertion::after(node, 0, text, piece)
        }
    }

    /// Returns the insertion as part of a plan that has so many pieces before its own.
    pub fn shifted(self, by: usize) -> Self {
        Insertion {
            piece: self.piece + by,
            ..self
        }
    }

    /// Returns the index of the piece that the insertion belongs to.
    pub fn piece(&self) -> usize {
        self.piece
    }
}

/// Inserts the text of all pieces, except the dropped ones and those that depend on them.
pub fn weave(
    text: &str,
    insertions: &[Insertion],
    pieces: &[Piece],
    dropped: &BTreeSet<usize>,
) -> OwnedText<usize> {
    let mut ordered: Vec<(usize, &Insertion)> = insertions.iter().enumerate().collect();
    // At one offset, closing insertions come before opening ones; inner ones close first, outer
    // ones open first.
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
    let mut woven = OwnedText::default();
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
        woven.part(insertion.piece, |woven| {
            woven.text.push_str(&insertion.text);
        });
    }
    woven.text.push_str(&text[done..]);
    woven
}

/// Returns whether a piece, or one that it needs, is dropped.
pub fn is_dropped(piece: usize, pieces: &[Piece], dropped: &BTreeSet<usize>) -> bool {
    dropped.contains(&piece)
        || pieces[piece]
            .parent
            .is_some_and(|parent| is_dropped(parent, pieces, dropped))
}

/// Returns the numbers of the pieces with these keys.
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
