//! Strings that match a regular expression: a few with different branches and repetitions.

use std::iter::Peekable;
use std::str::Chars;

/// The maximum number of strings of one expression.
const MOST: usize = 12;
/// The maximum number of repetitions beyond the minimum.
const MORE: usize = 3;

/// Returns matching strings; empty if the expression contains unknown syntax.
pub(super) fn matching(pattern: &str) -> Vec<String> {
    let mut parser = Parser {
        left: pattern.chars().peekable(),
    };
    let Some(tree) = parser
        .alternatives()
        .filter(|_| parser.left.peek().is_none())
    else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for number in 0..4 * MOST {
        let mut text = String::new();
        // Numbers that share no factor take turns at different speeds.
        tree.write(&mut Turns { state: number }, &mut text);
        if !all.contains(&text) && all.len() < MOST {
            all.push(text);
        }
    }
    all
}

/// A part of an expression.
enum Part {
    /// One of these characters.
    Class(Vec<char>),
    /// One of these sequences.
    Choice(Vec<Vec<(Part, usize, usize)>>),
    /// An anchor, which matches no char.
    Place,
}

/// The choices on the way through an expression.
struct Turns {
    state: usize,
}

impl Turns {
    fn below(&mut self, bound: usize) -> usize {
        let turn = self.state % bound.max(1);
        self.state = self.state / bound.max(1) + usize::from(turn > 0) * 7 % 5;
        turn
    }
}

impl Part {
    fn write(&self, turns: &mut Turns, text: &mut String) {
        match self {
            Part::Class(characters) => text.extend(characters.get(turns.below(characters.len()))),
            Part::Choice(choices) => {
                for (part, least, most) in choices
                    .get(turns.below(choices.len()))
                    .into_iter()
                    .flatten()
                {
                    let times = least + turns.below(most - least + 1);
                    (0..times).for_each(|_| part.write(turns, text));
                }
            }
            Part::Place => {}
        }
    }
}

struct Parser<'p> {
    left: Peekable<Chars<'p>>,
}

