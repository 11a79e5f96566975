//! The constants of the sources, which inputs are compared with somewhere.

use crate::source::SourceFile;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use std::collections::BTreeSet;

/// Longer texts are no constants to compare with.
const LONGEST: usize = 200;

/// The lines of the explorer's dictionary: `i 42`, `f 1.5`, `t text`.
pub fn dictionary(files: &[SourceFile]) -> String {
    let mut lines = BTreeSet::new();
    for file in files {
        collect(file.tree.to_token_stream(), &mut lines);
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

fn collect(tokens: TokenStream, lines: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => collect(group.stream(), lines),
            TokenTree::Literal(literal) => lines.extend(line_of(&syn::Lit::new(literal))),
            _ => {}
        }
    }
}

fn line_of(literal: &syn::Lit) -> Vec<String> {
    match literal {
        syn::Lit::Int(number) => vec![format!("i {}", number.base10_digits())],
        syn::Lit::Float(number) => vec![format!("f {}", number.base10_digits())],
        syn::Lit::Byte(byte) => vec![format!("i {}", byte.value()), text_line(&char::from(byte.value()).to_string())],
        syn::Lit::Char(one) => vec![text_line(&one.value().to_string())],
        syn::Lit::Str(text) if text.value().len() <= LONGEST => vec![text_line(&text.value())],
        syn::Lit::ByteStr(bytes) if bytes.value().len() <= LONGEST => {
            String::from_utf8(bytes.value()).map(|text| vec![text_line(&text)]).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

fn text_line(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r");
    format!("t {escaped}")
}

#[cfg(test)]
mod tests {
    use super::dictionary;
    use crate::source::{SourceFile, parse};

    #[test]
    fn every_literal_is_in_the_dictionary_also_those_in_macros() {
        let source = "fn f() { assert_eq!(g(0x10, b'a'), \"a\\nb\"); h('ß', 1.5, b\"by\"); }";
        let file = SourceFile {
            path: "src/lib.rs".into(),
            module: Vec::new(),
            conditions: Vec::new(),
            text: source.to_owned(),
            tree: parse(source).unwrap(),
        };
        let text = dictionary(&[file]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines, ["f 1.5", "i 16", "i 97", "t a", "t a\\nb", "t by", "t ß"]);
    }
}
