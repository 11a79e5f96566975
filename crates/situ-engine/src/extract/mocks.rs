//! Outgoing calls that a test stands in for: those that reach outside of the program, and those whose receiver or
//! arguments cannot be made again.

use super::candidate::why_lost;
use crate::record::plan::Site;
use crate::record::read::RecordedCall;
use crate::source::byte_range;
use crate::targets::macro_arguments;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use situ_rt::recording::Exit;
use situ_rt::value::Value;
use std::ops::Range;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Token};

/// A shape of calls with what they gave, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Mock {
    /// The call as the clause writes it.
    pub call: String,
    /// The values.
    pub values: Vec<Value>,
}

/// A mock, and where the calls of its shape stand.
#[derive(Clone, Debug)]
pub struct PlacedMock {
    /// The mock.
    pub mock: Mock,
    /// Whether the call is the program's own: that it happens is one of the things that a fragment does.
    pub is_own: bool,
    ranges: Vec<Range<usize>>,
}

/// Words of paths that reach outside of the program, or give something else each time.
const REACHING_OUT: [&str; 18] = [
    "Command",
    "File",
    "Instant",
    "OpenOptions",
    "SystemTime",
    "TcpStream",
    "env",
    "from_args",
    "fs",
    "fastrand",
    "getrandom",
    "net",
    "now",
    "process",
    "rand",
    "random",
    "stdin",
    "thread",
];

/// Methods of paths, clocks and readers of arguments that look outside of the program.
const LOOKING_OUT: [&str; 11] = [
    "canonicalize",
    "elapsed",
    "exists",
    "get_matches",
    "is_dir",
    "is_file",
    "is_symlink",
    "metadata",
    "read_dir",
    "read_link",
    "try_exists",
];

