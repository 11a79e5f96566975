//! `given`: variables, parameters, `self`, constants, places, and the types they have.

use situ::prelude::*;
use std::rc::Rc;

#[test]
fn every_test_of_this_file_is_run() {
    crate::listing::assert_all_collected(module_path!(), include_str!("givens.rs"));
}

#[situ]
fn a_parameter_has_its_declared_type(
    count: u8,
    text: &str,
    list: &[u16],
    maybe: Option<String>,
) -> usize {
    blocktest!(
        "overflow",
        given(count = 255),
        next(1),
        check_panic("overflow")
    );
    let next = count + 1;
    itest!(given(count = 1), check_eq(next, 2));
    let length = text.len() + list.len();
    itest!(
        "coerced",
        given(text = "ab", list = &[1, 2, 3]),
        check_eq(length, 5)
    );
    itest!(
        "a temporary lives on",
        given(text = format!("{}{}", 1, 22).as_str(), list = &vec![]),
        check_eq(length, 3)
    );
    let taken = maybe.unwrap_or_default();
    itest!("none", given(maybe = None), check_eq(taken, ""));
    length + taken.len() + usize::from(next)
}

#[situ]
fn a_local_has_its_declared_type(text: &str) -> u8 {
    let level: u8 = text.len() as u8;
    let next = level.wrapping_add(1);
    itest!(given(level = 255), check_eq(next, 0));
    next
}

#[situ]
fn a_local_has_the_type_of_its_initialiser(bytes: &[u8], text: String) -> usize {
    let count = bytes.len();
    let last = count - 1;
    itest!(
        "no negative number of a usize",
        given(count = 0),
        check_panic("subtract with overflow")
    );
    let suffixed = 200u8;
    let sum = suffixed.checked_add(100);
    itest!(
        "of a suffixed literal",
        given(suffixed = 200),
        check_none(sum)
    );
    let cast = last as u8;
    let doubled = cast.checked_mul(2);
    itest!("of a cast", given(cast = 128), check_none(doubled));
    let size = text.len();
    let less = size.wrapping_sub(1);
    itest!(
        "of a method of a String",
        given(size = 0),
        check_eq(less, usize::MAX)
    );
    less + usize::from(sum.is_some()) + usize::from(doubled.is_some())
}

#[situ]
fn the_nearest_binding_counts(n: u64) -> u8 {
    let n: u8 = (n % 256) as u8;
    let wrapped = n.wrapping_add(1);
    itest!(given(n = 255), check_eq(wrapped, 0));
    {
        let n: i8 = wrapped as i8;
        let negative = n < 0;
        itest!(given(n = -1), check_true(negative));
        if negative {
            return 0;
        }
    }
    wrapped
}

#[situ]
fn closures_and_trait_objects(
    by: impl Fn(u32) -> u32,
    with: &dyn Fn(u32) -> u32,
    boxed: Box<dyn Fn(u32) -> u32>,
) -> u32 {
    let sum = by(1) + with(2) + boxed(3);
    itest!(
        given(
            by = |n| n + 1,
            with = &|n| n * 10,
            boxed = Box::new(|n| n * 100)
        ),
        check_eq(sum, 322)
    );
    sum
}

#[situ]
fn an_iterator(numbers: impl Iterator<Item = u8>) -> u32 {
    let sum: u32 = numbers.map(u32::from).sum();
    itest!(given(numbers = [1, 2, 250].into_iter()), check_eq(sum, 253));
    sum
}

#[situ]
fn parts_of_a_pattern_parameter((width, height): (u8, u8), [first, _]: [u8; 2]) -> u8 {
    let sum = width.wrapping_add(height).wrapping_add(first);
    itest!(given(width = 250, height = 4, first = 3), check_eq(sum, 1));
    sum
}

#[situ]
fn a_mutable_parameter(mut numbers: Vec<u32>) -> Vec<u32> {
    numbers.sort();
    itest!(given(numbers = vec![3, 1]), check_eq(numbers, [1, 3]));
    numbers
}

#[situ]
fn a_moved_given(words: Vec<String>) -> usize {
    let owned = words;
    itest!(
        given(words = vec!["a".to_string()]),
        check_eq(owned.len(), 1)
    );
    owned.len()
}

