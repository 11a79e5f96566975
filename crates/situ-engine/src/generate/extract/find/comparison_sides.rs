//! The order of the operands of comparisons, as far as the source and the inputs determine it.

use crate::generate::extract::candidate::Candidate;
use crate::generate::extract::improve::boundary_values::range_of;
use crate::source::{parse_tokens, parse_tokens_with};
use proc_macro2::TokenStream;
use quote::ToTokens as _;
use situ_recorder::value::Value;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use syn::visit::{self, Visit};
use syn::{
    Attribute, BinOp, Block, Expr, ExprBinary, ExprClosure, Item, Lit, Member, Path, UnOp, UseTree,
};

/// The values of a file's integer constants, as far as their source shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constants(BTreeMap<String, i128>);

impl Constants {
    /// Collects the constants of each file, and those that it imports by name from another one.
    pub fn of_files(
        files: &[&syn::File],
        is_left_out: &dyn Fn(&[Attribute]) -> bool,
    ) -> Vec<Constants> {
        let own: Vec<Constants> = files
            .iter()
            .map(|file| Constants::default().with(&file.items, is_left_out))
            .collect();
        let all: BTreeSet<(&String, &i128)> =
            own.iter().flat_map(|constants| &constants.0).collect();
        let of_file = |(file, own): (&&syn::File, &Constants)| {
            let mut constants = Constants::default();
            for name in imported_names(&file.items)
                .iter()
                .filter(|name| !own.0.contains_key(*name))
            {
                // A name with several values is ambiguous.
                if let [(_, number)] = all
                    .iter()
                    .filter(|(known, _)| *known == name)
                    .collect::<Vec<_>>()[..]
                {
                    constants.0.insert(name.clone(), **number);
                }
            }
            constants.with(&file.items, is_left_out)
        };
        files.iter().zip(&own).map(of_file).collect()
    }

    fn with(mut self, items: &[Item], is_left_out: &dyn Fn(&[Attribute]) -> bool) -> Constants {
        for item in items {
            if let Item::Const(item) = item
                && !is_left_out(&item.attrs)
                && let Some(number) = Inputs(&Candidate::default(), &self).number(&item.expr)
            {
                self.0.insert(item.ident.to_string(), number);
            }
        }
        self
    }

    /// Returns whether a comparison of constants holds.
    pub fn decide(&self, comparison: &ExprBinary) -> Option<bool> {
        let inputs = Candidate::default();
        let number = |side: &Expr| Inputs(&inputs, self).number(side);
        let ordering = number(&comparison.left)?.cmp(&number(&comparison.right)?);
        match comparison.op {
            BinOp::Lt(_) => Some(ordering.is_lt()),
            BinOp::Le(_) => Some(ordering.is_le()),
            BinOp::Gt(_) => Some(ordering.is_gt()),
            BinOp::Ge(_) => Some(ordering.is_ge()),
            BinOp::Eq(_) => Some(ordering.is_eq()),
            BinOp::Ne(_) => Some(ordering.is_ne()),
            _ => None,
        }
    }
}

/// Returns the names that items import.
fn imported_names(items: &[Item]) -> BTreeSet<String> {
    fn add(tree: &UseTree, names: &mut BTreeSet<String>) {
        match tree {
            UseTree::Path(path) => add(&path.tree, names),
            UseTree::Name(name) => drop(names.insert(name.ident.to_string())),
            UseTree::Group(group) => group.items.iter().for_each(|tree| add(tree, names)),
            UseTree::Rename(_) | UseTree::Glob(_) => {}
        }
    }
    let mut names = BTreeSet::new();
    for item in items {
        if let Item::Use(item) = item {
            add(&item.tree, &mut names);
        }
    }
    names
}

/// The comparisons in a statement, in order, each by its two sides.
#[derive(Default)]
pub(crate) struct Comparisons {
    all: Vec<(Expr, Expr)>,
    constants: Arc<Constants>,
}

