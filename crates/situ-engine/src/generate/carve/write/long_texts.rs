//! Long strings of tests: constants beside them, or files.

use super::shared::SharedItem;
use crate::source::{Splice, apply, byte_range, lex, parse_part};
use proc_macro2::{Literal, TokenStream, TokenTree};
use std::collections::BTreeMap;
use syn::LitStr;

/// The length above which a string becomes a constant, in chars.
const LONGEST_LITERAL: usize = 200;
/// The length above which a string becomes a file, in chars.
const LONGEST_CONSTANT: usize = 600;
/// The maximum length of a constant's name.
const LENGTH_OF_NAME: usize = 20;

/// The folder of such files, beside the source.
pub(crate) const FOLDER: &str = "carved";

/// The long texts of a module.
#[derive(Debug, Default)]
pub(crate) struct LongTexts {
    /// The prefix of its files.
    stem: String,
    items: BTreeMap<String, SharedItem>,
    taken: BTreeMap<String, usize>,
}

impl LongTexts {
    /// Creates an empty collection; `stem` distinguishes the files of modules.
    pub(crate) fn new(stem: String) -> LongTexts {
        LongTexts {
            stem,
            ..LongTexts::default()
        }
    }

    /// Returns the code with constants for its long strings, and the items of these. `hint` is a
    /// part of their names.
    pub(crate) fn named(&mut self, code: &str, hint: &str) -> (String, Vec<SharedItem>) {
        let mut used = Vec::new();
        let mut splices = Vec::new();
        for literal in long_literals(code) {
            let (range, written) = (byte_range(&literal), literal.to_string());
            let item = self.item(&written, hint);
            splices.push(Splice {
                range,
                text: item.name.clone(),
            });
            used.push(item);
        }
        if splices.is_empty() {
            (code.to_owned(), used)
        } else {
            (apply(code, &splices), used)
        }
    }

    /// Returns the in-situ test with files for its long strings. Inside a function, the constants
    /// of the tests are not visible.
    pub(crate) fn filed(&mut self, test: &str, hint: &str) -> (String, Vec<SharedItem>) {
        let mut used = Vec::new();
        let mut splices = Vec::new();
        for literal in long_literals(test) {
            let item = self.numbered(&literal.to_string(), hint, true);
            if let Some((file, _)) = &item.file {
                splices.push(Splice {
                    range: byte_range(&literal),
                    text: format!("include_str!({file:?})"),
                });
                used.push(item);
            }
        }
        if splices.is_empty() {
            (test.to_owned(), used)
        } else {
            (apply(test, &splices), used)
        }
    }

    fn item(&mut self, written: &str, hint: &str) -> SharedItem {
        self.numbered(written, hint, false)
    }

    fn numbered(&mut self, written: &str, hint: &str, always_filed: bool) -> SharedItem {
        if let Some(known) = self.items.get(written) {
            return known.clone();
        }
        let plain: String = hint.trim_start_matches("r#").to_uppercase();
        let number = self
            .taken
            .entry(plain.clone())
            .and_modify(|count| *count += 1)
            .or_insert(1);
        let name = if *number == 1 {
            plain
        } else {
            format!("{plain}_{number}")
        };
        let value = parse_part::<LitStr>(written)
            .map(|text| text.value())
            .unwrap_or_default();
        // A checkout on another system may have other line endings.
        let is_filed = (always_filed || value.len() > LONGEST_CONSTANT) && !value.contains('\r');
        let item = match is_filed {
            true => {
                let file = format!("{FOLDER}/{}{}.txt", self.stem, name.to_lowercase());
                let text = format!("const {name}: &str = include_str!({file:?});\n");
                SharedItem {
                    name,
                    text,
                    file: Some((file, value)),
                }
            }
            false => SharedItem {
                text: format!("const {name}: &str = {written};\n"),
                name,
                file: None,
            },
        };
        self.items.insert(written.to_owned(), item.clone());
        item
    }
}

/// Returns the length of code for a reader, without long strings.
pub(crate) fn length_to_read(code: &str) -> usize {
    let hidden: usize = long_literals(code)
        .iter()
        .map(|literal| literal.to_string().len() - LENGTH_OF_NAME)
        .sum();
    code.len() - hidden
}

fn long_literals(code: &str) -> Vec<Literal> {
    let mut found = Vec::new();
    if code.len() >= LONGEST_LITERAL
        && let Ok(tokens) = lex(code)
    {
        collect(tokens, &mut found);
    }
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<Literal>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            // Attributes and panic messages need a literal.
            TokenTree::Group(_)
                if at > 0
                    && matches!(&trees[at - 1], TokenTree::Punct(sign) if sign.as_char() == '#') => {
            }
            TokenTree::Group(_)
                if at > 0
                    && matches!(&trees[at - 1], TokenTree::Ident(word) if word == "check_panic") => {
            }
            TokenTree::Group(group) => collect(group.stream(), found),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                if text.starts_with(['"', 'r']) && text.len() >= LONGEST_LITERAL {
                    found.push(literal.clone());
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_get_names_and_very_long_ones_files() {
        let mut texts = LongTexts::new("cart_".to_owned());
        let (long, longest) = ("a".repeat(220), "b\n".repeat(400));
        let code = format!("let text = String::from({long:?}); f(\"short\", {longest:?});");
        let (named, items) = texts.named(&code, "text");
        assert_eq!(
            named,
            "let text = String::from(TEXT); f(\"short\", TEXT_2);"
        );
        assert_eq!(items[0].text, format!("const TEXT: &str = {long:?};\n"));
        assert_eq!(
            items[1].text,
            "const TEXT_2: &str = include_str!(\"carved/cart_text_2.txt\");\n"
        );
        assert_eq!(
            items[1].file,
            Some(("carved/cart_text_2.txt".to_owned(), longest))
        );
        assert_eq!(
            texts.named(&format!("{long:?}"), "other").0,
            "TEXT",
            "one text has one name"
        );
        assert!(length_to_read(&code) < 140, "{}", length_to_read(&code));
    }

    #[test]
    fn long_texts_of_a_test_in_place_are_files_but_what_a_panic_says() {
        let long = "a".repeat(220);
        let test = format!(
            "blocktest!(mock(f({long:?}), {long:?}), check_return({long:?}), check_panic({long:?}));"
        );
        let (filed, items) = LongTexts::new("main_".to_owned()).filed(&test, "in_f");
        let file = "include_str!(\"carved/main_in_f.txt\")";
        assert_eq!(
            filed,
            format!(
                "blocktest!(mock(f({file}), {file}), check_return({file}), check_panic({long:?}));"
            )
        );
        assert_eq!(
            items[0].file,
            Some(("carved/main_in_f.txt".to_owned(), long))
        );
    }

    #[test]
    fn what_an_attribute_says_stays_in_it() {
        let code = format!(
            "#[should_panic(expected = {:?})] fn f() {{}}",
            "a".repeat(300)
        );
        assert_eq!(
            LongTexts::default().named(&code, "text"),
            (code, Vec::new())
        );
    }
}
