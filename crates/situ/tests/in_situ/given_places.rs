//! `given` of places: fields of fields, elements, dereferences, and what stands around them.

use situ::prelude::*;
use std::collections::HashMap;

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("given_places.rs"));
}

struct Limits {
    max: u32,
    min: u32,
}
struct Config {
    limits: Limits,
    name: String,
    tags: Vec<String>,
}
struct Screen {
    config: Config,
    grid: Vec<Vec<u8>>,
    level: u32,
}

#[situ]
impl Screen {
    fn scale(&self) -> u32 {
        self.level * 10
    }
    fn places_of_self(&mut self, x: usize, y: usize) -> u32 {
        let m = self.config.limits.max - self.config.limits.min;
        itest!(
            "two leaf places",
            given(self.config.limits.max = 5, self.config.limits.min = 2),
            check_eq(m, 3)
        );
        itest!(
            "their parent",
            given(self.config.limits = Limits { max: 5, min: 1 }),
            check_eq(m, 4)
        );
        itest!(
            "grand parent",
            given(
                self.config = Config {
                    limits: Limits { max: 5, min: 1 },
                    name: String::new(),
                    tags: vec![]
                }
            ),
            check_eq(m, 4)
        );
        self.grid[y][x] += 1;
        itest!(
            "double index",
            given(self.grid[y][x] = 3),
            check_eq(self.grid[y][x], 4)
        );
        itest!(
            "overflow type",
            given(self.grid[y][x] = 255),
            check_panic("overflow")
        );
        let both = self.level + self.scale();
        itest!(
            "place and whole",
            given(
                self = Screen {
                    config: Config {
                        limits: Limits { max: 0, min: 0 },
                        name: String::new(),
                        tags: vec![]
                    },
                    grid: vec![],
                    level: 1
                },
                self.level = 5
            ),
            check_eq(both, 15)
        );
        let text = format!("{} {}", self.config.name, self.config.tags.len());
        itest!(
            "macro args",
            given(
                self.config.name = "x".to_string(),
                self.config.tags = vec![]
            ),
            check_eq(text, "x 0")
        );
        self.config.tags.push(text);
        itest!(
            "method",
            given(self.config.tags = vec![], text = "t".to_string()),
            check_eq(self.config.tags, ["t"])
        );
        let closure = || self.level + 1;
        itest!("closure", given(self.level = 3), check_eq(closure(), 4));
        println!("{}", closure());
        let name = &self.config.name;
        itest!(
            "borrow",
            given(self.config.name = "q".to_string()),
            check_eq(name, "q")
        );
        println!("{name}");
        let n = std::mem::replace(&mut self.level, 9);
        itest!(
            "mutable borrow",
            given(self.level = 2),
            check_eq(n, 2),
            check_eq(self.level, 9)
        );
        if self.config.limits.max > 3 && self.level > 1 {
            itest!(
                "cond",
                given(self.config.limits.max = 4),
                check_true(cond(1))
            );
            self.level = 0;
        }
        m + both + n
    }
}

#[situ]
fn places_of_variables(
    slot: &mut u32,
    map: &HashMap<&str, u32>,
    pair: ((u8, u8), u8),
    arr: [u8; 3],
    i: usize,
    o: &mut Option<u32>,
) -> u32 {
    *slot += 1;
    itest!("deref", given(*slot = 3), check_eq(*slot, 4));
    let v = map["k"] + 1;
    itest!("map index", given(map["k"] = 3), check_eq(v, 4));
    let p = pair.0.1 + pair.1;
    itest!(
        "tuple in tuple",
        given(pair.0.1 = 3, pair.1 = 4),
        check_eq(p, 7)
    );
    let q = arr[i] + arr[i + 1];
    itest!(
        "two elements",
        given(arr[i] = 1, arr[i + 1] = 2),
        check_eq(q, 3)
    );
    *o = Some(v);
    itest!(
        "deref assign only",
        given(o = &mut None, v = 2),
        check_eq(*o, Some(2))
    );
    itest!(
        "deref place assign only",
        given(v = 2, *o = None),
        check_eq(*o, Some(2))
    );
    *slot + v + u32::from(p + q)
}

/// Parts of a text by their numbers: what stands there has no size.
struct Parts<'t>(Vec<&'t str>, Vec<Vec<u8>>);

impl std::ops::Index<usize> for Parts<'_> {
    type Output = str;

    fn index(&self, number: usize) -> &str {
        self.0[number]
    }
}

impl std::ops::Index<char> for Parts<'_> {
    type Output = [u8];

    fn index(&self, letter: char) -> &[u8] {
        &self.1[letter as usize]
    }
}

fn first_letter(text: &str) -> Option<char> {
    text.chars().next()
}

#[situ]
fn places_without_a_size(parts: &Parts<'_>, tables: &[&[u8]], i: usize) -> usize {
    let number: Result<u8, _> = parts[1].parse();
    itest!("a text", given(parts[1] = "3"), check_eq(number, Ok(3)));
    itest!(
        "texts",
        each((part, expected), [("4", 4), ("5", 5)]),
        given(parts[1] = part),
        check_eq(number, Ok(expected))
    );
    let letter = first_letter(&parts[i]);
    itest!(
        "a borrowed text",
        given(parts[i] = "word"),
        check_eq(letter, Some('w'))
    );
    let sum: usize = parts['a'].iter().map(|byte| usize::from(*byte)).sum();
    itest!("a list", given(parts['a'] = &[1, 2]), check_eq(sum, 3));
    let length = tables[i].len();
    itest!(
        "a reference",
        given(tables[i] = &[1, 2, 3]),
        check_eq(length, 3)
    );
    sum + length + number.map_or(0, usize::from) + letter.map_or(0, char::len_utf8)
}
