//! The cost of a value, which shrinking reduces.

use super::mutate::behind_points;
use super::shape::{Id, Shape, Shapes};
use super::tree::Tree;

/// Returns the size of a value, and then the distance of its leaves from the simplest ones.
pub fn cost(tree: &Tree, id: Id, shapes: &Shapes) -> (usize, u128) {
    let inner = behind_points(tree, id, shapes);
    match (shapes.get(inner), tree) {
        (Shape::Int { signed: false, .. } | Shape::Bool, Tree::Int(value)) => (1, *value as u128),
        (Shape::Char, Tree::Int(value)) => (1, rank(char_of(*value))),
        (_, Tree::Int(value)) => (
            1,
            value.unsigned_abs().saturating_mul(2) + u128::from(*value < 0),
        ),
        (_, Tree::Float(value)) => (1, float_rank(*value)),
        (_, Tree::Text(text)) => (1 + text.chars().count(), text.chars().map(rank).sum()),
        // A data point already has a name.
        (_, Tree::Point(number)) => (1, u128::from(*number)),
        (Shape::List { of, .. }, Tree::List(parts)) => {
            sum(parts.iter().map(|part| cost(part, *of, shapes)), 0)
        }
        (Shape::Choice { variants }, Tree::Node(variant, parts)) => {
            let ids = variants
                .get(*variant as usize)
                .map(|variant| variant.parts.as_slice())
                .unwrap_or_default();
            sum(
                parts
                    .iter()
                    .zip(ids)
                    .map(|(part, id)| cost(part, *id, shapes)),
                u128::from(*variant),
            )
        }
        _ => (1, 0),
    }
}

fn sum(parts: impl Iterator<Item = (usize, u128)>, own: u128) -> (usize, u128) {
    parts.fold((1, own), |(size, weight), (more, heavier)| {
        (size + more, weight.saturating_add(heavier))
    })
}

/// Returns how far a char is from the simplest one.
pub fn rank(character: char) -> u128 {
    let code = u128::from(u32::from(character));
    match character {
        'a'..='z' => code - u128::from(u32::from('a')),
        '0'..='9' => 100 + code,
        'A'..='Z' => 200 + code,
        ' ' => 400,
        '!'..='~' => 500 + code,
        '\n' => 700,
        _ if character.is_ascii() => 800 + code,
        // A printable char reads better than an escape.
        _ if character.escape_debug().len() == 1 => 2_000 + code,
        _ => (1 << 32) + code,
    }
}

fn float_rank(value: f64) -> u128 {
    let negative = u128::from(value.is_sign_negative());
    let magnitude = value.abs();
    if !magnitude.is_finite() {
        return u128::MAX / 2 + negative + 2 * u128::from(value.is_nan());
    }
    if magnitude.trunc() == magnitude && magnitude < 1e15 {
        return 2 * magnitude as u128 + negative;
    }
    // Of fractions, the shorter one is simpler.
    (1 << 64) + 2 * format!("{magnitude:?}").len() as u128 + negative
}

/// Converts a tree's number into a char.
pub fn char_of(value: i128) -> char {
    u32::try_from(value)
        .ok()
        .and_then(char::from_u32)
        .unwrap_or('\u{fffd}')
}