impl Comparisons {
    /// Returns those in the text of a statement or condition.
    pub(crate) fn of(statement: &TokenStream, constants: &Arc<Constants>) -> Comparisons {
        let mut found = Comparisons {
            all: Vec::new(),
            constants: Arc::clone(constants),
        };
        match parse_tokens::<Expr>(statement.clone()) {
            Ok(expression) => found.visit_expr(&expression),
            Err(_) => {
                let statements =
                    parse_tokens_with(Block::parse_within, statement.clone()).unwrap_or_default();
                statements
                    .iter()
                    .for_each(|statement| found.visit_stmt(statement));
            }
        }
        found
    }

    /// Returns how the left side of each comparison compares with the right one for these inputs,
    /// if that is known.
    pub(crate) fn sides(&self, candidate: &Candidate) -> Vec<Option<Ordering>> {
        self.numbers(candidate)
            .into_iter()
            .map(|sides| sides.map(|(left, right)| left.cmp(&right)))
            .collect()
    }

    fn numbers(&self, candidate: &Candidate) -> Vec<Option<(i128, i128)>> {
        let inputs = Inputs(candidate, &self.constants);
        let numbers =
            |(left, right): &(Expr, Expr)| Some((inputs.number(left)?, inputs.number(right)?));
        self.all.iter().map(numbers).collect()
    }

    /// Returns numbers that, instead of one of these inputs, make both sides of a comparison equal.
    /// In a sum, the input has to change by the difference of the sides.
    pub(crate) fn equalizing(&self, candidate: &Candidate, of: &[i128]) -> Vec<i128> {
        let mut all = Vec::new();
        for (left, right) in self.numbers(candidate).into_iter().flatten() {
            let Some(difference) = right
                .checked_sub(left)
                .filter(|difference| *difference != 0)
            else {
                continue;
            };
            all.extend([left, right]);
            all.extend(
                of.iter()
                    .flat_map(|own| [own.checked_add(difference), own.checked_sub(difference)])
                    .flatten(),
            );
        }
        all
    }

    /// The text of both sides of each.
    pub(crate) fn texts(&self) -> Vec<(String, String)> {
        let text = |side: &Expr| side.to_token_stream().to_string();
        self.all
            .iter()
            .map(|(left, right)| (text(left), text(right)))
            .collect()
    }

    /// Returns how many there are.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }
}

