//! What the compiler warns of in a copy: variables, imports and `mut` that were needed by assertions which are gone.

use super::body::Variable;
use super::words::words_in;
use crate::diagnostics::Diagnostic;
use std::collections::BTreeSet;

/// What a copy can go without.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mending {
    /// Variables and items that nothing looks at.
    pub dead: BTreeSet<String>,
    /// Variables that do not change.
    pub constant: BTreeSet<String>,
    /// Imports that nothing needs.
    pub imports: BTreeSet<String>,
}

impl Mending {
    /// Learns from a warning; says whether there is something new. `text` is the file that it is about.
    pub fn learn(&mut self, warning: &Diagnostic, text: &str) -> bool {
        let lint = warning.code.as_ref().map_or("", |code| code.code.as_str());
        let named = || warning.message.split('`').skip(1).step_by(2).map(str::to_owned);
        match lint {
            "unused_variables" | "dead_code" | "unused_assignments" => {
                let before = self.dead.len();
                self.dead.extend(named());
                self.dead.len() > before
            }
            "unused_imports" => {
                let before = self.imports.len();
                self.imports.extend(named());
                self.imports.len() > before
            }
            "unused_mut" => {
                let before = self.constant.len();
                let spans = warning.spans.iter().filter(|span| span.is_primary);
                let places = spans.filter_map(|span| text.get(span.byte_start..span.byte_end));
                self.constant.extend(places.filter_map(|place| words_in(place).pop()));
                self.constant.len() > before
            }
            _ => false,
        }
    }

    /// Whether an import is one that nothing needs.
    pub fn is_unused(&self, import: &str) -> bool {
        let plain = |text: &str| text.split_whitespace().collect::<String>();
        self.imports.iter().any(|name| plain(import).ends_with(&format!("{};", plain(name))))
    }

    /// How a variable is bound, where that is not as the source has it.
    pub fn pattern(&self, variable: &Variable) -> Option<String> {
        let Variable { name, is_mutable, is_field, .. } = variable;
        match () {
            () if self.dead.contains(name) => Some(if *is_field { format!("{name}: _") } else { "_".to_owned() }),
            () if *is_mutable && self.constant.contains(name) => Some(name.clone()),
            () => None,
        }
    }

    /// `let mut name = ` without what is not needed.
    pub fn binding(&self, binding: &str, name: &str) -> String {
        match self.constant.contains(name) {
            true => binding.replacen("let mut ", "let ", 1),
            false => binding.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warning(lint: &str, message: &str, start: usize, end: usize) -> Diagnostic {
        let span = serde_json::json!({ "file_name": "src/lib.rs", "byte_start": start, "byte_end": end,
            "line_start": 1, "line_end": 1, "column_start": 1, "column_end": 1, "is_primary": true,
            "text": [], "label": null, "suggested_replacement": null, "suggestion_applicability": null, "expansion": null });
        let json = serde_json::json!({ "message": message, "code": { "code": lint, "explanation": null },
            "level": "warning", "spans": [span], "children": [], "rendered": null });
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn what_the_compiler_calls_unused_goes_and_nothing_is_learned_twice() {
        let mut mending = Mending::default();
        let text = "let mut rest = f();";
        assert!(mending.learn(&warning("unused_variables", "unused variable: `found`", 0, 1), text));
        assert!(!mending.learn(&warning("unused_variables", "unused variable: `found`", 0, 1), text));
        assert!(mending.learn(&warning("unused_mut", "variable does not need to be mutable", 4, 12), text));
        assert!(mending.learn(&warning("unused_imports", "unused import: `std::fmt::Write as _`", 0, 1), text));
        assert!(!mending.learn(&warning("unused_must_use", "unused `Result` that must be used", 0, 1), text));
        assert!(mending.is_unused("use std::fmt::Write as _;") && !mending.is_unused("use std::io;"));
        let variable = |name: &str, is_mutable: bool, is_field: bool| Variable {
            name: name.to_owned(),
            is_mutable,
            is_field,
            range: None,
        };
        assert_eq!(mending.pattern(&variable("found", false, false)).as_deref(), Some("_"));
        assert_eq!(mending.pattern(&variable("found", false, true)).as_deref(), Some("found: _"));
        assert_eq!(mending.pattern(&variable("rest", true, false)).as_deref(), Some("rest"));
        assert_eq!(mending.pattern(&variable("other", true, false)), None);
        assert_eq!(mending.binding("let mut rest = ", "rest"), "let rest = ");
    }
}
