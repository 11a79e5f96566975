//! Conversion of positions: URIs, lines counted from zero, columns in UTF-16 code units.

use gen_lsp_types::{Position, Range, Uri};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Returns the path of a `file:` URI, or `None` for another one.
pub fn path_of(uri: &Uri) -> Option<PathBuf> {
    let path = uri.0.strip_prefix("file://")?;
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = (*first == b'%').then(|| after.get(..2)).flatten();
        let byte =
            code.and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    let text = String::from_utf8(bytes).ok()?;
    // `file:///C:/…`
    let drive = text
        .strip_prefix('/')
        .filter(|rest| rest.as_bytes().get(1) == Some(&b':'));
    Some(PathBuf::from(drive.unwrap_or(&text)))
}

/// Returns the `file:` URI of a path.
pub fn uri_of(path: &Path) -> Uri {
    let text = path.to_string_lossy().replace('\\', "/");
    let mut uri = String::from(if text.starts_with('/') {
        "file://"
    } else {
        "file:///"
    });
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' | b':' => {
                uri.push(byte.into())
            }
            other => drop(write!(uri, "%{other:02X}")),
        }
    }
    Uri(uri)
}

/// Returns the byte offset of a position. A position behind a line's end is that end; one behind
/// the last line is the end of the text.
pub fn byte_at(text: &str, position: Position) -> usize {
    let mut start = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if number == position.line as usize {
            let mut column = 0;
            let line = line.trim_end_matches(['\n', '\r']);
            for (byte, char) in line.char_indices() {
                if column >= position.character as usize {
                    return start + byte;
                }
                column += char.len_utf16();
            }
            return start + line.len();
        }
        start += line.len();
    }
    text.len()
}

/// The byte offsets at which the lines of a text start, computed once so that each of thousands of
/// tests does not scan the text.
pub struct LineStarts(Vec<usize>);

impl LineStarts {
    /// Computes the line starts.
    pub fn of(text: &str) -> LineStarts {
        LineStarts(
            std::iter::once(0)
                .chain(text.match_indices('\n').map(|(at, _)| at + 1))
                .collect(),
        )
    }

    /// Converts a byte offset into a position.
    pub fn position_of(&self, text: &str, byte: usize) -> Position {
        let line = self
            .0
            .partition_point(|start| *start <= byte)
            .saturating_sub(1);
        let before = text.get(self.0[line]..byte).unwrap_or_default();
        Position::new(small(line), small(before.encode_utf16().count()))
    }

    /// Converts a byte range into a protocol range.
    pub fn range_of(&self, text: &str, bytes: std::ops::Range<usize>) -> Range {
        Range::new(
            self.position_of(text, bytes.start),
            self.position_of(text, bytes.end),
        )
    }

    /// Returns the range of a line, counted from one, without its indentation.
    pub fn line_range(&self, text: &str, line: usize) -> Range {
        let start = self
            .0
            .get(line.saturating_sub(1))
            .copied()
            .unwrap_or(text.len());
        let content = text
            .get(start..)
            .and_then(|rest| rest.lines().next())
            .unwrap_or_default();
        let indent = content.len() - content.trim_start().len();
        let number = from_one(line);
        Range::new(
            Position::new(number, small(indent)),
            Position::new(number, small(content.encode_utf16().count())),
        )
    }
}

/// Converts a line counted from one into one counted from zero.
pub fn from_one(line: usize) -> u32 {
    small(line.saturating_sub(1))
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_paths_are_the_same_thing() {
        for path in ["/a b/ü.rs", "/plain/src/lib.rs", "/100%/x"] {
            assert_eq!(
                path_of(&uri_of(Path::new(path))).as_deref(),
                Some(Path::new(path))
            );
        }
        assert_eq!(uri_of(Path::new("/a b")).0, "file:///a%20b");
        assert_eq!(path_of(&Uri("untitled:1".to_owned())), None);
    }

    #[test]
    fn columns_count_utf16() {
        let text = "a\n𝄞é x\n";
        let byte = text.find('x').unwrap();
        let lines = LineStarts::of(text);
        assert_eq!(lines.position_of(text, byte), Position::new(1, 4));
        assert_eq!(lines.position_of(text, text.len()), Position::new(2, 0));
        assert_eq!(
            lines.line_range(text, 2),
            Range::new(Position::new(1, 0), Position::new(1, 5))
        );
        assert_eq!(
            lines.line_range(text, 9),
            Range::new(Position::new(8, 0), Position::new(8, 0))
        );
        assert_eq!(byte_at(text, Position::new(1, 4)), byte);
        assert_eq!(byte_at(text, Position::new(1, 99)), byte + 1);
        assert_eq!(byte_at(text, Position::new(9, 0)), text.len());
    }
}
