//! Closures, generics, traits and `async`.

/// Something with an area.
pub trait Shape {
    fn area(&self) -> u32;

    fn double(&self) -> u32 {
        self.area() * 2
    }
}

pub struct Square(pub u32);

impl Shape for Square {
    fn area(&self) -> u32 {
        self.0 * self.0
    }
}

pub fn largest<T: PartialOrd + Copy>(items: &[T]) -> Option<T> {
    let mut best = *items.first()?;
    for item in items {
        if *item > best {
            best = *item;
        }
    }
    Some(best)
}

pub async fn later(x: u32) -> u32 {
    let add = |y: u32| y + 1;
    add(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    #[test]
    fn shapes() {
        assert_eq!(Square(3).double(), 18);
    }

    #[test]
    fn largest_of_some() {
        assert_eq!(largest(&[1, 3, 2]), Some(3));
        assert_eq!(largest::<u8>(&[]), None);
    }

    #[test]
    fn futures() {
        let mut future = pin!(later(1));
        let mut context = Context::from_waker(Waker::noop());
        assert_eq!(future.as_mut().poll(&mut context), Poll::Ready(2));
    }
}
