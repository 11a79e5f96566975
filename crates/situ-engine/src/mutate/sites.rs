//! Finds and numbers every mutant of a source file.

use super::expansion::{Addition, expand};
use super::mutant::{FileMutants, Function, Key, Mutant};
use super::operators::Form;
use super::walk::{Walk, condition, leaves_out, placed_exits, walk, walk_expanded};
use crate::source::SourceFile;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Returns the mutants of a file, numbered from `first`, including their copies in `additions`.
pub fn mutants_of(
    file: &SourceFile,
    path: PathBuf,
    first: u32,
    additions: &[Addition],
) -> FileMutants {
    let conditions = file.conditions.iter().filter_map(condition).collect();
    let known = FileMutants {
        path,
        conditions,
        line_count: file.text.lines().count(),
        ..FileMutants::default()
    };
    if is_left_out(file) {
        let expanded = expand(&file.text, &file.tree, additions).map(|expanded| expanded.text);
        return FileMutants {
            expanded,
            is_left_out: true,
            ..known
        };
    }
    let own = walk(&file.text, &file.tree);
    let Some(expanded) = expand(&file.text, &file.tree, additions) else {
        let Walk {
            found,
            functions,
            loops,
            tests,
            ..
        } = own;
        let mutants = number(found, first);
        return FileMutants {
            functions,
            loops,
            tests,
            mutants,
            ..known
        };
    };
    let own_functions: BTreeSet<String> = own
        .functions
        .into_iter()
        .map(|function| function.name)
        .collect();
    // The original decides the numbers and what reports show. In the expansion, the same mutant may
    // occur several times: in the item, and in each test's copy of its code.
    let (keys, tests) = (keys_of(&own.found, Some), own.tests);
    let numbered = number(
        keys.into_iter()
            .zip(own.found)
            .map(|(key, mutant)| Mutant { key, ..mutant })
            .collect(),
        first,
    );
    let originals: BTreeMap<Key, &Mutant> = numbered
        .iter()
        .filter_map(|mutant| Some((mutant.key.clone()?, mutant)))
        .collect();
    let Walk {
        found,
        functions,
        loops,
        ..
    } = walk_expanded(&expanded, placed_exits(&numbered));
    let keys = keys_of(&found, |at| expanded.origin(at));
    let mut seen = BTreeSet::new();
    let placed = keys.into_iter().zip(found).filter_map(|(key, mutant)| {
        let known = originals.get(&key?)?;
        let reported = Mutant {
            id: known.id,
            is_copy: !seen.insert(known.id),
            ..mutant
        };
        let (shown_range, shown_text) = (known.shown_range.clone(), known.shown_text.clone());
        Some(Mutant {
            shown_range,
            shown_text,
            line: known.line,
            column: known.column,
            ..reported
        })
    });
    let mutants = placed.collect();
    let functions = functions.into_iter().map(|function| Function {
        is_generated: !own_functions.contains(&function.name),
        ..function
    });
    let functions = functions.collect();
    let expanded = Some(expanded.text);
    FileMutants {
        expanded,
        functions,
        loops,
        tests,
        mutants,
        ..known
    }
}

/// Returns whether a whole file is test code, or excluded by the user.
pub fn is_left_out(file: &SourceFile) -> bool {
    file.conditions
        .iter()
        .chain(&file.tree.attrs)
        .any(leaves_out)
}

/// Returns the identity of each mutant, which is the same in the user's code and in a test's copy
/// of it: operator, form, original offset of the token, and the number of the change there.
fn keys_of(mutants: &[Mutant], origin: impl Fn(usize) -> Option<usize>) -> Vec<Option<Key>> {
    let mut counts: BTreeMap<(&str, Form, usize), usize> = BTreeMap::new();
    let keys = mutants.iter().map(|mutant| {
        let count = counts
            .entry((&mutant.operator, mutant.form, mutant.at))
            .or_default();
        *count += 1;
        Some((
            mutant.operator.clone(),
            mutant.form,
            origin(mutant.at)?,
            *count,
        ))
    });
    keys.collect()
}

