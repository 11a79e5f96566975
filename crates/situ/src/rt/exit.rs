//! The exits of a fragment.

use std::convert::Infallible;
use std::future::IntoFuture;
use std::ops::ControlFlow;
use std::task::Poll;

/// How control left a fragment, and at which line.
pub enum Left<R> {
    /// It reached its end.
    Through,
    /// By `return`, by `?`, or by the tail of the function.
    Returned(R, u32),
    /// By `break`, out of the loop with that label.
    Broke(Option<&'static str>, u32),
    /// By `continue`, to the loop with that label.
    Continued(Option<&'static str>, u32),
}

/// Types that `?` applies to: splits the value from what would be returned.
pub trait Ask {
    /// The value of the expression.
    type Value;
    /// What `?` returns, before it is converted.
    type Residual;
    /// Splits the two.
    fn ask(self) -> Result<Self::Value, Self::Residual>;
}

impl<T> Ask for Option<T> {
    type Value = T;
    type Residual = Option<Infallible>;

    fn ask(self) -> Result<T, Self::Residual> {
        self.ok_or(None)
    }
}

impl<T, E> Ask for Result<T, E> {
    type Value = T;
    type Residual = Result<Infallible, E>;

    fn ask(self) -> Result<T, Self::Residual> {
        self.map_err(Err)
    }
}

impl<B, C> Ask for ControlFlow<B, C> {
    type Value = C;
    type Residual = ControlFlow<B, Infallible>;

    fn ask(self) -> Result<C, Self::Residual> {
        match self {
            ControlFlow::Continue(value) => Ok(value),
            ControlFlow::Break(value) => Err(ControlFlow::Break(value)),
        }
    }
}

impl<T, E> Ask for Poll<Result<T, E>> {
    type Value = Poll<T>;
    type Residual = Result<Infallible, E>;

    fn ask(self) -> Result<Poll<T>, Self::Residual> {
        match self {
            Poll::Ready(Ok(value)) => Ok(Poll::Ready(value)),
            Poll::Ready(Err(error)) => Err(Err(error)),
            Poll::Pending => Ok(Poll::Pending),
        }
    }
}

impl<T, E> Ask for Poll<Option<Result<T, E>>> {
    type Value = Poll<Option<T>>;
    type Residual = Result<Infallible, E>;

    fn ask(self) -> Result<Poll<Option<T>>, Self::Residual> {
        match self {
            Poll::Ready(Some(Ok(value))) => Ok(Poll::Ready(Some(value))),
            Poll::Ready(Some(Err(error))) => Err(Err(error)),
            Poll::Ready(None) => Ok(Poll::Ready(None)),
            Poll::Pending => Ok(Poll::Pending),
        }
    }
}

/// What `?` returns to the caller, converted to the return type.
pub trait Residual<R> {
    /// Returns the converted value.
    fn returned(self) -> R;
}

impl<T> Residual<Option<T>> for Option<Infallible> {
    fn returned(self) -> Option<T> {
        None
    }
}

impl<T, E, F: From<E>> Residual<Result<T, F>> for Result<Infallible, E> {
    fn returned(self) -> Result<T, F> {
        match self {
            Ok(never) => match never {},
            Err(error) => Err(error.into()),
        }
    }
}

impl<B, C> Residual<ControlFlow<B, C>> for ControlFlow<B, Infallible> {
    fn returned(self) -> ControlFlow<B, C> {
        match self {
            ControlFlow::Continue(never) => match never {},
            ControlFlow::Break(value) => ControlFlow::Break(value),
        }
    }
}

impl<T, E, F: From<E>> Residual<Poll<Result<T, F>>> for Result<Infallible, E> {
    fn returned(self) -> Poll<Result<T, F>> {
        Poll::Ready(self.returned())
    }
}

impl<T, E, F: From<E>> Residual<Poll<Option<Result<T, F>>>> for Result<Infallible, E> {
    fn returned(self) -> Poll<Option<Result<T, F>>> {
        Poll::Ready(Some(self.returned()))
    }
}

/// Has the type of `value?`; it is never executed.
pub fn asked<T: Ask>(value: T) -> T::Value {
    value.ask().unwrap_or_else(|_| unreachable!())
}

/// Has the type of `future.await`; it is never executed.
pub fn awaited<F: IntoFuture>(_future: F) -> F::Output {
    unreachable!()
}
