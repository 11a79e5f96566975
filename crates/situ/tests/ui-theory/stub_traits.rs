use situ::prelude::*;

#[stub]
struct NoTrait;

#[stub(quickly)]
trait WithSomething {
    fn answer(&self) -> i32;
}

#[stub]
trait Generic<T> {
    fn answer(&self) -> T;
}

#[stub]
unsafe trait Dangerous {
    fn answer(&self) -> i32;
}

#[stub]
trait Associated {
    type Item;
    const SIZE: usize;
}

#[stub]
trait Methods {
    fn new() -> i32;
    fn consume(self) -> i32;
    fn generic<T>(&self, value: T) -> i32;
    fn another(&self) -> Self;
    async fn later(&self) -> i32;
    fn hidden(&self) -> impl Sized;
}

situ::stub! {
    struct Something;
}

fn main() {
    let _ = NoTrait;
}