/// Numbers mutants so that those of one site are consecutive and the site can check for all of them
/// at once.
fn number(mutants: Vec<Mutant>, first: u32) -> Vec<Mutant> {
    let mut sites: BTreeMap<(usize, Form, Reverse<usize>), Vec<Mutant>> = BTreeMap::new();
    for mutant in mutants {
        let site = sites
            .entry((mutant.range.start, mutant.form, Reverse(mutant.range.end)))
            .or_default();
        if !site
            .iter()
            .any(|other| other.text == mutant.text && other.form != Form::Guard)
        {
            site.push(mutant);
        }
    }
    sites
        .into_values()
        .flatten()
        .zip(first..)
        .map(|(mutant, id)| Mutant { id, ..mutant })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_expanded_tests_are_told_from_the_users() {
        let text = "#[situ]\nfn f(n: i32) -> i32 {\n    blocktest!(given(n = 1), check_return(2));\n    n + 1\n}\n";
        let found = mutants_of(&SourceFile::root(text), "src/lib.rs".into(), 1, &[]);
        let (generated, own): (Vec<&Function>, Vec<&Function>) = found
            .functions
            .iter()
            .partition(|function| function.is_generated);
        assert_eq!(
            own.iter()
                .map(|function| &function.name)
                .collect::<Vec<_>>(),
            ["f"]
        );
        assert!(!generated.is_empty());
    }

    /// Returns the functions of a file that have mutants.
    fn changed(file: &SourceFile) -> Vec<String> {
        let found = mutants_of(file, "src/lib.rs".into(), 1, &[]);
        let mut names: Vec<String> = found
            .mutants
            .iter()
            .map(|mutant| {
                mutant.function.map_or("a constant".to_owned(), |at| {
                    found.functions[at].name.clone()
                })
            })
            .collect();
        names.dedup();
        names
    }

    #[test]
    fn test_code_has_no_mutants_whatever_marks_it() {
        let marks = [
            "#[test]",
            "#[tokio::test(flavor = \"current_thread\")]",
            "#[theory]",
            "#[situ::theory]",
            "#[datapoints]",
            "#[quickcheck]",
            "#[quickcheck_macros::quickcheck]",
            "#[rstest]",
            "#[rstest::fixture]",
            "#[test_case(1)]",
            "#[test_case::test_matrix([1, 2])]",
            "#[proptest]",
            "#[wasm_bindgen_test]",
            "#[bench]",
            "#[gtest]",
            "#[cfg_attr(not(miri), test)]",
            "#[cfg(test)]",
            "#[cfg(all(test, unix))]",
        ];
        for mark in marks {
            let text = format!(
                "fn code(x: u32) -> u32 {{ x + 1 }}\n{mark}\nfn marked(x: u32) -> bool {{ x + 1 > 3 }}\n"
            );
            assert_eq!(changed(&SourceFile::root(&text)), ["code"], "{mark}");
            let method = format!(
                "struct S; impl S {{ fn code(x: u32) -> u32 {{ x + 1 }} {mark} fn marked(x: u32) -> bool {{ x + 1 > 3 }} }}"
            );
            assert_eq!(changed(&SourceFile::root(&method)), ["S::code"], "{mark}");
        }
        for mark in ["#[datapoint]", "#[cfg(test)]"] {
            assert_eq!(
                changed(&SourceFile::root(&format!("{mark}\nconst C: u32 = 1 + 2;"))),
                [""; 0],
                "{mark}"
            );
            assert_eq!(
                changed(&SourceFile::root(&format!(
                    "struct S; impl S {{ {mark} const C: u32 = 1 + 2; }}"
                ))),
                [""; 0],
                "{mark}"
            );
        }
        for code in [
            "#[inline]",
            "#[tested]",
            "#[cfg(not(test))]",
            "#[cfg_attr(test, inline)]",
            "#[attest]",
            "#[latest]",
        ] {
            assert_eq!(
                changed(&SourceFile::root(&format!(
                    "{code}\nfn code(x: u32) -> u32 {{ x + 1 }}"
                ))),
                ["code"],
                "{code}"
            );
        }
        let in_macro = "proptest! { #[test] fn holds(x: u32) { assert!(x + 1 > x); } }\nquickcheck! { fn too(x: u32) -> bool { x + 1 > x } }";
        assert_eq!(changed(&SourceFile::root(in_macro)), [""; 0]);
    }

    #[test]
    fn a_file_that_exists_in_tests_only_has_no_mutants() {
        let text = "fn helper(x: u32) -> u32 { x + 1 }";
        let under = |condition: &str| {
            let item: syn::ItemMod = syn::parse_str(&format!("{condition} mod tests;")).unwrap();
            changed(&SourceFile {
                conditions: item.attrs,
                ..SourceFile::root(text)
            })
        };
        assert_eq!(under("#[cfg(test)]"), [""; 0]);
        assert_eq!(
            under("#[cfg(feature = \"x\")] #[cfg(all(test, unix))]"),
            [""; 0]
        );
        assert_eq!(under("#[cfg(any(test, unix))]"), ["helper"]);
        assert_eq!(
            changed(&SourceFile::root(&format!("#![cfg(test)]\n{text}"))),
            [""; 0]
        );
        let marked = format!(
            "#![cfg(test)]\n#[situ]\nfn f(x: u32) -> u32 {{ let y = x + 1; itest!(given(x = 1), check_eq(y, 2)); y }}\n{text}"
        );
        assert_eq!(changed(&SourceFile::root(&marked)), [""; 0]);
    }

    /// Returns the exits that mutants insert: in the user's code, and in copies.
    fn exits(text: &str) -> (Vec<String>, Vec<(u32, String)>) {
        let found = mutants_of(&SourceFile::root(text), "src/lib.rs".into(), 1, &[]);
        let put = found
            .mutants
            .iter()
            .filter(|mutant| mutant.form == Form::Before);
        let (copies, own): (Vec<&Mutant>, Vec<&Mutant>) = put.partition(|mutant| mutant.is_copy);
        let known: Vec<u32> = own.iter().map(|mutant| mutant.id).collect();
        assert!(
            copies.iter().all(|copy| known.contains(&copy.id)),
            "{copies:?}"
        );
        (
            own.iter().map(|mutant| mutant.text.clone()).collect(),
            copies
                .iter()
                .map(|copy| (copy.id, copy.text.clone()))
                .collect(),
        )
    }

    fn function(body: &str) -> String {
        format!("#[situ]\nfn f(x: u32, list: &mut Vec<u32>) -> u32 {{\n{body}\n}}\n")
    }

    #[test]
    fn a_test_of_a_whole_body_has_the_mutants_that_replace_or_leave_it() {
        let test = "blocktest!(\"all\", given(x = 1, list = &mut vec![]), check_return(2));\n";
        for body in [
            "list.push(x);\n    x + 1",
            "if x > 7 { list.clear(); return 7; }\n    x + 1",
            "list.pop().map(|y| y + 1)?;\n    x + 1",
        ] {
            let (own, copies) = exits(&function(&format!("    {test}    {body}")));
            assert_eq!(
                own,
                ["return 0;", "return 1;", "return 0;"],
                "the body twice, and before its tail"
            );
            let copies: Vec<&str> = copies.iter().map(|(_, text)| text.as_str()).collect();
            let returned = |value: u32, line: u32| {
                format!("break '__situ ::situ::rt::Left::Returned({value}, {line}u32);")
            };
            assert_eq!(
                copies,
                [returned(0, 4), returned(1, 4), returned(0, 5)],
                "{body}"
            );
        }
        let macros = "    blocktest!(\"all\", given(x = 1, list = &mut vec![]), check_return(2));\n    unknown!(x, list);\n    x + 1";
        let (_, copies) = exits(&function(macros));
        assert_eq!(
            copies[0].1, "return __situ.at(4u32, 0);",
            "a macro may leave in its own way"
        );
    }

    #[test]
    fn a_test_of_a_part_has_only_the_ways_out_that_stand_in_it() {
        let (_, copies) = exits(&function(
            "    blocktest!(given(x = 1, list = &mut vec![]), next(1), check_eq(list.len(), 1));\n    list.push(x);\n    list.push(2);\n    x + 1",
        ));
        assert_eq!(copies, [], "neither the whole body nor its end");
        let (_, copies) = exits(&function(
            "    list.push(x);\n    blocktest!(given(x = 1, list = &mut vec![]), check_return(2));\n    list.push(2);\n    x + 1",
        ));
        assert_eq!(copies.len(), 1, "its end: {copies:?}");
        let (_, copies) = exits(&function(
            "    list.push(x);\n    itest!(given(x = 1, list = &mut vec![]), check_eq(list.len(), 1));\n    x + 1",
        ));
        assert_eq!(copies, []);
        let in_loop = "    for y in 0..x {\n        blocktest!(given(y = 1, list = &mut vec![]), check_eq(list.len(), 2));\n        list.push(y);\n        list.push(2);\n    }\n    x + 1";
        let (_, copies) = exits(&function(in_loop));
        let left: Vec<bool> = copies
            .iter()
            .map(|(_, text)| text.contains("Left::Broke") || text.contains("Left::Continued"))
            .collect();
        assert_eq!(left, [true, true], "{copies:?}");
    }

    #[test]
    fn a_test_with_rows_has_the_mutants_of_its_statement_and_none_of_its_values() {
        let rows = "match ::situ::rt::rows::row() { 0 => (1, 2,), 1 => (5, 6,), _ => ::situ::rt::rows::none() }";
        let text = format!(
            "#[situ]\nfn f(a: u32) -> u32 {{\n    let b = a + 7;\n    itest!(\"situ_rows_0_of_2\", ignore(\"rows\"), \
             each(::situ::rt::rows::Row((x, y,)), [::situ::rt::rows::Row({rows})]), given(a = x), check_eq(b, y));\n    b\n}}\n"
        );
        let file = SourceFile::root(&text);
        let found = mutants_of(&file, "src/lib.rs".into(), 1, &[]);
        let expanded = found.expanded.clone().unwrap();
        let values = expanded.find("rows :: row").unwrap()..expanded.find("rows :: none").unwrap();
        assert!(
            found
                .mutants
                .iter()
                .all(|mutant| !values.contains(&mutant.range.start))
        );
        let of_sum = |is_copy: bool| {
            let own = found
                .mutants
                .iter()
                .filter(|mutant| mutant.is_copy == is_copy);
            own.filter(|mutant| &text[mutant.shown_range.clone()] == "7")
                .map(|mutant| mutant.id)
                .collect::<Vec<_>>()
        };
        assert!(!of_sum(false).is_empty());
        assert_eq!(of_sum(false), of_sum(true));
        assert!(
            found
                .mutants
                .iter()
                .all(|mutant| (2..=5).contains(&mutant.line)),
            "lines of the user's file"
        );
    }
}
