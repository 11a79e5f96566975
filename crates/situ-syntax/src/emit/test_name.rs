//! Names of tests and of the modules that hold them.

use crate::grammar::TestCall;
use crate::mistakes::Mistakes;
use crate::surroundings::Surroundings;
use crate::text::line_of;
use proc_macro2::Ident;
use std::collections::HashSet;

/// The names given so far in one item.
#[derive(Default)]
pub struct TestNames {
    taken: HashSet<String>,
}

/// A name with every character that an identifier cannot have replaced.
pub fn sanitized(name: &str) -> String {
    let mut out: String = name.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect();
    if !out.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_') {
        out.insert(0, '_');
    }
    if out.is_ascii() {
        return if is_keyword(&out) { out + "_" } else { out };
    }
    if syn::parse_str::<Ident>(&out).is_ok() {
        return out;
    }
    // Letters that identifiers may not have.
    sanitized(&out.replace(|c: char| !c.is_ascii(), "_"))
}

/// Whether a name means something else. Told without the compiler, which makes a file of each text that it is asked about.
fn is_keyword(name: &str) -> bool {
    const KEYWORDS: &[&str] = &[
        "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
        "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
        "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "Self", "static", "struct",
        "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while",
        "yield",
    ];
    KEYWORDS.contains(&name)
}

impl TestNames {
    /// The name of the next test.
    pub fn next(
        &mut self,
        call: &TestCall,
        around: &Surroundings<'_>,
        is_member: bool,
        mistakes: &mut Mistakes,
    ) -> Ident {
        let skipped = usize::from(!is_member);
        let prefix: String =
            around.functions.iter().skip(skipped).map(|function| format!("{}_", bare(&function.ident))).collect();
        let span = call.span;
        let name = match &call.name {
            Some(name) => {
                let text = sanitized(&format!("{prefix}{}", sanitized(&name.value())));
                if self.taken.contains(&text) {
                    let message = format!("another test here is called `{text}` already; give this one another name");
                    mistakes.add(name.span(), message);
                }
                text
            }
            None => {
                let text = format!("{prefix}line_{}", line_of(span));
                let mut unique = text.clone();
                let mut n = 2;
                while self.taken.contains(&unique) {
                    unique = format!("{text}_{n}");
                    n += 1;
                }
                unique
            }
        };
        self.taken.insert(name.clone());
        Ident::new(&name, span)
    }
}

/// A name without `r#`.
pub fn bare(name: &Ident) -> String {
    let text = name.to_string();
    text.strip_prefix("r#").map_or(text.clone(), str::to_owned)
}
