//! Clauses, places and rules that meet: what works alone must work together.

use situ::prelude::*;
use std::collections::HashMap;

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("interplay.rs"));
}

const LIMIT: u32 = 10;

#[derive(Debug, PartialEq, Clone)]
enum Fault {
    Empty,
    TooMany(u32),
}

trait Store {
    type Key: Copy + Into<u32>;

    fn load(&self, key: Self::Key) -> Result<u32, Fault>;
    fn keys(&self) -> Vec<Self::Key>;
}

#[derive(Clone)]
struct Memory {
    cells: HashMap<u8, u32>,
}

impl Store for Memory {
    type Key = u8;

    fn load(&self, key: u8) -> Result<u32, Fault> {
        self.cells.get(&key).copied().ok_or(Fault::Empty)
    }

    fn keys(&self) -> Vec<u8> {
        let mut keys: Vec<u8> = self.cells.keys().copied().collect();
        keys.sort();
        keys
    }
}

#[situ]
trait Sum: Store {
    /// Default method, associated type, `?`, loop, constant, mock and flow at once.
    fn sum(&self) -> Result<u32, Fault> {
        blocktest!(
            "real",
            given(
                Self = Memory,
                self = Memory {
                    cells: HashMap::from([(1, 2), (2, 3)])
                }
            ),
            check_return(Ok(5))
        );
        blocktest!(
            "too many",
            given(
                Self = Memory,
                self = Memory {
                    cells: HashMap::from([(1, 2), (2, 3)])
                },
                LIMIT = 3
            ),
            check_return(Err(Fault::TooMany(2))),
            check_flow(For.Body.If.Then)
        );
        blocktest!(
            "mocked",
            given(Self = Memory),
            mock(self.keys(), vec![7, 8]),
            mock_seq(self.load(_), [Ok(4), Err(Fault::Empty)]),
            check_return(Err(Fault::Empty)),
            check_called(self.load(_), 2),
            check_flow(For.Body.times(2))
        );
        let mut sum = 0;
        for key in self.keys() {
            sum += self.load(key)?;
            if sum >= LIMIT {
                return Err(Fault::TooMany(key.into()));
            }
        }
        Ok(sum)
    }
}

impl Sum for Memory {}

struct Cache<'a, S: Store> {
    store: &'a S,
    hits: u32,
}

#[situ]
impl<'a, S> Cache<'a, S>
where
    S: Store,
{
    fn read(&mut self, key: S::Key) -> Result<u32, Fault> {
        blocktest!(
            "found",
            given(
                S = Memory,
                self = Cache {
                    store: &Memory {
                        cells: HashMap::from([(1, 5)])
                    },
                    hits: 0
                },
                key = 1
            ),
            check_return(Ok(5)),
            check_eq(self.hits, 1)
        );
        blocktest!(
            "missing",
            given(
                S = Memory,
                self = Cache {
                    store: &Memory {
                        cells: HashMap::new()
                    },
                    hits: 0
                },
                key = 1
            ),
            check_return(Err(Fault::Empty)),
            check_eq(self.hits, 0)
        );
        let value = self.store.load(key)?;
        self.hits += 1;
        Ok(value)
    }

    fn reader(&self) -> impl Fn(S::Key) -> Option<u32> + use<'_, S> {
        let store = self.store;
        closuretest!(
            "of a generic method",
            given(
                S = Memory,
                store = &Memory {
                    cells: HashMap::from([(1, 5)])
                }
            ),
            each((key, expected), [(1, Some(5)), (2, None)]),
            args(key),
            check_return(expected)
        );
        move |key| store.load(key).ok()
    }

    fn nested(&self) -> u32 {
        fn halved(n: u32) -> u32 {
            let half = n / 2;
            itest!(
                "inner function of a method",
                each((n, out), [(0, 0), (5, 2)]),
                check_eq(half, out)
            );
            half
        }
        let half = halved(self.hits);
        itest!(
            "calls its inner function",
            given(self.hits = 9),
            check_eq(half, 4)
        );
        half
    }
}

