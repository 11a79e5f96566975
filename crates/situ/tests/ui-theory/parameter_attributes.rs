use situ::prelude::*;

#[theory]
fn values_missing(#[values()] n: i32) {
    let _ = n;
}

#[theory]
fn values_without_a_list(#[values] n: i32) {
    let _ = n;
}

#[theory]
fn group_missing(#[from] n: i32) {
    let _ = n;
}

#[theory]
fn group_that_is_no_text(#[from(small)] n: i32) {
    let _ = n;
}

#[theory]
fn supplier_missing(#[supplier] n: i32) {
    let _ = n;
}

#[theory]
fn supplier_that_is_no_path(#[supplier(let)] n: i32) {
    let _ = n;
}

#[theory]
fn two_sources(#[from("small")] #[values(1)] n: i32) {
    let _ = n;
}

#[theory]
fn unknown_attribute(#[frm("small")] n: i32) {
    let _ = n;
}

fn main() {}
