//! The calls of a stub in one run of a theory, and its answers.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::constant::{Constant, constants_in};
use super::guess::Hints;
use crate::theory::assumption::{Compared, Site};
use crate::theory::parameter::Theory;
use crate::theory::trial;

/// The number of calls above which a stub is assumed to be in a loop that its answers do not end.
const MAX_QUESTIONS: usize = 1_000;

/// The maximum number of constants kept from comparisons. Comparisons of computed values show new
/// ones in every run; the oldest are the least likely to be right.
const MAX_SEEN: usize = 16;

static TOO_MANY_QUESTIONS: Site = Site {
    file: file!(),
    line: line!(),
    text: "a stub is asked at most 1000 questions",
};

/// The answers that are fixed for a run; all other calls get the first guess.
pub(super) type Plan = BTreeMap<String, String>;

/// The explorer's answers to the first calls: the index of a guess, or bytes to construct one from.
pub type Answers = [(u8, Vec<u8>); 8];

/// A call of a stub.
#[derive(Clone)]
pub(super) struct Asked {
    pub(super) question: String,
    /// All guesses, as `Debug` prints them.
    pub(super) options: Vec<String>,
    pub(super) answer: String,
    /// The bytes that the answer was constructed from, if it is no guess.
    bytes: Option<Vec<u8>>,
}

#[derive(Default)]
pub(super) struct Dialogue {
    module: &'static str,
    literals: Vec<Constant>,
    /// Constants from comparisons of assumptions, latest first.
    seen: Vec<Constant>,
    plan: Plan,
    /// The answers of an explored run, in the order of the calls.
    script: Vec<(u8, Vec<u8>)>,
    asked: Vec<Asked>,
    questions: usize,
}

thread_local! {
    static DIALOGUE: Arc<Mutex<Dialogue>> = Arc::default();
}

fn lock(dialogue: &Mutex<Dialogue>) -> MutexGuard<'_, Dialogue> {
    // A panic while answering leaves the state valid.
    dialogue.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Discards the state of other theories on this thread.
pub(crate) fn begin_theory(theory: &'static Theory) {
    let literals = theory
        .literals
        .iter()
        .flat_map(|literal| constants_in(literal))
        .collect();
    DIALOGUE.with(|dialogue| {
        *lock(dialogue) = Dialogue {
            module: theory.module,
            literals,
            ..Dialogue::default()
        }
    });
}

/// Starts a run with these answers.
pub(super) fn begin_run(plan: Plan) {
    DIALOGUE.with(|dialogue| {
        let mut dialogue = lock(dialogue);
        dialogue.plan = plan;
        dialogue.script.clear();
        dialogue.asked.clear();
        dialogue.questions = 0;
    });
}

/// Sets the answers of this run, in the order of the calls.
pub(super) fn answer_with(script: Answers) {
    DIALOGUE.with(|dialogue| lock(dialogue).script = script.into());
}

/// Keeps the constants of a failed comparison; returns whether any of them is new.
pub(super) fn note_seen((left, right): &Compared) -> bool {
    DIALOGUE.with(|dialogue| {
        let mut dialogue = lock(dialogue);
        let known = dialogue.seen.len();
        for constant in constants_in(left).into_iter().chain(constants_in(right)) {
            dialogue.seen.retain(|seen| *seen != constant);
            dialogue.seen.insert(0, constant);
        }
        let grown = dialogue.seen.len() > known;
        dialogue.seen.truncate(MAX_SEEN);
        grown
    })
}

/// Returns all calls of this run, in order.
pub(super) fn asked() -> Vec<Asked> {
    DIALOGUE.with(|dialogue| lock(dialogue).asked.clone())
}

/// The part that all stubs share. It may be used from any thread that the theory starts.
pub struct StubCore {
    parameter: &'static str,
    dialogue: Arc<Mutex<Dialogue>>,
}

impl StubCore {
    /// Creates the core of the stub for a parameter of the theory that runs on this thread.
    pub fn new(parameter: &'static str) -> Self {
        Self {
            parameter,
            dialogue: DIALOGUE.with(Arc::clone),
        }
    }