/// Neither `Debug` nor `Clone` nor `PartialEq`.
struct Opaque(u32);

#[situ]
fn a_given_that_cannot_be_printed(opaque: Opaque) -> u32 {
    let inner = opaque.0 + 1;
    itest!(given(opaque = Opaque(2)), check_eq(inner, 3));
    inner
}

const LIMIT: u32 = 100;
static STEP: u32 = 10;

fn limit() -> u32 {
    LIMIT
}

#[situ]
fn a_constant_and_a_static(n: u32) -> String {
    let capped = n.min(LIMIT);
    itest!("small limit", given(n = 5, LIMIT = 2), check_eq(capped, 2));
    itest!("real limit", given(n = 500), check_eq(capped, 100));
    let stepped = capped / STEP;
    itest!(given(capped = 8, STEP = 4), check_eq(stepped, 2));
    let called = limit().min(LIMIT);
    itest!(
        "not in what it calls",
        given(LIMIT = 200),
        check_eq(called, 100)
    );
    let text = format!("{LIMIT} {:>3} {}", LIMIT, called);
    itest!(
        "in a format string",
        given(LIMIT = 7, called = 1),
        check_eq(text, "7   7 1")
    );
    text + &stepped.to_string()
}

#[situ]
fn a_constant_has_its_own_type() -> u32 {
    let below = LIMIT.checked_sub(1);
    itest!(given(LIMIT = 0), check_none(below));
    below.unwrap_or(stepped())
}

fn stepped() -> u32 {
    STEP
}

mod limits {
    pub const DEPTH: usize = 3;
}

#[situ]
fn a_constant_by_its_path(n: usize) -> bool {
    let deep = n > limits::DEPTH;
    itest!(given(n = 2, limits::DEPTH = 1), check_true(deep));
    deep
}

struct Canvas {
    width: usize,
    cells: Vec<u8>,
}

#[situ]
impl Canvas {
    const SIDE: usize = 4;

    fn by_reference(&self, x: usize) -> usize {
        let index = self.width * x + self.cells.len();
        itest!(
            given(
                self = Canvas {
                    width: 3,
                    cells: vec![0]
                },
                x = 2
            ),
            check_eq(index, 7)
        );
        index
    }

    fn by_mutable_reference(&mut self, cell: u8) -> usize {
        self.cells.push(cell);
        itest!(
            given(
                self = Canvas {
                    width: 1,
                    cells: vec![]
                },
                cell = 4
            ),
            check_eq(self.cells, [4])
        );
        self.width = self.cells.len();
        itest!(
            "whole",
            given(
                self = Canvas {
                    width: 1,
                    cells: vec![7, 7]
                }
            ),
            check_eq(self.width, 2)
        );
        self.width
    }

    fn by_value(self) -> Vec<u8> {
        let cells = self.cells;
        itest!(
            given(
                self = Canvas {
                    width: 1,
                    cells: vec![9]
                }
            ),
            check_eq(cells, [9])
        );
        cells
    }

    fn by_mutable_value(mut self) -> Self {
        self.width += 1;
        itest!(
            given(
                self = Canvas {
                    width: 1,
                    cells: vec![]
                }
            ),
            check_eq(self.width, 2)
        );
        self
    }

    #[allow(clippy::boxed_local, reason = "the receiver is what is tested")]
    fn boxed(self: Box<Self>) -> usize {
        let width = self.width + 1;
        itest!(
            given(
                self = Box::new(Canvas {
                    width: 1,
                    cells: vec![]
                })
            ),
            check_eq(width, 2)
        );
        width
    }

    fn counted(self: Rc<Self>) -> usize {
        let count = Rc::strong_count(&self);
        itest!(
            given(
                self = Rc::new(Canvas {
                    width: 1,
                    cells: vec![]
                })
            ),
            check_eq(count, 1)
        );
        count
    }

    fn methods_and_private_fields(&self) -> usize {
        let sum = self.by_reference(1) + Self::SIDE + Self::side();
        itest!(
            given(
                self = Self {
                    width: 10,
                    cells: vec![]
                }
            ),
            check_eq(sum, 18)
        );
        sum
    }

