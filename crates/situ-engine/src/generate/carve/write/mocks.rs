//! The mocks of an in-situ test: arguments and results of each outgoing call, and their order.

use super::call_checks::{Looks, Unchecked, plain, why_not_looked_at};
use crate::generate::carve::refusal::ArgumentUnchecked;
use crate::generate::mocks::found_calls::{Calls, FoundCall, is_inside};
use crate::generate::mocks::shapes::{
    arguments, first_arguments, literal, open_shape, shape_with, without_spaces,
};
use crate::generate::mocks::{
    Mock, PlacedMock, add_equal_shapes, answer, find_mentions, is_only_in_mocks, told,
};
use crate::generate::refusal::Refusal;
use crate::record::read::RecordedCall;
use crate::source::{byte_range, parse_part};
use crate::values::capture_loss::CaptureLoss;
use crate::values::{Style, TestModule, TypeTable, styled};
use proc_macro2::TokenStream;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use syn::{Expr, UnOp};

/// The maximum number of different calls of one function whose arguments are written.
const MAX_WRITTEN: usize = 8;

/// The maximum number of calls whose order is written.
const MAX_IN_ORDER: usize = 12;

/// The mocks of a test.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mocks {
    /// The mocks, with the ranges of the calls that they match.
    pub placed: Vec<PlacedMock>,
    /// The mock of each call, in the order of the calls.
    pub order: Vec<usize>,
    /// The unchecked parts.
    pub unchecked: Vec<Unchecked>,
}

impl Mocks {
    /// Returns the oracles on the number and the order of the calls.
    pub(crate) fn oracles(&self) -> Vec<String> {
        let names = self.names();
        let different: BTreeSet<usize> = self.order.iter().copied().collect();
        if different.len() > 1 && self.is_short() {
            let order: Vec<&str> = self
                .order
                .iter()
                .map(|mock| names[*mock].as_str())
                .collect();
            return vec![format!("check_order({})", order.join(", "))];
        }
        let count = |mock: usize| self.order.iter().filter(|other| **other == mock).count();
        // Unused values of a sequence make the test fail anyway.
        let is_counted = |mock: &usize| self.placed[*mock].mock.is_constant();
        let counted = different.iter().copied().filter(is_counted);
        counted
            .map(|mock| format!("check_called({}, {})", names[mock], count(mock)))
            .collect()
    }

    fn is_short(&self) -> bool {
        self.order.len() <= MAX_IN_ORDER
    }

    /// Returns the calls as oracles write them: with as many first arguments as distinguish them.
    fn names(&self) -> Vec<String> {
        let texts: Vec<(&str, Vec<String>)> = self
            .placed
            .iter()
            .map(|placed| {
                let call = placed.mock.call.as_str();
                let own = parse_part::<Expr>(call).map(|whole| {
                    arguments(&whole)
                        .map(|argument| call[byte_range(argument)].to_owned())
                        .collect::<Vec<_>>()
                });
                (call, own.unwrap_or_default())
            })
            .collect();
        let open = |call: &str| open_shape(call).map(|open| without_spaces(&open));
        let name = |(at, (call, own)): (usize, &(&str, Vec<String>))| {
            let others = texts
                .iter()
                .enumerate()
                .filter(|(other, (text, _))| *other != at && open(text) == open(call));
            let others: Vec<&Vec<String>> = others.map(|(_, (_, arguments))| arguments).collect();
            let is_told = |count: &usize| {
                let first = |arguments: &Vec<String>| {
                    arguments.iter().take(*count).cloned().collect::<Vec<_>>()
                };
                others.iter().all(|other| first(other) != first(own))
            };
            let count = (0..=own.len()).find(is_told).unwrap_or(own.len());
            first_arguments(call, count).unwrap_or_else(|| (*call).to_owned())
        };
        texts.iter().enumerate().map(name).collect()
    }
}

/// A writer of the checks of mocks.
pub(crate) struct Writing<'w> {
    /// Where they stand.
    pub here: &'w TestModule,
    /// The types of the crate.
    pub types: &'w TypeTable,
    /// How values are written.
    pub style: Style,
    /// The checks.
    pub looks: Looks,
}

impl Writing<'_> {
    /// Returns an argument as a mock writes it, or why it is left open.
    fn argument(
        &self,
        call: &RecordedCall<'_>,
        number: usize,
        argument: &Expr,
    ) -> Result<String, ArgumentUnchecked> {
        let text = &call.site.text;
        if let Some(literal) = literal(text, argument) {
            return Ok(literal);
        }
        if matches!(argument, Expr::Closure(_) | Expr::Async(_)) {
            return Err(ArgumentUnchecked::Closure);
        }
        let Some(value) = call.argument(number + 1) else {
            let is_written =
                is_literal(argument) || self.looks == Looks::All && is_constant(argument);
            return is_written
                .then(|| text[byte_range(argument)].to_owned())
                .ok_or(ArgumentUnchecked::NotRecorded);
        };
        match (why_not_looked_at(value, self.looks), plain(value)) {
            (Some(reason), _) => Err(reason),
            (None, Some(text)) => Ok(text),
            (None, None) => styled(value, self.here, self.types, self.style)
                .map_err(|none| ArgumentUnchecked::NoExpression(none.0)),
        }
    }
}