impl Parser<'_> {
    fn takes(&mut self, wanted: char) -> bool {
        self.left.next_if_eq(&wanted).is_some()
    }

    fn alternatives(&mut self) -> Option<Part> {
        let mut choices = vec![self.sequence()?];
        while self.takes('|') {
            choices.push(self.sequence()?);
        }
        Some(Part::Choice(choices))
    }

    fn sequence(&mut self) -> Option<Vec<(Part, usize, usize)>> {
        let mut parts = Vec::new();
        while self
            .left
            .peek()
            .is_some_and(|next| !matches!(next, '|' | ')'))
        {
            let part = self.part()?;
            let (least, most) = self.repetition()?;
            parts.push((part, least, most));
        }
        Some(parts)
    }

    fn part(&mut self) -> Option<Part> {
        match self.left.next()? {
            '(' => {
                self.group_head()?;
                let inner = self.alternatives()?;
                self.takes(')').then_some(inner)
            }
            '[' => self.class(),
            '.' => Some(Part::Class(vec!['a', '.', ' ', '0'])),
            '^' | '$' => Some(Part::Place),
            '\\' => self.escape(),
            '*' | '+' | '?' => None,
            other => Some(Part::Class(vec![other])),
        }
    }

    /// Parses what follows an opening parenthesis: `?:`, `?i:`, a name. Flags are ignored.
    fn group_head(&mut self) -> Option<()> {
        if !self.takes('?') {
            return Some(());
        }
        while let Some(next) = self.left.peek().copied() {
            if next == ')' {
                return Some(());
            }
            self.left.next();
            match next {
                ':' | '>' => return Some(()),
                '=' | '!' => return None,
                _ => {}
            }
        }
        None
    }

    fn repetition(&mut self) -> Option<(usize, usize)> {
        let bounds = match self.left.peek() {
            Some('*') => (0, MORE),
            Some('+') => (1, 1 + MORE),
            Some('?') => (0, 1),
            Some('{') => {
                let text: String = self
                    .left
                    .clone()
                    .skip(1)
                    .take_while(|one| *one != '}')
                    .collect();
                // What is not closed is no repetition.
                self.left.by_ref().find(|one| *one == '}')?;
                let (least, most) = text.split_once(',').unwrap_or((&text, &text));
                let least: usize = least.trim().parse().ok()?;
                let most = if most.trim().is_empty() {
                    least + MORE
                } else {
                    most.trim().parse().ok()?
                };
                self.takes('?');
                return (least <= most && most <= 200).then_some((least, most.min(least + MORE)));
            }
            _ => return Some((1, 1)),
        };
        self.left.next();
        // A lazy one matches the same texts.
        self.takes('?');
        Some(bounds)
    }

    fn escape(&mut self) -> Option<Part> {
        let characters = match self.left.next()? {
            'b' | 'B' | 'A' | 'z' => return Some(Part::Place),
            'p' | 'P' => {
                if self.takes('{') {
                    self.left.by_ref().find(|one| *one == '}')?;
                } else {
                    self.left.next()?;
                }
                vec!['a', 'Z', 'é', '0', ' ']
            }
            letter => escaped(letter)?,
        };
        Some(Part::Class(characters))
    }

    fn class(&mut self) -> Option<Part> {
        let is_negated = self.takes('^');
        let mut characters = Vec::new();
        let mut is_first = true;
        loop {
            let next = self.left.next()?;
            match next {
                ']' if !is_first => break,
                '[' if self.left.peek() == Some(&':') => characters.extend(self.named_class()?),
                '[' | '&' if self.left.peek() == Some(&next) => return None,
                '\\' => characters.extend(escaped(self.left.next()?)?),
                one => self.range(one, &mut characters)?,
            }
            is_first = false;
        }
        if is_negated {
            let other = ['a', '0', ' ', '-', 'é', '~', '\n'].into_iter();
            characters = other.filter(|one| !characters.contains(one)).collect();
        }
        (!characters.is_empty()).then_some(Part::Class(characters))
    }

    /// `[:alpha:]` and its like.
    fn named_class(&mut self) -> Option<Vec<char>> {
        let name: String = self
            .left
            .by_ref()
            .skip(1)
            .take_while(|one| *one != ':')
            .collect();
        self.left.next_if_eq(&']')?;
        match name.as_str() {
            "alpha" | "word" | "alnum" => Some(vec!['a', 'Z']),
            "digit" | "xdigit" => Some(vec!['0', '9']),
            "lower" => Some(vec!['a', 'z']),
            "upper" => Some(vec!['A', 'Z']),
            "space" | "blank" => Some(vec![' ', '\t']),
            "punct" => Some(vec!['.', '-']),
            _ => None,
        }
    }

    /// Returns the ends of a range, and one between; a single character otherwise.
    fn range(&mut self, first: char, characters: &mut Vec<char>) -> Option<()> {
        characters.push(first);
        let mut ahead = self.left.clone();
        if ahead.next() == Some('-') && ahead.peek().is_some_and(|next| *next != ']') {
            self.left.next();
            let last = match self.left.next()? {
                '\\' => *escaped(self.left.next()?)?.first()?,
                other => other,
            };
            characters.extend(char::from_u32(u32::from(first).midpoint(u32::from(last))));
            characters.push(last);
        }
        Some(())
    }
}

/// Returns the chars that an escape such as `\d` matches, given its letter.
fn escaped(letter: char) -> Option<Vec<char>> {
    Some(match letter {
        'd' => vec!['0', '7', '9'],
        'w' => vec!['a', 'Z', '0', '_'],
        's' => vec![' ', '\t', '\n'],
        'D' => vec!['a', '-', ' '],
        'W' => vec!['-', ' '],
        'S' => vec!['a', '0', '-'],
        'n' => vec!['\n'],
        't' => vec!['\t'],
        'r' => vec!['\r'],
        'x' | 'u' => return None,
        other => vec![other],
    })
}

#[cfg(test)]
mod tests {
    use super::matching;

    #[track_caller]
    fn check(pattern: &str, wanted: &[&str]) {
        let found = matching(pattern);
        let missing: Vec<&&str> = wanted
            .iter()
            .filter(|text| !found.contains(&text.to_string()))
            .collect();
        assert!(missing.is_empty(), "{missing:?} in {found:?}");
    }

    #[test]
    fn texts_are_made_that_match() {
        check("^abc$", &["abc"]);
        check("a|bc", &["a", "bc"]);
        check(r"^\d{4}-(?:0[1-9]|1[0-2])$", &["0000-01"]);
        check("ab?", &["a", "ab"]);
        check("(?P<key>[a-z]+)=", &["a="]);
        check(r"\[x\]", &["[x]"]);
        assert!(
            matching("x*")
                .iter()
                .all(|text| text.len() <= 3 && text.chars().all(|one| one == 'x'))
        );
        assert!(matching("[^a]").iter().all(|text| !text.contains('a')));
    }

    #[test]
    fn what_is_not_known_gives_nothing() {
        for pattern in ["(?=a)", "[a&&b]", "a{3", "(a", "*"] {
            assert_eq!(matching(pattern), Vec::<String>::new(), "{pattern}");
        }
    }
}
