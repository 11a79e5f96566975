//! Composes the new text of a file: inserts tests, marks the items that contain them with
//! `#[situ]`, and adds the import.

use super::existing::{normalised, tests_at};
use super::formatting::{Formatting, keeps};
use super::importing::{Need, extern_crate, imports};
use super::layout::{Layout, call_of};
use super::line_breaks::with_line_breaks;
use super::marking::{Mark, marks};
use super::observed::marked;
use super::outline::Outline;
use super::placing::{Landing, land};
use super::{Place, Proposal, patch};
use crate::source::lines::{dominant_ending, indent_unit, line_number};
use crate::source::{Splice, apply, parse};
use anyhow::{Context as _, Result};
use cargo_metadata::Edition;
use std::collections::BTreeSet;
use syn::Macro;

/// Returns the new text of a file: inserts tests, marks the outermost items that contain them with
/// `#[situ]`, and adds the import.
///
/// Skips a test that is at its place already. Formats the whole file if it was formatted before,
/// otherwise only the new code.
pub fn compose(original: &str, proposals: &[&Proposal], options: &Formatting) -> Result<String> {
    let file = parse(original).context("reading the file that tests go to")?;
    let outline = Outline::of(&file, original.len());
    let draft = Draft::new(original, &outline, proposals)?;
    if draft.tests.is_empty() {
        return Ok(original.to_owned());
    }
    let composed = if options.verbatim {
        let verbatim: Vec<Layout> = draft
            .tests
            .iter()
            .map(|test| Layout::of(test.text, ""))
            .collect();
        draft.composed(&verbatim, options)
    } else if options
        .formatted(original)
        .is_some_and(|formatted| formatted == original)
    {
        let plain = draft.composed(&draft.plain_layouts(), options);
        // If rustfmt changes more of the file than its layout, only the tests are formatted.
        match formatted_twice(&plain, options)
            .filter(|formatted| keeps(original, &plain, formatted))
        {
            Some(formatted) => formatted,
            None => draft.composed(&draft.formatted_layouts(options), options),
        }
    } else {
        draft.composed(&draft.formatted_layouts(options), options)
    };
    parse(&composed).context("reading the file with its new tests")?;
    Ok(composed)
}

/// Formats twice, because rustfmt does not always leave its own output unchanged.
pub(super) fn formatted_twice(text: &str, options: &Formatting) -> Option<String> {
    let once = options.formatted(text)?;
    options.formatted(&once).or(Some(once))
}

/// Returns those places where a test is possible: in a statement list of a function that `#[situ]`
/// reaches, outside test code.
pub fn admitted(original: &str, places: &[Place]) -> Vec<Place> {
    let Ok(file) = parse(original) else {
        return Vec::new();
    };
    let outline = Outline::of(&file, original.len());
    places
        .iter()
        .copied()
        .filter(|place| land(original, &outline, *place).is_ok())
        .collect()
}

/// Returns whether a test is possible at a place. For many places, [`admitted`] is faster.
pub fn admits(original: &str, place: Place) -> bool {
    !admitted(original, &[place]).is_empty()
}

/// One test as a reviewer sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// Line before which the test is inserted, counted from one.
    pub line: usize,
    /// Lines around the test, as a hunk of a unified diff.
    pub hunk: String,
}

/// Shows one test in its context, without the `#[situ]` attribute and the import that it needs.
pub fn preview(original: &str, proposal: &Proposal, options: &Formatting) -> Result<Preview> {
    let file = parse(original).context("reading the file that a test goes to")?;
    let outline = Outline::of(&file, original.len());
    let marked = Proposal {
        text: marked(&proposal.text),
        ..proposal.clone()
    };
    let draft = Draft::new(original, &outline, &[&marked])?;
    let landing = land(original, &outline, proposal.place)?;
    let layouts = draft.formatted_layouts(options);
    let composed = with_line_breaks(&apply(original, &draft.insertions(&layouts)), draft.ending);
    Ok(Preview {
        line: line_number(original, landing.at),
        hunk: patch::hunks(original, &composed),
    })
}

/// Test to insert, with its position.
struct NewTest<'p> {
    landing: Landing,
    text: &'p str,
    call: Macro,
}

/// Tests to insert, before they are formatted.
struct Draft<'d> {
    original: &'d str,
    outline: &'d Outline<'d>,
    ending: &'static str,
    unit: String,
    /// Tests in the order in which they will be in the file.
    tests: Vec<NewTest<'d>>,
}

