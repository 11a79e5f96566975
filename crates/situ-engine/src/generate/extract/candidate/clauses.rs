//! Candidates as clauses of a test: what is given, what is checked.

use super::elements::mapping;
use super::streams::{Bytes, told};
use super::{Candidate, Claim};
use crate::generate::extract::find::locate::{InsertionPoint, Target};
use crate::source::parse_part;
use crate::values::{self, Style, TestModule, TypeTable, styled, written_type};
use situ_recorder::value::{SeqKind, Value};
use syn::{FnArg, Pat, Signature};

/// The maximum number of elements taken from an iterator, which may be endless, at least with a
/// mutant.
const MAX_YIELDED: usize = 32;

/// How strictly the values of a place are compared; each is tried if the compiler rejects the
/// previous one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Comparison {
    /// By `==`, with types omitted.
    #[default]
    Equal,
    /// By `==`, with all types written.
    EqualTyped,
    /// By `==`, with the place's own type in the oracle, which `let all = words.collect();` lacks.
    EqualAs,
    /// By the remaining elements of an iterator.
    Elements,
    /// By the content of an `Ok`, `Err` or `Some`, if the whole has no `==`.
    Inside,
    /// By what was captured of the value: fields and variants.
    Parts,
    /// Not at all.
    No,
}

impl Comparison {
    /// Returns the first comparison to try for a claim.
    pub(crate) fn first(claim: &Claim) -> Comparison {
        match claim.value() {
            Some(value) if !value.is_exact() => Comparison::Parts,
            _ => Comparison::EqualTyped,
        }
    }

    /// Returns the next comparison to try for a claim.
    pub(crate) fn weaker(self, claim: &Claim) -> Comparison {
        let is_iterator = matches!(claim.value(), Some(Value::Built { type_name, .. }) if is_iterator(&type_name));
        match self {
            Comparison::Equal => Comparison::EqualTyped,
            Comparison::EqualTyped | Comparison::EqualAs if is_iterator => Comparison::Elements,
            Comparison::EqualTyped | Comparison::EqualAs
                if claim.value().as_ref().and_then(inside).is_some() =>
            {
                Comparison::Inside
            }
            Comparison::EqualTyped | Comparison::EqualAs | Comparison::Inside => Comparison::Parts,
            Comparison::Elements | Comparison::Parts | Comparison::No => Comparison::No,
        }
    }

    /// Returns whether the oracles contain the expected value, so that a table cannot.
    pub(crate) fn holds_values(self) -> bool {
        matches!(self, Comparison::Inside | Comparison::Parts)
    }

    /// Returns whether rows that differ in the value can share one test.
    pub(crate) fn has_column(self) -> bool {
        matches!(
            self,
            Comparison::Equal | Comparison::EqualTyped | Comparison::EqualAs | Comparison::Elements
        )
    }
}

/// Returns the variant and value of an `Ok`, `Err` or `Some` whose content has parts to compare.
pub(crate) fn inside(value: &Value) -> Option<(&str, &Value)> {
    let Value::Struct {
        type_name,
        variant: Some(variant),
        fields,
        ..
    } = value
    else {
        return None;
    };
    let is_std = type_name.starts_with("core::option::") || type_name.starts_with("core::result::");
    match fields.as_slice() {
        [(_, inner)] if is_std && *inner != Value::Unit => Some((variant, inner)),
        _ => None,
    }
}

/// Returns whether a type is an iterator of the standard library, by the names of its modules.
pub(crate) fn is_iterator(type_name: &str) -> bool {
    let path = type_name.split('<').next().unwrap_or(type_name);
    path.contains("::iter::") || path.contains("::into_iter::") || path.contains("::adapters::")
}

/// The context of expressions.
#[derive(Clone, Copy)]
pub(crate) struct Writing<'w> {
    /// The module of the test.
    pub here: &'w TestModule,
    /// The types of the crate.
    pub types: &'w TypeTable,
    /// The insertion point of the test.
    pub spot: &'w InsertionPoint,
}

