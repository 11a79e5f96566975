//! Values that only `serde` shows.
#![deny(warnings)]
#![no_std]

extern crate alloc;

use far::{Point, Silent};
use serde as _;

pub mod inner {
    use far::Point;

    pub fn label(point: &Point) -> usize {
        point.label.map_or(0, |label| label.trim().len())
    }
}

pub fn bits(point: &Point, silent: &Silent) -> u32 {
    let _ = silent;
    point.x.count_ones() + inner::label(point) as u32
}

pub fn kept(point: &Point, silent: &Silent) -> bool {
    let twice = (silent, &point.label).1.is_some() && is(point).x.count_ones() == 1;
    twice
}

fn is(point: &Point) -> &Point {
    point
}

#[test]
fn points() {
    let point = Point { x: 4, label: Some("a b") };
    assert_eq!(bits(&point, &Silent), 4);
    assert!(kept(&point, &Silent));
}
