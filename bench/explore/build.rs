//! Brings versions of a crate that cannot be dependencies at once, because cargo takes one of those that are compatible.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

const VERSIONS: [(&str, &str); 4] = [
    ("wildmatch", "2.3.3"),
    ("wildmatch", "2.3.1"),
    ("wildmatch", "2.3.0"),
    ("wildmatch", "2.1.0"),
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR")?;
    let out = Path::new(&out);
    let mut modules = String::new();
    for (name, version) in VERSIONS {
        let text = source(name, version, out)?;
        let module = format!("{name}_{}", version.replace('.', "_"));
        writeln!(modules, "pub mod {module} {{\n{}\n}}", as_module(&text))?;
    }
    fs::write(out.join("brought.rs"), modules)?;
    Ok(())
}

/// The root file of a published crate, which is all there is of it.
fn source(name: &str, version: &str, out: &Path) -> Result<String, Box<dyn Error>> {
    let scratch = out.join(format!("{name}-{version}"));
    let vendor = scratch.join("vendor");
    let path = vendor.join(name).join("src/lib.rs");
    if !path.exists() {
        fs::create_dir_all(scratch.join("src"))?;
        let head = "[package]\nname = \"scratch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n[dependencies]\n";
        fs::write(
            scratch.join("Cargo.toml"),
            format!("{head}{name} = \"={version}\"\n"),
        )?;
        fs::write(scratch.join("src/lib.rs"), "")?;
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo)
            .arg("vendor")
            .arg(&vendor)
            .current_dir(&scratch)
            .output()?
            .status;
        if !status.success() {
            return Err(format!("{name} {version} cannot be brought").into());
        }
    }
    Ok(fs::read_to_string(path)?)
}

/// Without what only the root of a crate may have, without its features and tests.
fn as_module(text: &str) -> String {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let starts = ["//!", "#![", "#[cfg_attr(feature"];
    let is_inner = |line: &&str| {
        starts
            .iter()
            .any(|start| line.trim_start().starts_with(start))
    };
    text.lines()
        .filter(|line| !is_inner(line))
        .collect::<Vec<_>>()
        .join("\n")
}
