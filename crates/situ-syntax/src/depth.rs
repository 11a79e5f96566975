//! Nesting depth of code: a recursive parser overflows its stack on code that only a generator
//! writes.

use proc_macro2::{Delimiter, Ident, Spacing, Span, TokenStream, TokenTree};

/// How deep code may nest before it is refused instead of parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How deep brackets may nest.
    pub brackets: usize,
    /// What the operators, method calls, prefixes and `else`s of one expression may cost together. An operator between
    /// two operands costs one, a prefix, for which parsers use more stack, three.
    pub chain: usize,
}

impl Limits {
    /// Limits for the stack of 8 MiB on which the compiler runs procedural macros. An unoptimized build overflows it at
    /// 300 nested `if`s, 1,800 chained operators or 500 closures within closures.
    pub const COMPILER: Limits = Limits {
        brackets: 200,
        chain: 1_200,
    };
}

/// What a prefix operator, a closure's bar or a keyword such as `return` costs.
const PREFIX: usize = 3;

/// Refuses code that nests too deeply for the stack on which the compiler runs procedural macros.
pub fn check(tokens: &TokenStream) -> syn::Result<()> {
    match too_deep(tokens, Limits::COMPILER) {
        Some(span) => Err(syn::Error::new(
            span,
            "this is nested too deeply for Situ; move the inner part out",
        )),
        None => Ok(()),
    }
}

/// Returns where code nests or chains deeper than a parser should go. Arguments of macros are
/// ignored, because most are no expressions.
pub fn too_deep(tokens: &TokenStream, limits: Limits) -> Option<Span> {
    let mut level = vec![(tokens.clone(), false)];
    for _ in 0..limits.brackets {
        let mut next = Vec::new();
        for (stream, in_macro) in level {
            let chained = if in_macro {
                None
            } else {
                chain_end(&stream, limits.chain)
            };
            if chained.is_some() {
                return chained;
            }
            let mut of_macro = false;
            for tree in stream {
                if let TokenTree::Group(group) = &tree {
                    next.push((group.stream(), of_macro || in_macro));
                }
                of_macro = matches!(&tree, TokenTree::Punct(punct) if punct.as_char() == '!');
            }
        }
        if next.is_empty() {
            return None;
        }
        level = next;
    }
    level
        .into_iter()
        .flat_map(|(stream, _)| stream)
        .next()
        .map(|tree| tree.span())
}

/// Returns where one expression of a list of tokens costs more than `limit`.
fn chain_end(tokens: &TokenStream, limit: usize) -> Option<Span> {
    let mut chain = Chain::default();
    let mut trees = tokens.clone().into_iter().peekable();
    while let Some(tree) = trees.next() {
        chain.add(&tree, trees.peek());
        if chain.cost > limit {
            return Some(tree.span());
        }
    }
    None
}

/// The expression that a list of tokens is in.
#[derive(Default)]
struct Chain {
    cost: usize,
    before: Before,
}

/// The token before the next one.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Before {
    /// None, or one that an operand follows.
    #[default]
    Prefix,
    Operand,
    /// A block, after which the next statement may begin.
    Block,
    /// The first char of a binary operator, `<` of `<=`; `None` if there were more.
    Operator(Option<char>),
    Else,
}

impl Chain {
    fn add(&mut self, tree: &TokenTree, next: Option<&TokenTree>) {
        let goes_on = match tree {
            TokenTree::Ident(name) => name == "else" || name == "as",
            TokenTree::Punct(punct) => punct.as_char() != '#',
            _ => false,
        };
        if self.before == Before::Block && !goes_on {
            self.cost = 0;
        }
        self.before = match (tree, next) {
            (TokenTree::Punct(punct), Some(TokenTree::Punct(next)))
                if punct.spacing() == Spacing::Joint =>
            {
                self.add_punct(punct.as_char(), Some(next.as_char()))
            }
            (TokenTree::Punct(punct), _) => self.add_punct(punct.as_char(), None),
            (TokenTree::Ident(name), _) => self.add_name(name),
            (TokenTree::Group(group), _) if group.delimiter() == Delimiter::Brace => Before::Block,
            (TokenTree::Group(_) | TokenTree::Literal(_), _) => Before::Operand,
        };
    }

    /// Adds a char of an operator; `joined` is the char right after it.
    fn add_punct(&mut self, character: char, joined: Option<char>) -> Before {
        let before = self.before;
        self.cost = match (character, before) {
            (';' | ',', _) => 0,
            // The right side of a match arm does not nest in its pattern.
            ('=', _) if joined == Some('>') => 0,
            (':' | '#' | '\'', _) => return before,
            ('?', _) => {
                self.cost += 1;
                return Before::Operand;
            }
            ('=', Before::Operator(Some('=' | '<' | '>' | '!'))) => self.cost,
            ('=', Before::Operand | Before::Block) if joined == Some('=') => self.cost + 1,
            // Parsers recurse for the right side of an assignment.
            ('=', _) | (_, Before::Prefix) => self.cost + PREFIX,
            (_, Before::Operator(_)) => self.cost,
            _ => self.cost + 1,
        };
        match (before, joined) {
            (Before::Operand | Before::Block, Some(_)) => Before::Operator(Some(character)),
            (Before::Operator(_), Some(_)) => Before::Operator(None),
            _ => Before::Prefix,
        }
    }

    fn add_name(&mut self, name: &Ident) -> Before {
        const PREFIXES: [&str; 10] = [
            "return", "break", "yield", "become", "match", "if", "while", "in", "let", "move",
        ];
        if name == "else" {
            self.cost += 1;
            return Before::Else;
        }
        if !PREFIXES.iter().any(|prefix| name == prefix) {
            return Before::Operand;
        }
        if self.before != Before::Else {
            self.cost += PREFIX;
        }
        Before::Prefix
    }
}
