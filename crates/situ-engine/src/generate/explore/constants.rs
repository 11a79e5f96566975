//! Constants of the sources, with which inputs may be compared.

use super::regexes::matching;
use crate::source::SourceFile;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use std::collections::BTreeSet;

/// The maximum length of a string constant.
const LONGEST: usize = 200;

/// Returns the lines of the explorer's dictionary: `i 42`, `f 1.5`, `t text`.
pub(crate) fn dictionary(files: &[SourceFile]) -> String {
    let mut lines = BTreeSet::new();
    for file in files {
        collect(file.tree.to_token_stream(), &mut lines);
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// The maximum number of tokens from the name of a regex type to its pattern: `Regex::new(…)`,
/// `regex!(…)`.
const NEAR: usize = 4;

fn collect(tokens: TokenStream, lines: &mut BTreeSet<String>) {
    let mut since_regex = NEAR + 1;
    for token in tokens {
        since_regex = since_regex.saturating_add(1);
        match token {
            TokenTree::Ident(name) if name.to_string().to_lowercase().contains("regex") => {
                since_regex = 0
            }
            TokenTree::Group(group) => {
                if since_regex <= NEAR {
                    lines.extend(matching_lines(group.stream()));
                }
                collect(group.stream(), lines);
            }
            TokenTree::Literal(literal) => lines.extend(line_of(&syn::Lit::new(literal))),
            _ => {}
        }
    }
}

fn line_of(literal: &syn::Lit) -> Vec<String> {
    match literal {
        syn::Lit::Int(number) => vec![format!("i {}", number.base10_digits())],
        syn::Lit::Float(number) => vec![format!("f {}", number.base10_digits())],
        syn::Lit::Byte(byte) => vec![
            format!("i {}", byte.value()),
            text_line(&char::from(byte.value()).to_string()),
        ],
        syn::Lit::Char(one) => vec![text_line(&one.value().to_string())],
        syn::Lit::Str(text) if text.value().len() <= LONGEST => vec![text_line(&text.value())],
        syn::Lit::ByteStr(bytes) if bytes.value().len() <= LONGEST => {
            String::from_utf8(bytes.value())
                .map(|text| vec![text_line(&text)])
                .unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// Returns strings that match the regular expressions among these tokens.
fn matching_lines(tokens: TokenStream) -> Vec<String> {
    let literals = tokens.into_iter().filter_map(|token| match token {
        TokenTree::Literal(literal) => Some(syn::Lit::new(literal)),
        _ => None,
    });
    let texts = literals.flat_map(|literal| match literal {
        syn::Lit::Str(pattern) => matching(&pattern.value()),
        _ => Vec::new(),
    });
    texts.map(|text| text_line(&text)).collect()
}

fn text_line(text: &str) -> String {
    let escaped = text
        .replace('\\', "\\\\")
        .replace('\n', "\\n")
        .replace('\t', "\\t")
        .replace('\r', "\\r");
    format!("t {escaped}")
}

#[cfg(test)]
mod tests {
    use super::dictionary;
    use crate::source::{SourceFile, parse};

    fn words(source: &str) -> Vec<String> {
        let file = SourceFile {
            path: "src/lib.rs".into(),
            module: Vec::new(),
            conditions: Vec::new(),
            text: source.to_owned(),
            tree: parse(source).unwrap(),
        };
        dictionary(&[file]).lines().map(str::to_owned).collect()
    }

    #[test]
    fn regular_expressions_bring_texts_that_match_them() {
        let lines =
            words("fn f() { let r = Regex::new(r\"^v(1|2)$\").unwrap(); regex!(\"ab?\"); }");
        assert!(
            ["t v1", "t v2", "t a", "t ab"]
                .iter()
                .all(|line| lines.contains(&line.to_string())),
            "{lines:?}"
        );
    }

    #[test]
    fn every_literal_is_in_the_dictionary_also_those_in_macros() {
        let lines = words("fn f() { assert_eq!(g(0x10, b'a'), \"a\\nb\"); h('ß', 1.5, b\"by\"); }");
        assert_eq!(
            lines,
            ["f 1.5", "i 16", "i 97", "t a", "t a\\nb", "t by", "t ß"]
        );
    }
}
