//! Code that talks to the outside, as programs do: what it calls is mocked, what it does is checked.

use situ::prelude::*;
use std::io;

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("services.rs"));
}

fn read(path: &str) -> io::Result<String> {
    panic!("{path} is not really read")
}

fn send(message: String, data: &[u8]) -> Result<u32, io::Error> {
    panic!("{message} is not really sent with {data:?}")
}

fn with_callback(callback: impl Fn(u32) -> u32) -> u32 {
    panic!("{} is not really computed", callback(1))
}

fn receive() -> Option<io::Result<u32>> {
    panic!("nothing is really received")
}

/// Comparable, but not printable.
#[derive(PartialEq)]
struct Key(u32);

fn open(_: Key, _: u32) -> Key {
    panic!("nothing is really opened")
}

#[situ]
fn calls_with_owned_and_borrowed_arguments(
    path: &str,
    message: String,
    data: Vec<u8>,
) -> io::Result<u32> {
    let text = read(path)?;
    itest!(
        "an error that is no Clone",
        mock(read(_), Err(io::Error::other("x"))),
        check_err(returned())
    );
    itest!(
        "an argument",
        given(path = "p"),
        mock(read("p"), Ok("t".into())),
        check_eq(text, "t")
    );
    let sent = send(message, &data)?;
    itest!(
        "moved and borrowed arguments",
        given(message = "m".into(), data = vec![1]),
        mock(send("m".to_string(), &[1]), Ok(3)),
        check_eq(sent, 3)
    );
    itest!(
        "only one of them",
        given(data = vec![1]),
        mock(send(_, &[1]), Ok(3)),
        check_eq(sent, 3)
    );
    let computed = with_callback(|n| n + 1);
    itest!(
        "a closure as argument",
        mock(with_callback(_), 9),
        check_eq(computed, 9)
    );
    let opened = open(Key(1), 2).0;
    itest!(
        "an argument that cannot be printed",
        mock(open(Key(1), _), Key(5)),
        check_eq(opened, 5)
    );
    Ok(sent + computed + opened + text.len() as u32)
}

#[situ]
fn a_loop_until_nothing_comes() -> io::Result<u32> {
    let mut sum = 0;
    blocktest!(
        "to its end",
        given(sum = 0),
        mock_seq(receive(), [Some(Ok(1)), Some(Ok(2)), None]),
        check_eq(sum, 3)
    );
    blocktest!(
        "to an error",
        given(sum = 0),
        mock_seq(receive(), [Some(Ok(1)), Some(Err(io::Error::other("y")))]),
        check_err(returned()),
        check_called(receive(), 2),
        check_eq(sum, 1)
    );
    while let Some(received) = receive() {
        sum += received?;
    }
    Ok(sum)
}

struct Database;
struct Transaction;
struct Row(u32);

impl Database {
    fn begin(&mut self) -> Result<Transaction, String> {
        panic!("nothing really begins")
    }
}

impl Transaction {
    fn get<T: From<u32>>(&self, id: u32) -> Option<T> {
        panic!("{id} is not really looked up")
    }

    fn commit(self) -> Result<(), String> {
        panic!("nothing is really committed")
    }
}

impl From<u32> for Row {
    fn from(n: u32) -> Self {
        Row(n)
    }
}

struct Service {
    database: Database,
    log: Vec<String>,
}

#[situ]
impl Service {
    fn run(&mut self, id: u32) -> Result<u32, String> {
        blocktest!(
            "to its end",
            given(self.log = vec![], id = 3),
            mock(self.database.begin(), Ok(Transaction)),
            mock(transaction.get::<Row>(_), Some(Row(7))),
            mock(transaction.commit(), Ok(())),
            check_return(Ok(7)),
            check_eq(self.log, ["got 7"])
        );
        blocktest!(
            "without a row",
            given(self.log = vec![], id = 3),
            mock(self.database.begin(), Ok(Transaction)),
            mock(transaction.get::<Row>(3), None),
            mock(transaction.commit(), Ok(())),
            check_return(Err("no 3".to_string())),
            check_called(transaction.get::<Row>(3), 1),
            check_called(transaction.commit(), 0)
        );
        blocktest!(
            "without a transaction",
            given(self.log = vec![], id = 3),
            mock(self.database.begin(), Err("down".to_string())),
            check_return(Err("down".to_string()))
        );
        let transaction = self.database.begin()?;
        let row = transaction
            .get::<Row>(id)
            .ok_or_else(|| format!("no {id}"))?;
        self.log.push(format!("got {}", row.0));
        transaction.commit()?;
        Ok(row.0)
    }

    fn chain(&mut self) -> Option<u32> {
        let found = self.database.begin().ok()?.get::<u32>(4)?;
        itest!(
            "the whole chain",
            mock(self.database.begin().ok()?.get::<u32>(_), Some(2)),
            check_eq(found, 2)
        );
        itest!(
            "its front",
            mock(self.database.begin(), Err(String::new())),
            check_return(None)
        );
        itest!(
            "two of its parts",
            mock(self.database.begin().ok(), None),
            check_return(None)
        );
        Some(found)
    }
}
