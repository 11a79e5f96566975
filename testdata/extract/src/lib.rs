//! A small reader of settings whose tests leave much to be desired.

#![deny(warnings)]

use std::collections::BTreeMap;

/// One line of a file of settings. It cannot be compared.
#[derive(Clone, Debug)]
pub enum Line {
    Empty,
    Section(String),
    Entry { key: String, value: String },
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    pub line: usize,
    pub text: String,
}

/// Reads one line.
pub fn read_line(number: usize, text: &str) -> Result<Line, Mistake> {
    let bare = text.split('#').next().unwrap_or("").trim();
    if bare.is_empty() {
        return Ok(Line::Empty);
    }
    if bare.starts_with('[') && bare.ends_with(']') {
        let name = bare[1..bare.len() - 1].to_string();
        return Ok(Line::Section(name));
    }
    let (key, value) = bare.split_once('=').ok_or_else(|| Mistake {
        line: number,
        text: bare.to_string(),
    })?;
    let line = Line::Entry {
        key: key.trim_end().to_lowercase(),
        value: value.trim_start().to_string(),
    };
    Ok(line)
}

/// All settings of a file, by section and key.
#[derive(Debug, Default)]
pub struct Settings {
    section: String,
    entries: BTreeMap<String, String>,
    checksum: u32,
}

impl Settings {
    /// Reads a file.
    pub fn read(text: &str) -> Result<Settings, Mistake> {
        let mut settings = Settings::default();
        for (at, line) in text.lines().enumerate() {
            match read_line(at + 1, line)? {
                Line::Empty => {}
                Line::Section(name) => settings.section = name,
                Line::Entry { key, value } => settings.add(&key, &value),
            }
        }
        Ok(settings)
    }

    fn add(&mut self, key: &str, value: &str) {
        let full = format!("{}.{key}", self.section);
        for byte in full.bytes() {
            self.checksum = self.checksum.rotate_left(5) ^ u32::from(byte);
        }
        self.entries.insert(full, value.to_string());
    }

    /// One setting.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries.get(key).map(|value| value.trim_matches('"'))
    }
}

/// The bits of a mask that are set, lowest first.
pub fn bits(mut mask: u32) -> Vec<u32> {
    let mut found = Vec::new();
    while mask != 0 {
        found.push(mask.trailing_zeros());
        mask &= mask - 1;
    }
    found
}

/// A label with the time, which no test can repeat.
pub fn stamp(label: &str) -> String {
    let text = format!("{label}-{:?}", std::time::SystemTime::now());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "# a comment\n[window]\nWidth = 80\ntitle = \"Situ\" # shown\n\n[log]\nlevel=3\n";

    #[test]
    fn settings_are_read() {
        let settings = Settings::read(TEXT).unwrap();
        assert_eq!(settings.get("window.width"), Some("80"));
        assert!(settings.get("window.title").is_some());
        assert!(settings.checksum != 0);
    }

    #[test]
    fn mistakes_are_told() {
        assert!(Settings::read("[a]\nnothing").is_err());
    }

    #[test]
    fn bits_are_found() {
        assert_eq!(bits(0b1010).len(), 2);
        assert!(bits(0).is_empty());
    }

    #[test]
    fn stamps_differ() {
        assert!(stamp("a") != stamp("b"));
    }
}