impl Writing<'_> {
    /// Returns the expression of a given. `self` is given by value, whatever the method borrows,
    /// unless it is unsized.
    pub(crate) fn given(&self, name: &str, value: &Value, style: Style) -> Option<String> {
        let value = match value {
            Value::Ref { inner, .. } if name == "self" && !is_unsized(inner) => inner,
            other => other,
        };
        let typed_by_place = style.typed_by_place && self.is_declared(name);
        let value = if self.is_stream(name) {
            told(value, Bytes::Slice)
        } else {
            value.clone()
        };
        self.made(
            &value,
            Style {
                typed_by_place,
                ..style
            },
        )
    }

    /// Returns the expression that constructs a value for the test.
    pub(crate) fn made(&self, value: &Value, style: Style) -> Option<String> {
        let text = self.expression(value, style)?;
        Some(if text == "String::from(\"\")" {
            "String::new()".to_owned()
        } else {
            text
        })
    }

    fn is_stream(&self, name: &str) -> bool {
        self.spot.streams.iter().any(|stream| stream == name)
    }

    fn is_declared(&self, name: &str) -> bool {
        let is_parameter = |signature: &Signature| {
            signature.inputs.iter().any(|input| match input {
                FnArg::Typed(typed) => matches!(&*typed.pat, Pat::Ident(own) if own.ident == name),
                FnArg::Receiver(_) => false,
            })
        };
        // A generic parameter is given by the value's own type.
        let declared =
            self.spot.signatures.last().is_some_and(is_parameter) && !self.is_generic(name);
        declared || self.spot.declared.iter().any(|own| own == name)
    }

    fn is_generic(&self, name: &str) -> bool {
        let Some(signature) = self.spot.signatures.last() else {
            return false;
        };
        let typed = signature.inputs.iter().find_map(|input| match input {
            FnArg::Typed(typed) if matches!(&*typed.pat, Pat::Ident(own) if own.ident == name) => {
                Some(&*typed.ty)
            }
            _ => None,
        });
        let Some(of_type) = typed else { return false };
        let text = quote::ToTokens::to_token_stream(of_type).to_string();
        let is_word = |word: &str| {
            text.split(|c: char| !c.is_alphanumeric() && c != '_')
                .any(|part| part == word)
        };
        text.contains("impl ")
            || signature
                .generics
                .type_params()
                .any(|own| is_word(&own.ident.to_string()))
    }

    /// Returns the expression of any value.
    pub(crate) fn expression(&self, value: &Value, style: Style) -> Option<String> {
        styled(value, self.here, self.types, style).ok()
    }

    /// Returns the clause that selects the end of a fragment, or a closure, if nothing else does.
    pub(crate) fn scope(
        &self,
        candidate: &Candidate,
        comparisons: &[Comparison],
    ) -> Option<String> {
        let fragment = match &self.spot.target {
            Target::Closure { which, .. } => return which.clone(),
            Target::Fragment(fragment) => fragment,
            Target::Statement | Target::Tail => return None,
        };
        let made = candidate
            .claims
            .iter()
            .zip(comparisons)
            .filter(|(_, comparison)| **comparison != Comparison::No);
        let says_the_end = made.into_iter().any(|(claim, _)| match claim {
            Claim::Returns(_)
            | Claim::BlockValue(_)
            | Claim::Shows(..)
            | Claim::Yields(..)
            | Claim::Panics(_) => true,
            Claim::Place(name, _) => fragment.last_names.contains(name),
            _ => false,
        });
        (!says_the_end).then(|| format!("next({})", fragment.statements))
    }

    /// Returns the mock clauses.
    pub(crate) fn mocks(&self, candidate: &Candidate, style: Style) -> Option<Vec<String>> {
        self.mocks_with(candidate, style, &|_| None)
    }

    /// Returns the mock clauses; `variable` names the variables that replace the values of some
    /// mocks, by number.
    pub(crate) fn mocks_with(
        &self,
        candidate: &Candidate,
        style: Style,
        variable: &dyn Fn(usize) -> Option<String>,
    ) -> Option<Vec<String>> {
        let clauses = candidate.mocks.iter().enumerate().map(|(at, mock)| {
            if let Some(variable) = variable(at) {
                return Some(format!("mock({}, {})", mock.call, mock.value_in(&variable)));
            }
            let values: Option<Vec<String>> = mock
                .values
                .iter()
                .map(|value| self.made(value, style))
                .collect();
            let values = values?;
            Some(match values.iter().all(|value| *value == values[0]) {
                true => format!("mock({}, {})", mock.call, values[0]),
                false => format!("mock_seq({}, [{}])", mock.call, values.join(", ")),
            })
        });
        clauses.collect()
    }

    /// Returns the place that a claim compares, as an oracle names it.
    pub(crate) fn compared(&self, claim: &Claim) -> String {
        match claim {
            Claim::Place(
                name,
                Value::Ref {
                    mutable: true,
                    inner,
                },
            ) if !is_unsized(inner) => format!("*{name}"),
            Claim::Place(name, _) => name.clone(),
            Claim::Returns(_) => "returned()".to_owned(),
            Claim::BlockValue(_) => "value()".to_owned(),
            Claim::Condition(_) => "cond()".to_owned(),
            Claim::Operand(number, _) => format!("cond({number})"),
            Claim::Scrutinee(_) => "scrutinee()".to_owned(),
            Claim::Items(_) => self.items(""),
            Claim::FirstItems(items) => self.items(&format!(".take({})", items.len())),
            Claim::Shows(place, _) => format!("format!(\"{{:?}}\", {place})"),
            Claim::Yields(place, _) => format!("{place}.take({MAX_YIELDED}).collect::<Vec<_>>()"),
            Claim::Breaks(label) => format!("break {label}"),
            Claim::Continues(label) => format!("continue {label}"),
            Claim::Panics(text) => format!("panic {text}"),
            Claim::Called(call, times) => format!("calls {times} {call}"),
        }
    }

    /// Returns the elements of a loop, as far as its pattern binds them, after `some` were taken.
    pub(crate) fn items(&self, some: &str) -> String {
        let mapping = self
            .spot
            .pattern
            .as_ref()
            .and_then(mapping)
            .map(|mapping| format!(".map({mapping})"));
        match (some, mapping) {
            ("", None) => "items()".to_owned(),
            (some, mapping) => {
                format!(
                    "items().into_iter(){some}{}.collect::<Vec<_>>()",
                    mapping.unwrap_or_default()
                )
            }
        }
    }

    /// Returns the value that a claim compares with.
    pub(crate) fn expected(&self, claim: &Claim) -> Option<Value> {
        self.expected_with(claim, Bytes::Slice)
    }

    /// Returns whether the expected value has an expression.
    pub(crate) fn can_expect(&self, claim: &Claim) -> bool {
        self.expected(claim)
            .is_some_and(|value| self.expression(&value, Style::default()).is_some())
    }

    /// Returns the value that a claim compares with; `bytes` is the form of a stream's content.
    fn expected_with(&self, claim: &Claim, bytes: Bytes) -> Option<Value> {
        match claim {
            Claim::Place(
                name,
                Value::Ref {
                    mutable: true,
                    inner,
                },
            ) if self.is_stream(name) => Some(told(inner, bytes)),
            Claim::Place(name, value) if self.is_stream(name) => Some(told(value, bytes)),
            // An unsized value is compared behind a reference, so that rows of different lengths
            // have the same type.
            Claim::Place(
                _,
                Value::Ref {
                    mutable: true,
                    inner,
                },
            ) if is_unsized(inner) => Some(Value::Ref {
                mutable: false,
                inner: inner.clone(),
            }),
            Claim::Place(
                _,
                Value::Ref {
                    mutable: true,
                    inner,
                },
            ) => Some((**inner).clone()),
            other => other.value(),
        }
    }

    /// Returns the oracle of a claim that compares with `expected`.
    pub(crate) fn equality(&self, claim: &Claim, comparison: Comparison, expected: &str) -> String {
        if comparison == Comparison::Elements {
            return format!("check({}.clone().eq({expected}))", self.compared(claim));
        }
        if let (Comparison::EqualAs, Some(of_type)) = (comparison, self.type_of(claim)) {
            let place = self.compared(claim);
            // A cast comes too late if the statement may exit: by then inference has chosen `!` for
            // its open type.
            return match claim.value() {
                Some(Value::Int { .. }) => {
                    format!("check_eq({of_type}::clone(&{place}), {expected})")
                }
                _ => format!("check_eq(&{place} as &{of_type}, &{expected})"),
            };
        }
        match (claim, expected) {
            (Claim::Returns(_), _) => format!("check_return({expected})"),
            (Claim::BlockValue(_), _) => format!("check_value({expected})"),
            (Claim::Breaks(label), _) => format!("check_break({})", quoted(label)),
            (Claim::Continues(label), _) => format!("check_continue({})", quoted(label)),
            (Claim::Panics(text), _) if text.is_empty() => "check_panic()".to_owned(),
            (Claim::Panics(text), _) => format!("check_panic({})", values::text(text)),
            (Claim::Called(call, times), _) => format!("check_called({call}, {times})"),
            (_, "true") => format!("check_true({})", self.compared(claim)),
            (_, "false") => format!("check_false({})", self.compared(claim)),
            (_, "None") => format!("check_none({})", self.compared(claim)),
            _ => format!("check_eq({}, {expected})", self.compared(claim)),
        }
    }

    /// Returns whether a list is empty, which can be asserted without its type.
    fn is_empty_list(&self, claim: &Claim, value: &Value) -> bool {
        let list = match claim {
            Claim::Place(name, whole) if self.is_stream(name) => whole.behind_references(),
            Claim::Place(..) => value,
            _ => return false,
        };
        matches!(list, Value::Seq { items, kind, .. } if items.is_empty() && *kind != SeqKind::Array)
    }

    /// Returns the oracles of a claim for the final test.
    pub(crate) fn oracles(&self, claim: &Claim, comparison: Comparison) -> Option<Vec<String>> {
        let bytes = if comparison == Comparison::Equal {
            Bytes::Literal
        } else {
            Bytes::Slice
        };
        let Some(value) = self.expected_with(claim, bytes) else {
            return Some(vec![self.equality(claim, comparison, "")]);
        };
        match comparison {
            Comparison::Equal | Comparison::EqualTyped => {
                let is_short = comparison == Comparison::Equal;
                if is_short && self.is_empty_list(claim, &value) {
                    return Some(vec![format!(
                        "check({}.is_empty())",
                        self.compared(claim).trim_start_matches('*')
                    )]);
                }
                let expected = if is_short {
                    self.compared_with(&value)?
                } else {
                    self.expression(&value, Style::default())?
                };
                Some(vec![self.equality(claim, comparison, &expected)])
            }
            Comparison::EqualAs => {
                let is_empty = matches!(&value, Value::Seq { items, .. } if items.is_empty());
                let short = if is_empty {
                    None
                } else {
                    self.compared_with(&value)
                };
                let expected = short.or_else(|| self.expression(&value, Style::default()))?;
                Some(vec![self.equality(claim, comparison, &expected)])
            }
            Comparison::Elements => {
                let expected = self.expression(&value, Style::default())?;
                Some(vec![self.equality(claim, comparison, &expected)])
            }
            Comparison::Inside | Comparison::Parts => self.oracles_of_parts(claim, comparison),
            Comparison::No => None,
        }
    }

    /// Returns the type of a claim's place, if its value determines it.
    pub(crate) fn type_of(&self, claim: &Claim) -> Option<String> {
        let (Claim::Place(_, value) | Claim::Scrutinee(value)) = claim else {
            return None;
        };
        let name = match value {
            Value::Ref {
                mutable: false,
                inner,
            } if matches!(**inner, Value::Str(_)) => "&str",
            Value::Seq { type_name, .. }
            | Value::Struct { type_name, .. }
            | Value::Built { type_name, .. } => type_name,
            Value::Parsed { type_name, .. } => type_name,
            Value::Int { type_name, .. } => *type_name,
            _ => return None,
        };
        written_type(name, self.here, self.types)
    }

    /// Returns the shortest expression that a value is compared with: a `String` with a literal.
    pub(crate) fn compared_with(&self, value: &Value) -> Option<String> {
        self.expression(
            &with_plain_texts(value),
            Style {
                typed_by_place: true,
                ..Style::default()
            },
        )
    }
}

