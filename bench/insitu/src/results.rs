//! The section of `bench/RESULTS.md` that this benchmark owns.

use std::fs;
use std::io;

use crate::generated_crate::repository;
use crate::options::Options;

const TITLE: &str = "## insitu\n";

pub struct Section {
    text: String,
    complete: bool,
}

impl Section {
    pub fn new(options: &Options) -> Self {
        let text = format!("{TITLE}\n`cd bench/insitu && {}`\n\n", options.command);
        Section {
            text,
            complete: options.is_complete(),
        }
    }

    pub fn add(&mut self, part: String) {
        self.text += &part;
        self.text.push('\n');
    }

    /// Puts the section in the place of the one before; a partial run is only printed.
    pub fn write(self) -> io::Result<()> {
        println!("{}", self.text);
        if !self.complete {
            return Ok(());
        }
        let path = repository().join("bench/RESULTS.md");
        let old = fs::read_to_string(&path)
            .unwrap_or_else(|_| "# Results of the benchmarks\n\n".to_owned());
        fs::write(path, replace_section(&old, self.text.trim_end()))
    }
}

/// The document with the section in place of its older self; remarks after a `### ` heading stay.
fn replace_section(document: &str, section: &str) -> String {
    let Some(start) = document.find(TITLE) else {
        return format!("{}\n\n{section}\n", document.trim_end());
    };
    let body = start + TITLE.len();
    let end = ["\n## ", "\n### "]
        .iter()
        .filter_map(|mark| document[body..].find(mark))
        .min();
    let rest = end.map_or("", |end| &document[body + end + 1..]);
    let gap = if rest.is_empty() { "\n" } else { "\n\n" };
    format!("{}{section}{gap}{rest}", &document[..start])
}
