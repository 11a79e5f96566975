//! The literals of a theory, which stubs guess with.

use proc_macro2::{TokenStream, TokenTree};

/// Returns every distinct literal, in order, as `Debug` would print its value.
pub(super) fn literals_in(tokens: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    collect(tokens, &mut found);
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => collect(group.stream(), found),
            TokenTree::Literal(literal) => {
                found.extend(
                    value_text(&syn::Lit::new(literal)).filter(|text| !found.contains(text)),
                );
            }
            _ => {}
        }
    }
}

fn value_text(literal: &syn::Lit) -> Option<String> {
    match literal {
        syn::Lit::Str(text) => Some(format!("{:?}", text.value())),
        syn::Lit::Char(one) => Some(format!("{:?}", one.value())),
        syn::Lit::Byte(byte) => Some(byte.value().to_string()),
        syn::Lit::Int(number) => Some(String::from(number.base10_digits())),
        syn::Lit::Float(number) => Some(String::from(number.base10_digits())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::literals_in;
    use quote::quote;

    #[test]
    fn literals_are_found_at_any_depth_and_once() {
        let text = quote!({
            assume_eq!(c.ask("five"), 0x10u8);
            f('x', b'a', 1.5, "five")
        });
        assert_eq!(literals_in(text), ["\"five\"", "16", "'x'", "97", "1.5"]);
    }
}
