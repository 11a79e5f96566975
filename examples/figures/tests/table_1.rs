//! Block tests, Table 1: the lines that each of the ten tests of Fig. 12 covers, as the syntax core sees them.

const FIGURE: &str = include_str!("../src/block_12_scopes.rs");

/// Test, first and last line of its fragment, in lines of the paper's figure.
const TABLE_1: [(&str, usize, usize); 10] = [
    ("test1", 9, 13),
    ("test2", 9, 19),
    ("test3", 9, 13),
    ("test4", 9, 14),
    ("test5", 9, 14),
    ("test6", 9, 15),
    ("test7", 17, 19),
    ("test8", 14, 19),
    ("test9", 9, 19),
    ("test10", 14, 19),
];

/// The line of our file that starts with this text.
fn line_of(text: &str) -> usize {
    let mut lines = FIGURE
        .lines()
        .zip(1..)
        .filter(|(line, _)| line.trim_start().starts_with(text));
    match (lines.next(), lines.next()) {
        (Some((_, line)), None) => line,
        _ => panic!("{text:?} must start exactly one line"),
    }
}

/// Our line for a line of the figure on which a fragment starts.
fn first_line(figure_line: usize) -> usize {
    line_of(match figure_line {
        9 => "if sx < 0 {",
        14 => "if input.width() < 0 {",
        17 => "if input.width() > 100 {",
        other => panic!("no fragment of Table 1 starts on line {other}"),
    })
}

/// Our line for a line of the figure on which a fragment ends; statements of one line there may have three here.
fn last_line(figure_line: usize) -> usize {
    match figure_line {
        13 => line_of("if input.width() < 0 {") - 1,
        14 => line_of("sx += 1;") - 1,
        15 => line_of("sx += 1;"),
        19 => line_of("if input.width() > 100 {") + 2,
        other => panic!("no fragment of Table 1 ends on line {other}"),
    }
}

#[test]
fn every_scope_of_table_1_has_the_lines_of_the_paper() {
    let tests = situ_syntax::inspect(&syn::parse_file(FIGURE).expect("the figure is Rust"))
        .expect("the figure has no mistakes");
    let found: Vec<_> = tests
        .iter()
        .map(|test| (test.name.as_str(), test.first_line, test.last_line))
        .collect();
    let expected = TABLE_1.map(|(name, first, last)| (name, first_line(first), last_line(last)));
    assert_eq!(found, expected);
}