/// The mocks that a test needs, for calls that reach outside and for those with inputs that are lost; `tokens` is what it tests.
pub fn mocks(
    calls: &[RecordedCall<'_>],
    lost: &[(&str, String)],
    tokens: &TokenStream,
) -> Result<Vec<PlacedMock>, String> {
    let needs = |call: &&RecordedCall<'_>| reaches_out(call.site) || mentions_any(call.site, lost);
    placed(&calls.iter().filter(needs).collect::<Vec<_>>(), tokens)
}

/// Mocks for these calls, so that a test can do without the inputs that are lost.
pub fn mocks_for(
    needed: &[&RecordedCall<'_>],
    lost: &[(&str, String)],
    tokens: &TokenStream,
) -> Result<Vec<PlacedMock>, String> {
    let mocks = placed(needed, tokens)?;
    match lost.iter().find(|(name, _)| !is_only_in_mocks(name, &mocks, tokens)) {
        Some((_, loss)) => Err(format!("an input cannot be rebuilt: {loss}")),
        None => Ok(mocks),
    }
}

/// Mocks for these calls, and where they stand.
fn placed(needed: &[&RecordedCall<'_>], tokens: &TokenStream) -> Result<Vec<PlacedMock>, String> {
    let mut mocks: Vec<PlacedMock> = Vec::new();
    for call in needed {
        let range = call.site.range();
        let is_inside = |other: &RecordedCall<'_>| {
            let around = other.site.range();
            around != range && around.start <= range.start && range.end <= around.end
        };
        if needed.iter().any(|other| is_inside(other)) {
            continue;
        }
        let (shape, value) = (shape(&call.site.text)?, answer(call)?);
        match mocks.iter_mut().find(|known| known.mock.call == shape) {
            Some(known) => {
                known.mock.values.push(value);
                known.ranges.push(range);
            }
            None => {
                let (mock, is_own) = (Mock { call: shape, values: vec![value] }, !reaches_out(call.site));
                mocks.push(PlacedMock { mock, is_own, ranges: vec![range] });
            }
        }
    }
    add_equal_shapes(&mut mocks, tokens);
    Ok(mocks)
}

/// A mock stands for every call of its shape, also for those that did not happen.
fn add_equal_shapes(mocks: &mut [PlacedMock], tokens: &TokenStream) {
    let Ok(block) = syn::parse2::<Block>(quote::quote!({ #tokens })) else { return };
    let mut calls = Calls(Vec::new());
    if !mocks.is_empty() {
        calls.visit_block(&block);
    }
    for (found, range) in calls.0 {
        let own = mocks.iter_mut().filter(|placed| without_spaces(&placed.mock.call) == found);
        own.for_each(|placed| placed.ranges.push(range.clone()));
    }
}

/// The shapes of all calls, without spaces, and where they stand.
struct Calls(Vec<(String, Range<usize>)>);

impl<'ast> Visit<'ast> for Calls {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        if matches!(expression, Expr::Call(_) | Expr::MethodCall(_) | Expr::Await(_))
            && let Ok(shape) = shape(&expression.to_token_stream().to_string())
        {
            self.0.push((without_spaces(&shape), byte_range(expression)));
        }
        visit::visit_expr(self, expression);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        macro_arguments(call.tokens.clone()).iter().for_each(|argument| self.visit_expr(argument));
    }
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Whether everything between these bytes is in calls that a value stands for.
pub fn is_mocked(at: &Range<usize>, mocks: &[PlacedMock]) -> bool {
    mocks.iter().flat_map(|mock| &mock.ranges).any(|range| range.start <= at.start && at.end <= range.end)
}

/// Is the place mentioned in calls only that a value stands for?
pub fn is_only_in_mocks(place: &str, mocks: &[PlacedMock], tokens: &TokenStream) -> bool {
    let mut mentioned = Vec::new();
    let words: Vec<&str> = place.split('.').collect();
    find_mentions(tokens.clone(), &words, &mut mentioned);
    !mentioned.is_empty() && mentioned.iter().all(|at| is_mocked(at, mocks))
}

/// Whether the variable that a place starts from is mentioned in a call that a value stands for.
pub fn is_in_mocks(place: &str, mocks: &[PlacedMock], tokens: &TokenStream) -> bool {
    let mut mentioned = Vec::new();
    let root = place.split(['.', '[']).next().unwrap_or(place);
    find_mentions(tokens.clone(), &[root], &mut mentioned);
    mentioned.iter().any(|at| is_mocked(at, mocks))
}

/// The bytes of every `a.b` in the tokens, for the words `a` and `b`; a text that shows `{a}` mentions `a`.
pub fn find_mentions(tokens: TokenStream, words: &[&str], found: &mut Vec<Range<usize>>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        if let TokenTree::Group(group) = tree {
            find_mentions(group.stream(), words, found);
        }
        let is_field = at > 0 && matches!(&trees[at - 1], TokenTree::Punct(dot) if dot.as_char() == '.');
        let matches = words
            .iter()
            .enumerate()
            .all(|(number, word)| trees.get(at + 2 * number).is_some_and(|tree| tree.to_string() == *word));
        if (matches && !is_field) || is_shown_in(tree, words) {
            found.push(byte_range(tree));
        }
    }
}

/// Whether a literal is a text that shows a variable.
fn is_shown_in(tree: &TokenTree, words: &[&str]) -> bool {
    let (TokenTree::Literal(text), [word]) = (tree, words) else { return false };
    let text = text.to_string();
    text.contains('"') && [format!("{{{word}}}"), format!("{{{word}:")].iter().any(|shown| text.contains(shown))
}

/// Whether a call mentions something that is lost.
pub fn mentions_any(site: &Site, lost: &[(&str, String)]) -> bool {
    lost.iter().any(|(name, _)| mentions(site, name))
}

fn mentions(site: &Site, place: &str) -> bool {
    let Ok(tokens) = site.text.parse::<TokenStream>() else { return false };
    let mut found = Vec::new();
    find_mentions(tokens, &place.split('.').collect::<Vec<_>>(), &mut found);
    !found.is_empty()
}

/// Whether a call reaches outside of the program.
pub fn reaches_out(site: &Site) -> bool {
    syn::parse_str(&site.text).is_ok_and(|call| is_reaching(&call))
}

fn is_reaching(call: &Expr) -> bool {
    match call {
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else { return false };
            path.path.segments.iter().any(|segment| REACHING_OUT.iter().any(|word| segment.ident == word))
        }
        Expr::MethodCall(call) => call.args.is_empty() && LOOKING_OUT.iter().any(|word| call.method == word),
        _ => false,
    }
}

/// Whether a block has a call that reaches outside of the program.
pub fn mentions_outside(block: &TokenStream) -> bool {
    struct Reaching(bool);
    impl<'ast> Visit<'ast> for Reaching {
        fn visit_expr(&mut self, expression: &'ast Expr) {
            self.0 |= is_reaching(expression);
            visit::visit_expr(self, expression);
        }

        fn visit_macro(&mut self, call: &'ast syn::Macro) {
            macro_arguments(call.tokens.clone()).iter().for_each(|argument| self.visit_expr(argument));
        }
    }
    let mut reaching = Reaching(false);
    if let Ok(block) = syn::parse2::<Block>(block.clone()) {
        reaching.visit_block(&block);
    }
    reaching.0
}

/// What the call gave.
pub fn answer(call: &RecordedCall<'_>) -> Result<Value, String> {
    if matches!(call.call.exit, Exit::Panic(_)) {
        return Err("an outgoing call panics".to_owned());
    }
    if call.changes().iter().any(|(operand, _)| *operand != "receiver") {
        return Err("an outgoing call changes its arguments".to_owned());
    }
    let result = call.result().ok_or("what an outgoing call gave is not known")?;
    match why_lost(result) {
        Some(loss) => Err(format!("what an outgoing call gave cannot be rebuilt: {loss}")),
        None => Ok(result.clone()),
    }
}

/// The call as a mock writes it: literals stay, other arguments may be anything.
fn shape(text: &str) -> Result<String, String> {
    let unreadable = || "an outgoing call is too long to stand in for".to_owned();
    let whole: Expr = syn::parse_str(text).map_err(|_| unreadable())?;
    let call = match &whole {
        Expr::Await(waiting) => &*waiting.base,
        other => other,
    };
    let (arguments, closed): (&Punctuated<Expr, Token![,]>, _) = match call {
        Expr::Call(call) => (&call.args, byte_range(&call.paren_token.span.close())),
        Expr::MethodCall(call) => (&call.args, byte_range(&call.paren_token.span.close())),
        _ => return Err(unreadable()),
    };
    let Some(first) = arguments.first() else { return Ok(text.to_owned()) };
    let start = byte_range(first).start;
    let is_literal = |argument: &&Expr| matches!(argument, Expr::Lit(_));
    let written = if arguments.iter().any(|argument| is_literal(&argument)) {
        let one = |argument: &Expr| match argument {
            Expr::Lit(_) => text[byte_range(argument)].to_owned(),
            _ => "_".to_owned(),
        };
        arguments.iter().map(one).collect::<Vec<_>>().join(", ")
    } else {
        "..".to_owned()
    };
    Ok(format!("{}{written}{}", &text[..start], &text[closed.start..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_keeps_what_is_written_and_leaves_the_rest_open() {
        assert_eq!(shape("now()").unwrap(), "now()");
        assert_eq!(shape("self.http.get(&url, depth + 1)").unwrap(), "self.http.get(..)");
        assert_eq!(shape("rand(low, 6)").unwrap(), "rand(_, 6)");
        assert_eq!(shape("client.get(url).await").unwrap(), "client.get(..).await");
    }

    #[test]
    fn a_mock_stands_for_calls_that_did_not_happen() {
        let tokens: TokenStream = "if a { w.put(b, 1)?; } else { w.put(c, 2)?; w.put( d, 1 )?; }".parse().unwrap();
        let mock = Mock { call: "w.put(_, 1)".to_owned(), values: Vec::new() };
        let mut mocks = [PlacedMock { mock, is_own: true, ranges: Vec::new() }];
        add_equal_shapes(&mut mocks, &tokens);
        assert_eq!(mocks[0].ranges.len(), 2);
        assert!(!is_only_in_mocks("w", &mocks, &tokens), "the second is another call");
        assert!(is_only_in_mocks("d", &mocks, &tokens));
    }

    #[test]
    fn a_place_is_found_where_it_is_mentioned_and_not_inside_others() {
        let tokens: TokenStream = "self.http.get(http); other.http; f(self.http)".parse().unwrap();
        let mut found = Vec::new();
        find_mentions(tokens.clone(), &["self", "http"], &mut found);
        assert_eq!(found.len(), 2);
        found.clear();
        find_mentions(tokens, &["http"], &mut found);
        assert_eq!(found.len(), 1);
        found.clear();
        find_mentions("format!(\"{http:?} of {other}\")".parse().unwrap(), &["http"], &mut found);
        assert_eq!(found.len(), 1, "what a text shows is mentioned");
    }
}
