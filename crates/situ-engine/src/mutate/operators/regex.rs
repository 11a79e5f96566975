//! Regular expressions.

use super::{Change, Node, Operator};
use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{
    self, Assertion, Ast, ClassPerlKind, LiteralKind, RepetitionKind, RepetitionRange, Span,
};
use std::convert::Infallible;
use std::ops::Range;
use syn::{Expr, ExprCall, Lit, LitStr};

/// Maximum number of mutants of one pattern.
const MAX_MUTANTS: usize = 12;

/// Changes one part of a regular expression.
pub(super) const OPERATOR: Operator = Operator {
    name: "regex",
    about: "Changes one part of a regular expression: a quantifier moves by one, a class becomes \
            its opposite or loses the end of a range, an anchor or an alternative is removed, `\\.` \
            becomes `.`. Tests whose strings all match in the same way miss it.",
    before: r##"fn year() -> Regex { Regex::new(r"^\d{4}$").unwrap() }"##,
    after: &[
        r##"fn year() -> Regex { Regex::new(r"\d{4}$").unwrap() }"##,
        r##"fn year() -> Regex { Regex::new(r"^\D{4}$").unwrap() }"##,
        r##"fn year() -> Regex { Regex::new(r"^\d{5}$").unwrap() }"##,
        r##"fn year() -> Regex { Regex::new(r"^\d{3}$").unwrap() }"##,
        r##"fn year() -> Regex { Regex::new(r"^\d{4}").unwrap() }"##,
    ],
    find: |node, around, found| {
        let Node::Expression(Expr::Call(call)) = node else {
            return;
        };
        for (argument, pattern) in patterns(call) {
            for (range, other) in changes(&pattern.value()) {
                let text = changed_literal(around.slice(argument), &pattern, range, &other);
                found.push(Change::expression(argument, text));
            }
        }
    },
};

/// Returns the literals among the arguments of a call that constructs a regular expression.
fn patterns(call: &ExprCall) -> Vec<(&Expr, LitStr)> {
    let Expr::Path(function) = &*call.func else {
        return Vec::new();
    };
    let names: Vec<String> = function
        .path
        .segments
        .iter()
        .rev()
        .take(2)
        .map(|segment| segment.ident.to_string())
        .collect();
    let is_regex = matches!(
        names.iter().map(String::as_str).collect::<Vec<_>>()[..],
        [
            "new",
            "Regex" | "RegexBuilder" | "RegexSet" | "RegexSetBuilder"
        ]
    );
    let Some(argument) = call.args.first().filter(|_| is_regex) else {
        return Vec::new();
    };
    let elements: Vec<&Expr> = match argument {
        Expr::Reference(inner) => match &*inner.expr {
            Expr::Array(array) => array.elems.iter().collect(),
            other => vec![other],
        },
        Expr::Array(array) => array.elems.iter().collect(),
        other => vec![other],
    };
    let literal = |element: &&Expr| match element {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(string) => Some(string.clone()),
            _ => None,
        },
        _ => None,
    };
    elements
        .into_iter()
        .filter_map(|element| Some((element, literal(&element)?)))
        .collect()
}

/// Returns the literal with a part of its value replaced, raw where it was raw.
fn changed_literal(source: &str, literal: &LitStr, range: Range<usize>, other: &str) -> String {
    let value = literal.value();
    let changed = format!("{}{other}{}", &value[..range.start], &value[range.end..]);
    match source.find(&value).filter(|_| source.starts_with('r')) {
        Some(at) => format!("{}{changed}{}", &source[..at], &source[at + value.len()..]),
        None => format!("{changed:?}"),
    }
}

/// Returns the changes of a pattern, from left to right; none if it is no regular expression.
fn changes(pattern: &str) -> Vec<(Range<usize>, String)> {
    let Ok(tree) = Parser::new().parse(pattern) else {
        return Vec::new();
    };
    let collector = Collector {
        pattern,
        found: Vec::new(),
    };
    let mut found = match ast::visit(&tree, collector) {
        Ok(found) => found,
        Err(never) => match never {},
    };
    // A change may make two classes of flags or a quantifier of nothing.
    found.retain(|(range, other)| {
        let changed = format!(
            "{}{other}{}",
            &pattern[..range.start],
            &pattern[range.end..]
        );
        Parser::new().parse(&changed).is_ok()
    });
    found.sort_by_key(|(range, _)| range.start);
    found.truncate(MAX_MUTANTS);
    found
}

struct Collector<'p> {
    pattern: &'p str,
    found: Vec<(Range<usize>, String)>,
}

