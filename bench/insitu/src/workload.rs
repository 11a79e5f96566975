//! Functions as a real crate has them, with tests of their statements: in place, by hand, and in Python.
//!
//! A function has five places to test (a plain statement, bit manipulation on a typed parameter, a `?`, a condition,
//! a block of statements), so that a fifth of all tests is of each kind.

use std::fmt::Write;

/// The places of a function that are tested.
pub const PLACES: usize = 5;

/// How the tests of a function are written.
#[derive(Clone, Copy, PartialEq)]
pub enum Style {
    InSitu,
    ByHand,
    Without,
}

/// One place: its statements, and tests of them.
struct Place {
    /// The lines of the function; what is tested, and what stands around it.
    before: String,
    target: String,
    after: &'static str,
    /// Whether in-situ tests stand before the target or after its first line.
    tests_first: bool,
    tests: Vec<Test>,
}

struct Test {
    name: String,
    in_situ: String,
    /// The whole body of the hand-written test.
    by_hand: String,
    fails: bool,
}

/// The source of a function and its tests.
pub fn function(number: usize, tests_per_place: usize, style: Style) -> String {
    let places = places(number, tests_per_place);
    let mut source = String::new();
    if style == Style::InSitu {
        source += "#[situ]\n";
    }
    writeln!(
        source,
        "pub fn f_{number}(line: &str, limit: u32, mut total: u64) -> Result<u64, ParseIntError> {{"
    )
    .expect(STRING);
    for place in &places {
        source += &place.before;
        let tests: String = place
            .tests
            .iter()
            .map(|test| format!("    {}\n", test.in_situ))
            .collect();
        let tests = if style == Style::InSitu {
            tests
        } else {
            String::new()
        };
        if place.tests_first {
            source += &tests;
            source += &place.target;
        } else {
            source += &place.target;
            source += &tests;
        }
        source += place.after;
    }
    source += "    Ok(sum)\n}\n\n";
    if style == Style::ByHand {
        source += &by_hand(number, &places);
    }
    source
}

const STRING: &str = "writing to a string";

fn by_hand(number: usize, places: &[Place]) -> String {
    let mut source = String::new();
    writeln!(
        source,
        "#[cfg(test)]\nmod tests_f_{number} {{\n    use super::*;\n"
    )
    .expect(STRING);
    for test in places.iter().flat_map(|place| &place.tests) {
        let (result, end) = if test.fails {
            (" -> Result<(), ParseIntError>", "        Ok(())\n")
        } else {
            ("", "")
        };
        writeln!(
            source,
            "    #[test]\n    fn {}(){result} {{\n{}{end}    }}\n",
            test.name, test.by_hand
        )
        .expect(STRING);
    }
    source += "}\n\n";
    source
}

fn places(number: usize, tests_per_place: usize) -> [Place; PLACES] {
    [
        key(number, tests_per_place),
        mask(number, tests_per_place),
        count(number, tests_per_place),
        condition(number, tests_per_place),
        block(number, tests_per_place),
    ]
}

/// A plain statement.
fn key(number: usize, tests: usize) -> Place {
    let statement = "let key = line.split('=').next().unwrap_or_default().trim();";
    let test = |case: usize| {
        let (line, key) = (
            format!(" name{number}_{case} = {case}"),
            format!("name{number}_{case}"),
        );
        Test {
            name: format!("key_{case}"),
            in_situ: format!(
                "itest!(\"key {case}\", given(line = {line:?}), check_eq(key, {key:?}));"
            ),
            by_hand: format!(
                "        let line: &str = {line:?};\n        {statement}\n        assert_eq!(key, {key:?});\n"
            ),
            fails: false,
        }
    };
    Place {
        before: String::new(),
        target: format!("    {statement}\n"),
        after: "",
        tests_first: false,
        tests: (0..tests).map(test).collect(),
    }
}

/// Bit manipulation, where the type of the input matters.
fn mask(number: usize, tests: usize) -> Place {
    let shift = number % 7 + 1;
    let statement = format!("let mask = (limit << {shift}) ^ (limit >> 2) & 0xff;");
    let test = |case: usize| {
        let limit = (number % 1000 + case * 17) as u32;
        let mask = (limit << shift) ^ (limit >> 2) & 0xff;
        Test {
            name: format!("mask_{case}"),
            in_situ: format!(
                "itest!(\"mask {case}\", given(limit = {limit}), check_eq(mask, {mask}));"
            ),
            by_hand: format!(
                "        let limit: u32 = {limit};\n        {statement}\n        assert_eq!(mask, {mask});\n"
            ),
            fails: false,
        }
    };
    Place {
        before: String::new(),
        target: format!("    {statement}\n"),
        after: "",
        tests_first: false,
        tests: (0..tests).map(test).collect(),
    }
}

