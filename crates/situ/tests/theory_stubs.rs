//! Stubs whose answers are guessed until the assumptions hold.
#![cfg(feature = "test")]
#![forbid(unsafe_code)]
#![deny(warnings)]

use situ::prelude::*;
use std::io;

#[stub]
trait Correspondent {
    fn get_answer(&self, question: &str, answers: &[&str]) -> String;

    fn count(&self) -> u32;

    fn is_there(&self) -> bool {
        self.count() > 0
    }
}

#[theory]
fn the_answer_is_among_the_arguments(#[stub] c: &dyn Correspondent) {
    assume_eq!(c.get_answer("What is five?", &["four", "five"]), "five");
    assert_eq!(c.get_answer("What is five?", &["four", "five"]), "five");
}

#[theory]
fn the_answer_is_in_the_comparison(#[stub] c: Box<dyn Correspondent>) {
    let expected = format!("{}{}", "compu", "ted");
    assume!(c.get_answer("", &[]) == expected);
    assert_eq!(c.get_answer("", &[]), "computed");
}

#[theory]
fn the_answer_is_a_constant_of_the_text(#[stub] c: &impl Correspondent) {
    assume!(
        c.get_answer("name", &[]).starts_with("si")
            && c.get_answer("name", &[]).len() == "situ".len()
    );
    assert_eq!(c.get_answer("name", &[]), "situ");
}

#[theory]
fn several_answers_are_found_together(#[stub] c: impl Correspondent) {
    assume_eq!(c.count(), 17);
    assume_eq!(c.get_answer("a", &[]), "x");
    assume_eq!(c.get_answer("b", &[]), "y");
    assume!(c.is_there());
    assert_eq!((c.count(), c.get_answer("a", &[])), (17, String::from("x")));
}

#[theory]
fn parts_of_a_condition_are_learnt_from(#[stub] c: &dyn Correspondent) {
    let (count, name) = ("1234".parse::<u32>().unwrap(), "com".repeat(2));
    assume!(c.count() == count && c.get_answer("name", &[]) == name && c.is_there());
    assert_eq!(c.get_answer("name", &[]), "comcom");
}

#[theory]
fn two_stubs_answer_apart(#[stub] left: &dyn Correspondent, #[stub] right: &dyn Correspondent) {
    assume!(left.count() > right.count());
    assert_ne!(left.count(), right.count());
}

#[theory]
#[should_panic(
    expected = "  c    <from a guessed stub>\n  n = 2    <from values[1]>\n  stub c.get_answer(\"who\", [\"me\"]) answered \"me\"\n"
)]
fn a_violation_prints_the_answers(#[stub] c: &dyn Correspondent, #[values(1, 2)] n: u8) {
    assume_eq!(c.get_answer("who", &["me"]), "me");
    assert!(n < 2);
}

#[theory]
#[should_panic(
    expected = "is vacuous: its only assignment was rejected\n       1 by `c.count() + 1 == c.count()`"
)]
fn impossible_assumptions_end_the_search(#[stub] c: &dyn Correspondent) {
    assume!(c.count() + 1 == c.count());
}

mod written_by_hand {
    use super::*;

    struct Oracle;

    impl Correspondent for Oracle {
        fn get_answer(&self, question: &str, _: &[&str]) -> String {
            question.chars().rev().collect()
        }

        fn count(&self) -> u32 {
            3
        }
    }

    #[datapoint]
    fn oracle() -> Box<dyn Correspondent> {
        Box::new(Oracle)
    }

    // No constant is at hand from which this could be guessed.
    fn reversed(text: &str) -> String {
        text.chars().rev().collect()
    }

    #[theory]
    fn data_points_are_tried_where_guessing_fails(#[stub] c: &dyn Correspondent) {
        let right = ["ab", "cde"]
            .iter()
            .all(|text| c.get_answer(text, &[]) == reversed(text));
        assume!(right);
        assert_eq!(c.count(), 3);
    }

    #[theory]
    fn they_are_wrapped_for_an_impl_trait(#[stub] c: impl Correspondent) {
        let right = ["ab", "cde"]
            .iter()
            .all(|text| c.get_answer(text, &[]) == reversed(text));
        assume!(right);
        assert_eq!(c.count(), 3);
    }
}

mod answers_of_many_types {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, DataPoints)]
    enum Mood {
        Good,
        Bad,
    }

    #[derive(Clone, Debug, Default, PartialEq)]
    struct Defaulted {
        size: u8,
    }

    #[derive(Clone, Debug, PartialEq)]
    struct Registered(u8);

    #[datapoints]
    fn registered() -> Vec<Registered> {
        vec![Registered(1), Registered(2)]
    }

    #[stub]
    trait Everything: Send + Sync {
        fn mood(&self) -> Mood;
        fn maybe(&self) -> Option<Mood>;
        fn defaulted(&self) -> Defaulted;
        fn registered(&self) -> Registered;
        fn text(&self) -> &str;
        fn list(&self) -> &[i64];
        fn lent(&self) -> &Registered;
        fn nested(&self) -> Result<Option<(char, f64)>, String>;
        fn nothing(&self, text: String);
    }

    #[theory]
    fn every_answer_can_be_asked_for(#[stub] it: &dyn Everything) {
        assume!(it.mood() == Mood::Bad);
        assume_eq!(it.maybe(), Some(Mood::Good));
        assume_eq!(it.registered(), Registered(2));
        assume_eq!(it.text(), "text");
        assume_eq!(it.list(), [5]);
        assume_eq!(it.lent().0, 2);
        assume_eq!(it.nested(), Ok(Some(('z', 2.5))));
        it.nothing(String::new());
        assert_eq!(it.defaulted(), Defaulted { size: 0 });
    }

    #[theory]
    fn a_stub_may_cross_threads(#[stub] it: Box<dyn Everything>) {
        assume_eq!(
            std::thread::scope(|scope| scope.spawn(|| it.text().len()).join().unwrap()),
            3
        );
        assert_eq!(it.text().len(), 3, "abc");
    }
}

mod from_elsewhere {
    use super::*;
    use std::io::Read;

    situ::stub! {
        trait Read {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize>;
        }
    }

    fn first_error(reader: &mut dyn Read) -> Option<io::ErrorKind> {
        let mut buffer = [0; 4];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => return Some(error.kind()),
            }
        }
    }

    #[theory]
    fn a_trait_of_the_standard_library_can_be_stubbed(#[stub] reader: &mut dyn Read) {
        let error = assume_some!(first_error(reader));
        assert_eq!(error, io::ErrorKind::Other);
    }
}

mod by_path {
    use super::*;

    situ::stub! {
        trait std::fmt::Display {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result;
        }
    }

    #[theory]
    fn a_path_names_the_trait(#[stub] it: Box<dyn std::fmt::Display>) {
        assume!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| it.to_string())).is_ok());
        assert_eq!(it.to_string(), "");
    }
}

mod endless {
    use super::*;

    #[stub]
    trait Queue {
        fn next(&mut self) -> bool;
    }

    #[theory]
    fn answers_that_never_end_a_loop_are_given_up(#[stub] queue: &mut dyn Queue) {
        let mut length = 0;
        while !queue.next() {
            length += 1;
        }
        assert!(length > 0);
    }
}
