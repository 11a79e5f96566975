//! Fragments with unsafe code keep their rights.
#![allow(unsafe_code, reason = "the fragments under test are unsafe")]

use crate::steps::{step, taken};
use situ::prelude::*;

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("unsafe_code.rs"));
}

/// Reads the byte behind a pointer.
///
/// # Safety
/// The pointer must be valid for reads.
#[situ]
unsafe fn an_unsafe_function(pointer: *const u8) -> u8 {
    let byte = unsafe { *pointer };
    itest!(given(pointer = &7), check_eq(byte, 7));
    byte
}

#[situ]
fn inside_an_unsafe_block(pointer: *const u8) -> u8 {
    unsafe {
        let byte = *pointer;
        itest!(given(pointer = &8), check_eq(byte, 8));
        byte + an_unsafe_function(pointer)
    }
}

#[situ]
fn an_unsafe_block_is_a_block(pointer: *const u8) -> u8 {
    let mut byte = 0;
    blocktest!(
        given(pointer = &9, byte = 0),
        end(first_block),
        check_eq(byte, 9),
        check_eq(taken(), "ab")
    );
    step('a');
    unsafe {
        byte += *pointer;
        step('b');
    }
    step('c');
    byte += 1;
    byte
}

#[situ]
fn what_tells_a_type_may_be_unsafe(pointer: *const u8) -> u16 {
    unsafe {
        let next = Some(*pointer.add(1));
        match next {
            Some(byte) => {
                blocktest!(given(byte = 7), check_eq(twice, 14));
                let twice = u16::from(byte) * 2;
                twice + 1
            }
            None => 0,
        }
    }
}