    fn side() -> usize {
        let side = Self::SIDE - 1;
        itest!(
            "an associated constant",
            given(Self::SIDE = 9),
            check_eq(side, 8)
        );
        side + 1
    }

    fn a_place_of_self(&self, x: usize) -> usize {
        let index = self.width * x;
        itest!(given(self.width = 3, x = 2), check_eq(index, 6));
        let below = self.width - 1;
        itest!(
            "it has the field's type",
            given(self.width = 0),
            check_panic("subtract with overflow")
        );
        index + below
    }

    fn a_changed_place_of_self(&mut self, by: usize) {
        self.width += by;
        itest!(given(self.width = 3, by = 2), check_eq(self.width, 5));
    }

    fn an_element_of_a_place(&mut self, i: usize) -> u8 {
        let next = self.cells[i].wrapping_add(1);
        itest!(given(self.cells[i] = 255), check_eq(next, 0));
        self.cells[i] = next;
        itest!(
            given(self.cells[i] = 0, next = 3),
            check_eq(self.cells[i], 3)
        );
        next
    }
}

#[situ]
fn other_places(canvas: &Canvas, pair: (u32, u32), buffer: &mut [u8], i: usize) -> usize {
    let area = canvas.width * canvas.width;
    itest!("a field", given(canvas.width = 3), check_eq(area, 9));
    let sum = pair.0 + pair.1;
    itest!(
        "tuple fields",
        given(pair.0 = 3, pair.1 = 4),
        check_eq(sum, 7)
    );
    buffer[i] ^= 0xff;
    itest!(
        "an element",
        given(buffer[i] = 0x0f),
        check_eq(buffer[i], 0xf0)
    );
    let high = buffer[0] > 127;
    itest!("another element", given(buffer[0] = 128), check_true(high));
    area + sum as usize + usize::from(high)
}

#[situ]
fn setup_runs_after_the_givens(mut numbers: Vec<u32>) -> usize {
    numbers.push(7);
    let count = numbers.len();
    itest!(
        given(numbers = vec![1]),
        setup({
            numbers.push(2);
            numbers.push(3);
        }),
        check_eq(count, 3)
    );
    count
}

#[situ]
fn an_iterator_over_a_list_stands_for_another(text: &str) -> Option<usize> {
    let mut parts = text.rsplit('.');
    let last = parts.next()?;
    itest!(
        given(parts = vec!["com", "example"].into_iter()),
        check_eq(last, "com"),
        check(parts.eq(["example"]))
    );
    itest!(
        "nothing left",
        given(parts = Vec::<&str>::new().into_iter()),
        check_return(None)
    );
    let mut words = text.split('-').peekable();
    let is_long = words.peek().is_some_and(|word| word.len() > 3);
    itest!(
        "peeked at",
        given(words = vec!["long"].into_iter().peekable()),
        check_true(is_long)
    );
    let mut sizes = vec![last.len()].into_iter();
    let size = sizes.next().map(|size| size.wrapping_sub(1));
    itest!(
        "of the same kind",
        given(sizes = vec![0].into_iter()),
        check_eq(size, Some(usize::MAX))
    );
    size.filter(|_| is_long)
}

#[situ]
fn a_pattern_may_shadow_what_it_is_matched_with(pair: (Option<u8>, Option<u8>)) -> u8 {
    let (one, other) = pair;
    if let (Some(one), Some(other)) = (one, other) {
        let sum = one.wrapping_add(other);
        itest!(given(one = 255, other = 2), check_eq(sum, 1));
        sum
    } else {
        0
    }
}

#[situ]
fn what_is_not_told_yet_tells_nothing_of_others(text: &str) -> usize {
    let mut seen = None;
    let mut all = Vec::new();
    for (at, letter) in text.char_indices() {
        seen = Some(at);
        all.push(letter);
    }
    let kept = all.len();
    let Some(last) = seen else { return 0 };
    let less = kept - last;
    let has_more = less > 1;
    itest!(given(less = 2), check_true(has_more));
    let few = kept < 3;
    itest!("a length", given(kept = 2), check_true(few));
    usize::from(has_more) + usize::from(few)
}