impl<'d> Draft<'d> {
    fn new(
        original: &'d str,
        outline: &'d Outline<'d>,
        proposals: &[&'d Proposal],
    ) -> Result<Draft<'d>> {
        let mut tests = Vec::new();
        let mut seen = BTreeSet::new();
        for proposal in proposals {
            let landing = land(original, outline, proposal.place).with_context(|| {
                format!("placing `{}` in {}", proposal.text, proposal.file.display())
            })?;
            let text = proposal.text.trim();
            let words = normalised(text)?;
            let is_new = seen.insert((proposal.place, words.clone()));
            if is_new && !tests_at(outline, proposal.place).contains(&words) {
                tests.push(NewTest {
                    landing,
                    text,
                    call: call_of(text)?,
                });
            }
        }
        tests.sort_by(|one, other| one.landing.cmp(&other.landing));
        let (ending, unit) = (dominant_ending(original), indent_unit(original));
        Ok(Draft {
            original,
            outline,
            ending,
            unit,
            tests,
        })
    }

    /// Returns the tests as they are, with long lines broken.
    fn plain_layouts(&self) -> Vec<Layout> {
        let plain = |test: &NewTest<'_>| {
            let unit = if test.landing.indent.contains('\t') {
                "\t"
            } else {
                self.unit.as_str()
            };
            Layout::of(test.text, "").broken(test.text, &test.landing.indent, unit)
        };
        self.tests.iter().map(plain).collect()
    }

    /// Returns the tests as rustfmt formats them at their indentation.
    fn formatted_layouts(&self, options: &Formatting) -> Vec<Layout> {
        let steps = |indent: &str| {
            let tabs = indent.matches('\t').count();
            tabs + (indent.len() - tabs) / self.unit.len()
        };
        let tests: Vec<(&str, usize)> = self
            .tests
            .iter()
            .map(|test| (test.text, steps(&test.landing.indent)))
            .collect();
        options
            .formatted_tests(&tests)
            .unwrap_or_else(|| self.plain_layouts())
    }

    fn composed(&self, layouts: &[Layout], options: &Formatting) -> String {
        let holders: BTreeSet<usize> = self.tests.iter().map(|test| test.landing.holder).collect();
        let mut splices = self.insertions(layouts);
        let marks = marks(self.original, self.outline, &holders, self.ending);
        let needs = self.needs(&marks);
        let mut before: Vec<Splice> = Vec::new();
        if options.edition == Edition::E2015 && options.is_root {
            before.extend(extern_crate(
                self.original,
                &self.outline.modules[0],
                self.ending,
            ));
        }
        before.extend(imports(self.original, self.outline, &needs, self.ending));
        self.share_empty_line(&mut before);
        before.extend(marks.into_iter().map(|mark| mark.splice));
        before.append(&mut splices);
        with_line_breaks(&apply(self.original, &before), self.ending)
    }

    /// Returns the insertions of the tests.
    fn insertions(&self, layouts: &[Layout]) -> Vec<Splice> {
        let (mut made, mut opened, mut closed) = (Vec::new(), Vec::new(), Vec::new());
        let mut first = 0;
        while first < self.tests.len() {
            let landing = &self.tests[first].landing;
            let same = self.tests[first..]
                .iter()
                .take_while(|test| test.landing == *landing)
                .count();
            let layouts: Vec<&Layout> = layouts[first..first + same].iter().collect();
            made.extend(landing.insertions(self.original, &layouts, self.ending));
            if let Some((open, close)) = landing.opening(self.original, &layouts) {
                opened.push(open);
                closed.push(close);
            }
            first += same;
        }
        // Line breaks of a body enclose its tests.
        [opened, made, closed].concat()
    }

    /// Leaves one empty line, not two, between two lines inserted at the head of a file.
    fn share_empty_line(&self, splices: &mut [Splice]) {
        let [first, second, ..] = splices else { return };
        let empty = self.ending.repeat(2);
        if first.range == second.range
            && first.text.ends_with(&empty)
            && second.text.starts_with(self.ending)
        {
            first.text.truncate(first.text.len() - self.ending.len());
        }
    }

    /// Returns the names that each module must import from Situ.
    fn needs(&self, marks: &[Mark]) -> Vec<Need> {
        let mut needs = vec![Need::default(); self.outline.modules.len()];
        for test in &self.tests {
            let holder = &self.outline.holders[test.landing.holder];
            // `situ::itest!` needs no import.
            needs[holder.module].add(holder, test.call.path.get_ident().map(ToString::to_string));
        }
        for mark in marks {
            let holder = &self.outline.holders[mark.holder];
            needs[holder.module].add(holder, ["situ".to_owned()]);
        }
        needs
    }
}

/// Returns a crate root of the 2015 edition with `extern crate situ;`, or `None` if it has one.
pub(super) fn with_extern_crate(original: &str) -> Result<Option<String>> {
    let file = parse(original).context("reading the root of a crate")?;
    let outline = Outline::of(&file, original.len());
    let splice = extern_crate(original, &outline.modules[0], dominant_ending(original));
    Ok(splice.map(|splice| apply(original, &[splice])))
}
