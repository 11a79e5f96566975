//! Code whose branches are not counted: code disabled by features or constants does not exist, and
//! `unreachable!()` is meant never to be reached.

use super::comparison_sides::Constants;
use crate::base::process;
use crate::cargo::workspace::rustc_path;
use crate::mutate::walk::condition;
use crate::source::byte_range;
use crate::source::cfg::Settings;
use cargo_metadata::Package;
use situ_syntax::{attributes_of, attributes_of_statement};
use std::collections::BTreeSet;
use std::ops::Range;
use std::process::Command;
use std::sync::OnceLock;
use syn::visit::{self, Visit};
use syn::{Arm, Attribute, BinOp, Block, Expr, ExprIf, ExprMacro, Lit, Pat, Path, Stmt, UnOp};

/// The `cfg` settings of a package on this system, without tests and with them: the same code is
/// compiled for tests and for the programs that they start.
pub(crate) struct Configuration([Settings; 2]);

impl Configuration {
    /// Returns the settings of a package with its default features.
    pub(crate) fn of(package: &Package) -> Configuration {
        let mut features = BTreeSet::new();
        let mut to_do = vec!["default".to_owned()];
        while let Some(feature) = to_do.pop() {
            let Some(others) = package.features.get(&feature) else {
                continue;
            };
            if features.insert(feature) {
                to_do.extend(others.iter().cloned());
            }
        }
        Configuration::with_features(&features)
    }

    fn with_features(features: &BTreeSet<String>) -> Configuration {
        let features: Vec<String> = features
            .iter()
            .map(|name| format!("feature={name:?}"))
            .collect();
        let lines = || features.iter().chain(system()).map(String::as_str);
        Configuration([
            Settings::new(lines()),
            Settings::new(lines().chain(["test"])),
        ])
    }

    /// Returns whether an item with these attributes is never compiled.
    pub(crate) fn leaves_out(&self, attributes: &[Attribute]) -> bool {
        attributes
            .iter()
            .filter_map(condition)
            .any(|predicate| self.holds(&predicate) == Some(false))
    }

    /// Returns whether a predicate holds, if it does both with and without tests.
    fn holds(&self, predicate: &str) -> Option<bool> {
        let [plain, with_tests] = self.0.each_ref().map(|settings| settings.hold(predicate));
        (plain == with_tests).then_some(plain)
    }

    /// Returns the byte ranges of code that is never compiled or executed, and of blocks and
    /// expressions that consist of `unreachable!()`.
    pub(crate) fn left_out(&self, file: &syn::File, constants: &Constants) -> Vec<Range<usize>> {
        let mut found = LeftOut {
            configuration: self,
            constants,
            ranges: Vec::new(),
        };
        found.visit_file(file);
        found.ranges
    }
}

/// Returns the settings of the compiler itself.
fn system() -> &'static [String] {
    static SYSTEM: OnceLock<Vec<String>> = OnceLock::new();
    SYSTEM.get_or_init(|| {
        let said = process::run(Command::new(rustc_path()).args(["--print", "cfg"]), None);
        said.map(|said| said.stdout.lines().map(str::to_owned).collect())
            .unwrap_or_default()
    })
}

struct LeftOut<'l> {
    configuration: &'l Configuration,
    constants: &'l Constants,
    ranges: Vec<Range<usize>>,
}

impl LeftOut<'_> {
    fn is_out(&self, attributes: &[Attribute]) -> bool {
        self.configuration.leaves_out(attributes)
    }

    /// Returns the value of a constant condition.
    fn decided(&self, condition: &Expr) -> Option<bool> {
        match condition {
            Expr::Paren(inner) => self.decided(&inner.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                self.decided(&unary.expr).map(|is| !is)
            }
            Expr::Lit(literal) => match &literal.lit {
                Lit::Bool(is) => Some(is.value),
                _ => None,
            },
            Expr::Macro(call) if call.mac.path.is_ident("cfg") => {
                self.configuration.holds(&call.mac.tokens.to_string())
            }
            Expr::Binary(binary) => match (
                binary.op,
                self.decided(&binary.left),
                self.decided(&binary.right),
            ) {
                (BinOp::And(_), Some(false), _) | (BinOp::And(_), _, Some(false)) => Some(false),
                (BinOp::Or(_), Some(true), _) | (BinOp::Or(_), _, Some(true)) => Some(true),
                (BinOp::And(_) | BinOp::Or(_), Some(left), Some(_)) => Some(left),
                _ => self.constants.decide(binary),
            },
            _ => None,
        }
    }
}

