//! Sequences and maps that hold their memory by hand: only their elements say what they are.

use std::mem::MaybeUninit;

/// At most `N` elements in place, in generic code as such types mostly are.
pub struct Stack<T, const N: usize> {
    len: usize,
    items: [MaybeUninit<T>; N],
}

impl<T, const N: usize> Stack<T, N> {
    pub fn push(&mut self, item: T) -> bool {
        if self.as_slice().len() == N {
            return false;
        }
        self.items[self.len] = MaybeUninit::new(item);
        self.len += 1;
        true
    }

    pub fn as_slice(&self) -> &[T] {
        // SAFETY: the first `len` elements are initialised.
        unsafe { std::slice::from_raw_parts(self.items.as_ptr().cast(), self.len) }
    }
}

impl<T, const N: usize> Drop for Stack<T, N> {
    fn drop(&mut self) {
        for item in &mut self.items[..self.len] {
            // SAFETY: the first `len` elements are initialised, and nobody looks at them after this.
            unsafe { item.assume_init_drop() };
        }
    }
}

impl<T, const N: usize> FromIterator<T> for Stack<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut stack = Stack { len: 0, items: [const { MaybeUninit::uninit() }; N] };
        for item in items {
            assert!(stack.push(item), "too many");
        }
        stack
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a Stack<T, N> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

impl<T, const N: usize> IntoIterator for Stack<T, N> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(mut self) -> Self::IntoIter {
        let len = std::mem::take(&mut self.len);
        // SAFETY: the first `len` elements are initialised, and the stack does not count them any more.
        let items: Vec<T> = self.items[..len].iter().map(|item| unsafe { item.assume_init_read() }).collect();
        items.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    struct Counted<'c>(&'c Cell<u32>);

    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }

    #[test]
    fn a_full_stack_takes_no_more() {
        let mut stack: Stack<String, 2> = ["a".to_owned()].into_iter().collect();
        assert!(stack.push("b".to_owned()));
        assert!(!stack.push("c".to_owned()));
        assert_eq!(stack.into_iter().collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    fn every_element_is_dropped_once() {
        let drops = Cell::new(0);
        let mut stack: Stack<Counted<'_>, 2> = [Counted(&drops)].into_iter().collect();
        stack.push(Counted(&drops));
        drop(stack);
        assert_eq!(drops.get(), 2);
    }
}
