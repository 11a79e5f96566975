//! Block tests, Fig. 12: ten ways to say where a fragment starts and ends; `tests/table_1.rs` checks the lines.

use situ::prelude::*;

use crate::block_03_image_coordinates::BinarySource;

/// A picture has no negative width.
#[derive(Debug, PartialEq)]
pub struct NegativeWidth;

/// Moves a column into the picture, and further.
#[situ]
pub fn shifted_column(
    input: &BinarySource,
    compute: fn() -> i32,
) -> Result<(i32, i32), NegativeWidth> {
    let mut sx = compute();
    blocktest!(
        "test1",
        given(input = &BinarySource::new(5, 5, vec![0, 1, 2, 3]), sx = 5),
        check_flow(If.ElseIf.Then),
        check_false(sx == 5),
        end(first_assign),
    );
    blocktest!(
        "test2",
        given(input = &BinarySource::new(5, 5, vec![]), sx = 5),
        check_false(sx == 5)
    );
    blocktest!(
        "test3",
        given(input = &BinarySource::new(5, 5, vec![]), sx = 5),
        check_false(sx == 5),
        end(first_block),
    );
    blocktest!(
        "test4",
        given(input = &BinarySource::new(5, 5, vec![]), sx = 5),
        check_false(sx == 5),
        end(first_block, 2),
    );
    blocktest!(
        "test5",
        given(input = &BinarySource::new(5, 5, vec![]), sx = 5),
        check_false(sx == 5),
        end(first_exit),
    );
    blocktest!(
        "test6",
        given(input = &BinarySource::new(5, 5, vec![]), sx = 5),
        check_false(sx == 5)
    );
    if sx < 0 {
        sx += input.width();
    } else if sx >= input.width() {
        sx %= input.width();
    }
    if input.width() < 0 {
        return Err(NegativeWidth);
    }
    sx += 1;
    endtest!("test6");
    if input.width() > 100 {
        sx *= input.width();
    }
    blocktest!(
        "test7",
        given(input = &BinarySource::new(101, 5, vec![]), sx = 5),
        check_false(sx == 5),
        start(first_block),
    );
    blocktest!(
        "test8",
        given(input = &BinarySource::new(5, 5, vec![]), sx = 5),
        check_false(sx == 5),
        start(first_block, 2),
    );
    blocktest!(
        "test9",
        given(input = &BinarySource::new(5, 5, vec![]), sx = 5),
        check_false(sx == 5),
        start(first_block, 3),
    );
    blocktest!(
        "test10",
        given(input = &BinarySource::new(5, 5, vec![]), sx = 5),
        check_false(sx == 5),
        start(first_exit),
    );
    let sy = compute();
    Ok((sx, sy))
}
