//! The figures of the papers on inline tests and on block tests, in Rust, one file each.
//!
//! Where a figure shows a bug or a mutant, the module holds the right code with a passing test, and beside it a module
//! `bug` or `mutant` with the wrong code. The in-situ tests of that wrong code are ignored, and a unit test runs each
//! of them and demands that it fails, with the message that names the fault.

pub mod block_01_comment_prefix;
pub mod block_03_image_coordinates;
pub mod block_04_script_tag;
pub mod block_05_address_label;
pub mod block_06_catalog_filter;
pub mod block_12_scopes;
pub mod block_13_synthesized_test;
pub mod block_16_band_offsets;
pub mod block_17_url_scheme;
pub mod inline_1_1_statement_split;
pub mod inline_2_2_diff_header;
pub mod inline_2_4_hex_identifier;
pub mod inline_2_5_dos_time;
pub mod inline_2_6_sql_script;
pub mod inline_2_7_control_characters;
pub mod inline_2_8_aliases;
pub mod inline_2_9_tag_field;

#[cfg(test)]
mod failing;