#[situ]
fn cases_with_exits(numbers: &[i32]) -> Result<i32, String> {
    let mut sum = 0;
    'all: for (index, number) in numbers.iter().enumerate() {
        blocktest!(
            "leaves",
            each(number, [&-1, &-2]),
            given(index = 0, sum = 1),
            check_return(Err(format!("{number} at 0")))
        );
        blocktest!(
            "breaks",
            each(index, 3..5),
            given(number = &1, sum = 0),
            check_break("all"),
            check_eq(sum, 0)
        );
        blocktest!(
            "adds",
            each((number, sum, out), [(&1, 1, 2), (&5, 5, 10)]),
            given(index = 0),
            repeat(2),
            check_eq(sum, out),
            check_no_flow(If.Then)
        );
        if *number < 0 {
            return Err(format!("{number} at {index}"));
        }
        if index > 2 {
            break 'all;
        }
        sum += number;
    }
    Ok(sum)
}

struct Server {
    address: String,
    retries: u32,
}

impl Server {
    async fn send(&self, body: &str) -> Result<u16, Fault> {
        panic!("no real {body}")
    }
}

#[situ]
impl Server {
    async fn deliver(&mut self, body: &str) -> Result<u16, Fault> {
        blocktest!(
            "at the third try",
            given(
                self = Server {
                    address: String::new(),
                    retries: 0
                },
                body = "x"
            ),
            mock_seq(self.send(_).await, [Ok(500), Ok(503), Ok(200)]),
            check_return(Ok(200)),
            check_eq(self.retries, 2),
            check_flow(Loop.Body.times(3)),
            check_called(self.send(_).await, 3)
        );
        blocktest!(
            "fails",
            each(fault, [Fault::Empty, Fault::TooMany(3)]),
            given(
                self = Server {
                    address: String::new(),
                    retries: 0
                }
            ),
            mock(self.send(..).await, Err(fault.clone())),
            check_return(Err(fault))
        );
        blocktest!(
            "gives up",
            given(
                self = Server {
                    address: "a".to_string(),
                    retries: 9
                },
                body = "x"
            ),
            mock(self.send("x").await, Ok(500)),
            check_panic("a gave up")
        );
        loop {
            let status = self.send(body).await?;
            if status < 300 {
                return Ok(status);
            }
            self.retries += 1;
            assert!(self.retries < 10, "{} gave up", self.address);
        }
    }
}

#[situ]
fn a_fragment_inside_a_closure_inside_a_match(token: Option<&str>) -> Vec<u32> {
    match token {
        Some(text) if !text.is_empty() => {
            let parse = |piece: &str| -> Option<u32> {
                blocktest!("closure body", given(piece = "4"), check_return(Some(5)));
                blocktest!("question mark", given(piece = "x"), check_return(None));
                let number: u32 = piece.parse().ok()?;
                itest!("statement", given(piece = "4"), check_eq(number, 4));
                Some(number + 1)
            };
            text.split(',').filter_map(parse).collect()
        }
        _ => Vec::new(),
    }
}

#[situ]
fn a_borrow_that_lives_on(text: &str, log: &mut Vec<String>) -> usize {
    blocktest!(
        "moved along",
        given(text = "a b", log = &mut vec![]),
        check_eq(rest, "b"),
        check_eq(*log, ["a"])
    );
    let mut rest = text;
    if let Some((first, after)) = rest.split_once(' ') {
        log.push(first.to_string());
        rest = after;
    }
    rest.len()
}

#[situ]
fn shadowing(n: u32) -> String {
    blocktest!("whole", given(n = 4), check_return("4, 8".to_string()));
    blocktest!("to the second", given(n = 4), next(2), check_eq(n, "8"));
    let m = n * 2;
    let n = m.to_string();
    let m = m / 2;
    format!("{m}, {n}")
}

#[situ]
fn drops_happen_as_in_the_original(log: &std::cell::RefCell<Vec<u32>>) {
    struct Noted<'a>(&'a std::cell::RefCell<Vec<u32>>, u32);
    impl Drop for Noted<'_> {
        fn drop(&mut self) {
            self.0.borrow_mut().push(self.1);
        }
    }
    blocktest!(
        given(log = &Default::default()),
        next(2),
        check_eq(*log.borrow(), [2])
    );
    let _first = Noted(log, 1);
    drop(Noted(log, 2));
    println!("{log:?}");
}
