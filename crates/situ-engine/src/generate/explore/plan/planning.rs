//! The decision how values of each type of a crate are constructed.

use super::Answers;
use super::changes::Change;
use super::declared::{Declarations, Declared, Modules, OwnType};
use super::sight::Sight;
use super::way::{Known, Way};
use crate::source::SourceFile;
use crate::source::targets::effects::{Effects, Sought};

/// What is known while a crate is planned.
pub(super) struct Planning<'f> {
    /// What the crate declares.
    pub declared: Declarations<'f>,
    /// The functions with effects outside the program, which are never called with generated
    /// values.
    pub effects: Effects,
    answers: Answers,
}

/// How values of a type are constructed.
#[derive(Clone, Debug)]
pub(super) enum Making {
    /// From its fields, if they are visible.
    Fields(Sight),
    /// By these calls, and then by methods that change it; without any call not at all.
    Calls(Vec<Way>, Vec<Change>),
    /// By a generator that somebody wrote for other libraries.
    Selection,
}

impl<'f> Planning<'f> {
    /// Reads a crate.
    pub(super) fn new(
        files: &'f [SourceFile],
        modules: &'f Modules,
        answers: Answers,
    ) -> Planning<'f> {
        let declared = Declarations::of(files, modules);
        Planning {
            declared,
            effects: Effects::of(Sought::Reaching, files.iter().map(|file| &file.tree)),
            answers,
        }
    }

    /// Decides how values of a type are constructed. States that its own functions cannot reach are
    /// excluded.
    pub(super) fn making(&self, of: &OwnType<'_>) -> Making {
        let item = match of.declared {
            Declared::Enum(_) => return Making::Fields(Sight::Everywhere),
            Declared::Struct(item) => item,
        };
        if self.answers.any()
            && self
                .declared
                .implementations(&of.key, "Arbitrary")
                .next()
                .is_some()
        {
            return Making::Selection;
        }
        let sight = Sight::of_fields(item, of.place.module);
        // Code that sees the type may write all of its fields.
        let is_open = sight <= Sight::of(&item.vis, of.place.module);
        let (mut own, conversions) = (self.constructors(of), self.conversions(of));
        own.extend(self.builders(of));
        // A constructor that cannot be called excludes nothing: its fields are public anyway.
        if is_open
            && !own
                .iter()
                .any(|known| known.is_guard && known.way.is_some())
        {
            return Making::Fields(sight);
        }
        let mut all: Vec<Known> = own.into_iter().chain(conversions).collect();
        if all.is_empty() {
            all = self.functions(of);
        }
        if all.is_empty() {
            return Making::Fields(sight);
        }
        let mut ways: Vec<Way> = all.into_iter().filter_map(|known| known.way).collect();
        ways.sort_by_key(|way| way.kind);
        let Some(head) = ways.first().map(|way| way.head.clone()) else {
            return Making::Calls(Vec::new(), Vec::new());
        };
        ways.retain(|way| head.implies(&way.head));
        let changes = self
            .changes(of)
            .into_iter()
            .filter(|change| head.implies(&change.head));
        Making::Calls(ways, changes.collect())
    }
}
