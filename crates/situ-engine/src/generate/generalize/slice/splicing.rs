//! The source of a part of a copy: arguments replaced, dropped assertions removed, marks inserted.

use super::messages::words_outside;
use super::{Copy, covers};
use crate::generate::generalize::scope::assertion::{Assertion, Kind};
use crate::source::{Splice, apply};
use std::collections::BTreeSet;
use std::ops::Range;

impl Copy<'_> {
    /// Returns the source of a range with arguments replaced, dropped assertions removed, marks
    /// inserted.
    pub(super) fn spliced(
        &self,
        range: &Range<usize>,
        lost: &[&Assertion],
        live: &BTreeSet<String>,
    ) -> String {
        let mut splices: Vec<Splice> = Vec::new();
        for assertion in lost
            .iter()
            .filter(|one| covers(range, &one.range) && one.range != *range)
        {
            let within = splices
                .iter()
                .any(|known| covers(&known.range, &assertion.range));
            if within {
                continue;
            }
            let text = match assertion.is_statement {
                true => self.effects_inside(assertion, range, lost, live),
                false => "()".to_owned(),
            };
            splices.push(Splice {
                range: assertion.range.clone(),
                text,
            });
        }
        for (number, text) in self.replaced {
            let argument = &self.call.place(*number).range;
            let is_gone = splices.iter().any(|known| covers(&known.range, argument));
            if covers(range, argument) && !is_gone {
                splices.push(Splice {
                    range: argument.clone(),
                    text: text.clone(),
                });
            }
        }
        for at in self.chosen {
            let assertion = &self.scope.body.assertions[*at];
            let is_inside = covers(range, &assertion.range) && assertion.range != *range;
            if is_inside
                && assertion.is_statement
                && assertion.kind != Kind::Panic
                && !self.reached.is_empty()
            {
                let start = assertion.range.start;
                splices.push(Splice {
                    range: start..start,
                    text: format!("{} ", self.reached),
                });
            }
        }
        splices.extend(self.mended(range, &splices));
        let moved: Vec<Splice> = splices
            .into_iter()
            .map(|splice| Splice {
                range: splice.range.start - range.start..splice.range.end - range.start,
                text: splice.text,
            })
            .collect();
        apply(&self.text[range.clone()], &moved)
    }

    /// Returns the repairs in a range: dead variables, and unneeded `mut`, as the compiler
    /// reported.
    fn mended(&self, range: &Range<usize>, splices: &[Splice]) -> Vec<Splice> {
        let inside = self.scope.body.variables.iter().filter_map(|variable| {
            let place = variable
                .range
                .as_ref()
                .filter(|place| covers(range, place))?;
            let text = self.mending.pattern(variable, &self.text[place.clone()])?;
            let is_gone = splices.iter().any(|known| covers(&known.range, place));
            (!is_gone).then(|| Splice {
                range: place.clone(),
                text,
            })
        });
        let assignments = self.scope.body.assignments.iter().filter(|(name, place)| {
            self.is_dead_before(name, place)
                && covers(range, place)
                && !splices.iter().any(|known| covers(&known.range, place))
        });
        inside
            .chain(assignments.map(|(_, place)| Splice {
                range: place.clone(),
                text: String::new(),
            }))
            .collect()
    }

    /// Returns the code that keeps the changes of a dropped assertion inside a statement. Variables
    /// bound and used in the rest of that statement count.
    pub(super) fn effects_inside(
        &self,
        assertion: &Assertion,
        range: &Range<usize>,
        lost: &[&Assertion],
        live: &BTreeSet<String>,
    ) -> String {
        let inside = lost
            .iter()
            .map(|one| &one.range)
            .filter(|one| covers(range, one));
        let outermost = inside.clone().filter(|one| {
            !inside
                .clone()
                .any(|other| other != *one && covers(other, one))
        });
        let cut = |one: &Range<usize>| Splice {
            range: one.start - range.start..one.end - range.start,
            text: String::new(),
        };
        let rest = apply(
            &self.text[range.clone()],
            &outermost.map(cut).collect::<Vec<_>>(),
        );
        let live: BTreeSet<String> = live.iter().cloned().chain(words_outside(&rest)).collect();
        let operands = assertion
            .operands
            .iter()
            .map(|operand| (operand, self.spliced(operand, &[], &live)));
        let changing = operands
            .filter(|(at, text)| text.contains('(') && self.changes_anything(text, at, &live));
        changing
            .map(|(_, text)| format!("let _ = {text};"))
            .collect()
    }
}
