//! The same properties as theories.

use crate::planted::{self, Step, Term};
use crate::real;
use situ::prelude::*;

#[theory]
fn range(number: u32) {
    assert!(planted::range(number));
}

#[theory]
fn magic(number: u64) {
    assert!(planted::magic(number));
}

#[theory]
fn two_magics(first: u32, second: u32) {
    assert!(planted::two_magics(first, second));
}

#[theory]
fn prefix(text: &str) {
    assert!(planted::prefix(text));
}

#[theory]
fn number_in_text(text: &str) {
    assert!(planted::number_in_text(text));
}

#[theory]
fn checksum(packet: &[u8]) {
    assert!(planted::checksum(packet));
}

#[theory]
fn hash(number: u32) {
    assert!(planted::hash(number));
}

#[theory]
fn length(list: &[u8]) {
    assert!(planted::length(list));
}

#[theory]
fn order(steps: &[Step]) {
    assert!(planted::order(steps));
}

#[theory]
fn deep(term: &Term) {
    assert!(planted::deep(term));
}

#[theory]
fn float(number: f64) {
    assert!(planted::float(number));
}

#[theory]
fn letters(text: &str) {
    assert!(planted::letters(text));
}

#[theory]
fn wildmatch_itself(text: &str) {
    assert!(real::wildmatch_itself(text));
}

#[theory]
fn wildmatch_branches(pattern: &str, text: &str) {
    assert!(real::wildmatch_branches(pattern, text));
}

#[theory]
fn wildmatch_states(pattern: &str, text: &str) {
    assert!(real::wildmatch_states(pattern, text));
}

#[theory]
fn wildmatch_restart(text: &str, end: usize) {
    assert!(real::wildmatch_restart(text, end));
}

#[theory]
fn wildmatch_older(pattern: &str, text: &str) {
    assert!(real::wildmatch_older(pattern, text));
}

#[theory]
fn jaro_of_itself(text: &str) {
    assert!(real::jaro_of_itself(text));
}

#[theory]
fn jaro_winkler_of_different(one: &str, other: &str) {
    assert!(real::jaro_winkler_of_different(one, other));
}

#[theory]
fn triangle(one: &str, other: &str, third: &str) {
    assert!(real::triangle(one, other, third));
}

#[theory]
fn indent_by_nothing(text: &str) {
    assert!(real::indent_by_nothing(text));
}

#[theory]
fn dedent_without_newline(text: &str) {
    assert!(real::dedent_without_newline(text));
}

#[theory]
fn wrapping(text: &str) {
    assert!(real::wrapping(text));
}

#[theory]
fn least_common_multiple(one: u16, other: u16) {
    assert!(real::least_common_multiple(one, other));
}

#[theory]
fn multiple_of_any(one: u32, other: u32) {
    assert!(real::multiple_of_any(one, other));
}

#[theory]
fn quoted_word(text: &str) {
    assert!(real::quoted_word(text));
}

#[theory]
fn units(step: u8) {
    assert!(real::units(step));
}

#[theory]
fn encoded_label(label: &str) {
    assert!(real::encoded_label(label));
}

#[theory]
fn change_of_case(text: &str) {
    assert!(real::change_of_case(text));
}

#[theory]
fn title_of_title(text: &str) {
    assert!(real::title_of_title(text));
}

#[theory]
fn sums_commute(one: u32, other: u32) {
    assert!(planted::sums_commute(one, other));
}

#[theory]
fn reversed_twice(text: &str) {
    assert!(planted::reversed_twice(text));
}
