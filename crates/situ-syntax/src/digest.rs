//! Short digests of tokens, independent of position, layout and reader: the compiler, an editor, or
//! a command.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Digits that cannot be confused with one another.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Returns four chars that identify tokens.
pub fn digest(tokens: &TokenStream) -> String {
    let mut hash = Fnv::default();
    hash.stream(tokens);
    hash.digits()
}

/// A hash that is the same in every version of the compiler.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn text(&mut self, text: &str) {
        for byte in text.bytes().chain([0]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn stream(&mut self, tokens: &TokenStream) {
        let mut trees = tokens.clone().into_iter().peekable();
        while let Some(tree) = trees.next() {
            match tree {
                TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                    self.stream(&group.stream())
                }
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Bracket => ("[", "]"),
                        _ => ("{", "}"),
                    };
                    self.text(open);
                    self.stream(&group.stream());
                    self.text(close);
                }
                // rustfmt adds a trailing comma when it breaks lines, and removes it when it joins
                // them.
                TokenTree::Punct(comma) if comma.as_char() == ',' && trees.peek().is_none() => {}
                other => self.text(&other.to_string()),
            }
        }
    }

    fn digits(&self) -> String {
        let folded = self.0 ^ (self.0 >> 20) ^ (self.0 >> 40);
        (0..4)
            .map(|place| {
                char::from(DIGITS[usize::try_from((folded >> (5 * place)) & 31).unwrap_or(0)])
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        digest(&text.parse().expect("the text is Rust"))
    }

    #[test]
    fn layout_is_nothing_and_every_token_is_something() {
        let plain = of("given(x = 1), check_eq(y, [1, 2])");
        assert_eq!(
            plain,
            of("given(\n    x = 1,\n),\ncheck_eq(y, [1, 2,],),\n")
        );
        for other in [
            "given(x = 2), check_eq(y, [1, 2])",
            "given(x = 1), check_eq(y, (1, 2))",
            "given(x = 1)",
            "",
        ] {
            assert_ne!(plain, of(other));
        }
    }

    #[test]
    fn it_is_the_same_in_every_version() {
        assert_eq!(of("given(x = 1), check_eq(y, 2)"), "eype");
    }
}
