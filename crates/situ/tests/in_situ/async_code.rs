//! Fragments of asynchronous code, on the built-in executor and on tokio.

use situ::prelude::*;
use std::time::Duration;

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("async_code.rs"));
}

async fn doubled(n: u32) -> u32 {
    n * 2
}

/// Is ready only when polled a second time, as anything that really waits.
async fn second_poll(n: u32) -> u32 {
    let mut polled = false;
    std::future::poll_fn(|context| {
        if polled {
            return std::task::Poll::Ready(n);
        }
        polled = true;
        context.waker().wake_by_ref();
        std::task::Poll::Pending
    })
    .await
}

/// Becomes ready on another thread, which then wakes the one that waits.
async fn woken_from_a_thread(n: u32) -> u32 {
    let (sender, receiver) = std::sync::mpsc::channel();
    let mut started = false;
    std::future::poll_fn(move |context| {
        if !started {
            started = true;
            let (waker, sender) = (context.waker().clone(), sender.clone());
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(10));
                sender.send(n).unwrap();
                waker.wake();
            });
        }
        receiver
            .try_recv()
            .map_or(std::task::Poll::Pending, std::task::Poll::Ready)
    })
    .await
}

#[derive(Debug, PartialEq)]
struct Failure;

struct Client;

impl Client {
    async fn get(&self, url: &str) -> Result<String, Failure> {
        panic!("no real {url}")
    }
}

#[situ]
async fn statements(n: u32) -> u32 {
    let twice = doubled(n).await;
    itest!(given(n = 2), check_eq(twice, 4));
    let waited = second_poll(twice).await + 1;
    itest!("that wait", given(twice = 2), check_eq(waited, 3));
    let woken = woken_from_a_thread(waited).await;
    itest!(
        "that are woken from elsewhere",
        given(waited = 2),
        timeout_ms(60_000),
        check_eq(woken, 2)
    );
    let plain = waited + 1;
    itest!("that do not wait", given(waited = 2), check_eq(plain, 3));
    plain + woken
}

#[situ]
async fn leaving(text: &str) -> Result<u32, std::num::ParseIntError> {
    blocktest!("question mark", given(text = "x"), check_err(returned()));
    blocktest!("tail", given(text = "4"), check_return(Ok(8)));
    blocktest!("return", given(text = "0"), check_return(Ok(0)));
    blocktest!("through", given(text = "3"), check_eq(number, 3));
    let number: u32 = text.parse()?;
    if number == 0 {
        return Ok(0);
    }
    second_poll(1).await;
    Ok(doubled(number).await)
}

#[situ]
async fn in_a_loop(numbers: &[u32]) -> u32 {
    let mut sum = 0;
    for number in numbers {
        blocktest!("continue", given(number = &0, sum = 1), check_continue());
        blocktest!("through", given(number = &2, sum = 1), check_eq(sum, 5));
        if second_poll(*number).await == 0 {
            continue;
        }
        sum += doubled(*number).await;
    }
    sum
}

#[situ]
async fn mocks(client: &Client, url: &str) -> Result<usize, Failure> {
    let body = client.get(url).await?;
    itest!(
        "ok",
        mock(client.get(..).await, Ok("abc".to_string())),
        check_eq(body, "abc")
    );
    itest!(
        "err",
        mock(client.get(_).await, Err(Failure)),
        check_return(Err(Failure))
    );
    itest!(
        "compared",
        given(url = "u"),
        mock(client.get("u").await, Ok(String::new())),
        check_eq(body, ""),
        check_called(client.get("u").await, 1)
    );
    Ok(body.len())
}

#[situ]
async fn panics(n: u32) -> u32 {
    blocktest!(given(n = 0), check_panic("divide by zero"));
    let quotient = 10 / second_poll(n).await;
    quotient + 1
}

