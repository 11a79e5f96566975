//! The little that the tests need to know of Markdown: code blocks, code spans, links, sections.

/// A fenced code block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeBlock {
    /// What stands after the opening fence: `rust,should_panic`.
    pub info: String,
    /// The line of the first line of code, counted from one.
    pub line: usize,
    /// The code, each line ended.
    pub code: String,
}

impl CodeBlock {
    /// Whether one of the comma-separated words after the fence is this one.
    pub fn is(&self, word: &str) -> bool {
        self.info.split(',').any(|part| part.trim() == word)
    }
}

/// All code blocks of a page, in order.
pub fn code_blocks(page: &str) -> Vec<CodeBlock> {
    let mut blocks = Vec::new();
    let mut open: Option<CodeBlock> = None;
    for (index, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(info), None) => {
                open = Some(CodeBlock {
                    info: info.trim().to_string(),
                    line: index + 2,
                    code: String::new(),
                });
            }
            (None, Some(block)) => block.code.extend([line, "\n"]),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a code block is never closed: {open:?}");
    blocks
}

/// The page without its code blocks.
pub fn prose(page: &str) -> String {
    let mut inside = false;
    let mut kept = String::new();
    for line in page.lines() {
        let fence = line.starts_with("```");
        if !fence && !inside {
            kept.extend([line, "\n"]);
        }
        inside ^= fence;
    }
    kept
}

/// What stands between single backticks in the prose.
pub fn code_spans(page: &str) -> Vec<String> {
    let prose = prose(page);
    prose
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_string)
        .collect()
}

/// The targets of links in the prose that lead to files here, without what stands after `#`.
pub fn links_to_files(page: &str) -> Vec<String> {
    let prose = prose(page);
    let targets = prose
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    let files = targets.map(|target| target.split('#').next().unwrap_or_default());
    files
        .filter(|file| !file.is_empty() && !file.contains("://"))
        .map(str::to_string)
        .collect()
}

/// The part of a page under the heading of this text, up to the next heading that is as high.
pub fn section(page: &str, heading: &str) -> Option<String> {
    let level = |line: &str| line.chars().take_while(|&c| c == '#').count();
    let mut lines = page
        .lines()
        .skip_while(|line| level(line) == 0 || line.trim_start_matches('#').trim() != heading);
    let depth = level(lines.next()?);
    let inside = lines.take_while(|line| level(line) == 0 || level(line) > depth);
    Some(inside.map(|line| format!("{line}\n")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# Title\nsee [a](b.md#c), [w](https://x)\n## One\n`x`\n```rust,ignore\n# no heading `y`\n```\n## Two\n`z`\n";

    #[test]
    fn a_code_block_knows_its_words_line_and_code() {
        let blocks = code_blocks(PAGE);
        assert_eq!(blocks.len(), 1);
        assert!(blocks[0].is("rust") && blocks[0].is("ignore") && !blocks[0].is("text"));
        assert_eq!(
            (blocks[0].line, blocks[0].code.as_str()),
            (6, "# no heading `y`\n")
        );
    }

    #[test]
    fn code_blocks_are_no_prose() {
        assert_eq!(code_spans(PAGE), ["x", "z"]);
    }

    #[test]
    fn only_links_to_files_are_followed() {
        assert_eq!(links_to_files(PAGE), ["b.md"]);
    }

    #[test]
    fn a_section_ends_at_the_next_heading_of_its_level() {
        assert_eq!(section(PAGE, "Two").as_deref(), Some("`z`\n"));
        assert_eq!(section(PAGE, "Three"), None);
    }
}