/// `-1` or `&"a"`.
fn is_literal(argument: &Expr) -> bool {
    match argument {
        Expr::Unary(unary) => {
            matches!(unary.op, UnOp::Neg(_)) && matches!(&*unary.expr, Expr::Lit(_))
        }
        Expr::Reference(reference) => matches!(&*reference.expr, Expr::Lit(_)),
        _ => false,
    }
}

/// `LIMIT` or `Mode::Fast`, and no function.
fn is_constant(argument: &Expr) -> bool {
    let Expr::Path(path) = argument else {
        return false;
    };
    path.path
        .segments
        .last()
        .is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase))
}

/// Mocks for these calls, so that a test can do without the inputs that are lost.
pub(crate) fn mocks(
    needed: &[&RecordedCall<'_>],
    lost: &[(&str, CaptureLoss)],
    tokens: &TokenStream,
    writing: &Writing<'_>,
) -> Result<Mocks, Refusal> {
    let found = Calls::of(tokens).unwrap_or_default();
    let mut columns = Columns::default();
    columns.add(needed, writing);
    columns.leave_open(&found, lost, tokens, needed);
    let told = told(needed, lost, tokens, &columns.evaluated(&found))?;
    let mut mocks = Mocks::default();
    for told in &told {
        let shape = columns.shape(told.call, writing)?;
        let known = mocks
            .placed
            .iter()
            .position(|known| known.mock.call == shape);
        let at = known.unwrap_or(mocks.placed.len());
        match mocks.placed.get_mut(at) {
            Some(known) => {
                known.mock.values.push(told.value.clone());
                known.ranges.push(told.call.site.range());
            }
            None => {
                let open = open_shape(&told.call.site.text).unwrap_or_else(|| shape.clone());
                let mock = Mock {
                    call: shape,
                    values: vec![told.value.clone()],
                    may_vary: false,
                };
                let ranges = vec![told.call.site.range()];
                mocks.placed.push(PlacedMock {
                    open,
                    ranges,
                    ..PlacedMock::of(mock)
                });
                mocks.unchecked.extend(columns.unchecked(told.call));
            }
        }
        mocks.order.push(at);
    }
    mocks.unchecked.sort();
    mocks.unchecked.dedup();
    if !mocks.is_short() {
        let call = mocks.placed[0].open.clone();
        let reason = format!(
            "{} calls are too many to say in which order",
            mocks.order.len()
        );
        mocks.unchecked.push(Unchecked {
            call,
            argument: None,
            reason,
        });
    }
    add_equal_shapes(&mut mocks.placed, tokens);
    match lost
        .iter()
        .find(|(name, _)| !is_only_in_mocks(name, &mocks.placed, tokens))
    {
        Some((_, loss)) => Err(Refusal::Input(loss.clone())),
        None => Ok(mocks),
    }
}

/// The arguments of the calls of each function, by position: the reason if they are left open. A
/// mock that left one open that another mock of the function compares would match the other's
/// calls.
#[derive(Default)]
struct Columns(BTreeMap<String, Vec<Option<ArgumentUnchecked>>>);

fn key(text: &str) -> String {
    without_spaces(&open_shape(text).unwrap_or_else(|| text.to_owned()))
}

impl Columns {
    fn add(&mut self, calls: &[&RecordedCall<'_>], writing: &Writing<'_>) {
        let mut different: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for call in calls {
            let Ok(whole) = parse_part::<Expr>(&call.site.text) else {
                continue;
            };
            let own = self.0.entry(key(&call.site.text)).or_default();
            for (number, argument) in arguments(&whole).enumerate() {
                own.resize(own.len().max(number + 1), None);
                let why = writing.argument(call, number, argument).err();
                own[number] = own[number].take().or(why);
            }
        }
        for call in calls {
            if let Ok(shape) = self.shape(call, writing) {
                different
                    .entry(key(&call.site.text))
                    .or_default()
                    .insert(shape);
            }
        }
        for (key, _) in different
            .iter()
            .filter(|(_, shapes)| shapes.len() > MAX_WRITTEN)
        {
            let reason = ArgumentUnchecked::ManyCalls(MAX_WRITTEN);
            self.0.entry(key.clone()).or_default().fill(Some(reason));
        }
    }

    /// Leaves open what a test could not evaluate: arguments that depend on lost inputs or on calls
    /// with lost results.
    fn leave_open(
        &mut self,
        found: &Calls,
        lost: &[(&str, CaptureLoss)],
        tokens: &TokenStream,
        needed: &[&RecordedCall<'_>],
    ) {
        let mut gone: Vec<(Range<usize>, ArgumentUnchecked)> = Vec::new();
        for (name, _) in lost {
            let mut mentioned = Vec::new();
            find_mentions(
                tokens.clone(),
                &name.split('.').collect::<Vec<_>>(),
                &mut mentioned,
            );
            gone.extend(
                mentioned
                    .into_iter()
                    .map(|at| (at, ArgumentUnchecked::MentionsLostInput)),
            );
        }
        let unknown = needed.iter().filter(|call| answer(call).is_err());
        gone.extend(unknown.map(|call| (call.site.range(), ArgumentUnchecked::MentionsLostCall)));
        for call in &found.found {
            let Some(own) = self.0.get_mut(&key(&call.shape)) else {
                continue;
            };
            for (argument, why) in call.arguments.iter().zip(own) {
                let reason = gone
                    .iter()
                    .find(|(at, _)| is_inside(at, argument))
                    .map(|(_, reason)| reason.clone());
                *why = why.take().or(reason);
            }
        }
    }

    /// Returns the arguments that are compared, and so evaluated, in all calls of these functions.
    fn evaluated(&self, found: &Calls) -> Vec<Range<usize>> {
        let of_call = |call: &FoundCall| -> Vec<Range<usize>> {
            let own = self.0.get(&key(&call.shape)).map_or(&[][..], Vec::as_slice);
            call.arguments
                .iter()
                .zip(own)
                .filter(|(_, why)| why.is_none())
                .map(|(at, _)| at.clone())
                .collect()
        };
        found.found.iter().flat_map(of_call).collect()
    }

    fn shape(&self, call: &RecordedCall<'_>, writing: &Writing<'_>) -> Result<String, Refusal> {
        let own = self
            .0
            .get(&key(&call.site.text))
            .map_or(&[][..], Vec::as_slice);
        let is_written = |number: usize| own.get(number).is_some_and(Option::is_none);
        shape_with(&call.site.text, &|number, argument| {
            is_written(number)
                .then(|| writing.argument(call, number, argument).ok())
                .flatten()
        })
    }

    fn unchecked(&self, call: &RecordedCall<'_>) -> Vec<Unchecked> {
        let own = self
            .0
            .get(&key(&call.site.text))
            .map_or(&[][..], Vec::as_slice);
        let open = open_shape(&call.site.text).unwrap_or_else(|| call.site.text.clone());
        let reasons = own
            .iter()
            .enumerate()
            .filter_map(|(number, why)| Some((number + 1, why.clone()?)));
        reasons
            .map(|(argument, reason)| Unchecked {
                call: open.clone(),
                argument: Some(argument),
                reason: reason.to_string(),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use situ_recorder::value::Value;

    fn mocks(calls: &[(&str, &[u8])], order: &[usize]) -> Mocks {
        let placed = calls.iter().map(|(call, values)| {
            let values = values
                .iter()
                .map(|bits| Value::Int {
                    type_name: "u8",
                    bits: u128::from(*bits),
                })
                .collect();
            PlacedMock::of(Mock {
                call: (*call).to_owned(),
                values,
                may_vary: false,
            })
        });
        Mocks {
            placed: placed.collect(),
            order: order.to_vec(),
            unchecked: Vec::new(),
        }
    }

    #[test]
    fn an_order_names_calls_by_as_many_arguments_as_tell_them_apart() {
        let all = mocks(
            &[
                ("open(\"a\")", &[1]),
                ("put(\"a\", 1)", &[1]),
                ("put(\"b\", 1)", &[1, 1]),
            ],
            &[0, 2, 1, 2],
        );
        assert_eq!(
            all.oracles(),
            ["check_order(open(..), put(\"b\", ..), put(\"a\", ..), put(\"b\", ..))"]
        );
        let second = mocks(
            &[("put(1, 2).await", &[1]), ("put(1, 3).await", &[1])],
            &[0, 1],
        );
        assert_eq!(
            second.oracles(),
            ["check_order(put(1, 2).await, put(1, 3).await)"]
        );
    }

    #[test]
    fn one_call_is_counted_unless_its_values_are() {
        assert_eq!(
            mocks(&[("now()", &[1, 1])], &[0, 0]).oracles(),
            ["check_called(now(), 2)"]
        );
        assert_eq!(
            mocks(&[("rand(1, 6)", &[4])], &[0]).oracles(),
            ["check_called(rand(..), 1)"]
        );
        assert!(mocks(&[("now()", &[1, 2])], &[0, 0]).oracles().is_empty());
    }

    #[test]
    fn a_long_order_is_counted_only() {
        let order: Vec<usize> = (0..20).map(|number| number % 2).collect();
        let all = mocks(&[("a()", &[1; 10]), ("b()", &[1; 10])], &order);
        assert_eq!(
            all.oracles(),
            ["check_called(a(), 10)", "check_called(b(), 10)"]
        );
    }
}