impl ast::Visitor for Collector<'_> {
    type Output = Vec<(Range<usize>, String)>;
    type Err = Infallible;

    fn finish(self) -> Result<Self::Output, Infallible> {
        Ok(self.found)
    }

    fn visit_pre(&mut self, node: &Ast) -> Result<(), Infallible> {
        match node {
            Ast::Assertion(assertion) => self.assertion(assertion),
            Ast::Literal(literal)
                if matches!(literal.kind, LiteralKind::Meta) && literal.c == '.' =>
            {
                self.replace(&literal.span, ".".to_owned());
            }
            Ast::ClassPerl(class) => {
                let letter = match (&class.kind, class.negated) {
                    (ClassPerlKind::Digit, false) => "D",
                    (ClassPerlKind::Digit, true) => "d",
                    (ClassPerlKind::Space, false) => "S",
                    (ClassPerlKind::Space, true) => "s",
                    (ClassPerlKind::Word, false) => "W",
                    (ClassPerlKind::Word, true) => "w",
                };
                self.replace(&class.span, format!("\\{letter}"));
            }
            Ast::ClassBracketed(class) => self.negate(class),
            Ast::Repetition(repetition) => {
                let lazy = if repetition.greedy { "" } else { "?" };
                for other in quantifiers(&repetition.op.kind) {
                    let lazy = if other.is_empty() { "" } else { lazy };
                    self.replace(&repetition.op.span, format!("{other}{lazy}"));
                }
            }
            Ast::Alternation(alternation) => self.alternatives(&alternation.asts),
            _ => {}
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ast::ClassSetItem) -> Result<(), Infallible> {
        if let ast::ClassSetItem::Range(range) = item {
            let previous = u32::from(range.end.c).checked_sub(1);
            let previous = previous.and_then(char::from_u32);
            // Only letters and digits: others may need an escape.
            let end = previous.filter(|c| c.is_ascii_alphanumeric() && *c >= range.start.c);
            if let Some(end) = end {
                self.replace(&range.end.span, end.to_string());
            }
        }
        Ok(())
    }
}

impl Collector<'_> {
    fn replace(&mut self, span: &Span, other: String) {
        self.found.push((span.start.offset..span.end.offset, other));
    }

    fn assertion(&mut self, assertion: &Assertion) {
        self.replace(&assertion.span, String::new());
    }

    fn negate(&mut self, class: &ast::ClassBracketed) {
        let start = class.span.start.offset;
        let is_negated = self.pattern[start..].starts_with("[^");
        if is_negated {
            self.found.push((start..start + 2, "[".to_owned()));
        } else {
            self.found.push((start..start + 1, "[^".to_owned()));
        }
    }

    fn alternatives(&mut self, alternatives: &[Ast]) {
        let spans: Vec<Range<usize>> = alternatives
            .iter()
            .map(|one| one.span().start.offset..one.span().end.offset)
            .collect();
        for (at, span) in spans.iter().enumerate() {
            let gap = match spans.get(at + 1) {
                Some(next) => span.start..next.start,
                None => spans[at - 1].end..span.end,
            };
            self.found.push((gap, String::new()));
        }
    }
}

/// Returns the quantifiers that are tried in place of one.
fn quantifiers(kind: &RepetitionKind) -> Vec<String> {
    let exactly = |count: u32| match count {
        1 => String::new(),
        _ => format!("{{{count}}}"),
    };
    match kind {
        RepetitionKind::ZeroOrOne => vec![String::new()],
        RepetitionKind::ZeroOrMore => vec!["+".to_owned()],
        RepetitionKind::OneOrMore => vec!["*".to_owned()],
        RepetitionKind::Range(RepetitionRange::Exactly(count)) => {
            let fewer = count.checked_sub(1).filter(|fewer| *fewer > 0);
            let more = count.saturating_add(1);
            std::iter::once(more).chain(fewer).map(exactly).collect()
        }
        RepetitionKind::Range(RepetitionRange::AtLeast(least)) => {
            vec![format!("{{{},}}", least.saturating_add(1))]
        }
        RepetitionKind::Range(RepetitionRange::Bounded(least, most)) => {
            let longer = format!("{{{least},{}}}", most.saturating_add(1));
            let tighter = (least < most).then(|| format!("{{{},{most}}}", least + 1));
            std::iter::once(longer).chain(tighter).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, expected: &[&str]) {
        let changed = changes(pattern);
        let others = changed.iter().map(|(range, other)| {
            format!(
                "{}{other}{}",
                &pattern[..range.start],
                &pattern[range.end..]
            )
        });
        assert_eq!(others.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn quantifiers_move_by_one() {
        check("a{2}", &["a{3}", "a"]);
        check("a{2,}", &["a{3,}"]);
        check("a{1,3}?", &["a{1,4}?", "a{2,3}?"]);
        check("a+b*?c?", &["a*b*?c?", "a+b+?c?", "a+b*?c"]);
    }

    #[test]
    fn classes_anchors_and_alternatives_change() {
        check(r"\w", &[r"\W"]);
        check("[a-f]", &["[^a-f]", "[a-e]"]);
        check("[^x]", &["[x]"]);
        check(r"^a\b", &[r"a\b", "^a"]);
        check("cat|dog|cow", &["dog|cow", "cat|cow", "cat|dog"]);
        check(r"1\.0", &["1.0"]);
    }

    #[test]
    fn what_does_not_parse_has_no_mutant() {
        check("(", &[]);
        check("plain", &[]);
    }

    #[test]
    fn a_raw_literal_stays_raw_and_another_is_escaped() {
        let raw: LitStr = syn::parse_str(r###"r#"a"b+"#"###).unwrap();
        assert_eq!(
            changed_literal(r###"r#"a"b+"#"###, &raw, 3..4, "*"),
            r###"r#"a"b*"#"###
        );
        let plain: LitStr = syn::parse_str(r#""\\d+""#).unwrap();
        assert_eq!(changed_literal(r#""\\d+""#, &plain, 2..3, "*"), r#""\\d*""#);
    }
}
