//! The library interface for extraction: candidates as rows of one function, judged inside one process.

use crate::project::Project;
use quote::quote;
use situ_engine::cargo::workspace::{Selection, Workspace};
use situ_engine::mutate::build::Builder;
use situ_engine::mutate::expansion::Addition;
use situ_engine::mutate::inventory::{Additions, Inventory};
use situ_engine::mutate::rows::{self, StatementMutants, is_safe};
use situ_engine::source::byte_range;
use std::fs;
use std::path::{Path, PathBuf};
use syn::{Item, ItemFn, Stmt};

const SOURCE: &str = "
pub fn scale(x: u32, y: u32) -> u32 {
    let z = x * 2 + y;
    z
}

pub fn deep(n: u32) -> u32 {
    let depth = if n == 0 { 0 } else { 1 + deep(n - 1) };
    depth
}

pub fn ticket(x: u32) -> u32 {
    let number = x + NEXT.fetch_add(3, std::sync::atomic::Ordering::SeqCst);
    number
}

static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
";

fn function(tree: &syn::File, at: usize) -> &ItemFn {
    match &tree.items[at] {
        Item::Fn(function) => function,
        _ => panic!("item {at} is a function"),
    }
}

/// What extraction puts into the copy: one function per statement, with the statement's own tokens.
fn additions(tree: &syn::File) -> Additions {
    let [scale, deep, ticket] = [0, 1, 2].map(|at| &function(tree, at).block.stmts[0]);
    let code = quote! {
        #[cfg(test)]
        fn rows_of_scale(row: usize) {
            let (x, y, expected) = [(0u32, 7u32, 7u32), (3, 1, 7), (2, 2, 6), (1, 1, 9)][row];
            #scale
            assert_eq!(z, expected);
        }
        #[cfg(test)]
        fn rows_of_deep(row: usize) {
            let n = [0u32, 3][row];
            #deep
            assert_eq!(depth, n);
        }
        #[cfg(test)]
        fn rows_of_ticket(row: usize) {
            let (x, expected) = [(5u32, 5u32), (7, 10)][row];
            #ticket
            assert_eq!(number, expected);
        }
        #[cfg(test)]
        #[test]
        fn judge_rows() {
            use ::__situ::mutant::rows::{Statement, judge};
            judge(&[
                Statement { rows: 4, run: rows_of_scale },
                Statement { rows: 2, run: rows_of_deep },
                Statement { rows: 2, run: rows_of_ticket },
            ]);
        }
    };
    Additions::from([(
        PathBuf::from("src/lib.rs"),
        vec![Addition {
            at: SOURCE.len(),
            code,
        }],
    )])
}

fn mutants_in(inventory: &Inventory, statement: &Stmt) -> Vec<(u32, String)> {
    let range = byte_range(statement);
    let inside = inventory.files[0].mutants.iter().filter(|mutant| {
        !mutant.is_copy
            && range.start <= mutant.shown_range.start
            && mutant.shown_range.end <= range.end
            && !mutant.range.is_empty()
    });
    inside
        .map(|mutant| (mutant.id, mutant.shown_text.clone()))
        .collect()
}

#[test]
fn the_matrix_says_which_rows_notice_which_mutants_and_survives_crashes() {
    let project = Project::copy("mutants");
    fs::remove_dir_all(project.path().join("tests")).unwrap();
    fs::remove_file(project.path().join("src/main.rs")).unwrap();
    project.write("src/lib.rs", SOURCE);
    let selection = Selection {
        manifest_path: Some(project.path().join("Cargo.toml")),
        packages: Vec::new(),
    };
    let workspace = Workspace::load(&selection).unwrap();
    let tree = syn::parse_file(SOURCE).unwrap();
    let folder = project.path().join("target/situ/mutants");
    fs::create_dir_all(&folder).unwrap();
    let inventory =
        Inventory::take_with(&workspace, &folder.join("numbers.json"), &additions(&tree)).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_cargo-situ"));
    let built = Builder::prepare(&workspace, &inventory, program)
        .unwrap()
        .build(&workspace)
        .unwrap();
    let wanted: Vec<Vec<(u32, String)>> = (0..3)
        .map(|at| mutants_in(&inventory, &function(&tree, at).block.stmts[0]))
        .collect();
    let statements: Vec<StatementMutants> = wanted
        .iter()
        .map(|mutants| StatementMutants {
            mutants: mutants
                .iter()
                .map(|(id, _)| *id)
                .filter(|id| built.alive.contains(id))
                .collect(),
        })
        .collect();
    let matrices = rows::judge(&built.programs[0], "judge_rows", &statements, &folder).unwrap();
    let rows = |statement: usize, text: &str| {
        let (id, _) = wanted[statement]
            .iter()
            .find(|(_, shown)| shown == text)
            .unwrap_or_else(|| panic!("{text} in {wanted:?}"));
        matrices[statement]
            .killed_by
            .get(id)
            .cloned()
            .unwrap_or_default()
            .into_iter()
            .collect::<Vec<usize>>()
    };
    assert_eq!(
        matrices[0].passing.iter().copied().collect::<Vec<_>>(),
        [0, 1, 2],
        "the last row expects what is not so"
    );
    assert_eq!(rows(0, "x + 2"), [0, 1], "2 + 2 is 2 * 2");
    assert_eq!(rows(0, "(x * 2) * y"), [0, 1, 2]);
    assert_eq!(rows(0, "(x * 2) - y"), [0, 1, 2]);
    assert_eq!(
        rows(1, "n + 1"),
        [1],
        "the stack overflows, and judging goes on"
    );
    assert_eq!(rows(1, "true"), [1]);
    assert_eq!(
        rows(
            2,
            "x - NEXT.fetch_add(3, std::sync::atomic::Ordering::SeqCst)"
        ),
        [1],
        "5 - 0 is 5 + 0"
    );
    assert_eq!(
        rows(2, "4"),
        [1],
        "only the second row sees how many were taken before it"
    );
    assert_eq!(matrices[2].passing.len(), 2, "each time in a new process");
}

#[test]
fn unsafe_code_is_not_judged_inside_one_process() {
    assert!(is_safe(SOURCE));
    assert!(!is_safe(
        "fn f(x: *const u8) -> u8 { if true { unsafe { *x } } else { 0 } }"
    ));
}