#[situ]
async fn on_tokio(millis: u64) -> u64 {
    tokio::time::sleep(Duration::from_millis(millis)).await;
    itest!("a timer", given(millis = 5), runtime(tokio), check_runs());
    let joined = tokio::spawn(async move { millis + 1 }).await.unwrap();
    itest!(
        "a task",
        given(millis = 2),
        runtime(tokio),
        check_eq(joined, 3)
    );
    blocktest!("return", given(joined = 3), runtime(tokio), check_return(6));
    tokio::time::sleep(Duration::from_millis(1)).await;
    joined * 2
}

#[situ]
fn no_await_but_a_runtime_around_it(millis: u64) -> tokio::task::JoinHandle<u64> {
    let task = tokio::spawn(async move { millis + 1 });
    itest!(
        "a task is started",
        given(millis = 2),
        runtime(tokio),
        check(!task.is_finished())
    );
    task
}

#[situ]
async fn leaving_on_tokio(millis: u64) -> Option<u64> {
    blocktest!(
        "return",
        given(millis = 0),
        runtime(tokio),
        check_return(None)
    );
    blocktest!(
        "through",
        given(millis = 2),
        runtime(tokio),
        next(2),
        check_runs()
    );
    blocktest!(
        "panic",
        given(millis = 7),
        runtime(tokio),
        check_panic("seven")
    );
    blocktest!(
        "cases",
        each(millis, [1, 2]),
        runtime(tokio),
        repeat(2),
        check_return(Some(millis * 2))
    );
    tokio::time::sleep(Duration::from_millis(1)).await;
    if millis == 0 {
        return None;
    }
    assert!(millis != 7, "seven");
    Some(tokio::spawn(async move { millis * 2 }).await.unwrap())
}

#[situ]
async fn with_every_clause(n: u32, limit: u32) -> Option<u32> {
    blocktest!(
        "cases",
        each((n, out), [(1, Some(2)), (9, None)]),
        given(limit = 5),
        setup({ assert!(limit == 5) }),
        assume(limit > 0),
        repeat(2),
        timeout_ms(60_000),
        tag("slow"),
        check_return(out),
        check_flow(If)
    );
    blocktest!(
        "flow",
        given(n = 9, limit = 5),
        check_flow(If.Then),
        check_return(None)
    );
    blocktest!(
        "mocks",
        given(n = 9, limit = 50),
        mock_seq(second_poll(_).await, [3]),
        check_return(Some(6))
    );
    if n > limit {
        return None;
    }
    let waited = second_poll(n).await;
    Some(doubled(waited).await)
}

#[situ]
async fn macros(n: u32) -> u32 {
    let (a, b) = tokio::join!(doubled(n), second_poll(n));
    itest!(given(n = 3), check_eq((a, b), (6, 3)));
    a + b
}

#[situ]
fn an_async_block(n: u32) -> impl Future<Output = u32> {
    let n = n + 1;
    async move {
        let twice = doubled(n).await;
        itest!(given(n = 4), check_eq(twice, 8));
        twice + 1
    }
}

#[situ]
fn an_async_closure(n: u32) -> u32 {
    let later = async |m: u32| {
        let twice = doubled(m).await;
        itest!("inside", given(m = 4), check_eq(twice, 8));
        twice
    };
    drop(later(n));
    n
}

trait Fetch {
    async fn fetch(&self, key: u32) -> Option<u32>;
}

#[situ]
impl Fetch for Client {
    async fn fetch(&self, key: u32) -> Option<u32> {
        blocktest!("none", given(self = Client, key = 0), check_return(None));
        blocktest!("some", given(self = Client, key = 5), check_return(Some(2)));
        let found = self.lookup(key).await?;
        Some(found * 2)
    }
}

#[situ]
impl Client {
    async fn lookup(&self, key: u32) -> Option<u32> {
        let found = doubled(key).await;
        itest!("of self", given(key = 3), check_eq(found, 6));
        blocktest!(
            "flow",
            given(found = 0),
            check_flow(If.Then),
            check_return(None)
        );
        if found == 0 {
            return None;
        }
        Some(1)
    }
}
