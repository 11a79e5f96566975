//! A book of ideas that asks someone, through a correspondent, whom each idea benefits.

use situ::prelude::*;

/// Answers questions: a user at a terminal, or a file, or a guess.
#[stub]
pub trait Correspondent {
    /// One of `answers`.
    fn get_answer(&self, question: &str, answers: &[&str]) -> String;
}

/// What an interest can be.
pub const INTEREST_ANSWERS: [&str; 3] = ["true", "false", "unknown"];

/// Ideas, to be judged one by one.
#[derive(Debug, Default)]
pub struct Book {
    ideas: Vec<String>,
}

impl Book {
    /// Adds an idea.
    pub fn idea(&mut self, name: &str) {
        self.ideas.push(String::from(name));
    }

    /// One line for each idea: whether it benefits `whom`.
    pub fn evaluate_benefit(&self, whom: &str, correspondent: &dyn Correspondent) -> Vec<String> {
        let line = |idea: &String| {
            let question = format!("Does {whom} benefit from {idea}?");
            let answer = correspondent.get_answer(&question, &INTEREST_ANSWERS);
            // With the bug, an answer is looked up in the wrong place.
            let shown = if cfg!(feature = "bugs") {
                INTEREST_ANSWERS[2]
            } else {
                &answer
            };
            format!("{idea}: {shown}")
        };
        self.ideas.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Book, Correspondent, INTEREST_ANSWERS};
    use situ::prelude::*;

    #[datapoints]
    const STAKEHOLDERS: [&str; 2] = ["the king", "nobody"];

    // No stub is written: the one that the assumption asks for is found.
    #[theory]
    fn a_benefit_is_asked_for(#[stub] correspondent: &dyn Correspondent, whom: &str) {
        let question = format!("Does {whom} benefit from bug137?");
        assume_eq!(
            correspondent.get_answer(&question, &INTEREST_ANSWERS),
            "true"
        );
        let mut book = Book::default();
        book.idea("bug137");
        assert_eq!(book.evaluate_benefit(whom, correspondent), ["bug137: true"]);
    }

    #[theory]
    fn every_idea_is_judged(
        #[stub] correspondent: Box<dyn Correspondent>,
        #[values(0, 1, 3)] ideas: usize,
    ) {
        let mut book = Book::default();
        (0..ideas).for_each(|n| book.idea(&format!("idea{n}")));
        assert_eq!(
            book.evaluate_benefit("anyone", &*correspondent).len(),
            ideas
        );
    }
}
