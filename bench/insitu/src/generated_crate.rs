//! Writes crates of generated functions to the work folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::workload::{self, Style};

const FUNCTIONS_PER_FILE: usize = 50;

/// Which functions of a crate have tests, and how many at each place.
#[derive(Clone, Copy)]
pub struct Shape {
    pub functions: usize,
    /// Every so many functions one has tests.
    pub tested_every: usize,
    pub tests_per_place: usize,
}

impl Shape {
    pub fn tests(self) -> usize {
        self.functions.div_ceil(self.tested_every) * self.tests_per_place * workload::PLACES
    }
}

/// The folder that all benchmarks write to.
pub fn work_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../work/insitu")
}

/// The folder of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Writes the crate anew and gives its folder.
pub fn write(name: &str, shape: Shape, style: Style) -> io::Result<PathBuf> {
    let folder = work_folder().join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("Cargo.toml"), manifest(name, style))?;
    let files = shape.functions.div_ceil(FUNCTIONS_PER_FILE);
    let modules: String = (0..files)
        .map(|file| format!("pub mod part_{file};\n"))
        .collect();
    fs::write(
        folder.join("src/lib.rs"),
        format!("//! Generated.\n{modules}"),
    )?;
    for file in 0..files {
        let functions =
            file * FUNCTIONS_PER_FILE..((file + 1) * FUNCTIONS_PER_FILE).min(shape.functions);
        fs::write(source_file(&folder, file), source(functions, shape, style))?;
    }
    Ok(folder)
}

/// Where the functions of this file are.
pub fn source_file(folder: &Path, file: usize) -> PathBuf {
    folder.join(format!("src/part_{file}.rs"))
}

fn source(functions: std::ops::Range<usize>, shape: Shape, style: Style) -> String {
    let mut source = String::from("use std::num::ParseIntError;\n\n");
    if style == Style::InSitu {
        source += "use situ::prelude::*;\n\n";
    }
    for number in functions {
        let style = if number % shape.tested_every == 0 {
            style
        } else {
            Style::Without
        };
        source += &workload::function(number, shape.tests_per_place, style);
    }
    source
}

fn manifest(name: &str, style: Style) -> String {
    let mut manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n"
    );
    if style == Style::InSitu {
        let situ = repository().join("crates/situ");
        let situ = situ.display();
        manifest += &format!(
            "\n[dependencies]\nsitu = {{ path = \"{situ}\" }}\n\n[dev-dependencies]\nsitu = {{ path = \"{situ}\", features = [\"test\"] }}\n"
        );
    }
    manifest
}
