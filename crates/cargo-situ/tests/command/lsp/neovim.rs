//! The same questions from Neovim's own client, without a screen.

use super::{LIB, library};
use crate::project::without_cargo;
use std::path::Path;
use std::process::Command;

#[test]
fn neovim_folds_runs_renames_and_hovers() {
    let has_neovim = Command::new("nvim")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success());
    if !has_neovim {
        assert!(
            std::env::var_os("SITU_TOOLS_REQUIRED").is_none(),
            "CI has Neovim; `.ci/tools` installs it"
        );
        eprintln!("skipped: Neovim is not installed; `.ci/tools` installs it");
        return;
    }
    let project = library();
    // Nothing is recorded while a test fails.
    project.edit("src/lib.rs", "check_eq(y, 3)", "check_eq(y, 2)");
    assert_eq!(project.situ(&["record", "--json"]).code, 0);
    project.write("src/lib.rs", LIB);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/command/lsp/neovim.lua");
    let mut neovim = Command::new("nvim");
    neovim
        .args(["--headless", "--clean", "-u", "NONE", "src/lib.rs", "-S"])
        .arg(&script);
    neovim
        .current_dir(project.path())
        .env("SITU_COMMAND", env!("CARGO_BIN_EXE_cargo-situ"));
    without_cargo(&mut neovim);
    let output = neovim.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && said.contains("all was as expected"),
        "{said}"
    );
}
