//! Shared items of a module's tests: one set-up function for the most common arrangement, and
//! constants for long strings.

use super::long_texts::LongTexts;
use super::test::Parts;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The minimum length of a shared expression; shorter ones are easier to read inline.
const SHORTEST_SHARED: usize = 60;

/// A constant or function that tests of a module share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SharedItem {
    /// Its name.
    pub name: String,
    /// The item.
    pub text: String,
    /// The file that it includes, relative to the source, with its content.
    pub file: Option<(String, String)>,
}

type Module = (PathBuf, Vec<String>);

/// Tests whose common parts are being shared.
#[derive(Default)]
pub(crate) struct Sharing {
    modules: BTreeMap<Module, Vec<(usize, Parts, bool)>>,
}

impl Sharing {
    /// Adds a test of a module. In a module with existing tests it shares nothing.
    pub(crate) fn add(&mut self, at: usize, module: Module, parts: Parts, is_new: bool) {
        self.modules
            .entry(module)
            .or_default()
            .push((at, parts, is_new));
    }

    /// Returns all tests with their shared items.
    pub(crate) fn shared(self) -> BTreeMap<usize, (Parts, Vec<SharedItem>)> {
        let mut all = BTreeMap::new();
        for ((file, module), tests) in self.modules {
            let is_new = tests.iter().all(|(_, _, is_new)| *is_new);
            let setup = if is_new { setup(&tests) } else { None };
            let mut texts = LongTexts::new(stem(&file, &module));
            for (at, mut parts, _) in tests {
                let mut used = Vec::new();
                for input in &mut parts.arrange {
                    let is_usual =
                        |(expression, _): &&(String, SharedItem)| *expression == input.expression;
                    if let Some((_, item)) =
                        setup.as_ref().filter(|_| !input.is_inline).filter(is_usual)
                    {
                        input.expression = format!("{}()", item.name);
                        used.push(item.clone());
                    }
                }
                if is_new {
                    used = name_long_texts(&mut texts, &mut parts, used);
                }
                all.insert(at, (parts, used));
            }
        }
        all
    }
}

/// Names the long strings of a test and of its items; returns all items that it uses.
fn name_long_texts(
    texts: &mut LongTexts,
    parts: &mut Parts,
    mut used: Vec<SharedItem>,
) -> Vec<SharedItem> {
    let mut all = Vec::new();
    let mut name = |code: &mut String, hint: &str| {
        let (named, mut items) = texts.named(code, hint);
        *code = named;
        all.append(&mut items);
    };
    for input in &mut parts.arrange {
        name(&mut input.expression, &input.variable);
        input
            .then
            .iter_mut()
            .for_each(|line| name(line, &input.variable));
    }
    name(&mut parts.act, "text");
    parts
        .assert
        .iter_mut()
        .for_each(|line| name(line, "expected"));
    used.iter_mut()
        .for_each(|item| name(&mut item.text, "text"));
    all.append(&mut used);
    all
}

/// Returns the prefix of a module's files.
pub(crate) fn stem(file: &Path, module: &[String]) -> String {
    let own = file
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default();
    let words: BTreeSet<&str> = module
        .iter()
        .map(String::as_str)
        .filter(|word| *word != own)
        .collect();
    let last = words
        .into_iter()
        .next_back()
        .map(|word| format!("{word}_"))
        .unwrap_or_default();
    format!("{own}_{last}")
}

/// Returns the most common arrangement, and the function that replaces it.
fn setup(tests: &[(usize, Parts, bool)]) -> Option<(String, SharedItem)> {
    let mut uses: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    for input in tests
        .iter()
        .flat_map(|(_, parts, _)| &parts.arrange)
        .filter(|input| !input.is_inline)
    {
        if let Some(of_type) = &input.of_type {
            *uses
                .entry((&input.expression, of_type, &input.variable))
                .or_default() += 1;
        }
    }
    let setups = uses.iter().filter(|((text, of_type, _), count)| {
        **count > 1 && text.len() >= SHORTEST_SHARED && !of_type.contains('&')
    });
    let ((expression, of_type, variable), _) = setups.max_by_key(|(_, count)| **count)?;
    let name = format!("usual_{}", variable.trim_start_matches("r#"));
    let text = format!("fn {name}() -> {of_type} {{\n{expression}\n}}\n");
    Some((
        (*expression).to_owned(),
        SharedItem {
            name,
            text,
            file: None,
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::super::input::Input;
    use super::*;

    fn test(variable: &str, expression: &str, of_type: &str) -> Parts {
        let input = Input {
            variable: variable.to_owned(),
            expression: expression.to_owned(),
            passed: "",
            is_mutable: false,
            is_inline: false,
            of_type: Some(of_type.to_owned()),
            then: Vec::new(),
        };
        Parts {
            attributes: Vec::new(),
            is_async: false,
            arrange: vec![input],
            act: String::new(),
            assert: Vec::new(),
        }
    }

    fn shared(tests: Vec<Parts>) -> Vec<(String, Vec<SharedItem>)> {
        let mut sharing = Sharing::default();
        for (at, parts) in tests.into_iter().enumerate() {
            sharing.add(at, ("src/a.rs".into(), Vec::new()), parts, true);
        }
        sharing
            .shared()
            .into_values()
            .map(|(parts, items)| (parts.arrange[0].expression.clone(), items))
            .collect()
    }

    #[test]
    fn the_most_frequent_arrangement_becomes_a_function() {
        let (often, once) = (
            format!("Map {{ {} }}", "a".repeat(60)),
            format!("Map {{ {} }}", "b".repeat(60)),
        );
        let all = shared(vec![
            test("map", &often, "Map"),
            test("map", &once, "Map"),
            test("map", &often, "Map"),
        ]);
        assert_eq!(all[0].0, "usual_map()");
        assert!(all[0].1[0].text.starts_with("fn usual_map() -> Map {"));
        assert_eq!((all[1].0.as_str(), all[1].1.len()), (once.as_str(), 0));
        assert_eq!(all[2].0, "usual_map()");
    }

    #[test]
    fn long_texts_become_constants_and_short_ones_stay() {
        let long = |letter: &str| format!("{:?}", letter.repeat(220));
        let all = shared(vec![
            test("text", &long("a"), "&str"),
            test("text", &long("b"), "&str"),
            test("text", "\"c\"", "&str"),
        ]);
        assert_eq!(
            (all[0].0.as_str(), all[1].0.as_str(), all[2].0.as_str()),
            ("TEXT", "TEXT_2", "\"c\"")
        );
        assert_eq!(
            stem(
                Path::new("src/cart.rs"),
                &["cart".to_owned(), "line".to_owned()]
            ),
            "cart_line_"
        );
    }
}
