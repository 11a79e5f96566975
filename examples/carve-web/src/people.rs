//! The people that the service knows, in a database.

use rusqlite::{Connection, OptionalExtension as _, Result};
use std::sync::Mutex;

/// Somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub first_name: String,
    pub last_name: String,
}

/// Where people are kept.
pub trait PersonRepository: Send + Sync {
    fn find_by_last_name(&self, last_name: &str) -> Option<Person>;
    fn save(&self, person: &Person);
}

/// People in a database.
pub struct SqlitePeople {
    connection: Mutex<Connection>,
}

impl SqlitePeople {
    /// Opens a database, and makes what it needs.
    pub fn open(path: &str) -> Result<SqlitePeople> {
        let connection = Connection::open(path)?;
        connection.execute_batch(
            "CREATE TABLE IF NOT EXISTS person (first_name TEXT, last_name TEXT PRIMARY KEY)",
        )?;
        Ok(SqlitePeople {
            connection: Mutex::new(connection),
        })
    }
}

impl PersonRepository for SqlitePeople {
    fn find_by_last_name(&self, last_name: &str) -> Option<Person> {
        let connection = self.connection.lock().unwrap();
        let query = "SELECT first_name, last_name FROM person WHERE last_name = ?1";
        let person = |row: &rusqlite::Row<'_>| {
            Ok(Person {
                first_name: row.get(0)?,
                last_name: row.get(1)?,
            })
        };
        connection
            .query_row(query, [last_name], person)
            .optional()
            .unwrap()
    }

    fn save(&self, person: &Person) {
        let connection = self.connection.lock().unwrap();
        let row = [&person.first_name, &person.last_name];
        connection
            .execute(
                "INSERT INTO person (first_name, last_name) VALUES (?1, ?2)",
                row,
            )
            .unwrap();
    }
}
