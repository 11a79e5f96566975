//! Writes the random programs that `tests/safety_runs.rs` compiles and runs.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::Path;

// The tests use more of the language than the build script does.
#[allow(dead_code)]
#[path = "featherweight/mod.rs"]
mod featherweight;

use featherweight::language::FUNCTIONS;
use featherweight::render::Tests;
use featherweight::{generate, render};

const PROGRAMS: usize = 300;

fn main() {
    println!("cargo::rerun-if-changed=featherweight");
    let mut source = String::from("use situ::prelude::*;\n");
    for (name, value) in FUNCTIONS {
        writeln!(source, "fn {name}() -> i64 {{ {value} }}").expect("writing to a string");
    }
    let (mut right, mut wrong) = (0, 0);
    for number in 0..PROGRAMS {
        let program = generate::program(number);
        let rendered = render::function(&program, Tests::AllAndWrong);
        source.push_str("#[situ]\n");
        source.push_str(&rendered.text);
        right += rendered.tests.len();
        wrong += rendered.text.matches("ignore(\"wrong\")").count();
    }
    writeln!(
        source,
        "pub const RIGHT: usize = {right};\npub const WRONG: usize = {wrong};"
    )
    .expect("writing to a string");
    let folder = env::var_os("OUT_DIR").expect("cargo says where to write");
    fs::write(Path::new(&folder).join("programs.rs"), source)
        .expect("the folder is there to be written to");
}
