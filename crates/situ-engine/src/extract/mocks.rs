//! Outgoing calls that a test stands in for: those that reach outside of the program, and those whose receiver or
//! arguments cannot be made again.

use super::candidate::why_lost;
use crate::record::plan::Site;
use crate::record::read::RecordedCall;
use crate::source::byte_range;
use proc_macro2::{TokenStream, TokenTree};
use situ_rt::recording::Exit;
use situ_rt::value::Value;
use std::ops::Range;
use syn::punctuated::Punctuated;
use syn::{Expr, Token};

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
    ranges: Vec<Range<usize>>,
}

/// Words of paths that reach outside of the program, or give something else each time.
const REACHING_OUT: [&str; 16] = [
    "Command",
    "File",
    "Instant",
    "OpenOptions",
    "SystemTime",
    "TcpStream",
    "env",
    "fs",
    "fastrand",
    "getrandom",
    "net",
    "now",
    "process",
    "rand",
    "random",
    "thread",
];

/// The mocks that a test needs so that it can do without the inputs that are lost; `tokens` is what it tests.
pub fn mocks(
    calls: &[RecordedCall<'_>],
    lost: &[(&str, String)],
    tokens: &TokenStream,
) -> Result<Vec<PlacedMock>, String> {
    let needs =
        |call: &&RecordedCall<'_>| reaches_out(call.site) || lost.iter().any(|(name, _)| mentions(call.site, name));
    let needed: Vec<&RecordedCall<'_>> = calls.iter().filter(needs).collect();
    let mut mocks: Vec<PlacedMock> = Vec::new();
    for call in &needed {
        let range = call.site.range();
        let is_inside = |other: &&&RecordedCall<'_>| {
            let around = other.site.range();
            around != range && around.start <= range.start && range.end <= around.end
        };
        if needed.iter().any(|other| is_inside(&other)) {
            continue;
        }
        let (shape, value) = (shape(&call.site.text)?, answer(call)?);
        match mocks.iter_mut().find(|known| known.mock.call == shape) {
            Some(known) => {
                known.mock.values.push(value);
                known.ranges.push(range);
            }
            None => mocks.push(PlacedMock { mock: Mock { call: shape, values: vec![value] }, ranges: vec![range] }),
        }
    }
    match lost.iter().find(|(name, _)| !is_only_in_mocks(name, &mocks, tokens)) {
        Some((_, loss)) => Err(format!("an input cannot be rebuilt: {loss}")),
        None => Ok(mocks),
    }
}

/// Is the place mentioned in calls only that a value stands for?
pub fn is_only_in_mocks(place: &str, mocks: &[PlacedMock], tokens: &TokenStream) -> bool {
    let mut mentioned = Vec::new();
    let words: Vec<&str> = place.split('.').collect();
    find_mentions(tokens.clone(), &words, &mut mentioned);
    let is_mocked = |at: &Range<usize>| {
        mocks.iter().flat_map(|mock| &mock.ranges).any(|range| range.start <= at.start && at.end <= range.end)
    };
    !mentioned.is_empty() && mentioned.iter().all(is_mocked)
}

/// The bytes of every `a.b` in the tokens, for the words `a` and `b`.
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
        if matches && !is_field {
            found.push(byte_range(tree));
        }
    }
}

fn mentions(site: &Site, place: &str) -> bool {
    let Ok(tokens) = site.text.parse::<TokenStream>() else { return false };
    let mut found = Vec::new();
    find_mentions(tokens, &place.split('.').collect::<Vec<_>>(), &mut found);
    !found.is_empty()
}

pub fn reaches_out(site: &Site) -> bool {
    let call = match syn::parse_str(&site.text) {
        Ok(Expr::Call(call)) => call,
        _ => return false,
    };
    let Expr::Path(path) = &*call.func else { return false };
    path.path.segments.iter().any(|segment| REACHING_OUT.iter().any(|word| segment.ident == word))
}

/// What the call gave.
fn answer(call: &RecordedCall<'_>) -> Result<Value, String> {
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
    fn a_place_is_found_where_it_is_mentioned_and_not_inside_others() {
        let tokens: TokenStream = "self.http.get(http); other.http; f(self.http)".parse().unwrap();
        let mut found = Vec::new();
        find_mentions(tokens.clone(), &["self", "http"], &mut found);
        assert_eq!(found.len(), 2);
        found.clear();
        find_mentions(tokens, &["http"], &mut found);
        assert_eq!(found.len(), 1);
    }
}
