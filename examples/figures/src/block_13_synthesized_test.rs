//! Block tests, Fig. 13: the unit test that one would have to write instead of `test1` of Fig. 12.
//!
//! Nobody has to: `tests/synthesized.rs` finds the ten tests in the expansion.

use crate::block_03_image_coordinates::BinarySource;

/// What the hand-written test below repeats: the fragment, with a mark where control should come through.
pub fn wrap(input: &BinarySource, mut sx: i32, reached: &mut bool) -> i32 {
    if sx < 0 {
        sx += input.width();
    } else if sx >= input.width() {
        *reached = true;
        sx %= input.width();
    }
    sx
}

#[test]
fn test1_by_hand() {
    let input = BinarySource::new(5, 5, vec![0, 1, 2, 3]);
    let mut reached = false;
    let sx = wrap(&input, 5, &mut reached);
    assert!(sx != 5);
    assert!(reached, "control did not go through If.ElseIf.Then");
}
