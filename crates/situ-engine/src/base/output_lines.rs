//! Splits program output into lines while it arrives, and bounds the length of each line.

/// Line splitter that is fed with chunks of output. Each byte is copied a bounded number of times,
/// however long a line gets.
#[derive(Debug)]
pub(crate) struct Lines {
    unfinished: String,
    /// Minimum number of bytes to keep at the start and at the end of a long line.
    kept: usize,
}

impl Lines {
    /// Returns a splitter that keeps only the start and the end of a very long line. Use it where a
    /// program may print without a line break and only the ends are parsed.
    pub(crate) fn with_ends() -> Lines {
        Lines {
            unfinished: String::new(),
            kept: 64 << 10,
        }
    }

    /// Returns a splitter that keeps lines whole.
    pub(crate) fn whole() -> Lines {
        Lines {
            unfinished: String::new(),
            kept: usize::MAX / 4,
        }
    }

    /// Consumes a chunk and calls `on_line` with each line that it completes, without trailing
    /// whitespace.
    pub(crate) fn read(&mut self, piece: &str, on_line: &mut dyn FnMut(&str)) {
        let mut rest = piece;
        while let Some((end, others)) = rest.split_once('\n') {
            if self.unfinished.is_empty() {
                on_line(end.trim_end());
            } else {
                self.push(end);
                on_line(self.unfinished.trim_end());
                self.unfinished.clear();
            }
            rest = others;
        }
        self.push(rest);
    }

    /// Returns the last line, which has no line break yet.
    pub(crate) fn unfinished(&self) -> &str {
        &self.unfinished
    }

    fn push(&mut self, text: &str) {
        self.unfinished.push_str(text);
        // Trimmed only at four times the kept length, so that each byte is moved a bounded number
        // of times.
        if self.unfinished.len() > 4 * self.kept {
            let start = boundary_before(&self.unfinished, self.kept);
            let end = boundary_before(&self.unfinished, self.unfinished.len() - self.kept);
            self.unfinished.replace_range(start..end, "…");
        }
    }
}

/// Returns `text` unchanged, or, if it is longer than `bytes`, its start and its end with a note
/// between them of how many bytes are omitted.
pub(crate) fn bounded(text: String, bytes: usize) -> String {
    if text.len() <= bytes {
        return text;
    }
    let (start, end) = (
        boundary_before(&text, bytes / 2),
        boundary_before(&text, text.len() - bytes / 2),
    );
    format!(
        "{}\n… {} bytes omitted …\n{}",
        &text[..start],
        end - start,
        &text[end..]
    )
}

fn boundary_before(text: &str, at: usize) -> usize {
    (0..=at)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_whole_however_the_pieces_are_cut() {
        let text = "one\ntwo\r\n\nthree ä\nfour";
        for size in 1..text.len() {
            let mut lines = Lines::whole();
            let mut found = Vec::new();
            let characters: Vec<char> = text.chars().collect();
            for piece in characters.chunks(size) {
                lines.read(&piece.iter().collect::<String>(), &mut |line| {
                    found.push(line.to_owned())
                });
            }
            assert_eq!(found, ["one", "two", "", "three ä"]);
            assert_eq!(lines.unfinished(), "four");
        }
    }

    #[test]
    fn a_line_without_an_end_takes_bounded_memory() {
        let mut lines = Lines::with_ends();
        lines.read("test endless ... ", &mut |_| {});
        let piece = "ä".repeat(8 << 10);
        for _ in 0..2_000 {
            lines.read(&piece, &mut |_| {});
            assert!(lines.unfinished().len() <= 4 * lines.kept + piece.len());
        }
        let mut last = String::new();
        lines.read("ok\nnext", &mut |line| last = line.to_owned());
        assert!(
            last.starts_with("test endless ... ") && last.contains('…') && last.ends_with("ok")
        );
        assert_eq!(lines.unfinished(), "next");
    }

    #[test]
    fn of_long_texts_both_ends_are_kept() {
        assert_eq!(bounded("short".to_owned(), 5), "short");
        assert_eq!(bounded("ä".repeat(10), 8), "ää\n… 12 bytes omitted …\nää");
    }
}