    /// Returns the answer to a call, one of `guesses`. The same call has the same answer, except
    /// for methods that can change the stub, which are answered anew at each call.
    pub fn answer<T>(
        &self,
        method: &str,
        changes: bool,
        arguments: &[Option<String>],
        guesses: &dyn Fn(&Hints) -> Vec<T>,
        show: &dyn Fn(&T) -> Option<String>,
        made: &dyn Fn(&[u8]) -> Option<T>,
    ) -> T {
        let arguments: Vec<&str> = arguments
            .iter()
            .map(|argument| argument.as_deref().unwrap_or("_"))
            .collect();
        let mut question = format!("{}.{method}({})", self.parameter, arguments.join(", "));
        let mut dialogue = lock(&self.dialogue);
        dialogue.questions += 1;
        if dialogue.questions > MAX_QUESTIONS {
            drop(dialogue);
            return give_up(self.parameter);
        }
        if changes {
            let call = dialogue.questions;
            question.push_str(&format!(", call {call}"));
        }
        let hints = dialogue.hints(&arguments);
        // Guesses may come from the user's data points, whose code may itself use stubs on this
        // thread.
        drop(dialogue);
        if let Some((bytes, value)) = made_up(&self.dialogue, &question, made) {
            let answer = show(&value).unwrap_or_else(|| String::from("something made up"));
            lock(&self.dialogue).note(question, Vec::new(), answer, Some(bytes));
            return value;
        }
        let mut guesses = guesses(&hints);
        let options: Vec<String> = guesses
            .iter()
            .enumerate()
            .map(|(at, guess)| show(guess).unwrap_or_else(|| format!("guess {at}")))
            .collect();
        let mut dialogue = lock(&self.dialogue);
        let Some(chosen) = dialogue.choose(&question, &options) else {
            drop(dialogue);
            let type_name = std::any::type_name::<T>();
            panic!(
                "`{question}` of the stub returns `{type_name}`, which cannot be guessed: add data points of that type"
            );
        };
        let answer = options[chosen].clone();
        dialogue.note(question, options, answer, None);
        guesses.swap_remove(chosen)
    }
}

/// Returns the explorer's answer to a call, with its bytes.
fn made_up<T>(
    dialogue: &Mutex<Dialogue>,
    question: &str,
    made: &dyn Fn(&[u8]) -> Option<T>,
) -> Option<(Vec<u8>, T)> {
    let bytes = {
        let dialogue = lock(dialogue);
        match dialogue
            .asked
            .iter()
            .find(|asked| asked.question == question)
        {
            Some(asked) => asked.bytes.clone()?,
            None => dialogue.script.get(dialogue.asked.len())?.1.clone(),
        }
    };
    let value = if bytes.is_empty() { None } else { made(&bytes) }?;
    Some((bytes, value))
}

fn give_up<T>(parameter: &str) -> T {
    if trial::reject(&TOO_MANY_QUESTIONS, &|| None) {
        trial::unwind_rejected();
    }
    panic!("the stub `{parameter}` was asked more than {MAX_QUESTIONS} questions")
}

impl Dialogue {
    fn hints(&self, arguments: &[&str]) -> Hints {
        let arguments = arguments.iter().flat_map(|argument| constants_in(argument));
        let constants = self
            .seen
            .iter()
            .cloned()
            .chain(arguments)
            .chain(self.literals.iter().cloned())
            .collect();
        Hints {
            constants,
            module: self.module,
        }
    }

    fn choose(&self, question: &str, options: &[String]) -> Option<usize> {
        let before = self
            .asked
            .iter()
            .find(|asked| asked.question == question)
            .map(|asked| &asked.answer);
        let wanted = before.or_else(|| self.plan.get(question));
        let scripted = self
            .script
            .get(self.asked.len())
            .filter(|_| wanted.is_none() && !options.is_empty());
        let scripted = scripted.map(|(number, _)| usize::from(*number) % options.len());
        let found = wanted
            .and_then(|wanted| options.iter().position(|option| option == wanted))
            .or(scripted);
        found.or((!options.is_empty()).then_some(0))
    }

    fn note(
        &mut self,
        question: String,
        options: Vec<String>,
        answer: String,
        bytes: Option<Vec<u8>>,
    ) {
        if self.asked.iter().all(|asked| asked.question != question) {
            self.asked.push(Asked {
                question,
                options,
                answer,
                bytes,
            });
        }
    }
}
