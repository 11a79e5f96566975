//! What the synthesized tests and their modules are called.
#![cfg(feature = "test")]
#![deny(warnings)]
#![allow(
    dead_code,
    reason = "nothing calls the functions themselves: only their fragments run"
)]

use situ::prelude::*;

mod listing;

/// Fails unless the in-situ tests below `module` are exactly these.
fn assert_names(module: &str, expected: &[&str]) {
    let mut expected: Vec<String> = expected
        .iter()
        .map(|name| format!("{module}::{name}"))
        .collect();
    expected.sort();
    let prefix = format!("{module}::");
    let found: Vec<String> = listing::in_situ_tests()
        .into_iter()
        .filter(|name| name.starts_with(&prefix))
        .collect();
    assert_eq!(found, expected);
}

#[situ]
#[rustfmt::skip]
fn free(n: u32) -> u32 {
    let next = n + 1;
    itest!(given(n = 1), check_eq(next, 2));
    itest!(given(n = 1), check_eq(next, 2)); itest!(given(n = 2), check_eq(next, 3)); itest!(given(n = 3), check_eq(next, 4));
    itest!("a name", given(n = 1), check_eq(next, 2));
    itest!("with: odd-characters!", given(n = 1), check_eq(next, 2));
    itest!("2 numbers first", given(n = 1), check_eq(next, 2));
    itest!("match", given(n = 1), check_eq(next, 2));
    itest!("self", given(n = 1), check_eq(next, 2));
    itest!("length in größe", given(n = 1), check_eq(next, 2));
    next
}

#[test]
fn a_free_function_gives_its_name_to_the_module() {
    let names = listing::in_situ_tests();
    let of_free: Vec<&String> = names
        .iter()
        .filter(|name| name.starts_with("situ_free::"))
        .collect();
    assert_eq!(of_free.len(), 10, "{of_free:#?}");
    for plain in ["situ_free::a_name", "situ_free::with__odd_characters_"] {
        assert!(
            names.iter().any(|name| name == plain),
            "{plain} is missing from {names:#?}"
        );
    }
}

#[situ]
#[rustfmt::skip]
fn lines(n: u32) -> u32 {
    let next = n + 1;
    itest!(given(n = 1), check_eq(next, 2));
    itest!(given(n = 1), check_eq(next, 2)); itest!(given(n = 2), check_eq(next, 3)); itest!(given(n = 3), check_eq(next, 4));
    fn inner(n: u32) -> u32 {
        let half = n / 2;
        itest!(given(n = 1), check_eq(half, 0));
        itest!("named", given(n = 1), check_eq(half, 0));
        half
    }
    let closure = |n: u32| {
        let half = n / 2;
        itest!(given(n = 1), check_eq(half, 0));
        half
    };
    inner(next) + closure(n)
}

#[test]
fn a_test_without_a_name_is_called_after_its_case_and_inner_functions_add_theirs() {
    assert_names(
        "situ_lines",
        &[
            "next_when_n_1",
            // What was written twice, word for word.
            "next_when_n_1_dwyq",
            "next_when_n_2",
            "next_when_n_3",
            "inner_half_when_n_1",
            "inner_named",
            "half_when_n_1",
        ],
    );
}

#[situ]
fn alike(line: &str) -> usize {
    let size = line.len();
    itest!(given(line = "a b"), check_eq(size, 3));
    itest!(given(line = "a, b"), check_eq(size, 4));
    itest!(given(line = "a"), check_eq(size, 1));
    itest!("size when line a", given(line = "a"), check_eq(size, 1));
    size
}

#[test]
fn cases_of_the_same_words_are_told_apart_and_names_that_are_written_go_first() {
    assert_names(
        "situ_alike",
        &[
            "size_when_line_a_b",
            "size_when_line_a_b_f6vv",
            "size_when_line_a",
            "size_when_line_a_xb48",
        ],
    );
}

struct Header {
    size: u32,
}

#[situ]
#[rustfmt::skip]
impl Header {
    fn encode(&self) -> u32 {
        let twice = self.size * 2;
        itest!(given(self = Header { size: 1 }), check_eq(twice, 2));
        itest!("named", given(self = Header { size: 1 }), check_eq(twice, 2));
        twice
    }

    fn decode(size: u32) -> Self {
        let size = size / 2;
        itest!("named", given(size = 3), check_eq(size, 1));
        Header { size }
    }
}

#[test]
fn methods_add_their_own_name() {
    assert_names(
        "situ_Header",
        &[
            "encode_twice_when_self_Header_size_1",
            "encode_named",
            "decode_named",
        ],
    );
}

#[situ(header_again)]
impl Header {
    fn doubled(&self) -> u32 {
        let doubled = self.size * 2;
        itest!("named", given(self.size = 3), check_eq(doubled, 6));
        doubled
    }
}

#[test]
fn a_second_impl_takes_the_name_it_is_given() {
    assert_names("situ_header_again", &["doubled_named"]);
}

trait Encode {
    fn put(&self) -> u32;
}

#[situ]
impl Encode for Header {
    fn put(&self) -> u32 {
        let put = self.size + 1;
        itest!("named", given(self.size = 3), check_eq(put, 4));
        put
    }
}

#[test]
fn a_trait_impl_names_both() {
    assert_names("situ_Encode_for_Header", &["put_named"]);
}

#[situ]
trait Measure {
    fn measure(&self, n: u32) -> u32 {
        let more = n + 1;
        itest!("named", given(n = 3), check_eq(more, 4));
        more
    }
}

impl Measure for Header {}

#[test]
fn a_trait_gives_its_name() {
    assert_names("situ_Measure", &["measure_named"]);
}

#[situ]
mod inline {
    use situ::prelude::*;

    pub fn halved(n: u32) -> u32 {
        let half = n / 2;
        itest!("named", given(n = 3), check_eq(half, 1));
        half
    }

    pub struct Header;

    impl Header {
        pub fn thrice(&self, n: u32) -> u32 {
            let thrice = n * 3;
            itest!("named", given(n = 3), check_eq(thrice, 9));
            thrice
        }
    }

    pub mod deep {
        use situ::prelude::*;

        pub fn quartered(n: u32) -> u32 {
            let quarter = n / 4;
            itest!("named", given(n = 8), check_eq(quarter, 2));
            quarter
        }
    }

    pub fn untested() {}
}

#[test]
fn in_a_module_the_tests_stand_beside_each_item() {
    assert_names(
        "inline",
        &[
            "situ_halved::named",
            "situ_Header::thrice_named",
            "deep::situ_quartered::named",
        ],
    );
}

#[situ]
fn r#type(n: u32) -> u32 {
    let r#match = n + egress(n);
    itest!("raw names", given(n = 1), check_eq(r#match, 3));
    itest!("egress", given(n = 2), check_eq(r#match, 6));
    r#match
}

fn egress(n: u32) -> u32 {
    n * 2
}

#[test]
fn a_raw_name_and_a_test_named_like_a_function_are_no_trouble() {
    let names = listing::in_situ_tests();
    assert_eq!(
        names.iter().filter(|name| name.contains("type::")).count(),
        2,
        "{names:#?}"
    );
}
