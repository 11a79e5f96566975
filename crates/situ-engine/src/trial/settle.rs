//! Loop that compiles, drops what the compiler rejects, and compiles again until the compiler
//! accepts the rest.

use crate::base::diagnostics::Diagnostic;
use anyhow::Result;

/// Result of compiling everything that has not been dropped.
pub(crate) enum Round<A> {
    /// The compiler accepts everything.
    Accepted(A),
    /// The compiler accepts everything, with warnings.
    Warned(A, Vec<Diagnostic>),
    /// The compiler rejects something.
    Rejected(Vec<Diagnostic>),
    /// The compiler accepts the part that it got in this round. The next round compiles another
    /// part.
    Partial,
}

/// Generated code of which the compiler may reject parts.
pub(crate) trait Settle {
    /// Result of an accepted build.
    type Accepted;

    /// Writes everything that has not been dropped, and compiles it. Rounds are counted from one.
    fn attempt(&mut self, round: usize) -> Result<Round<Self::Accepted>>;

    /// Drops or weakens the code that messages are about. Returns whether anything changed.
    fn blame(&mut self, messages: &[Diagnostic], round: usize) -> Result<bool>;

    /// Drops everything that could cause the errors, if `blame` changes nothing. Returns whether
    /// anything changed.
    fn give_up(&mut self, errors: &[Diagnostic]) -> Result<bool> {
        let _ = errors;
        Ok(false)
    }

    /// Returns the round from which on `give_up` is called for errors even if `blame` changes
    /// something.
    fn patience(&self) -> usize {
        usize::MAX
    }

    /// Returns the number of the last round.
    fn max_rounds(&self) -> usize {
        usize::MAX
    }
}

/// Errors that no generated code explains, or that remain after the last round.
#[derive(Debug)]
pub(crate) struct Unsettled(pub Vec<Diagnostic>);

impl Unsettled {
    /// Returns the first error as rustc prints it, or an empty string if there is none.
    pub(crate) fn first(&self) -> &str {
        let mut rendered = self.0.iter().filter_map(|error| error.rendered.as_deref());
        rendered.next().unwrap_or_default()
    }
}

/// Compiles in rounds until the compiler accepts what has not been dropped. The inner error
/// contains the remaining errors.
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

    /// Words as generated code, some of which the compiler rejects. `blame` finds the word that an
    /// error is about, unless it is `hidden` or `user`.
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