impl<'ast> Visit<'ast> for Comparisons {
    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        use BinOp::{Eq, Ge, Gt, Le, Lt, Ne};
        if matches!(binary.op, Lt(_) | Le(_) | Gt(_) | Ge(_) | Eq(_) | Ne(_)) {
            self.all
                .push(((*binary.left).clone(), (*binary.right).clone()));
        }
        visit::visit_expr_binary(self, binary);
    }

    // The arguments of closures are unknown here.
    fn visit_expr_closure(&mut self, _closure: &'ast ExprClosure) {}
    fn visit_item(&mut self, _item: &'ast Item) {}
}

struct Inputs<'c>(&'c Candidate, &'c Constants);

impl Inputs<'_> {
    /// Returns the number or char that an expression has for these inputs.
    fn number(&self, expression: &Expr) -> Option<i128> {
        match expression {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(number) => number.base10_parse().ok(),
                Lit::Byte(byte) => Some(i128::from(byte.value())),
                Lit::Char(letter) => Some(i128::from(u32::from(letter.value()))),
                _ => None,
            },
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                self.number(&unary.expr)?.checked_neg()
            }
            Expr::Paren(inner) => self.number(&inner.expr),
            Expr::Cast(cast) => self.number(&cast.expr),
            Expr::Binary(binary) => self.calculated(binary),
            Expr::Path(path) => self
                .constant(&path.path)
                .or_else(|| number_of(self.value(expression)?)),
            _ => number_of(self.value(expression)?),
        }
    }

    fn calculated(&self, binary: &ExprBinary) -> Option<i128> {
        let (left, right) = (self.number(&binary.left)?, self.number(&binary.right)?);
        match binary.op {
            BinOp::Add(_) => left.checked_add(right),
            BinOp::Sub(_) => left.checked_sub(right),
            BinOp::Mul(_) => left.checked_mul(right),
            BinOp::Div(_) => left.checked_div(right),
            BinOp::Rem(_) => left.checked_rem(right),
            BinOp::BitAnd(_) => Some(left & right),
            BinOp::BitOr(_) => Some(left | right),
            _ => None,
        }
    }

    /// `u32::MAX` and the like, or a constant of the file.
    fn constant(&self, path: &Path) -> Option<i128> {
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        match names.as_slice() {
            [name] => self.1.0.get(name).copied(),
            [.., of_type, name] if name == "MAX" => range_of(of_type).map(|(_, highest)| highest),
            [.., of_type, name] if name == "MIN" => range_of(of_type).map(|(lowest, _)| lowest),
            _ => None,
        }
    }

    /// Returns the value of an input, of a field of one, or of a mocked call. A length is that of
    /// its string or list.
    fn value(&self, expression: &Expr) -> Option<Value> {
        let text = expression.to_token_stream().to_string().replace(' ', "");
        let is_it = |name: &str| name.replace(' ', "") == text;
        let given = self
            .0
            .givens
            .iter()
            .find(|(name, _)| is_it(name))
            .map(|(_, value)| value);
        let stood_for = || {
            self.0
                .mocks
                .iter()
                .find(|mock| is_it(&mock.call))
                .and_then(|mock| mock.values.first())
        };
        if let Some(known) = given.or_else(stood_for) {
            return Some(known.behind_references().clone());
        }
        match expression {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.value(&unary.expr),
            Expr::Reference(reference) => self.value(&reference.expr),
            Expr::Paren(inner) => self.value(&inner.expr),
            Expr::Field(field) => {
                let Value::Struct { fields, .. } = self.value(&field.base)? else {
                    return None;
                };
                let name = match &field.member {
                    Member::Named(name) => name.to_string(),
                    Member::Unnamed(number) => number.index.to_string(),
                };
                fields
                    .iter()
                    .find(|(own, _)| *own == name)
                    .map(|(_, value)| value.behind_references().clone())
            }
            Expr::MethodCall(call) if call.method == "len" && call.args.is_empty() => {
                let length = match self.value(&call.receiver)? {
                    Value::Str(text) => text.len(),
                    Value::Seq { items, .. } => items.len(),
                    _ => return None,
                };
                Some(Value::Int {
                    type_name: "usize",
                    bits: length as u128,
                })
            }
            _ => None,
        }
    }
}

