//! Generates the code of probes around a site: guard, captures and end.

use super::generics::Generic;
use super::places::{Element, Place, Scope, Variable};
use super::streams::StreamTrait;
use super::unsafe_free::ValidAround;
use super::{Insertion, Phase, Planner, Position, Site, Slot, SlotKey};
use crate::base::shortened::shortened;
use crate::source::SourceFile;
use situ_recorder::secret::Secrecy;
use situ_recorder::site::{PART, SITE};
use std::ops::Range;

/// Name of the static with the sites of a crate.
const SITES: &str = "__SITU_SITES";

/// Maximum number of chars of a statement's text in a description.
const LONGEST_TEXT: usize = 240;

/// Probe that is being planned.
pub(super) struct Probe {
    /// Number of the probe's guard, and its layer.
    pub number: usize,
    /// Piece that all other pieces of the probe need.
    pub piece: usize,
    /// When no unsafe code of the probe's function can have left a value invalid.
    pub valid: ValidAround,
    id: u64,
    slots: Vec<Slot>,
    site: usize,
    /// Generic parameters that a test instantiates with the type of a stream's replacement, with
    /// the name of that type.
    stood_for: Vec<(String, &'static str)>,
}

/// Code that a probe records, and its context.
pub(super) struct About<'a> {
    pub file: &'a SourceFile,
    /// Path of the module.
    pub module: &'a str,
    /// Path of the function.
    pub function: &'a str,
    /// Kind of target.
    pub kind: &'a str,
    pub position: Position,
    /// Byte range of the code.
    pub range: Range<usize>,
}

impl Probe {
    /// Returns the name of the guard's variable.
    pub(super) fn guard(&self) -> String {
        format!("__situ_{}", self.number)
    }

    /// Returns the site as arguments for a call of the recorder.
    pub(super) fn site_arguments(&self) -> String {
        format!("&crate::{SITES}, {}", self.site)
    }

    /// Returns the start of the block of captures, which runs if this execution is captured.
    /// [`Probe::captured`] closes it.
    pub(super) fn capturing(&self) -> String {
        format!("if {}.on() {{ ", self.guard())
    }

    /// Returns the end of the block of captures that [`Probe::capturing`] opens.
    pub(super) fn captured(&self) -> String {
        format!("{}.close(); }} ", self.guard())
    }

    /// Adds a slot and returns its number.
    pub(super) fn slot(
        &mut self,
        phase: Phase,
        key: impl Into<SlotKey>,
        secrecy: Secrecy,
    ) -> usize {
        self.slots.push(Slot {
            phase,
            key: key.into(),
            secret: secrecy >= Secrecy::Derived,
        });
        self.slots.len() - 1
    }

    /// Notes that a test replaces a stream by a standard type, which also becomes the generic
    /// parameter `generic`.
    pub(super) fn stand_in(&mut self, generic: Option<&str>, of: StreamTrait) {
        self.stood_for
            .extend(generic.map(|name| (name.to_owned(), of.stand_in_type())));
    }

    /// Returns the places of the streams that the probe records.
    pub(super) fn streams(&self) -> Vec<String> {
        let passed = self.slots.iter().filter(|slot| slot.phase == Phase::Passed);
        passed.map(|slot| slot.key.to_string()).collect()
    }

    /// Returns an expression that evaluates to the type or value of a generic parameter.
    fn value_of(&self, generic: &Generic) -> String {
        match self
            .stood_for
            .iter()
            .find(|(name, _)| *name == generic.name)
        {
            Some((_, stand_in)) => format!("{stand_in:?}"),
            None => generic.captured(),
        }
    }