/// A statement that may leave by `?`; every fourth test looks at that.
fn count(number: usize, tests: usize) -> Place {
    let statement = "let count: u32 = line.rsplit('=').next().unwrap_or(\"0\").trim().parse()?;";
    let test = |case: usize| {
        if case % 4 == 3 {
            let line = format!("name{number} = many");
            return Test {
                name: format!("count_{case}"),
                in_situ: format!(
                    "itest!(\"count {case}\", given(line = {line:?}), check_err(returned()));"
                ),
                by_hand: format!(
                    "        let line: &str = {line:?};\n        let returned = (|| -> Result<u32, ParseIntError> {{\n            {statement}\n            Ok(count)\n        }})();\n        assert!(returned.is_err());\n"
                ),
                fails: false,
            };
        }
        let (line, count) = (format!("name{number} = {case}"), case);
        Test {
            name: format!("count_{case}"),
            in_situ: format!(
                "itest!(\"count {case}\", given(line = {line:?}), check_eq(count, {count}));"
            ),
            by_hand: format!(
                "        let line: &str = {line:?};\n        {statement}\n        assert_eq!(count, {count});\n"
            ),
            fails: true,
        }
    };
    Place {
        before: String::new(),
        target: format!("    {statement}\n"),
        after: "",
        tests_first: false,
        tests: (0..tests).map(test).collect(),
    }
}

/// The condition of an `if`.
fn condition(number: usize, tests: usize) -> Place {
    let test = |case: usize| {
        let (key, count, limit) = (format!("key{number}"), case + number % 3, number % 5 + 1);
        let holds = key.len() > 3 && count < limit;
        Test {
            name: format!("condition_{case}"),
            in_situ: format!(
                "    itest!(\"condition {case}\", given(key = {key:?}, count = {count}, limit = {limit}), check_{holds}(cond()));"
            ),
            by_hand: format!(
                "        let key: &str = {key:?};\n        let count: u32 = {count};\n        let limit: u32 = {limit};\n        let condition = key.len() > 3 && count < limit;\n        assert!({}condition);\n",
                if holds { "" } else { "!" }
            ),
            fails: false,
        }
    };
    Place {
        before: "    if key.len() > 3 && count < limit {\n".to_owned(),
        target: "        total += u64::from(count);\n".to_owned(),
        after: "    }\n",
        tests_first: true,
        tests: (0..tests).map(test).collect(),
    }
}

/// A block of statements.
fn block(number: usize, tests: usize) -> Place {
    let width = number % 6 + 3;
    let lines = [
        "let mut bits = 0;".to_owned(),
        format!("for shift in 0..{width} {{"),
        "    if mask >> shift & 1 == 1 {".to_owned(),
        "        bits += 1;".to_owned(),
        "    }".to_owned(),
        "}".to_owned(),
        "let sum = total + bits;".to_owned(),
    ];
    let indented = |by: &str| {
        lines
            .iter()
            .map(|line| format!("{by}{line}\n"))
            .collect::<String>()
    };
    let test = |case: usize| {
        let (mask, total) = ((number * 31 + case * 7) as u32, case as u64 + 40);
        let sum = total + u64::from((mask & ((1 << width) - 1)).count_ones());
        Test {
            name: format!("block_{case}"),
            in_situ: format!(
                "blocktest!(\"block {case}\", given(mask = {mask}, total = {total}), check_eq(sum, {sum}));"
            ),
            by_hand: format!(
                "        let mask: u32 = {mask};\n        let total: u64 = {total};\n{}        assert_eq!(sum, {sum});\n",
                indented("        ")
            ),
            fails: false,
        }
    };
    Place {
        before: String::new(),
        target: indented("    "),
        after: "",
        tests_first: true,
        tests: (0..tests).map(test).collect(),
    }
}

/// The same statements and values in Python, as far as pytest-inline can test them: blocks it cannot.
pub fn python_function(number: usize, tests_per_place: usize) -> String {
    let shift = number % 7 + 1;
    let mut source =
        format!("def f_{number}(line, limit, total):\n    key = line.split('=')[0].strip()\n");
    for case in 0..tests_per_place {
        let test = format!(
            "itest().given(line, ' name{number}_{case} = {case}').check_eq(key, 'name{number}_{case}')"
        );
        writeln!(source, "    {test}").expect(STRING);
    }
    writeln!(
        source,
        "    mask = ((limit << {shift}) ^ (limit >> 2) & 0xff) & 0xffffffff"
    )
    .expect(STRING);
    for case in 0..tests_per_place {
        let limit = (number % 1000 + case * 17) as u32;
        let mask = (limit << shift) ^ (limit >> 2) & 0xff;
        writeln!(
            source,
            "    itest().given(limit, {limit}).check_eq(mask, {mask})"
        )
        .expect(STRING);
    }
    writeln!(source, "    count = int(line.split('=')[-1].strip())").expect(STRING);
    for case in 0..tests_per_place {
        writeln!(
            source,
            "    itest().given(line, 'name{number} = {case}').check_eq(count, {case})"
        )
        .expect(STRING);
    }
    source += "    return total + mask + count if key else total\n\n\n";
    source
}

/// The places of a Python function that are tested.
pub const PYTHON_PLACES: usize = 3;