fn is_unsized(value: &Value) -> bool {
    matches!(
        value,
        Value::Str(_)
            | Value::Seq {
                kind: SeqKind::Slice,
                ..
            }
    )
}

/// Returns the clause with a closure's arguments.
pub(crate) fn args(arguments: &[String]) -> Option<String> {
    (!arguments.is_empty()).then(|| format!("args({})", arguments.join(", ")))
}

fn quoted(label: &str) -> String {
    if label.is_empty() {
        String::new()
    } else {
        format!("{label:?}")
    }
}

/// Replaces strings by slices, which `==` accepts, also in lists.
fn with_plain_texts(value: &Value) -> Value {
    match value {
        Value::Built {
            type_name, args, ..
        } if type_name == "alloc::string::String" && args.len() == 1 => args[0].clone(),
        Value::Seq {
            kind: kind @ (SeqKind::Vec | SeqKind::Array | SeqKind::Slice),
            type_name,
            items,
        } => {
            let items = items.iter().map(with_plain_texts).collect();
            Value::Seq {
                kind: *kind,
                type_name: type_name.clone(),
                items,
            }
        }
        other => other.clone(),
    }
}

/// Returns a type that parses as an expression too, `Table::<u8, u8>`: rustfmt formats only
/// expressions in a macro.
fn as_expression(of_type: &str) -> String {
    match of_type.split_once('<') {
        Some((path, arguments)) if parse_part::<syn::Path>(path).is_ok() => {
            format!("{path}::<{arguments}")
        }
        _ => of_type.to_owned(),
    }
}

/// Returns the givens of the required generic parameters, or `None` if one of them has no
/// expression.
pub(crate) fn generic_givens(
    needed: &[String],
    candidate: &Candidate,
    writing: &Writing<'_>,
) -> Option<Vec<(String, String)>> {
    let is_known = |name: &String| candidate.generics.iter().any(|(own, _)| own == name);
    if !needed.iter().all(is_known) {
        return None;
    }
    let known = candidate
        .generics
        .iter()
        .filter(|(name, _)| needed.contains(name));
    let written = known.map(|(name, value)| {
        let text = match value.behind_references() {
            Value::Str(type_name) => {
                as_expression(&written_type(type_name, writing.here, writing.types)?)
            }
            constant => writing.expression(
                constant,
                Style {
                    typed_by_place: true,
                    ..Style::default()
                },
            )?,
        };
        Some((name.clone(), text))
    });
    written.collect()
}
