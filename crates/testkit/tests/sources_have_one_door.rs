//! Text of users becomes syntax in one module of the engine, which bounds how deep code may nest: whoever calls a parser
//! elsewhere overflows the stack on code that a generator wrote, or counts the bytes of a byte order mark wrongly.

use testkit::repository::{rust_files, text};

const DOOR: &str = "crates/situ-engine/src/source/";

/// How a parser of Rust is called.
const PARSERS: [&str; 8] = [
    "syn::parse_file",
    "syn::parse_str",
    "syn::parse2",
    ".parse2(",
    ".parse_str(",
    "parse_body",
    "parse::<TokenStream>",
    "TokenStream::from_str",
];

/// The code of a file without its unit tests, which parse nothing but their own texts.
fn own_code(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text)
}

#[test]
fn nobody_parses_rust_but_the_module_source() {
    let files = ["crates/situ-engine/src", "crates/cargo-situ/src"]
        .iter()
        .flat_map(|folder| rust_files(folder));
    let files = files.filter(|path| {
        !path.starts_with(DOOR) && !path.ends_with("/tests.rs") && !path.contains("/tests/")
    });
    let mut found = Vec::new();
    for path in files {
        let text = text(&path);
        let calls = own_code(&text)
            .lines()
            .filter(|line| PARSERS.iter().any(|parser| line.contains(parser)));
        found.extend(calls.map(|line| format!("{path}: {}", line.trim())));
    }
    assert!(
        found.is_empty(),
        "use `crate::source::parse` and its neighbours:\n{}",
        found.join("\n")
    );
}

#[test]
fn the_door_is_where_this_test_looks_for_it() {
    let door: Vec<String> = rust_files(DOOR.trim_end_matches('/'));
    let parses = |path: &String| {
        PARSERS
            .iter()
            .any(|parser| own_code(&text(path)).contains(parser))
    };
    assert!(door.iter().any(parses), "{door:?}");
}