    /// Returns a call that captures a value into a new slot, and its piece.
    pub(super) fn capture(
        &mut self,
        planner: &mut Planner<'_>,
        phase: Phase,
        key: impl Into<SlotKey>,
        secrecy: Secrecy,
        value: &str,
    ) -> (String, usize) {
        let key = key.into();
        let name = key.to_string();
        let slot = self.slot(phase, key, secrecy);
        let is_place = !matches!(phase, Phase::Result | Phase::Left);
        let root = is_place.then(|| name.split(['.', '[']).next().unwrap_or(&name).to_owned());
        let piece = planner.piece(
            format!("{:x}/{phase:?}/{name}/{slot}", self.id),
            Some(self.piece),
            root,
        );
        planner.plan.pieces[piece].slot = Some(slot);
        let capture = capture_macro(secrecy);
        let text = match phase {
            Phase::Element => format!(
                "::situ_recorder::cap_element!({}, {capture}, {slot}, {value}); ",
                self.guard()
            ),
            _ => format!(
                "::situ_recorder::{capture}!({}, {slot}, {value}); ",
                self.guard()
            ),
        };
        (text, piece)
    }
}

impl Planner<'_> {
    /// Creates a probe. `site_call` writes its guard when all slots are known.
    pub(super) fn probe(&mut self, about: &About<'_>) -> Probe {
        let text = on_one_line(&about.file.text[about.range.clone()]);
        let id = self.identity(about.function, &format!("{}{text}", about.position.name()));
        let piece = self.piece(format!("{id:x}"), None, None);
        let file = about.file.path.to_string_lossy().replace('\\', "/");
        let line = 1 + about.file.text[..about.range.start].matches('\n').count();
        self.plan.sites.push(Site {
            id,
            package: self.krate.package.clone(),
            file,
            module: about.module.to_owned(),
            line,
            bytes: (about.range.start, about.range.end),
            function: about.function.to_owned(),
            kind: about.kind.to_owned(),
            position: about.position,
            text,
            slots: Vec::new(),
            piece,
        });
        let site = self.plan.sites.len() - 1;
        let (number, valid) = (self.layer(), ValidAround::default());
        Probe {
            number,
            piece,
            valid,
            id,
            slots: Vec::new(),
            site,
            stood_for: Vec::new(),
        }
    }

    /// Returns a call with the site as argument, with its parenthesis open.
    pub(super) fn site_call(&mut self, probe: &mut Probe, call: &str) -> String {
        let site = &mut self.plan.sites[probe.site];
        site.slots = std::mem::take(&mut probe.slots);
        let function = if self.wanted.calls {
            self.function_id
        } else {
            0
        };
        let validity = probe.valid.code(&site.slots);
        let text = format!(
            "{:x}{PART}{function:x}{PART}{validity:x}{PART}{}",
            site.id,
            site.description()
        );
        self.site_texts.insert(probe.site, text);
        format!("::situ_recorder::{call}(&crate::{SITES}, {}", probe.site)
    }

    /// Returns the static with the descriptions of all sites, for the crate root.
    pub(super) fn sites_text(&self) -> String {
        let texts: Vec<&str> = (0..self.plan.sites.len())
            .map(|number| {
                self.site_texts
                    .get(&number)
                    .map(String::as_str)
                    .unwrap_or_default()
            })
            .collect();
        let text = texts.join(&SITE.to_string()).escape_default().to_string();
        format!(
            " #[allow(warnings)] pub(crate) static {SITES}: ::situ_recorder::probe::Sites = \
             ::situ_recorder::probe::Sites::new(\"{text}\").with_panics(::situ_recorder::std::cfg!(panic = \"abort\"));"
        )
    }

    /// Creates a piece that fills a slot without a capture.
    pub(super) fn piece_of_slot(&mut self, probe: &Probe, slot: usize, what: &str) -> usize {
        let piece = self.piece(
            format!("{:x}/{what}/{slot}", probe.id),
            Some(probe.piece),
            None,
        );
        self.plan.pieces[piece].slot = Some(slot);
        piece
    }

    /// Returns captures of places under one `if`, as insertions made by `insert`.
    pub(super) fn captures(
        &mut self,
        probe: &mut Probe,
        phase: Phase,
        places: &[Place],
        insert: &dyn Fn(String, usize) -> Insertion,
    ) -> Vec<Insertion> {
        let generics = if phase == Phase::Before {
            self.generics.clone()
        } else {
            Vec::new()
        };
        if places.is_empty() && generics.is_empty() {
            return Vec::new();
        }
        let mut insertions = vec![insert(probe.capturing(), probe.piece)];
        insertions.extend(self.bare_captures(probe, phase, places, insert));
        if phase == Phase::Before {
            insertions.extend(self.element_captures(probe, places, insert));
        }
        for generic in generics {
            let (text, piece) = probe.capture(
                self,
                Phase::Generic,
                &generic.name,
                Secrecy::None,
                &probe.value_of(&generic),
            );
            insertions.push(insert(text, piece));
        }
        insertions.push(insert(probe.captured(), probe.piece));
        insertions
    }

    /// Returns captures of elements, after those of the places. They are executed if a place cannot
    /// be rebuilt.
    fn element_captures(
        &mut self,
        probe: &mut Probe,
        places: &[Place],
        insert: &dyn Fn(String, usize) -> Insertion,
    ) -> Vec<Insertion> {
        let elements = places
            .iter()
            .flat_map(|place| place.elements.iter().map(move |element| (place, element)));
        let capture = |(place, element): (&Place, &Element)| {
            let (text, piece) = probe.capture(
                self,
                Phase::Element,
                &element.text,
                place.secrecy,
                &element.text,
            );
            insert(text, piece)
        };
        elements.map(capture).collect()
    }

    /// Returns captures of the places that a statement declared and changed, under one `if`.
    pub(super) fn captures_after(
        &mut self,
        probe: &mut Probe,
        made: &[Place],
        changed: &[Place],
        insert: &dyn Fn(String, usize) -> Insertion,
    ) -> Vec<Insertion> {
        if made.is_empty() && changed.is_empty() {
            return Vec::new();
        }
        let mut insertions = vec![insert(probe.capturing(), probe.piece)];
        insertions.extend(self.bare_captures(probe, Phase::Made, made, insert));
        insertions.extend(self.bare_captures(probe, Phase::After, changed, insert));
        insertions.push(insert(probe.captured(), probe.piece));
        insertions
    }

    /// Returns captures of places without an `if`, for use inside one.
    pub(super) fn bare_captures(
        &mut self,
        probe: &mut Probe,
        phase: Phase,
        places: &[Place],
        insert: &dyn Fn(String, usize) -> Insertion,
    ) -> Vec<Insertion> {
        let capture = |place: &Place| {
            let (text, piece) = probe.capture(self, phase, &place.text, place.secrecy, &place.text);
            insert(text, piece)
        };
        places.iter().map(capture).collect()
    }

    /// Returns the places that a statement may have changed and that are not shadowed after it.
    pub(super) fn changed(&self, places: &[Place], shadowed: &[String]) -> Vec<Place> {
        let still = |place: &&Place| place.changes && !shadowed.contains(&place.root);
        places.iter().filter(still).cloned().collect()
    }

    /// Returns the variables in scope, and the statics of the crate.
    pub(super) fn with_statics(&self, scope: &Scope) -> Scope {
        let mut all = scope.clone();
        for name in &self.statics {
            all.entry(name.clone()).or_insert(Variable {
                changes: true,
                refers: true,
                secrecy: Secrecy::None,
                is_stream: false,
                is_plain: false,
            });
        }
        all
    }
}

/// Returns the macro that captures a value of this secrecy.
pub(super) fn capture_macro(secrecy: Secrecy) -> &'static str {
    match secrecy {
        Secrecy::None => "cap",
        Secrecy::IfText => "cap_unless_text",
        Secrecy::IfLong => "cap_unless_long",
        Secrecy::Derived => "cap_derived",
        Secrecy::Always => "cap_secret",
    }
}

/// Returns a text on one line, shortened.
fn on_one_line(text: &str) -> String {
    shortened(
        &text.split_whitespace().collect::<Vec<_>>().join(" "),
        LONGEST_TEXT,
    )
}
