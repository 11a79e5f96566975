//! Names of unnamed tests: what the oracles check, and the inputs.
//!
//! Neither the line, nor other tests, nor the expected values are part of it, so that a name stays
//! the same while code moves and expectations change.

use crate::digest::digest;
use crate::grammar::{Answers, Input, OracleKind, TestCall};
use proc_macro2::{Delimiter, Literal, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use syn::Lit;

/// The maximum length of the subject.
const LONGEST_SUBJECT: usize = 24;
/// The maximum length of all words.
const LONGEST: usize = 48;

/// A name made from a test's own words.
pub struct CaseName {
    /// Its words: `name_when_line_a_python_regex_py`.
    pub words: String,
    /// Distinguishes it from others with these words.
    pub digest: String,
    /// Whether something that could distinguish it from others is missing from the words.
    pub is_cut: bool,
}

impl CaseName {
    /// Builds the name of a call.
    pub fn of(call: &TestCall) -> CaseName {
        let (subject, inputs) = (subject(call), inputs(call));
        let mut words = Words {
            longest: LONGEST_SUBJECT,
            ..Words::default()
        };
        words.add(&subject);
        words.longest = LONGEST;
        if !words.is_empty() && !inputs.is_empty() {
            words.word("when");
        }
        words.add(&inputs);
        if words.is_empty() {
            words.word(call.kind.macro_name());
        }
        let setups = &call.clauses.setups;
        CaseName {
            words: words.text,
            digest: digest(&quote!(#subject when #inputs #(#setups)*)),
            is_cut: words.is_cut,
        }
    }

    /// Returns the words with the digest.
    pub fn told_apart(&self) -> String {
        format!("{}_{}", self.words, self.digest)
    }
}

/// Returns the subjects of the oracles, and their expected values too if there are no inputs.
fn subject(call: &TestCall) -> TokenStream {
    let says_all = call.clauses.inputs.is_empty() && call.clauses.args.is_none();
    let mut all = TokenStream::new();
    let mut last = String::new();
    for oracle in &call.clauses.oracles {
        let (looked_at, expected) = parts(&oracle.kind);
        // Several oracles often have one subject.
        if last != looked_at.to_string() {
            last = looked_at.to_string();
            all.extend(looked_at);
        }
        if says_all {
            all.extend(expected);
        }
    }
    all
}

/// Returns the subject of an oracle, and its expected value.
fn parts(oracle: &OracleKind) -> (TokenStream, TokenStream) {
    let alone = |tokens: TokenStream| (tokens, TokenStream::new());
    match oracle {
        OracleKind::Check(a) => alone(quote!(#a)),
        OracleKind::Runs => alone(quote!(runs)),
        OracleKind::Eq(a, b) | OracleKind::Approx(a, b, _) | OracleKind::Same(a, b) => {
            (quote!(#a), quote!(#b))
        }
        OracleKind::Ne(a, b) => (quote!(#a), quote!(not #b)),
        OracleKind::True(a) => (quote!(#a), quote!(true)),
        OracleKind::False(a) => (quote!(#a), quote!(false)),
        OracleKind::Some(a) => (quote!(#a), quote!(some)),
        OracleKind::None(a) => (quote!(#a), quote!(none)),
        OracleKind::Ok(a) => (quote!(#a), quote!(ok)),
        OracleKind::Err(a) => (quote!(#a), quote!(err)),
        OracleKind::Matches(a, pattern) => (quote!(#a), pattern.clone()),
        OracleKind::Return(value) => (quote!(returned), quote!(#value)),
        OracleKind::Value(value) => (quote!(value), quote!(#value)),
        OracleKind::Break(label) => (quote!(breaks), quote!(#label)),
        OracleKind::Continue(label) => (quote!(continues), quote!(#label)),
        OracleKind::Panic(text) => (quote!(panics), quote!(#text)),
        OracleKind::Flow(path) | OracleKind::NoFlow(path) => {
            let steps = path.steps.iter().map(|step| Literal::string(&step.text()));
            alone(quote!(flow #(#steps)*))
        }
        OracleKind::Called(call, times) => (quote!(called #call), quote!(#times)),
        OracleKind::Order(calls) => alone(quote!(order #(#calls)*)),
    }
}

/// Returns the inputs of the test, in their order.
fn inputs(call: &TestCall) -> TokenStream {
    let clauses = &call.clauses;
    let mut all: TokenStream = clauses
        .args
        .iter()
        .flatten()
        .map(|argument| quote!(#argument))
        .collect();
    for input in &clauses.inputs {
        all.extend(match input {
            Input::Given(given) => {
                let (place, value) = (&given.place, &given.value);
                quote!(#place = #value)
            }
            Input::Each(each) => {
                let (pattern, iterable) = (&each.pattern, &each.iterable);
                quote!(each #pattern in #iterable)
            }
        });
    }
    for mock in &clauses.mocks {
        mock.call.to_tokens(&mut all);
        match &mock.answers {
            Answers::Always(value) => value.to_tokens(&mut all),
            Answers::InTurn(values) => values.iter().for_each(|value| value.to_tokens(&mut all)),
        }
    }
    all
}

/// Words one after the other, as far as they fit.
#[derive(Default)]
struct Words {
    text: String,
    longest: usize,
    is_cut: bool,
}

impl Words {
    fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    fn word(&mut self, word: &str) {
        let separator = usize::from(!self.text.is_empty());
        if self.text.len() + separator + word.len() > self.longest {
            self.is_cut = true;
            // What follows would read as if nothing were missing.
            self.longest = self.longest.min(self.text.len());
            return;
        }
        if separator == 1 {
            self.text.push('_');
        }
        self.text.push_str(word);
    }

    fn add(&mut self, tokens: &TokenStream) {
        let mut could_be_sign = true;
        let mut trees = tokens.clone().into_iter().peekable();
        while let Some(tree) = trees.next() {
            let is_punct = matches!(tree, TokenTree::Punct(_));
            match tree {
                TokenTree::Group(group) => {
                    if group.stream().is_empty() && group.delimiter() == Delimiter::Bracket {
                        self.word("empty");
                    }
                    self.add(&group.stream());
                }
                TokenTree::Ident(name) => {
                    let name = name.to_string();
                    self.split(name.trim_start_matches("r#"));
                }
                TokenTree::Literal(literal) => self.literal(literal),
                TokenTree::Punct(punct) => {
                    let is_sign = punct.as_char() == '-' && could_be_sign;
                    if is_sign && matches!(trees.peek(), Some(TokenTree::Literal(_))) {
                        self.word("minus");
                    }
                }
            }
            could_be_sign = is_punct;
        }
    }

    fn literal(&mut self, literal: Literal) {
        match Lit::new(literal) {
            Lit::Str(text) => self.text_of(&text.value()),
            Lit::ByteStr(bytes) => self.text_of(&String::from_utf8_lossy(&bytes.value())),
            Lit::CStr(text) => self.text_of(&text.value().to_string_lossy()),
            Lit::Char(char) => self.text_of(&char.value().to_string()),
            Lit::Byte(byte) => self.text_of(&char::from(byte.value()).to_string()),
            Lit::Int(number) => self.split(number.to_string().trim_end_matches(number.suffix())),
            Lit::Float(number) => self.split(number.to_string().trim_end_matches(number.suffix())),
            other => self.split(&other.to_token_stream().to_string()),
        }
    }

    /// Adds the words of a string, or the names of its chars if it is short and has no words.
    fn text_of(&mut self, text: &str) {
        if text.is_empty() {
            return self.word("empty");
        }
        if text.contains(|c: char| c.is_ascii_alphanumeric()) {
            return self.split(text);
        }
        let named: Option<Vec<&str>> = text.chars().map(name_of).collect();
        match named.filter(|names| names.len() <= 3) {
            Some(names) => names.into_iter().for_each(|name| self.word(name)),
            None => self.is_cut = true,
        }
    }

    /// Adds the words between other chars.
    fn split(&mut self, text: &str) {
        let parts = text
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|part| !part.is_empty());
        parts.for_each(|part| self.word(part));
    }
}

/// Returns the name of a char that cannot occur in an identifier.
fn name_of(char: char) -> Option<&'static str> {
    Some(match char {
        ' ' => "space",
        '\n' => "newline",
        '\r' => "return",
        '\t' => "tab",
        '\0' => "nul",
        '!' => "bang",
        '"' => "quote",
        '#' => "hash",
        '$' => "dollar",
        '%' => "percent",
        '&' => "and",
        '\'' => "apostrophe",
        '(' | ')' => "paren",
        '*' => "star",
        '+' => "plus",
        ',' => "comma",
        '-' => "dash",
        '.' => "dot",
        '/' => "slash",
        ':' => "colon",
        ';' => "semicolon",
        '<' => "less",
        '=' => "equals",
        '>' => "greater",
        '?' => "question",
        '@' => "at",
        '[' | ']' => "bracket",
        '\\' => "backslash",
        '^' => "caret",
        '_' => "underscore",
        '`' => "backtick",
        '{' | '}' => "brace",
        '|' => "pipe",
        '~' => "tilde",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::test_of_statement;
    use crate::mistakes::Mistakes;

    fn name(call: &str) -> CaseName {
        let statement: syn::Stmt = syn::parse_str(call).expect("it is a statement");
        let (kind, statement) = test_of_statement(&statement).expect("it is a test");
        CaseName::of(
            &TestCall::parse(kind, statement, &mut Mistakes::default()).expect("it can be read"),
        )
    }

    #[test]
    fn a_name_says_what_is_looked_at_and_for_which_inputs() {
        for (call, words) in [
            (
                "itest!(given(line = \"--- a/x.py\"), check_eq(name, Some(\"x.py\")));",
                "name_when_line_a_x_py",
            ),
            (
                "itest!(given(x = -1, y = a - 1), check(z > 2));",
                "z_2_when_x_minus_1_y_a_1",
            ),
            (
                "itest!(given(s = \"\", v = vec![]), check_none(first));",
                "first_when_s_empty_v_vec_empty",
            ),
            (
                "itest!(given(c = ';'), check_true(is_end));",
                "is_end_when_c_semicolon",
            ),
            (
                "itest!(given(c = 'A', n = 0xff_u8), check_ok(n));",
                "n_when_c_A_n_0xff",
            ),
            ("itest!(check_eq(x, 2));", "x_2"),
            ("itest!(check_runs());", "runs"),
            (
                "blocktest!(given(x = 1), check_return(None), check_flow(If.Then));",
                "returned_flow_If_Then_when_x_1",
            ),
            (
                "closuretest!(args(1, 2), check_return(3));",
                "returned_when_1_2",
            ),
            (
                "itest!(given(x = 1), mock(now(), 17), check_eq(y, 1), check_ne(y, 2));",
                "y_when_x_1_now_17",
            ),
            (
                "itest!(given(x = 1.5), each(k, [1, 2]), check(x));",
                "x_when_x_1_5_each_k_in_1_2",
            ),
        ] {
            let name = name(call);
            assert_eq!(name.words, words);
            assert!(!name.is_cut, "{words}");
        }
    }

    #[test]
    fn what_is_expected_has_no_part_in_it() {
        let one = name("itest!(given(x = 1), check_eq(y, 2));");
        let other = name("itest!(given(x = 1,), check_eq(y, 3), tag(\"slow\"));");
        assert_eq!(one.told_apart(), other.told_apart());
    }

    #[test]
    fn what_does_not_fit_is_told_apart_by_its_digest() {
        let long = |end: &str| {
            format!(
                "itest!(given(line = \"one two three four five six seven eight nine {end}\"), check_some(a));"
            )
        };
        let (one, other) = (name(&long("ten")), name(&long("eleven")));
        assert_eq!(one.words, "a_when_line_one_two_three_four_five_six_seven");
        assert_eq!(one.words, other.words);
        assert!(one.is_cut && one.told_apart() != other.told_apart());
        assert!(name("itest!(given(c = 'ß'), check_some(a));").is_cut);
    }
}
