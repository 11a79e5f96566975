//! Measures in-situ tests against hand-written ones and writes the section `insitu` of `bench/RESULTS.md`.
//!
//! ```text
//! cargo run --release [-- --sizes 1000,10000,100000] [--rounds 3] [--python PROGRAM] [--only growth,edit,expansion,python]
//! ```
//!
//! `--python` names a Python that has pytest-inline; without it, that peer is left out.

mod edit;
mod expansion;
mod generated_crate;
mod growth;
mod measure;
mod options;
mod python;
mod results;
mod workload;

use options::{Options, Part};

fn main() -> std::io::Result<()> {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            std::process::exit(2);
        }
    };
    let mut section = results::Section::new(&options);
    if options.has(Part::Expansion) {
        section.add(expansion::measure()?);
    }
    if options.has(Part::Growth) {
        section.add(growth::measure(&options)?);
    }
    if options.has(Part::Edit) {
        section.add(edit::measure(&options)?);
    }
    if options.has(Part::Python) {
        section.add(python::measure(&options)?);
    }
    section.write()
}
