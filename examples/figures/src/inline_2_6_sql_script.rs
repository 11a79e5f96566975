//! Inline tests, Fig. 2.6: the split of Fig. 1.1 inside the function that runs the script against a database.

use std::sync::LazyLock;
use std::{fs, io};

use regex::Regex;
use situ::prelude::*;

static END_OF_STATEMENT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r";\s*[\n\r]").expect("a valid pattern"));

/// What runs SQL. No inline test below needs one.
pub trait Database {
    /// Runs all statements or none, and says how many rows changed.
    fn execute_in_transaction(&mut self, statements: &[&str]) -> io::Result<usize>;
    /// Runs one statement, and says how many rows changed.
    fn execute(&mut self, statement: &str) -> io::Result<usize>;
}

/// Runs the script in the file, and says how many rows changed.
#[situ]
pub fn execute_script(
    db: &mut dyn Database,
    asset: &str,
    transactional: bool,
) -> io::Result<usize> {
    let sql = String::from_utf8_lossy(&fs::read(asset)?).into_owned();
    let statements: Vec<&str> = END_OF_STATEMENT.split(&sql).collect();
    itest!(
        given(
            sql = "CREATE TABLE word (id INTEGER);\nINSERT INTO word VALUES (1);\nINSERT INTO word \nVALUES (2);"
                .to_owned()
        ),
        check_eq(statements.len(), 3),
    );
    let mut count = 0;
    if transactional {
        count = db.execute_in_transaction(&statements)?;
    } else {
        for statement in statements {
            count += db.execute(statement)?;
        }
    }
    Ok(count)
}
