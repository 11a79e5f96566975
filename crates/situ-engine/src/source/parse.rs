//! Parses a file so that spans are byte ranges of the whole text.

/// The syntax tree of a file. What stands before the first token and is none, a byte order mark or the line of an
/// interpreter, is counted in every span.
pub fn parse(text: &str) -> syn::Result<syn::File> {
    let head = head_length(text);
    if head == 0 {
        return syn::parse_file(text);
    }
    let blank = format!("{}{}", " ".repeat(head), &text[head..]);
    let mut file: syn::File = syn::parse_str(&blank)?;
    file.shebang = Some(text[..head].trim_start_matches('\u{feff}').to_owned()).filter(|line| !line.is_empty());
    Ok(file)
}

/// The length of a byte order mark and of the line of an interpreter.
fn head_length(text: &str) -> usize {
    let unmarked = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mark = text.len() - unmarked.len();
    let Some(line) = unmarked.strip_prefix("#!") else { return mark };
    // `#![…]` is an attribute, also with white space or comments between.
    if syn::parse_file(unmarked).is_ok_and(|file| file.shebang.is_none()) {
        return mark;
    }
    mark + 2 + line.find('\n').unwrap_or(line.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::byte_range;

    #[test]
    fn spans_count_from_the_first_byte_of_the_file() {
        for text in ["\u{feff}fn f() {}", "#!/bin/run ä\nfn f() {}", "\u{feff}#!/x\r\nfn f() {}", "#![a]\nfn f() {}"] {
            let file = parse(text).unwrap();
            assert_eq!(&text[byte_range(&file.items[0])], "fn f() {}", "{text:?}");
        }
        assert!(parse("#!/x").unwrap().items.is_empty());
    }
}
