//! The loop that compiles, drops what the compiler rejects, and compiles again until it accepts the rest.

use crate::base::diagnostics::Diagnostic;
use anyhow::Result;

/// What the compiler makes of everything that still stands.
pub(crate) enum Round<A> {
    /// It accepts everything.
    Accepted(A),
    /// It accepts everything, and warns.
    Warned(A, Vec<Diagnostic>),
    /// It rejects something.
    Rejected(Vec<Diagnostic>),
    /// It accepts the part that it was shown, and another one follows.
    Partial,
}

/// Generated code that the compiler may reject in parts.
pub(crate) trait Settle {
    /// What an accepted build gives.
    type Accepted;

    /// Writes everything that still stands and has the compiler look at it. Rounds are counted from one.
    fn attempt(&mut self, round: usize) -> Result<Round<Self::Accepted>>;

    /// Drops or weakens what messages are about, and returns whether anything changed.
    fn blame(&mut self, messages: &[Diagnostic], round: usize) -> Result<bool>;

    /// Drops whatever may be to blame for errors that `blame` does nothing about, and returns whether anything changed.
    fn give_up(&mut self, errors: &[Diagnostic]) -> Result<bool> {
        let _ = errors;
        Ok(false)
    }

    /// The round from which on whatever is near an error is given up, even where `blame` finds something to drop.
    fn patience(&self) -> usize {
        usize::MAX
    }

    /// The last round.
    fn max_rounds(&self) -> usize {
        usize::MAX
    }
}

/// Errors that belong to nothing that was generated, or that came in the last round.
#[derive(Debug)]
pub(crate) struct Unsettled(pub Vec<Diagnostic>);

impl Unsettled {
    /// Returns the first error as rustc prints it.
    pub(crate) fn first(&self) -> &str {
        let mut rendered = self.0.iter().filter_map(|error| error.rendered.as_deref());
        rendered.next().unwrap_or_default()
    }
}

/// Compiles in rounds until the compiler accepts what is left.
pub(crate) fn settle<S: Settle>(subject: &mut S) -> Result<Result<S::Accepted, Unsettled>> {
    let mut round = 1;
    loop {
        let (accepted, messages) = match subject.attempt(round)? {
            Round::Accepted(accepted) => return Ok(Ok(accepted)),
            Round::Warned(accepted, warnings) => (Some(accepted), warnings),
            Round::Rejected(errors) => (None, errors),
            Round::Partial => {
                round += 1;
                continue;
            }
        };
        let mut changed = subject.blame(&messages, round)?;
        match accepted {
            // The warnings are about the user's own code.
            Some(accepted) if !changed => return Ok(Ok(accepted)),
            Some(_) => {}
            None if !changed || round >= subject.patience() => {
                changed |= subject.give_up(&messages)?;
            }
            None => {}
        }
        if !changed || round >= subject.max_rounds() {
            return Ok(Err(Unsettled(messages)));
        }
        round += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(level: &str, text: &str) -> Diagnostic {
        Diagnostic {
            message: text.to_owned(),
            code: None,
            level: level.to_owned(),
            spans: Vec::new(),
            children: Vec::new(),
            rendered: Some(text.to_owned()),
        }
    }

    /// Words of which a compiler rejects some; an error about any but `hidden` and `user` says whose it is.
    #[derive(Default)]
    struct Words {
        standing: Vec<&'static str>,
        rejected: Vec<&'static str>,
        warned: Vec<&'static str>,
        patience: Option<usize>,
        max_rounds: Option<usize>,
        rounds: usize,
    }

    impl Settle for Words {
        type Accepted = Vec<&'static str>;

        fn attempt(&mut self, round: usize) -> Result<Round<Self::Accepted>> {
            self.rounds = round;
            let among = |some: &[&str]| {
                let mut found = self.standing.iter().filter(|word| some.contains(*word));
                found.next().copied()
            };
            Ok(match (among(&self.rejected), among(&self.warned)) {
                (Some(word), _) => Round::Rejected(vec![message("error", word)]),
                (None, Some(word)) => {
                    Round::Warned(self.standing.clone(), vec![message("warning", word)])
                }
                (None, None) => Round::Accepted(self.standing.clone()),
            })
        }

        fn blame(&mut self, messages: &[Diagnostic], _: usize) -> Result<bool> {
            let before = self.standing.len();
            self.standing
                .retain(|word| matches!(*word, "hidden" | "user") || *word != messages[0].message);
            Ok(self.standing.len() < before)
        }

        fn give_up(&mut self, _: &[Diagnostic]) -> Result<bool> {
            let before = self.standing.len();
            self.standing.retain(|word| *word == "user");
            Ok(self.standing.len() < before)
        }

        fn patience(&self) -> usize {
            self.patience.unwrap_or(usize::MAX)
        }

        fn max_rounds(&self) -> usize {
            self.max_rounds.unwrap_or(usize::MAX)
        }
    }

    fn check(mut words: Words, expected: Result<&[&str], &str>, rounds: usize) {
        let settled = settle(&mut words).unwrap();
        match (&settled, expected) {
            (Ok(standing), Ok(expected)) => assert_eq!(standing, expected),
            (Err(unsettled), Err(first)) => assert_eq!(unsettled.first(), first),
            _ => panic!("{settled:?}"),
        }
        assert_eq!(words.rounds, rounds);
    }

    #[test]
    fn what_is_blamed_is_dropped_until_the_rest_is_accepted() {
        let words = Words {
            standing: vec!["a", "b", "c", "d"],
            rejected: vec!["b", "d"],
            warned: vec!["a"],
            ..Words::default()
        };
        check(words, Ok(&["c"]), 4);
    }

    #[test]
    fn warnings_that_nobody_is_blamed_for_are_no_obstacle() {
        let words = Words {
            standing: vec!["hidden", "a"],
            warned: vec!["hidden"],
            ..Words::default()
        };
        check(words, Ok(&["hidden", "a"]), 1);
    }

    #[test]
    fn what_may_be_to_blame_is_given_up_where_nobody_is_blamed_or_patience_ends() {
        let hidden = || Words {
            standing: vec!["user", "a", "hidden"],
            rejected: vec!["hidden"],
            ..Words::default()
        };
        check(hidden(), Ok(&["user"]), 2);
        let impatient = Words {
            standing: vec!["a", "b", "c", "d"],
            rejected: vec!["a", "b", "c"],
            patience: Some(2),
            ..Words::default()
        };
        check(impatient, Ok(&[]), 3);
    }

    #[test]
    fn errors_of_the_users_own_code_do_not_settle() {
        let own = Words {
            standing: vec!["user", "a"],
            rejected: vec!["user"],
            ..Words::default()
        };
        check(own, Err("user"), 2);
        let in_last_round = Words {
            standing: vec!["a", "b"],
            rejected: vec!["a", "b"],
            max_rounds: Some(1),
            ..Words::default()
        };
        check(in_last_round, Err("a"), 1);
    }
}
