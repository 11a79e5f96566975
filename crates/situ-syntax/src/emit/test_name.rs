//! Names of tests and of their modules.

use super::case_name::CaseName;
use crate::grammar::{TestCall, test_of_statement};
use crate::mistakes::Mistakes;
use crate::surroundings::Surroundings;
use proc_macro2::{Ident, TokenTree};
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{Item, Lit, Stmt};

/// The names given so far in one item.
#[derive(Default)]
pub struct TestNames {
    taken: HashSet<String>,
    /// Names that users wrote; no other test gets them.
    written: HashSet<String>,
}

/// Replaces every char that an identifier cannot contain.
pub fn sanitized(name: &str) -> String {
    let mut out: String = name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || c == '_' {
                c
            } else {
                '_'
            }
        })
        .collect();
    if !out
        .chars()
        .next()
        .is_some_and(|c| c.is_alphabetic() || c == '_')
    {
        out.insert(0, '_');
    }
    if out.is_ascii() {
        return if is_keyword(&out) { out + "_" } else { out };
    }
    if syn::parse_str::<Ident>(&out).is_ok() {
        return out;
    }
    // Chars that identifiers may not contain.
    sanitized(&out.replace(|c: char| !c.is_ascii(), "_"))
}

/// Returns whether a name is a keyword. This does not ask the compiler, which would create a file
/// for each string.
fn is_keyword(name: &str) -> bool {
    const KEYWORDS: &[&str] = &[
        "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
        "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
        "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv",
        "pub", "ref", "return", "self", "Self", "static", "struct", "super", "trait", "true",
        "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
    ];
    KEYWORDS.contains(&name)
}

/// Collects the names of tests.
impl<'ast> Visit<'ast> for TestNames {
    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if let Some((_, call)) = test_of_statement(statement) {
            if let Some(TokenTree::Literal(first)) = call.mac.tokens.clone().into_iter().next()
                && let Lit::Str(name) = Lit::new(first)
            {
                self.written.insert(sanitized(&name.value()));
            }
            return;
        }
        visit::visit_stmt(self, statement);
    }
}

impl TestNames {
    /// Starts with the names that the tests of an item have.
    pub fn of(item: &Item) -> TestNames {
        let mut names = TestNames::default();
        names.visit_item(item);
        names
    }

    /// Returns the name of the next test.
    pub fn next(
        &mut self,
        call: &TestCall,
        around: &Surroundings<'_>,
        is_member: bool,
        mistakes: &mut Mistakes,
    ) -> Ident {
        let skipped = usize::from(!is_member);
        let prefix: String = around
            .functions
            .iter()
            .skip(skipped)
            .map(|function| format!("{}_", bare(&function.ident)))
            .collect();
        let span = call.span;
        let name = match &call.name {
            Some(name) => {
                let text = sanitized(&format!("{prefix}{}", sanitized(&name.value())));
                if self.taken.contains(&text) {
                    let message = format!(
                        "another test here is called `{text}` already; give this one another name"
                    );
                    mistakes.add(name.span(), message);
                }
                text
            }
            None => self.unnamed(&prefix, &CaseName::of(call)),
        };
        self.taken.insert(name.clone());
        Ident::new(&name, span)
    }

    /// Returns a unique name: the words of the test, with its digest if they are not enough.
    fn unnamed(&self, prefix: &str, case: &CaseName) -> String {
        let is_free = |name: &String| {
            !self.taken.contains(&format!("{prefix}{name}")) && !self.written.contains(name)
        };
        let words = Some(sanitized(&case.words)).filter(|_| !case.is_cut);
        let told_apart = case.told_apart();
        // Only its position distinguishes it from the previous one.
        let numbered = (2..).map(|number| format!("{told_apart}_{number}"));
        let mut names = words
            .into_iter()
            .chain([told_apart.clone()])
            .chain(numbered)
            .map(|name| sanitized(&name));
        let name = names.find(is_free).unwrap_or(told_apart);
        format!("{prefix}{name}")
    }
}

/// Returns a name without `r#`.
pub fn bare(name: &Ident) -> String {
    let text = name.to_string();
    text.strip_prefix("r#").map_or(text.clone(), str::to_owned)
}
