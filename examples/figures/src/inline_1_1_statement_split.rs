//! Inline tests, Fig. 1.1: one statement that cuts a script into SQL statements, and one test of it.

use std::sync::LazyLock;

use regex::Regex;
use situ::prelude::*;

static END_OF_STATEMENT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r";\s*[\n\r]").expect("a valid pattern"));

/// How many statements the script has, and how long the longest is.
#[situ]
pub fn script_size(sql: &str) -> (usize, usize) {
    let statements: Vec<&str> = END_OF_STATEMENT.split(sql).collect();
    itest!(
        given(
            sql = "CREATE TABLE word (text);\nINSERT INTO word\nVALUES ('a');  \nDELETE FROM word;"
        ),
        check_eq(statements.len(), 3),
        check_eq(statements[1], "INSERT INTO word\nVALUES ('a')"),
    );
    let longest = statements
        .iter()
        .map(|statement| statement.len())
        .max()
        .unwrap_or(0);
    itest!(
        "nothing to measure",
        given(statements = vec![]),
        check_eq(longest, 0)
    );
    (statements.len(), longest)
}
