use situ::prelude::*;

#[theory]
fn of_any_type<T>(a: T) {
    let _ = a;
}

#[theory(T = u8)]
fn no_list<T>(a: T) {
    let _ = a;
}

#[theory(T = [])]
fn empty_list<T>(a: T) {
    let _ = a;
}

#[theory(T = [u8], U = [i8])]
fn one_too_many<T>(a: T) {
    let _ = a;
}

#[theory(T = [u8], T = [i8])]
fn twice<T>(a: T) {
    let _ = a;
}

fn main() {}
