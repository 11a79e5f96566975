//! Validation of names: identifiers, fields, and types as the compiler writes them.
//!
//! A recording may come from anybody, and names in it become source code. Only valid names may.

/// The maximum length of a type name.
const MAX_LENGTH: usize = 1 << 16;

/// The maximum depth of a type; deeper ones would overflow the parser's stack.
const MAX_DEPTH: u32 = 100;

/// Returns whether a string is an identifier, possibly a raw one.
pub fn is_identifier(text: &str) -> bool {
    let text = text.strip_prefix("r#").unwrap_or(text);
    let mut chars = text.chars();
    let is_start = chars
        .next()
        .is_some_and(|first| first.is_alphabetic() || first == '_');
    is_start && text != "_" && chars.all(is_word)
}

/// Returns whether a string names a field: an identifier, or the index of a tuple field.
pub fn is_field(text: &str) -> bool {
    let is_number =
        !text.is_empty() && text.len() <= 5 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number || is_identifier(text)
}

/// Returns whether a string consists of identifiers separated by `::`.
pub fn is_path(text: &str) -> bool {
    text.len() <= MAX_LENGTH && text.split("::").all(is_identifier)
}

/// Returns whether a string is a type as `std::any::type_name` writes it, including closures, trait
/// objects and functions, which no program can name.
pub fn is_type_name(text: &str) -> bool {
    if text.len() > MAX_LENGTH {
        return false;
    }
    let mut parser = Parser {
        rest: text,
        depth: 0,
    };
    parser.any_type().is_some() && parser.rest.is_empty()
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// A recursive-descent parser of names. Each method consumes what it is named after, or returns
/// `None`.
struct Parser<'t> {
    rest: &'t str,
    depth: u32,
}

impl<'t> Parser<'t> {
    fn eat(&mut self, word: &str) -> bool {
        let rest = self.rest.strip_prefix(word);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, word: &str) -> Option<()> {
        self.eat(word).then_some(())
    }

