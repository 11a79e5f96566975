//! Block tests, Fig. 3: the oracle is the way that control takes, also where the branch computes nothing.

use situ::prelude::*;

/// A picture of one byte a pixel.
pub struct BinarySource {
    width: i32,
    height: i32,
    pixels: Vec<u8>,
}

impl BinarySource {
    /// A picture of this size.
    pub fn new(width: i32, height: i32, pixels: Vec<u8>) -> Self {
        BinarySource {
            width,
            height,
            pixels,
        }
    }

    /// How many columns it has.
    pub fn width(&self) -> i32 {
        self.width
    }

    /// How many rows it has.
    pub fn height(&self) -> i32 {
        self.height
    }
}

/// The pixel at these coordinates, which wrap around the edges.
#[situ]
pub fn pixel(input: &BinarySource, x: i32, y: i32) -> Option<u8> {
    let mut sx = x;
    blocktest!(
        "on the right edge",
        given(input = &BinarySource::new(5, 5, vec![0, 1, 2, 3]), sx = 5),
        check_flow(If.ElseIf.Then),
        check_eq(sx, 0),
    );
    if sx < 0 {
        sx += input.width();
    } else if sx >= input.width() {
        sx %= input.width();
    }
    let mut sy = y;
    blocktest!(
        "on the lower edge",
        given(input = &BinarySource::new(5, 5, vec![0, 1, 2, 3]), sy = 5),
        check_flow(If.ElseIf.Then),
    );
    blocktest!(
        "in the first row",
        given(input = &BinarySource::new(5, 5, vec![0, 1, 2, 3]), sy = 0),
        check_flow(If.ElseIf(2).Then),
        check_no_flow(If.Else),
    );
    if sy < 0 {
        sy += input.height();
    } else if sy >= input.height() {
        sy %= input.height();
    } else if sy == 0 {
        println!("first row");
    } else {
        println!("inside");
    }
    input
        .pixels
        .get((sy * input.width() + sx) as usize)
        .copied()
}

/// The faulty version: a coordinate that is just outside is taken to be inside.
pub mod bug {
    use super::*;

    /// Asks for a pixel outside the picture.
    #[situ]
    pub fn pixel(input: &BinarySource, x: i32, y: i32) -> Option<u8> {
        let mut sx = x;
        blocktest!(
            "on the right edge",
            given(input = &BinarySource::new(5, 5, vec![0, 1, 2, 3]), sx = 5),
            check_flow(If.ElseIf.Then),
            ignore("shows the bug"),
        );
        if sx < 0 {
            sx += input.width();
        } else if sx > input.width() {
            sx %= input.width();
        }
        let mut sy = y;
        blocktest!(
            "on the lower edge",
            given(input = &BinarySource::new(5, 5, vec![0, 1, 2, 3]), sy = 5),
            check_flow(If.ElseIf.Then),
            ignore("shows the bug"),
        );
        if sy < 0 {
            sy += input.height();
        } else if sy > input.height() {
            sy %= input.height();
        }
        input
            .pixels
            .get((sy * input.width() + sx) as usize)
            .copied()
    }
}

#[test]
fn the_flow_oracles_find_both_wrong_comparisons() {
    crate::failing::assert_fails(
        "block_03_image_coordinates::bug::situ_pixel::on_the_right_edge",
        &["ElseIf"],
    );
    crate::failing::assert_fails(
        "block_03_image_coordinates::bug::situ_pixel::on_the_lower_edge",
        &["ElseIf"],
    );
}
