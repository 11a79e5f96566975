//! The operator `?` as functions, so that a value that leaves a function can be captured before it
//! does.
//!
//! Only the standard library can implement `?` for further types, so this list is complete.

use std::convert::From;
use std::ops::ControlFlow;
use std::task::Poll;

/// Types that `?` applies to.
pub trait Question {
    /// Returns whether `?` would leave the function.
    fn leaves(&self) -> bool;
}

/// Return types of a function that `?` leaves with a value of type `Q`.
pub trait LeftBy<Q> {
    /// Returns the function's return value, or `None` if `?` would not leave.
    fn left_by(value: Q) -> Option<Self>
    where
        Self: Sized;
}

/// Returns whether `?` would leave the function with this value.
#[inline]
pub fn leaves<Q: Question>(value: &Q) -> bool {
    value.leaves()
}

/// Returns the function's return value. It converts errors, as `?` does.
#[track_caller]
pub fn leaving<Q: Question, R: LeftBy<Q>>(value: Q) -> R {
    match R::left_by(value) {
        Some(returned) => returned,
        None => unreachable!("asked only where `leaves` says so"),
    }
}

impl<T> Question for Option<T> {
    fn leaves(&self) -> bool {
        self.is_none()
    }
}

impl<T, E> Question for Result<T, E> {
    fn leaves(&self) -> bool {
        self.is_err()
    }
}

impl<B, C> Question for ControlFlow<B, C> {
    fn leaves(&self) -> bool {
        self.is_break()
    }
}

impl<T, E> Question for Poll<Result<T, E>> {
    fn leaves(&self) -> bool {
        matches!(self, Poll::Ready(Err(_)))
    }
}

impl<T, E> Question for Poll<Option<Result<T, E>>> {
    fn leaves(&self) -> bool {
        matches!(self, Poll::Ready(Some(Err(_))))
    }
}

impl<T, U> LeftBy<Option<T>> for Option<U> {
    fn left_by(value: Option<T>) -> Option<Self> {
        value.is_none().then_some(None)
    }
}

impl<B, C, D> LeftBy<ControlFlow<B, C>> for ControlFlow<B, D> {
    fn left_by(value: ControlFlow<B, C>) -> Option<Self> {
        value.break_value().map(ControlFlow::Break)
    }
}

/// Implements both traits for the types with an error.
macro_rules! errors {
    ($(($pattern:pat => $error:ident) $from:ty)*; $into:tt) => {$(
        errors!(@into ($pattern => $error) $from; $into);
    )*};
    (@into ($pattern:pat => $error:ident) $from:ty; {$($made:expr => $to:ty),*}) => {$(
        impl<T, U, E, F: From<E>> LeftBy<$from> for $to {
            #[track_caller]
            fn left_by(value: $from) -> Option<Self> {
                match value {
                    $pattern => Some($made(F::from($error))),
                    _ => None,
                }
            }
        }
    )*};
}

errors! {
    (Err(error) => error) Result<T, E>
    (Poll::Ready(Err(error)) => error) Poll<Result<T, E>>
    (Poll::Ready(Some(Err(error))) => error) Poll<Option<Result<T, E>>>;
    {
        Err => Result<U, F>,
        (|error| Poll::Ready(Err(error))) => Poll<Result<U, F>>,
        (|error| Poll::Ready(Some(Err(error)))) => Poll<Option<Result<U, F>>>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaves_is_what_the_question_mark_gives() {
        let by_hand = || -> Result<u8, String> { Err("no")? };
        assert!(leaves(&Err::<u8, _>("no")));
        assert_eq!(
            leaving::<_, Result<u8, String>>(Err::<char, _>("no")),
            by_hand()
        );
        assert_eq!(leaving::<_, Option<u8>>(None::<char>), None);
        assert!(!leaves(&Some(1)));
        assert!(!leaves(&Poll::<Result<u8, u8>>::Pending));
        assert_eq!(
            leaving::<_, Poll<Result<u8, u16>>>(Err::<char, _>(3_u8)),
            Poll::Ready(Err(3_u16))
        );
        assert_eq!(
            leaving::<_, ControlFlow<u8, char>>(ControlFlow::<u8, ()>::Break(1)),
            ControlFlow::Break(1)
        );
    }
}
