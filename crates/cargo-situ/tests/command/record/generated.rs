//! The round trip on generated types: whatever is captured as exact comes back equal from its expression.

use super::project::Project;
use std::fmt::Write as _;
use std::fs;

/// A small generator of numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len())]
    }
}

/// A type, and expressions of it.
#[derive(Clone)]
struct Made {
    name: String,
    values: Vec<String>,
}

const LEAVES: &[(&str, &[&str])] = &[
    ("u8", &["0", "255"]),
    ("i64", &["-1", "i64::MIN", "i64::MAX"]),
    ("u128", &["u128::MAX"]),
    (
        "f64",
        &["0.1", "-0.0", "f64::NAN", "f64::INFINITY", "1e300"],
    ),
    ("f32", &["f32::MIN_POSITIVE", "-1.5"]),
    ("char", &["'a'", "'\\''", "'\\u{1F600}'", "'\\u{301}'"]),
    ("bool", &["true", "false"]),
    (
        "String",
        &[
            "String::new()",
            "\"a\\\"b\\\\\\n\".to_owned()",
            "\"zero \\0 ünï\".to_owned()",
        ],
    ),
    ("&'static str", &["\"\"", "\"{}\""]),
    ("()", &["()"]),
    (
        "std::time::Duration",
        &["std::time::Duration::from_nanos(1)"],
    ),
    (
        "std::path::PathBuf",
        &["std::path::PathBuf::from(\"/a b\")"],
    ),
    (
        "std::net::IpAddr",
        &["std::net::IpAddr::from([127, 0, 0, 1])"],
    ),
    (
        "std::num::NonZero<u16>",
        &["std::num::NonZero::new(7).unwrap()"],
    ),
    ("std::ops::Range<usize>", &["1..3"]),
    ("std::cmp::Ordering", &["std::cmp::Ordering::Less"]),
    (
        "std::marker::PhantomData<u8>",
        &["std::marker::PhantomData"],
    ),
    (
        "std::borrow::Cow<'static, str>",
        &["\"x\".into()", "String::from(\"y\").into()"],
    ),
];

fn leaf(dice: &mut Dice) -> Made {
    let (name, values) = dice.pick(LEAVES);
    Made {
        name: name.to_owned(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    }
}

/// A type around others.
fn container(dice: &mut Dice, inner: &Made) -> Made {
    let one = |dice: &mut Dice| inner.values[dice.roll(inner.values.len())].clone();
    let (first, second) = (one(dice), one(dice));
    let name = &inner.name;
    let (name, values) = match dice.roll(10) {
        0 => (
            format!("Vec<{name}>"),
            vec!["Vec::new()".to_owned(), format!("vec![{first}, {second}]")],
        ),
        1 => (
            format!("Option<{name}>"),
            vec!["None".to_owned(), format!("Some({first})")],
        ),
        2 => (format!("Box<{name}>"), vec![format!("Box::new({first})")]),
        3 => (format!("({name}, u8)"), vec![format!("({first}, 3)")]),
        4 => (format!("[{name}; 2]"), vec![format!("[{first}, {second}]")]),
        5 => (
            format!("Result<{name}, String>"),
            vec![format!("Ok({first})"), "Err(\"no\".to_owned())".to_owned()],
        ),
        6 => (
            format!("std::collections::BTreeMap<u8, {name}>"),
            vec![
                "Default::default()".to_owned(),
                format!("std::collections::BTreeMap::from([(1, {first})])"),
            ],
        ),
        7 => (
            format!("std::collections::HashMap<String, {name}>"),
            vec![format!(
                "std::collections::HashMap::from([(\"k\".to_owned(), {first})])"
            )],
        ),
        8 => (
            format!("std::cell::RefCell<{name}>"),
            vec![format!("std::cell::RefCell::new({first})")],
        ),
        _ => (
            format!("std::sync::Arc<{name}>"),
            vec![format!("std::sync::Arc::new({first})")],
        ),
    };
    Made { name, values }
}

/// A struct or an enum with fields of known types; its text goes to `source`.
fn own_type(dice: &mut Dice, known: &[Made], number: usize, source: &mut String) -> Made {
    let fields: Vec<&Made> = (0..1 + dice.roll(3))
        .map(|_| &known[dice.roll(known.len())])
        .collect();
    let value = |dice: &mut Dice, made: &Made| made.values[dice.roll(made.values.len())].clone();
    let names = |prefix: &str| -> String {
        fields
            .iter()
            .enumerate()
            .map(|(at, made)| format!("{prefix}f{at}: {}, ", made.name))
            .collect()
    };
    let name = format!("T{number}");
    let values = |dice: &mut Dice| -> String {
        fields
            .iter()
            .enumerate()
            .map(|(at, made)| format!("f{at}: {}, ", value(dice, made)))
            .collect()
    };
    if dice.roll(2) == 0 {
        let _ = writeln!(source, "pub struct {name} {{ {} }}", names(""));
        return Made {
            values: vec![format!("{name} {{ {} }}", values(dice))],
            name,
        };
    }
    let first = fields[0];
    let _ = writeln!(
        source,
        "pub enum {name} {{ Empty, One({}), Named {{ {} }} }}",
        first.name,
        names("")
    );
    let values = vec![
        format!("{name}::Empty"),
        format!("{name}::One({})", value(dice, first)),
        format!("{name}::Named {{ {} }}", values(dice)),
    ];
    Made { name, values }
}

fn generated_crate(seed: u64, types: usize) -> String {
    let mut dice = Dice(seed);
    let mut source = "#![allow(dead_code)]\n".to_owned();
    let mut known: Vec<Made> = (0..6).map(|_| leaf(&mut dice)).collect();
    for number in 0..types {
        let fresh = leaf(&mut dice);
        let around = known[dice.roll(known.len())].clone();
        let wrapped = container(&mut dice, &around);
        known.extend([fresh, wrapped]);
        let own = own_type(&mut dice, &known, number, &mut source);
        let _ = writeln!(
            source,
            "pub fn see_{number}(value: &{0}, text: &str) -> usize {{\n    let size = text.trim().len() + \
             std::mem::size_of_val(value);\n    size\n}}\n#[test]\nfn values_of_{number}() {{",
            own.name
        );
        for value in &own.values {
            let _ = writeln!(source, "    see_{number}(&{value}, \"x\");");
        }
        source.push_str("}\n");
        known.push(own);
    }
    source
}

#[test]
fn values_of_generated_types_come_back_from_their_expressions() {
    let project = Project::copy_of("no_std_crate");
    for seed in [1, 2] {
        fs::write(project.root().join("src/lib.rs"), generated_crate(seed, 25)).unwrap();
        let (summary, code) = project.summary(&["record", "--round-trip", "--json"]);
        assert_eq!(code, 0, "seed {seed}: {summary}");
        assert_eq!(summary["statements_reached"], 25, "seed {seed}: {summary}");
        assert_eq!(
            summary["exact_sets"], summary["value_sets"],
            "seed {seed}: {summary}"
        );
        assert_eq!(
            summary["values_rebuilt"], summary["values_tried"],
            "seed {seed}: {summary}"
        );
        assert!(
            summary["values_tried"].as_u64().unwrap() > 40,
            "seed {seed}: {summary}"
        );
    }
}