/// Returns whether an expression is marked as unreachable by its author.
fn is_unreachable(expression: &Expr) -> bool {
    let is_named =
        |path: &Path, name: &str| path.segments.last().is_some_and(|last| last.ident == name);
    match expression {
        Expr::Macro(call) => is_named(&call.mac.path, "unreachable"),
        Expr::Call(call) => {
            matches!(&*call.func, Expr::Path(path) if is_named(&path.path, "unreachable_unchecked"))
        }
        Expr::Unsafe(block) => is_nothing_else(&block.block),
        Expr::Block(block) => is_nothing_else(&block.block),
        _ => false,
    }
}

fn is_nothing_else(block: &Block) -> bool {
    match block.stmts.as_slice() {
        [Stmt::Macro(only)] => is_unreachable(&Expr::Macro(ExprMacro {
            attrs: Vec::new(),
            mac: only.mac.clone(),
        })),
        [Stmt::Expr(only, _)] => is_unreachable(only),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for LeftOut<'_> {
    fn visit_expr_if(&mut self, branch: &'ast ExprIf) {
        // The path past an `if` without `else` is marked at its last byte.
        let (whole, then) = (byte_range(branch), byte_range(&branch.then_branch));
        match (self.decided(&branch.cond), &branch.else_branch) {
            (Some(false), _) => self.ranges.push(then.start..then.end - 1),
            (Some(true), Some((_, other))) => self.ranges.push(byte_range(other)),
            (Some(true), None) => self.ranges.push(whole.end - 1..whole.end),
            (None, _) => {}
        }
        visit::visit_expr_if(self, branch);
    }

    fn visit_block(&mut self, block: &'ast Block) {
        match is_nothing_else(block) {
            true => self.ranges.push(byte_range(block)),
            false => visit::visit_block(self, block),
        }
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        match self.is_out(attributes_of_statement(statement)) {
            true => self.ranges.push(byte_range(statement)),
            false => visit::visit_stmt(self, statement),
        }
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        match is_unreachable(expression) || self.is_out(attributes_of(expression)) {
            true => self.ranges.push(byte_range(expression)),
            false => visit::visit_expr(self, expression),
        }
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        let is_never =
            matches!(&arm.pat, Pat::Guard(guarded) if self.decided(&guarded.guard) == Some(false));
        match is_never || self.is_out(&arm.attrs) {
            true => self.ranges.push(byte_range(arm)),
            false => visit::visit_arm(self, arm),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts<'t>(text: &'t str, features: &[&str]) -> Vec<&'t str> {
        let configuration =
            Configuration::with_features(&features.iter().map(|name| (*name).to_owned()).collect());
        let file = syn::parse_file(text).unwrap();
        let constants = Constants::of_files(&[&file], &|_| false).remove(0);
        configuration
            .left_out(&file, &constants)
            .into_iter()
            .map(|range| &text[range])
            .collect()
    }

    #[test]
    fn what_features_leave_out_is_found_and_nothing_else() {
        let text = r#"
            fn f() {
                #[cfg(not(feature = "std"))]
                { g(); }
                match x {
                    #[cfg(any(feature = "std", test))]
                    1 => {}
                    #[cfg(all(feature = "more", test))]
                    2 => {}
                    #[cfg(test)]
                    3 => {}
                    _ => {}
                }
                #[cfg(not(test))]
                h();
            }"#;
        let found = texts(text, &["std"]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[0].contains("g()") && found[1].contains("2 => "),
            "{found:?}"
        );
        assert_eq!(
            texts(text, &["more"]),
            [""; 0],
            "the same code is compiled with tests and without"
        );
    }

    #[test]
    fn what_constants_decide_is_found() {
        let text = r#"
            const BITS: usize = 64;
            fn f(n: usize) {
                if BITS == 32 { a(); } else { b(); }
                if BITS != 32 { c(); } else { d(); }
                if BITS != 32 { e(); }
                if n == 32 || BITS > n { g(); }
                if cfg!(test) { h(); }
                if cfg!(feature = "never") && n > 1 { i(); }
                match n { 1 if BITS == 32 => j(), _ => {} }
            }"#;
        assert_eq!(
            texts(text, &[]),
            [
                "{ a(); ",
                "{ d(); }",
                "}",
                "{ i(); ",
                "1 if BITS == 32 => j(),"
            ]
        );
    }

    #[test]
    fn what_is_nothing_but_unreachable_is_found() {
        let text = r#"
            fn f() {
                match x {
                    1 => unreachable!("one"),
                    2 => { std::unreachable!(); }
                    3 => { log(); unreachable!() }
                    4 => unsafe { hint::unreachable_unchecked() },
                    _ => panic!("five"),
                }
                let Some(y) = z else { unreachable!() };
            }"#;
        assert_eq!(
            texts(text, &[]),
            [
                r#"unreachable!("one")"#,
                "{ std::unreachable!(); }",
                "unreachable!()",
                "unsafe { hint::unreachable_unchecked() }",
                "{ unreachable!() }"
            ]
        );
    }
}
