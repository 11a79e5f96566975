//! One attempt at a test: its call, its replacements of collaborators, and its place in the
//! sources.

use crate::edit::{Place, Proposal};
use crate::generate::carve::doubles::double_text::DoubleStyle;
use crate::generate::carve::doubles::{Double, Doubles};
use crate::generate::carve::find::declared::Declared;
use crate::generate::carve::find::scenario::Call;
use crate::generate::carve::report::{Form, InPlace};
use crate::generate::carve::write::assertion::Comparison;
use crate::generate::carve::write::call_checks::Looks;
use crate::generate::carve::write::duplicates::Behaviour;
use crate::generate::carve::write::place::{MODULE, PlacedTest};
use crate::generate::carve::write::shared::SharedItem;
use crate::generate::carve::write::stream::Stream;
use crate::values::TypeTable;
use std::collections::BTreeMap;

/// The replacement of what a test cannot construct.
#[derive(Clone, Debug)]
pub(crate) enum Means {
    /// None is needed.
    Nothing,
    /// Doubles of collaborators.
    Doubles(Box<Doubles>),
    /// Mocks of calls in the body; the test is an in-situ test.
    Mocks,
}

impl Means {
    /// Returns whether the test is an in-situ test.
    pub(crate) fn is_in_situ(&self) -> bool {
        matches!(self, Means::Mocks)
    }
}

/// The input of all attempts.
#[derive(Clone, Copy)]
pub(crate) struct Making<'s> {
    /// The types of each crate.
    pub types: &'s BTreeMap<String, TypeTable>,
    /// The traits of the workspace.
    pub declared: &'s Declared,
    /// The style of doubles.
    pub style: DoubleStyle,
}

/// A test that may be shown.
#[derive(Clone, Debug)]
pub(crate) struct Attempt<'s> {
    /// The behaviour that it tests.
    pub behaviour: Behaviour<'s>,
    /// The index of its call.
    pub at: usize,
    /// The replacements.
    pub means: Means,
    /// The style of comparison.
    pub comparison: Comparison,
    /// The checks of outgoing calls.
    pub looks: Looks,
    /// The sources of rejected tests, without a name.
    pub tried: Vec<String>,
    pub name: String,
    /// Its text, under that name.
    pub text: String,
    /// The items that it shares with others of its module.
    pub shared: Vec<SharedItem>,
    /// Its position among the others.
    pub order: usize,
}

impl<'s> Attempt<'s> {
    /// Returns the call that the test is generated from.
    pub(crate) fn call(&self) -> &Call<'s> {
        &self.behaviour.calls[self.at]
    }

    /// Returns the doubles that it needs.
    pub(crate) fn doubles(&self) -> &[Double] {
        match &self.means {
            Means::Doubles(doubles) => &doubles.made,
            _ => &[],
        }
    }

    /// Returns the replacements of its streams.
    pub(crate) fn streams(&self) -> &[Stream] {
        match &self.means {
            Means::Doubles(doubles) => &doubles.streams,
            _ => &[],
        }
    }

    /// Returns its place in the sources.
    pub(crate) fn form(&self) -> Form {
        let subject = self.call().subject;
        if self.means.is_in_situ() {
            let (file, place) = (subject.file.clone(), Place::BodyStart(subject.body));
            let files = self
                .shared
                .iter()
                .filter_map(|item| item.file.clone())
                .collect();
            return Form::InSitu(InPlace {
                proposal: Proposal {
                    file,
                    place,
                    text: self.text.clone(),
                },
                files,
            });
        }
        let inline = subject.module.len() - subject.inline_modules;
        Form::Unit(PlacedTest {
            file: subject.file.clone(),
            modules: subject.module[inline..].to_vec(),
            name: self.name.clone(),
            text: self.text.clone(),
            shared: self.shared.clone(),
        })
    }
}

/// The path of a test in its program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestPath {
    /// The module of the function.
    pub module: String,
    /// The function of an in-situ test, with the type that it belongs to.
    pub in_situ: Option<(String, String)>,
    pub name: String,
}

impl TestPath {
    /// Returns whether a test has this path.
    pub(crate) fn is(&self, test: &str) -> bool {
        let own = match self.module.as_str() {
            "" => Some(test),
            module => test
                .strip_prefix(module)
                .and_then(|rest| rest.strip_prefix("::")),
        };
        let Some((last_module, name)) = own.and_then(|own| own.split_once("::")) else {
            return false;
        };
        match &self.in_situ {
            None => last_module == MODULE && name == self.name,
            Some((owner, function)) => {
                let whole = if owner.is_empty() {
                    self.name.clone()
                } else {
                    format!("{function}_{}", self.name)
                };
                let is_there = if owner.is_empty() {
                    last_module == format!("situ_{function}")
                } else {
                    last_module.starts_with("situ_") && last_module.ends_with(owner.as_str())
                };
                is_there && name == whole
            }
        }
    }
}
