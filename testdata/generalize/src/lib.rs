//! Functions with tests of every kind that a generalization meets.

/// How far two letters are apart.
pub fn distance(from: char, to: char) -> u32 {
    (from as u32).abs_diff(to as u32)
}

/// A number that is written in digits.
pub fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("{text:?} is no number"))
}

/// Half of an even number.
pub fn half(of: u32) -> u32 {
    assert!(of % 2 == 0, "{of} is odd");
    of / 2
}

/// A tank with water up to some level.
pub struct Tank {
    /// The level.
    pub level: u32,
}

impl Tank {
    /// How much is above a mark; waits until the mark is reached.
    pub fn above(&self, mark: u32) -> u32 {
        while self.level < mark {
            std::hint::spin_loop();
        }
        self.level - mark
    }

    /// Lets some of it out; with more than there is, everything is over.
    pub fn drain(&self, amount: u32) -> u32 {
        if amount > self.level {
            std::process::abort();
        }
        self.level - amount
    }
}

/// A stack with a limit.
#[derive(Debug, Default)]
pub struct Stack {
    values: Vec<i64>,
}

impl Stack {
    /// Puts a value on it.
    pub fn push(&mut self, value: i64) -> bool {
        let fits = self.values.len() < 3;
        if fits {
            self.values.push(value);
        }
        fits
    }

    /// Takes the last one.
    pub fn pop(&mut self) -> Option<i64> {
        self.values.pop()
    }

    /// How many there are.
    pub fn depth(&self) -> usize {
        self.values.len()
    }
}

/// How many letters the label of a book has; none without the folder of labels.
pub fn label(folder: &std::path::Path, book: &str) -> usize {
    if folder.is_dir() { book.len() + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_near_itself() {
        assert_eq!(distance('a', 'a'), 0);
        assert_eq!(distance('x', 'x'), 0);
    }

    #[test]
    fn letters_are_apart() {
        let there = distance('a', 'c');
        assert_eq!(there, 2);
        assert_eq!(there, distance('c', 'a'));
    }

    #[test]
    fn digits_are_numbers() -> Result<(), String> {
        let found = number("12")?;
        assert!(found < 100);
        Ok(())
    }

    #[test]
    fn words_are_none() {
        for word in ["twelve", "", "1 2"] {
            let found = number(word);
            assert!(found.is_err(), "{word}");
        }
    }

    fn check(text: &str, expected: u32) {
        let found = number(text).unwrap();
        assert_eq!(found, expected);
        assert_eq!(found.to_string().len(), text.len());
    }

    #[test]
    fn long_numbers_too() {
        check("4711", 4711);
    }

    #[test]
    fn a_full_tank_is_above_its_marks() {
        assert!(Tank { level: 100 }.above(70) > 20);
    }

    #[test]
    fn a_low_tank_is_above_low_marks() {
        assert!(Tank { level: 30 }.above(5) > 20);
        assert!(Tank { level: 30 }.above(6) > 20);
    }

    #[test]
    fn much_can_be_drained() {
        assert!(Tank { level: 100 }.drain(60) < 100);
    }

    #[test]
    fn little_can_be_drained() {
        assert!(Tank { level: 30 }.drain(3) < 30);
    }

    #[test]
    fn what_comes_last_goes_first() {
        let mut stack = Stack::default();
        assert!(stack.push(1));
        assert!(stack.push(2));
        assert_eq!(stack.depth(), 2);
        assert_eq!(stack.pop(), Some(2));
        assert_eq!(stack.pop(), Some(1));
        assert_eq!(stack.depth(), 0);
    }

    #[test]
    fn negative_values_are_values() {
        let mut stack = Stack::default();
        stack.push(-7);
        assert_eq!(stack.depth(), 1);
    }

    fn label_here(book: &str) -> usize {
        label(&labels(), book)
    }

    fn labels() -> std::path::PathBuf {
        std::env::temp_dir().join(format!("labels-{}", std::process::id()))
    }

    #[test]
    fn labels_need_their_folder() {
        let folder = labels();
        std::fs::create_dir_all(&folder).unwrap();
        let letters = label(&labels(), "Emma");
        assert!(letters > 4);
        assert_eq!(label_here("Ulysses"), 8);
        let _ = std::fs::remove_dir_all(&folder);
    }

    #[test]
    fn half_is_less() {
        assert!(half(8) < 8);
    }

    #[test]
    fn the_half_of_nothing_is_nothing() {
        assert_eq!(half(0), 0);
    }

    #[test]
    #[should_panic]
    fn odd_numbers_have_no_half() {
        half(3);
    }

    #[test]
    fn a_stack_knows_its_depth() {
        let (mut stack, pushed) = (Stack::default(), 44);
        stack.push(pushed);
        assert_eq!(stack.depth(), 1);
        assert_eq!(stack.pop(), Some(pushed));
    }

    #[test]
    #[should_panic]
    fn what_is_no_number_cannot_be_taken_for_one() {
        number("none").unwrap();
    }

    #[test]
    #[ignore = "nobody waits for it"]
    fn what_is_ignored_stays_so() {
        assert_eq!(distance('a', 'b'), 1);
    }
}
