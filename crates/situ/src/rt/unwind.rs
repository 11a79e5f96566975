//! Panics as exits: those that a test expects, and the unwinding by which a fragment with an
//! unknown macro reports that it did not return.

use super::exit::Left;
use super::run::Run;
use crate::backtrace::{
    __rust_begin_short_backtrace_of_fragment, __rust_begin_short_backtrace_of_poll,
};
use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::pin;
use std::sync::atomic::Ordering;

/// The payload of an unwinding that is no panic: the fragment reached its end, or left its loop.
struct Mark(Left<()>);

/// The outcome of a fragment that was expected to panic.
pub type Caught<R> = Result<Left<R>, Box<dyn Any + Send>>;

impl Run {
    /// Notes that control is at this line, and returns `value`.
    pub fn at<T>(&self, line: u32, value: T) -> T {
        self.left_at(line);
        value
    }

    /// Leaves the closure around a fragment that reached its end.
    pub fn through(&self) -> ! {
        resume_unwind(Box::new(Mark(Left::Through)))
    }

    /// Leaves the closure around a fragment that left its loop by `break`.
    pub fn broke(&self, label: Option<&'static str>, line: u32) -> ! {
        resume_unwind(Box::new(Mark(Left::Broke(label, line))))
    }

    /// Leaves the closure around a fragment that continued its loop.
    pub fn continued(&self, label: Option<&'static str>, line: u32) -> ! {
        resume_unwind(Box::new(Mark(Left::Continued(label, line))))
    }

    /// Returns the line noted last.
    pub fn last_line(&self) -> u32 {
        self.line.load(Ordering::Relaxed)
    }

    /// Runs a fragment with an unknown macro that may return.
    pub fn enclosed<R>(&self, fragment: impl FnOnce() -> R) -> Left<R> {
        match catch_unwind(AssertUnwindSafe(|| {
            __rust_begin_short_backtrace_of_fragment(fragment)
        })) {
            Ok(value) => Left::Returned(value, self.last_line()),
            Err(payload) => self.mark_or_panic(payload),
        }
    }

    /// Runs an async fragment with an unknown macro that may return.
    pub async fn enclosed_future<R>(&self, fragment: impl Future<Output = R>) -> Left<R> {
        match catch(fragment).await {
            Ok(value) => Left::Returned(value, self.last_line()),
            Err(payload) => self.mark_or_panic(payload),
        }
    }

    fn mark_or_panic<R>(&self, payload: Box<dyn Any + Send>) -> Left<R> {
        match payload.downcast::<Mark>() {
            Ok(mark) => match mark.0 {
                Left::Broke(label, line) => Left::Broke(label, line),
                Left::Continued(label, line) => Left::Continued(label, line),
                Left::Through | Left::Returned(..) => Left::Through,
            },
            Err(panic) => resume_unwind(panic),
        }
    }

    /// Runs a fragment that is expected to panic.
    pub fn panics<R>(&self, fragment: impl FnOnce() -> Left<R>) -> Caught<R> {
        self.own_failures(catch_unwind(AssertUnwindSafe(|| {
            __rust_begin_short_backtrace_of_fragment(fragment)
        })))
    }

    /// Runs a fragment that awaits and is expected to panic.
    pub async fn panics_future<R>(&self, fragment: impl Future<Output = Left<R>>) -> Caught<R> {
        self.own_failures(catch(fragment).await)
    }

    /// Resumes a failure of the test itself, such as an exhausted mock, which is not the expected
    /// panic.
    fn own_failures<R>(&self, caught: Caught<R>) -> Caught<R> {
        match caught {
            Err(payload) if self.reported.load(Ordering::Relaxed) => resume_unwind(payload),
            caught => caught,
        }
    }

    /// Fails unless the fragment panicked with `text` in the message, or returns how it exited.
    #[track_caller]
    pub fn check_panic<R>(
        &self,
        oracle: &'static str,
        text: &str,
        caught: Caught<R>,
    ) -> Option<Left<R>> {
        let payload = match caught {
            Ok(left) => return Some(left),
            Err(payload) => payload,
        };
        let message = message(&*payload);
        if !message.contains(text) {
            let facts = [
                ("expected", format!("a panic with {text:?}")),
                ("found", format!("{message:?}")),
            ];
            self.fail(oracle, &facts);
        }
        None
    }
}

fn message(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&'static str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "a panic without a text".to_owned()
    }
}

async fn catch<F: Future>(future: F) -> Result<F::Output, Box<dyn Any + Send>> {
    let mut future = pin!(future);
    std::future::poll_fn(move |context| {
        let poll = || __rust_begin_short_backtrace_of_poll(future.as_mut(), context);
        match catch_unwind(AssertUnwindSafe(poll)) {
            Ok(poll) => poll.map(Ok),
            Err(payload) => std::task::Poll::Ready(Err(payload)),
        }
    })
    .await
}
