//! What the tests of a module have in common: one set-up function for the arrangement that most of them need, and
//! constants for long texts.

use super::test::Parts;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Shorter expressions are read faster than a name is looked up.
const SHORTEST_SHARED: usize = 60;
/// Texts that are longer than this stand beside the tests, even where only one needs them.
const LONGEST_LITERAL: usize = 100;

/// A constant or function that tests of a module share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SharedItem {
    /// Its name.
    pub name: String,
    /// The item.
    pub text: String,
}

type Module = (PathBuf, Vec<String>);

/// Tests on their way to shared words.
#[derive(Default)]
pub struct Sharing {
    modules: BTreeMap<Module, Vec<(usize, Parts, bool)>>,
}

impl Sharing {
    /// Adds a test of a module; one that goes where tests are already shares nothing.
    pub fn add(&mut self, at: usize, module: Module, parts: Parts, is_new: bool) {
        self.modules.entry(module).or_default().push((at, parts, is_new));
    }

    /// All tests, with what they share.
    pub fn shared(self) -> BTreeMap<usize, (Parts, Vec<SharedItem>)> {
        let mut all = BTreeMap::new();
        for tests in self.modules.into_values() {
            let is_new = tests.iter().all(|(_, _, is_new)| *is_new);
            let items = if is_new { items(&tests) } else { BTreeMap::new() };
            for (at, mut parts, _) in tests {
                let mut used = Vec::new();
                for input in &mut parts.arrange {
                    if let Some((item, call)) = items.get(&input.expression).filter(|_| !input.is_inline) {
                        input.expression = call.clone();
                        used.push(item.clone());
                    }
                }
                all.insert(at, (parts, used));
            }
        }
        all
    }
}

/// Expression → the item that stands for it, and how that is used.
fn items(tests: &[(usize, Parts, bool)]) -> BTreeMap<String, (SharedItem, String)> {
    let mut uses: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    for input in tests.iter().flat_map(|(_, parts, _)| &parts.arrange).filter(|input| !input.is_inline) {
        if let Some(of_type) = &input.of_type {
            *uses.entry((&input.expression, of_type, &input.variable)).or_default() += 1;
        }
    }
    let mut items = BTreeMap::new();
    let is_text = |of_type: &str| of_type == "&str";
    let setups = uses.iter().filter(|((text, of_type, _), count)| {
        **count > 1 && text.len() >= SHORTEST_SHARED && !is_text(of_type) && !of_type.contains('&')
    });
    if let Some(((expression, of_type, variable), _)) = setups.max_by_key(|(_, count)| **count) {
        let name = format!("usual_{}", variable.trim_start_matches("r#"));
        let text = format!("fn {name}() -> {of_type} {{\n{expression}\n}}\n");
        let call = format!("{name}()");
        items.insert((*expression).to_owned(), (SharedItem { name, text }, call));
    }
    let mut names: Vec<String> = Vec::new();
    for ((expression, of_type, variable), count) in &uses {
        let is_long = expression.len() >= LONGEST_LITERAL || (*count > 1 && expression.len() >= SHORTEST_SHARED);
        if !is_text(of_type) || !is_long || items.contains_key(*expression) {
            continue;
        }
        let plain = variable.trim_start_matches("r#").to_uppercase();
        let taken = names.iter().filter(|name| **name == plain).count();
        let name = if taken == 0 { plain.clone() } else { format!("{plain}_{}", taken + 1) };
        names.push(plain);
        let text = format!("const {name}: &str = {expression};\n");
        items.insert((*expression).to_owned(), (SharedItem { name: name.clone(), text }, name));
    }
    items
}

#[cfg(test)]
mod tests {
    use super::super::arrange::Input;
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
        Parts { attributes: Vec::new(), is_async: false, arrange: vec![input], act: String::new(), assert: Vec::new() }
    }

    fn shared(tests: Vec<Parts>) -> Vec<(String, Vec<SharedItem>)> {
        let mut sharing = Sharing::default();
        for (at, parts) in tests.into_iter().enumerate() {
            sharing.add(at, ("src/a.rs".into(), Vec::new()), parts, true);
        }
        sharing.shared().into_values().map(|(parts, items)| (parts.arrange[0].expression.clone(), items)).collect()
    }

    #[test]
    fn the_most_frequent_arrangement_becomes_a_function() {
        let (often, once) = (format!("Map {{ {} }}", "a".repeat(60)), format!("Map {{ {} }}", "b".repeat(60)));
        let all = shared(vec![test("map", &often, "Map"), test("map", &once, "Map"), test("map", &often, "Map")]);
        assert_eq!(all[0].0, "usual_map()");
        assert!(all[0].1[0].text.starts_with("fn usual_map() -> Map {"));
        assert_eq!((all[1].0.as_str(), all[1].1.len()), (once.as_str(), 0));
        assert_eq!(all[2].0, "usual_map()");
    }

    #[test]
    fn long_texts_become_constants_and_short_ones_stay() {
        let long = |letter: &str| format!("{:?}", letter.repeat(120));
        let all = shared(vec![
            test("text", &long("a"), "&str"),
            test("text", &long("b"), "&str"),
            test("text", "\"c\"", "&str"),
        ]);
        assert_eq!((all[0].0.as_str(), all[1].0.as_str(), all[2].0.as_str()), ("TEXT", "TEXT_2", "\"c\""));
    }
}
