//! A parser of the output of derived and standard `Debug` implementations.

/// The structure of `Debug` output.
#[derive(Debug, PartialEq)]
pub(super) enum Value {
    /// A number, or a name: `-1`, `true`, `None`, `Red`.
    Word(String),
    /// A string or char literal, quotes included.
    Literal(String),
    /// `name(a, b)`, or `(a, b)` without a name.
    Tuple(Option<String>, Vec<Value>),
    /// `Name { field: value }`.
    Struct(String, Vec<(String, Value)>),
    /// `[a, b]`.
    List(Vec<Value>),
    /// `{a, b}`.
    Set(Vec<Value>),
    /// `{a: b}`.
    Map(Vec<(Value, Value)>),
}

/// Parses `text`, if all of it has the usual form.
pub(super) fn parse(text: &str) -> Option<Value> {
    let mut reader = Reader { rest: text };
    let value = reader.value()?;
    reader.rest.is_empty().then_some(value)
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn value(&mut self) -> Option<Value> {
        match self.rest.chars().next()? {
            '"' | '\'' => self.literal().map(Value::Literal),
            '[' => self.items('[', ']', Self::value).map(Value::List),
            '(' => self
                .items('(', ')', Self::value)
                .map(|items| Value::Tuple(None, items)),
            '{' => self.set_or_map(),
            _ => self.word_or_named(),
        }
    }

    fn literal(&mut self) -> Option<String> {
        let quote = self.rest.chars().next()?;
        let mut escaped = false;
        for (at, next) in self.rest.char_indices().skip(1) {
            if next == quote && !escaped {
                let (literal, rest) = self.rest.split_at(at + 1);
                self.rest = rest;
                return Some(String::from(literal));
            }
            escaped = next == '\\' && !escaped;
        }
        None
    }

    fn items<V>(
        &mut self,
        open: char,
        close: char,
        item: fn(&mut Self) -> Option<V>,
    ) -> Option<Vec<V>> {
        self.eat(open)?;
        self.spaces();
        let mut items = Vec::new();
        while self.eat(close).is_none() {
            items.push(item(self)?);
            self.spaces();
            if self.eat(',').is_some() {
                self.spaces();
            } else if !self.rest.starts_with(close) {
                return None;
            }
        }
        Some(items)
    }

    fn set_or_map(&mut self) -> Option<Value> {
        let items = self.items('{', '}', |reader| {
            let key = reader.value()?;
            let value = if reader.eat(':').is_some() {
                reader.spaces();
                Some(reader.value()?)
            } else {
                None
            };
            Some((key, value))
        })?;
        if items.iter().all(|(_, value)| value.is_none()) {
            return Some(Value::Set(items.into_iter().map(|(key, _)| key).collect()));
        }
        items
            .into_iter()
            .map(|(key, value)| Some((key, value?)))
            .collect::<Option<_>>()
            .map(Value::Map)
    }

    fn word_or_named(&mut self) -> Option<Value> {
        let word = self.word()?;
        if self.rest.starts_with('(') {
            let items = self.items('(', ')', Self::value)?;
            return Some(Value::Tuple(Some(word), items));
        }
        if let Some(fields) = self
            .rest
            .strip_prefix(' ')
            .filter(|rest| rest.starts_with('{'))
        {
            self.rest = fields;
            let fields = self.items('{', '}', |reader| {
                let name = reader.word()?;
                reader.eat(':')?;
                reader.spaces();
                Some((name, reader.value()?))
            })?;
            return Some(Value::Struct(word, fields));
        }
        Some(Value::Word(word))
    }

    /// Parses a name or a number; anything else (`1.5s`, `12:30`, an address) is no expression.
    fn word(&mut self) -> Option<String> {
        let end = self
            .rest
            .find(|c: char| !(c.is_alphanumeric() || "_-+.".contains(c)))
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && word.chars().all(|c| c.is_alphanumeric() || c == '_');
        // Rust prints floats as `1.0`, `-1e21`, `-inf`; all of them parse back.
        let is_number = word.parse::<f64>().is_ok();
        (is_name || is_number).then(|| {
            self.rest = rest;
            String::from(word)
        })
    }

    fn eat(&mut self, expected: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(expected)?;
        Some(())
    }

    fn spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::{Value, parse};

    #[test]
    fn what_is_no_rust_has_no_reading() {
        for text in [
            "1.5s",
            "12:30",
            "<opaque>",
            "Foo { .. }",
            "[1",
            "a b",
            "\"open",
            "0x7f..",
            "",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn quotes_and_commas_inside_text_do_not_end_it() {
        let value = parse(r#"["a, \"]", '\'', "\\"]"#);
        let literal = |text: &str| Value::Literal(String::from(text));
        assert_eq!(
            value,
            Some(Value::List(vec![
                literal(r#""a, \"]""#),
                literal(r"'\''"),
                literal(r#""\\""#)
            ]))
        );
    }
}
