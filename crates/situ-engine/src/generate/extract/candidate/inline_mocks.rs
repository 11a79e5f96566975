//! Mocks of calls in a statement with an input that cannot be constructed: `mock(self.len(), 5)`.

use super::clauses::Writing;
use super::fields::lost_mentions;
use crate::generate::mocks::found_calls::{Calls, FoundCall, is_inside};
use crate::generate::mocks::shapes::{shape, without_spaces};
use crate::generate::mocks::{Mock, PlacedMock, is_mocked};
use crate::generate::refusal::Refusal;
use crate::record::plan::{Phase, Position};
use crate::record::read::RecordedSite;
use crate::source::{byte_range, parse_tokens};
use crate::values::Style;
use crate::values::capture_loss::{CaptureLoss, why_lost};
use crate::values::repeated::{is_known_as_clone, is_plain};
use proc_macro2::TokenStream;
use quote::quote;
use situ_recorder::recording::ValueSet;
use situ_recorder::value::Value;
use std::collections::BTreeMap;
use std::ops::Range;
use syn::{BinOp, Block, Expr, Stmt};

/// The maximum number of mocks in a test of one statement.
const MAX_MOCKS: usize = 5;
/// The results of a statement's calls in any run, by their patterns without spaces.
pub(crate) type Known = BTreeMap<String, Value>;

/// Returns the results of a statement's calls. A call that does not happen in a run would have
/// returned a similar value.
pub(crate) fn known<'s>(
    recorded: &RecordedSite,
    sets: impl Iterator<Item = &'s ValueSet>,
) -> Known {
    let mut known = Known::new();
    for set in sets {
        for (call, values) in told(recorded, set) {
            let first = values.into_iter().find(|value| why_lost(value).is_none());
            if let Some(value) = first {
                known.entry(call).or_insert(value);
            }
        }
    }
    known
}