    /// Consumes as many matching chars as there are.
    fn take_while(&mut self, is_meant: impl Fn(char) -> bool) -> &'t str {
        let end = self
            .rest
            .find(|char| !is_meant(char))
            .unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn any_type(&mut self) -> Option<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let taken = self.unbounded_type();
        self.depth -= 1;
        taken
    }

    fn unbounded_type(&mut self) -> Option<()> {
        if self.eat("&") {
            if self.rest.starts_with('\'') {
                self.lifetime()?;
                self.expect(" ")?;
            }
            self.eat("mut ");
            return self.any_type();
        }
        if self.eat("*const ") || self.eat("*mut ") {
            return self.any_type();
        }
        if self.eat("(") {
            return self.list(")", Parser::any_type);
        }
        if self.eat("[") {
            self.any_type()?;
            if self.eat("; ") {
                self.constant()?;
            }
            return self.expect("]");
        }
        if self.eat("dyn ") || self.eat("impl ") {
            return self.bounds();
        }
        if self.eat("!") {
            return Some(());
        }
        if self.eat("for<") {
            self.list("> ", Parser::lifetime)?;
        }
        if ["unsafe ", "extern ", "fn("]
            .iter()
            .any(|start| self.rest.starts_with(start))
        {
            return self.function();
        }
        self.path()
    }

    /// Parses `unsafe extern "C" fn(u8) -> u8`.
    fn function(&mut self) -> Option<()> {
        self.eat("unsafe ");
        if self.eat("extern \"") {
            self.take_while(|char| is_word(char) || char == '-');
            self.expect("\" ")?;
        }
        self.expect("fn(")?;
        self.list(")", |parser| {
            if parser.eat("...") {
                Some(())
            } else {
                parser.any_type()
            }
        })?;
        self.returned()
    }

    /// Parses ` -> u8`, or nothing.
    fn returned(&mut self) -> Option<()> {
        if self.eat(" -> ") {
            self.any_type()
        } else {
            Some(())
        }
    }

    /// Parses `core::fmt::Debug + 'static`.
    fn bounds(&mut self) -> Option<()> {
        loop {
            if self.rest.starts_with('\'') {
                self.lifetime()?;
            } else {
                self.eat("?");
                if self.eat("for<") {
                    self.list("> ", Parser::lifetime)?;
                }
                self.path()?;
            }
            if !self.eat(" + ") {
                return Some(());
            }
        }
    }

    fn path(&mut self) -> Option<()> {
        self.segment()?;
        while self.eat("::") {
            self.segment()?;
        }
        Some(())
    }

    /// Parses an identifier with its arguments, `{{closure}}`, `<impl A for B>`, `<A as B>`.
    fn segment(&mut self) -> Option<()> {
        if self.eat("{") {
            let is_doubled = self.eat("{");
            let word = self.take_while(|char| is_word(char) || matches!(char, '#' | ':' | '.'));
            let close = if is_doubled { "}}" } else { "}" };
            return (!word.is_empty()).then(|| self.expect(close))?;
        }
        if self.eat("<impl ") {
            self.any_type()?;
            if self.eat(" for ") {
                self.any_type()?;
            }
            return self.expect(">");
        }
        if self.rest.starts_with('<') {
            return self.arguments_or_qualified();
        }
        let word = self.take_while(|char| is_word(char) || char == '#');
        if !is_identifier(word) {
            return None;
        }
        if self.rest.starts_with('<') {
            self.expect("<")?;
            return self.list(">", Parser::argument);
        }
        if self.eat("(") {
            self.list(")", Parser::any_type)?;
            return self.returned();
        }
        Some(())
    }

    /// Parses `<A as B>`, or `<A, B>` after `::`.
    fn arguments_or_qualified(&mut self) -> Option<()> {
        self.expect("<")?;
        self.list(">", |parser| {
            parser.argument()?;
            if parser.eat(" as ") {
                parser.path()
            } else {
                Some(())
            }
        })
    }

    /// Parses a type, a lifetime, a constant, or an associated type's binding.
    fn argument(&mut self) -> Option<()> {
        let first = self.rest.chars().next()?;
        if first == '\'' && self.character().is_none() {
            return self.lifetime();
        }
        if first == '\'' || first == '-' || first.is_ascii_digit() {
            return if first == '\'' {
                Some(())
            } else {
                self.constant()
            };
        }
        let before = self.rest;
        let word = self.take_while(is_word);
        if is_identifier(word) && self.eat(" = ") {
            return self.any_type();
        }
        if word == "_" {
            return Some(());
        }
        self.rest = before;
        self.any_type()
    }

    fn lifetime(&mut self) -> Option<()> {
        self.expect("'")?;
        let word = self.take_while(is_word);
        (word == "_" || is_identifier(word)).then_some(())
    }

    /// Parses a char literal. Consumes nothing if there is none.
    fn character(&mut self) -> Option<()> {
        let inside = self.rest.strip_prefix('\'')?;
        let mut chars = inside.chars();
        if chars.next()? == '\\' {
            chars.next()?;
            let (escape, rest) = chars.as_str().split_once('\'')?;
            let is_code = escape.len() <= 8
                && escape
                    .chars()
                    .all(|char| is_word(char) || matches!(char, '{' | '}'));
            self.rest = if is_code { rest } else { return None };
        } else {
            self.rest = chars.as_str().strip_prefix('\'')?;
        }
        Some(())
    }

    /// Parses a number, a boolean, or `_`.
    fn constant(&mut self) -> Option<()> {
        self.eat("-");
        let word = self.take_while(is_word);
        let is_number = word.starts_with(|first: char| first.is_ascii_digit());
        (is_number || matches!(word, "true" | "false" | "_") || is_identifier(word)).then_some(())
    }

    /// Parses a comma-separated list up to its closing delimiter.
    fn list(
        &mut self,
        close: &str,
        mut element: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        loop {
            if self.eat(close) {
                return Some(());
            }
            element(self)?;
            if !self.eat(", ") && !self.eat(",") && !self.rest.starts_with(close) {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_compiler_writes_is_a_type() {
        fn name_of<T: ?Sized>(_: &T) -> &'static str {
            std::any::type_name::<T>()
        }
        struct Of<const N: i32, const C: char, const B: bool>;
        struct Borrowing<'a>(#[allow(dead_code, reason = "it has a type")] &'a str);
        impl std::str::FromStr for Borrowing<'_> {
            type Err = ();
            fn from_str(_: &str) -> Result<Self, ()> {
                Err(())
            }
        }
        let text = "ab".to_owned();
        let names = [
            name_of(&1_u8),
            name_of("a"),
            name_of(&[(1_u8, "a")][..]),
            name_of(&[1_u8; 4]),
            name_of(&((), (1_u8,), [[0_u8; 2]; 3])),
            name_of(&std::collections::HashMap::<String, Vec<Option<&str>>>::new()),
            name_of(&|x: u8| x),
            name_of(&text.chars().map(|c| c.is_alphabetic()).peekable()),
            name_of(&(Box::new(|_: &str| 1_u8) as Box<dyn Fn(&str) -> u8 + Send>)),
            name_of(&(name_of::<u8> as fn(&u8) -> &'static str)),
            name_of(&std::ptr::null::<*mut u8>()),
            name_of(&Of::<-3, '\'', true>),
            name_of(&Of::<3, '<', false>),
            name_of(&Borrowing("a")),
            name_of(&<Borrowing<'_> as std::str::FromStr>::from_str),
            name_of(&str::len),
            name_of(&char::is_alphabetic),
            name_of(&String::new),
            name_of(&async {}),
            name_of(&(None::<std::pin::Pin<Box<dyn Future<Output = Result<u8, String>> + Send>>>)),
            name_of(&(None::<unsafe extern "C" fn(*const u8, ...) -> i32>)),
            name_of(&(None::<&mut (dyn std::error::Error + 'static)>)),
            name_of(&(None::<for<'a> fn(&'a str) -> &'a str>)),
            std::any::type_name::<core::fmt::Formatter<'_>>(),
        ];
        for name in names {
            assert!(is_type_name(name), "{name}");
        }
        for name in [
            "&mut core::fmt::Formatter<'_>",
            "mine::f::{closure#0}",
            "mine::T<'_, u8>",
            "!",
            "r#mod::r#type",
        ] {
            assert!(is_type_name(name), "{name}");
        }
    }

    #[test]
    fn what_only_looks_like_a_type_is_none() {
        let names = [
            "",
            "{ std::fs::write(\"x\", \"\"); u8 }",
            "u8; }",
            "mine::{ f() }::T",
            "[u8; { f() }]",
            "[u8; f()]",
            "mine::T<{ f() }>",
            "mine::T<u8",
            "mine::T>",
            "mine::T(u8",
            "mine T",
            "mine::T // ",
            "mine::T\n",
            "mine::f!()",
            "\"text\"",
            "a.b",
            "a::",
            "::a",
            "1",
            "mine::T<'\\x'; f()'>",
            "extern \"C\" { fn f(); }",
        ];
        for name in names {
            assert!(!is_type_name(name), "{name}");
        }
        assert!(
            !is_type_name(&"&".repeat(10_000)),
            "nobody follows it that deep"
        );
        assert!(!is_type_name(&format!("{}u8", "(".repeat(10_000))));
        assert!(!is_type_name(&"a".repeat(1 << 17)));
    }

    #[test]
    fn identifiers_and_fields_are_words() {
        assert!(
            is_identifier("a1")
                && is_identifier("_a")
                && is_identifier("größe")
                && is_identifier("r#type")
        );
        assert!(
            !is_identifier("")
                && !is_identifier("_")
                && !is_identifier("1a")
                && !is_identifier("a b")
        );
        assert!(
            !is_identifier("a-b")
                && !is_identifier("a()")
                && !is_identifier("a::b")
                && !is_identifier("r#")
        );
        assert!(is_field("0") && is_field("12") && is_field("name"));
        assert!(!is_field("1 + 1") && !is_field("0x1") && !is_field("a.b") && !is_field("123456"));
        assert!(is_path("a::b::C") && !is_path("a::") && !is_path("a::b()") && !is_path(""));
    }
}
