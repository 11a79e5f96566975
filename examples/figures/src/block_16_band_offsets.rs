//! Block tests, Fig. 16: a deleted statement that no unit test misses, because its variable never leaves the function.

use situ::prelude::*;

/// How the picture is written.
#[derive(Clone, Copy, PartialEq)]
pub enum Variant {
    /// As numbers in text.
    Ascii,
    /// As bytes.
    Raw,
}

/// How the bands of a pixel lie in memory.
pub struct SampleModel {
    /// Where each band starts.
    pub band_offsets: Vec<usize>,
}

/// How many calls it takes to write the picture.
#[situ]
pub fn write_calls(
    variant: Variant,
    bands: usize,
    model: Option<&SampleModel>,
    pixels: usize,
) -> usize {
    let mut write_optimal = false;
    if pixels > 0 {
        blocktest!(
            "text is always written at once",
            given(
                write_optimal = false,
                bands = 5,
                variant = Variant::Ascii,
                model = None
            ),
            check_true(write_optimal),
        );
        blocktest!(
            "bands out of order",
            given(
                bands = 2,
                variant = Variant::Raw,
                model = Some(&SampleModel {
                    band_offsets: vec![1, 0]
                })
            ),
            check_false(write_optimal),
            check_flow(If.Then.For.Body.If.Then),
        );
        write_optimal = true;
        if variant == Variant::Raw {
            let offsets = model.map_or(&[][..], |model| &model.band_offsets);
            for band in 0..bands {
                if offsets.get(band) != Some(&band) {
                    write_optimal = false;
                    break;
                }
            }
        }
    }
    if write_optimal { 1 } else { pixels }
}

/// The mutant: the statement that sets `write_optimal` is gone.
pub mod mutant {
    use super::*;

    /// Writes text pixel by pixel.
    #[situ]
    pub fn write_calls(
        variant: Variant,
        bands: usize,
        model: Option<&SampleModel>,
        pixels: usize,
    ) -> usize {
        let mut write_optimal = false;
        if pixels > 0 {
            blocktest!(
                "text is always written at once",
                given(
                    write_optimal = false,
                    bands = 5,
                    variant = Variant::Ascii,
                    model = None
                ),
                check_true(write_optimal),
                ignore("a mutant"),
            );
            if variant == Variant::Raw {
                let offsets = model.map_or(&[][..], |model| &model.band_offsets);
                for band in 0..bands {
                    if offsets.get(band) != Some(&band) {
                        write_optimal = false;
                        break;
                    }
                }
            }
        }
        if write_optimal { 1 } else { pixels }
    }
}

#[test]
fn the_block_test_kills_the_deleted_statement() {
    crate::failing::assert_fails(
        "block_16_band_offsets::mutant::situ_write_calls::text_is_always_written_at_once",
        &["write_optimal"],
    );
}
