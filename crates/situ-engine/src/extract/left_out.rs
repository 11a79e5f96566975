//! Code whose branches are not counted: what the features of a package leave out is not there, and of `unreachable!()` its
//! author says that no run gets there.

use crate::mutate::conditions::Settings;
use crate::mutate::operators::attributes_of;
use crate::mutate::walk::{attributes_of_statement, condition};
use crate::process;
use crate::source::byte_range;
use crate::workspace::rustc_path;
use cargo_metadata::Package;
use std::collections::BTreeSet;
use std::ops::Range;
use std::process::Command;
use std::sync::OnceLock;
use syn::visit::{self, Visit};
use syn::{Arm, Attribute, Block, Expr, Macro, Stmt};

/// The features of a package that are on where nobody says anything.
pub fn default_features(package: &Package) -> BTreeSet<String> {
    let mut features = BTreeSet::new();
    let mut to_do = vec!["default".to_owned()];
    while let Some(feature) = to_do.pop() {
        let Some(others) = package.features.get(&feature) else { continue };
        if features.insert(feature) {
            to_do.extend(others.iter().cloned());
        }
    }
    features
}

/// The bytes of statements, expressions and arms that these features leave out, on this system, and of blocks and expressions
/// that are nothing but `unreachable!()`.
pub fn left_out(file: &syn::File, features: &BTreeSet<String>) -> Vec<Range<usize>> {
    let features: Vec<String> = features.iter().map(|name| format!("feature={name:?}")).collect();
    let lines = || features.iter().chain(system()).map(String::as_str);
    // The same code is compiled for tests and for what they start.
    let settings = [Settings::new(lines()), Settings::new(lines().chain(["test"]))];
    let mut found = LeftOut { settings, ranges: Vec::new() };
    found.visit_file(file);
    found.ranges
}

/// What the compiler sets by itself.
fn system() -> &'static [String] {
    static SYSTEM: OnceLock<Vec<String>> = OnceLock::new();
    SYSTEM.get_or_init(|| {
        let said = process::run(Command::new(rustc_path()).args(["--print", "cfg"]), None);
        said.map(|said| said.stdout.lines().map(str::to_owned).collect()).unwrap_or_default()
    })
}

struct LeftOut {
    settings: [Settings; 2],
    ranges: Vec<Range<usize>>,
}

impl LeftOut {
    fn is_out(&self, attributes: &[Attribute]) -> bool {
        let mut conditions = attributes.iter().filter_map(condition);
        conditions.any(|condition| !self.settings.iter().any(|settings| settings.hold(&condition)))
    }
}

fn is_unreachable(call: &Macro) -> bool {
    call.path.segments.last().is_some_and(|name| name.ident == "unreachable")
}

impl<'ast> Visit<'ast> for LeftOut {
    fn visit_block(&mut self, block: &'ast Block) {
        let is_unreachable = match block.stmts.as_slice() {
            [Stmt::Macro(only)] => is_unreachable(&only.mac),
            [Stmt::Expr(Expr::Macro(only), _)] => is_unreachable(&only.mac),
            _ => false,
        };
        match is_unreachable {
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
        let is_unreachable = matches!(expression, Expr::Macro(only) if is_unreachable(&only.mac));
        match is_unreachable || self.is_out(attributes_of(expression)) {
            true => self.ranges.push(byte_range(expression)),
            false => visit::visit_expr(self, expression),
        }
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        match self.is_out(&arm.attrs) {
            true => self.ranges.push(byte_range(arm)),
            false => visit::visit_arm(self, arm),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts<'t>(text: &'t str, features: &[&str]) -> Vec<&'t str> {
        let features = features.iter().map(|name| (*name).to_owned()).collect();
        let file = syn::parse_file(text).unwrap();
        left_out(&file, &features).into_iter().map(|range| &text[range]).collect()
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
        assert!(found[0].contains("g()") && found[1].contains("2 => "), "{found:?}");
        assert_eq!(texts(text, &["more"]), [""; 0], "the same code is compiled with tests and without");
    }

    #[test]
    fn what_is_nothing_but_unreachable_is_found() {
        let text = r#"
            fn f() {
                match x {
                    1 => unreachable!("one"),
                    2 => { std::unreachable!(); }
                    3 => { log(); unreachable!() }
                    _ => panic!("four"),
                }
                let Some(y) = z else { unreachable!() };
            }"#;
        assert_eq!(texts(text, &[]), [r#"unreachable!("one")"#, "{ std::unreachable!(); }", "unreachable!()", "{ unreachable!() }"]);
    }
}