/// Returns the source of a statement, completed so that it can be parsed; that of fragments and
/// closures already can.
pub(crate) fn source_of(recorded: &RecordedSite) -> Option<TokenStream> {
    let is_statement = !matches!(
        recorded.site.position,
        Position::Fragment | Position::Closure
    );
    if !is_statement || recorded.site.text.ends_with('…') {
        return None;
    }
    let tokens: TokenStream = recorded.site.text.parse().ok()?;
    Some(match recorded.site.position {
        Position::Condition => quote!(if #tokens {}),
        Position::Scrutinee => quote!(match #tokens {}),
        Position::Iterable => quote!(#tokens {}),
        _ => tokens,
    })
}

/// Returns the mocks that a test of a statement needs because of lost inputs.
pub(crate) fn mocks(
    recorded: &RecordedSite,
    set: &ValueSet,
    lost: &[(&str, CaptureLoss)],
    known: &Known,
    writing: &Writing<'_>,
) -> Result<Vec<PlacedMock>, Refusal> {
    let tokens = &writing.spot.tokens;
    let Some(calls) = Calls::of(tokens) else {
        return Ok(Vec::new());
    };
    let answers = Answers {
        told: told(recorded, set),
        known,
        writing,
    };
    let whole = whole_of(tokens).map(|whole| byte_range(bare(&whole)));
    let mut mocks: Vec<PlacedMock> = Vec::new();
    for (at, loss) in lost_mentions(recorded, set, lost, writing) {
        let refusal = || {
            let is_all = calls
                .found
                .iter()
                .any(|call| Some(&call.bytes) == whole.as_ref() && is_inside(&at, &call.bytes));
            match is_all {
                true => Refusal::InputOfWholeStatement(loss.clone()),
                false => Refusal::Input(loss.clone()),
            }
        };
        if is_mocked(&at, &mocks) {
            continue;
        }
        let mut mock = [answers.around(&at, &calls).ok_or_else(refusal)?];
        calls.place(&mut mock);
        if whole.as_ref().is_some_and(|whole| mock[0].stands_at(whole)) {
            return Err(refusal());
        }
        mocks.retain(|inner| !inner.is_within(&mock[0]));
        mocks.extend(mock);
    }
    match mocks.len() > MAX_MOCKS {
        true => Err(Refusal::TooManyMocks),
        false => Ok(mocks),
    }
}

/// The results of the calls in one run.
struct Answers<'a> {
    told: BTreeMap<String, Vec<Value>>,
    known: &'a Known,
    writing: &'a Writing<'a>,
}

impl Answers<'_> {
    /// Returns the results of a call in this run, or of a similar one, if they have expressions.
    fn of(&self, call: &FoundCall) -> Option<Vec<Value>> {
        let shape = without_spaces(&call.shape);
        let values = self
            .told
            .get(&shape)
            .cloned()
            .or_else(|| Some(vec![self.known.get(&shape)?.clone()]))?;
        let is_written = |value: &Value| {
            let is_lost =
                why_lost(value).is_some() || matches!(value, Value::Ref { mutable: true, .. });
            !is_lost && self.writing.expression(value, Style::default()).is_some()
        };
        values.iter().all(is_written).then_some(values)
    }

    /// Returns the mock of the shortest call around these bytes with a plain result, so that most
    /// of the statement is still tested.
    fn around(&self, at: &Range<usize>, calls: &Calls) -> Option<PlacedMock> {
        let mut around: Vec<&FoundCall> = calls
            .found
            .iter()
            .filter(|call| is_inside(at, &call.bytes))
            .collect();
        around.sort_by_key(|call| call.bytes.len());
        let answered: Vec<(&FoundCall, Vec<Value>)> = around
            .into_iter()
            .filter_map(|call| Some((call, self.of(call)?)))
            .collect();
        let plain = answered
            .iter()
            .find(|(_, values)| values.iter().all(is_plain));
        let (call, values) = plain.or(answered.first())?;
        let may_vary =
            values.iter().all(|value| *value == values[0]) && is_known_as_clone(&values[0]);
        let values = if may_vary {
            vec![values[0].clone()]
        } else {
            values.clone()
        };
        Some(PlacedMock::of(Mock {
            call: call.shape.clone(),
            values,
            may_vary,
        }))
    }
}

/// Returns the results of the calls in one run, by pattern, in order.
fn told(recorded: &RecordedSite, set: &ValueSet) -> BTreeMap<String, Vec<Value>> {
    let mut told: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (call, value) in recorded.values(set, Phase::Answer) {
        if let Ok(shape) = shape(call) {
            told.entry(without_spaces(&shape))
                .or_default()
                .push(value.clone());
        }
    }
    told
}

/// Returns the expression that a statement consists of.
fn whole_of(tokens: &TokenStream) -> Option<Expr> {
    let block = parse_tokens::<Block>(quote!({ #tokens })).ok()?;
    let whole = match block.stmts.into_iter().next()? {
        Stmt::Local(local) => *local.init?.expr,
        Stmt::Expr(Expr::If(branch), _) => *branch.cond,
        Stmt::Expr(Expr::Match(choice), _) => *choice.expr,
        Stmt::Expr(Expr::ForLoop(cycle), _) => *cycle.expr,
        Stmt::Expr(Expr::Assign(assign), _) => *assign.right,
        Stmt::Expr(Expr::Return(leave), _) => *leave.expr?,
        Stmt::Expr(other, _) => other,
        _ => return None,
    };
    Some(if let Expr::Let(choice) = whole {
        *choice.expr
    } else {
        whole
    })
}

/// Returns the expression without parentheses and the like.
fn bare(expression: &Expr) -> &Expr {
    match expression {
        Expr::Paren(inner) => bare(&inner.expr),
        Expr::Reference(inner) => bare(&inner.expr),
        Expr::Try(inner) => bare(&inner.expr),
        Expr::Await(inner) => bare(&inner.base),
        Expr::Unary(inner) if matches!(inner.op, syn::UnOp::Deref(_)) => bare(&inner.expr),
        other => other,
    }
}

/// Returns the operands of a condition, counted from one, that are mocked calls as a whole.
pub(crate) fn mocked_operands(mocks: &[PlacedMock], tokens: &TokenStream) -> Vec<usize> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    whole_of(tokens)
        .iter()
        .for_each(|whole| operands(whole, &mut ranges));
    let is_mocked = |range: &Range<usize>| mocks.iter().any(|mock| mock.stands_at(range));
    ranges
        .iter()
        .enumerate()
        .filter(|(_, range)| is_mocked(range))
        .map(|(at, _)| at + 1)
        .collect()
}

fn operands(condition: &Expr, ranges: &mut Vec<Range<usize>>) {
    match condition {
        Expr::Binary(chain) if matches!(chain.op, BinOp::And(_) | BinOp::Or(_)) => {
            for side in [&*chain.left, &*chain.right] {
                match side {
                    Expr::Binary(inner) if inner.op == chain.op => operands(side, ranges),
                    other => ranges.push(byte_range(bare(other))),
                }
            }
        }
        other => ranges.push(byte_range(bare(other))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(call: &str, tokens: &TokenStream) -> Vec<PlacedMock> {
        let mut mocks = vec![PlacedMock::of(Mock {
            call: call.to_owned(),
            values: Vec::new(),
            may_vary: false,
        })];
        Calls::of(tokens).unwrap().place(&mut mocks);
        mocks
    }

    #[test]
    fn what_is_nothing_but_the_call_is_told_from_what_is_computed_of_it() {
        for (text, is_whole) in [
            ("if self.is_empty() {}", true),
            ("if !self.is_empty() {}", false),
            ("let a = &self.is_empty()?;", true),
            ("let a = self.is_empty() as u8;", false),
            ("x.a = self.is_empty();", true),
            ("x.a |= self.is_empty();", false),
            ("return self.is_empty();", true),
            ("if let Some(x) = self.is_empty() {}", true),
        ] {
            let tokens: TokenStream = text.parse().unwrap();
            let mocks = placed("self.is_empty()", &tokens);
            let whole = whole_of(&tokens).unwrap();
            assert_eq!(
                mocks[0].stands_at(&byte_range(bare(&whole))),
                is_whole,
                "{text}"
            );
        }
    }

    #[test]
    fn operands_that_a_value_stands_for_are_known_by_their_numbers() {
        let tokens: TokenStream = "if a && x.len() > 2 && (x.is_ok()) {}".parse().unwrap();
        assert_eq!(mocked_operands(&placed("x.is_ok()", &tokens), &tokens), [3]);
        assert!(mocked_operands(&placed("x.len()", &tokens), &tokens).is_empty());
    }
}