fn number_of(value: Value) -> Option<i128> {
    match value {
        Value::Int { type_name, bits } if type_name.starts_with('i') => Some(bits as i128),
        Value::Int { bits, .. } => i128::try_from(bits).ok(),
        Value::Char(letter) => Some(i128::from(u32::from(letter))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;
    use situ_recorder::value::{SeqKind, Shape};

    fn candidate(givens: &[(&str, Value)]) -> Candidate {
        let givens = givens
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect();
        Candidate {
            givens,
            ..Candidate::default()
        }
    }

    fn number(bits: i128) -> Value {
        Value::Int {
            type_name: "i64",
            bits: bits as u128,
        }
    }

    fn sides(statement: &TokenStream, candidate: &Candidate) -> Vec<Ordering> {
        Comparisons::of(statement, &Arc::default())
            .sides(candidate)
            .into_iter()
            .flatten()
            .collect()
    }

    #[test]
    fn operands_that_inputs_and_text_tell_are_compared() {
        let text = Value::Ref {
            mutable: false,
            inner: Box::new(Value::Str("abc".to_owned())),
        };
        let one = candidate(&[
            ("a", number(-3)),
            ("b", number(5)),
            ("c", Value::Char('%')),
            ("text", text),
        ]);
        let of = |statement| sides(&statement, &one);
        assert_eq!(
            of(quote!(a < b && *c == '%')),
            [Ordering::Less, Ordering::Equal]
        );
        assert_eq!(
            of(quote!(let is = text.len() > 2 || a == -3;)),
            [Ordering::Greater, Ordering::Equal]
        );
        assert_eq!(of(quote!(f(a) < b)), [], "a call is not known");
        assert_eq!(
            of(quote!(all.iter().any(|a| *a == 3))),
            [],
            "a parameter of the same name"
        );
    }

    #[test]
    fn sums_and_constants_are_known_and_what_makes_sides_equal() {
        let file = syn::parse_file(
            "const BASE: u32 = 36; const HALF: u32 = BASE / 2; static OTHER: u32 = 1;",
        )
        .unwrap();
        let constants = Arc::new(Constants::of_files(&[&file], &|_| false).remove(0));
        assert_eq!(
            constants.0,
            BTreeMap::from([("BASE".to_owned(), 36), ("HALF".to_owned(), 18)])
        );
        let one = candidate(&[("a", number(10)), ("b", number(5))]);
        let comparisons = Comparisons::of(
            &quote!(a + b > (BASE - 1) as i64 || a < std::u8::MAX),
            &constants,
        );
        assert_eq!(
            comparisons.sides(&one),
            [Some(Ordering::Less), Some(Ordering::Less)]
        );
        let equalizing = comparisons.equalizing(&one, &[10, 5]);
        for wanted in [30, 25, 255] {
            assert!(equalizing.contains(&wanted), "{wanted} in {equalizing:?}");
        }
    }

    #[test]
    fn constants_are_known_where_they_are_imported_and_mean_one_thing() {
        let texts = [
            "#[cfg(a)] const BITS: u32 = 64; #[cfg(b)] const BITS: u32 = 32; const MOST: u32 = 9;",
            "const MOST: u32 = 8;",
            "use crate::{first::{BITS, MOST}, other::Type}; const HALF: u32 = BITS / 2;",
        ];
        let files = texts.map(|text| syn::parse_file(text).unwrap());
        let is_left_out = |attributes: &[Attribute]| {
            attributes
                .iter()
                .any(|own| own.to_token_stream().to_string().contains('b'))
        };
        let known = Constants::of_files(&files.each_ref(), &is_left_out);
        let of = |known: &[(&str, i128)]| {
            known
                .iter()
                .map(|(name, number)| ((*name).to_owned(), *number))
                .collect()
        };
        assert_eq!(known[0].0, of(&[("BITS", 64), ("MOST", 9)]));
        assert_eq!(
            known[2].0,
            of(&[("BITS", 64), ("HALF", 32)]),
            "MOST may be the one or the other"
        );
        let decide = |text: &str| known[2].decide(&syn::parse_str(text).unwrap());
        assert_eq!(
            [
                decide("BITS == 32"),
                decide("HALF * 2 >= BITS"),
                decide("BITS == n")
            ],
            [Some(false), Some(true), None]
        );
    }

    #[test]
    fn fields_and_calls_that_values_stand_for_are_known() {
        let items = Value::Seq {
            kind: SeqKind::Vec,
            type_name: String::new(),
            items: vec![number(1)],
        };
        let fields = vec![("items".to_owned(), items), ("most".to_owned(), number(2))];
        let own = Value::Struct {
            type_name: "mine::Own".to_owned(),
            variant: None,
            shape: Shape::Named,
            fields,
        };
        assert_eq!(
            sides(
                &quote!(self.items.len() >= self.most),
                &candidate(&[("self", own)])
            ),
            [Ordering::Less]
        );
        assert_eq!(
            sides(
                &quote!(self.most == 2),
                &candidate(&[("self.most", number(2))])
            ),
            [Ordering::Equal]
        );
    }
}
