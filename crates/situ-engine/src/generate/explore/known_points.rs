//! Existing data points by type, value and groups, however they are written.

use super::theories::has_attribute;
use crate::source::{parse_part, parse_tokens_with};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Block, Expr, GenericArgument, Item, PathArguments, ReturnType, Stmt, Token, Type,
};

/// A value of a data point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KnownPoint {
    of: String,
    value: String,
    groups: Vec<String>,
}

impl KnownPoint {
    /// Returns the values of a data point's source; empty if it computes them.
    pub(super) fn all_in(text: &str) -> Vec<KnownPoint> {
        let Ok(item) = parse_part::<Item>(text) else {
            return Vec::new();
        };
        let (attributes, of, value) = match &item {
            Item::Const(item) => (&item.attrs, &*item.ty, plain(&item.expr)),
            Item::Static(item) => (&item.attrs, &*item.ty, plain(&item.expr)),
            Item::Fn(item) => match &item.sig.output {
                ReturnType::Type(_, of) => (&item.attrs, &**of, body(&item.block)),
                ReturnType::Default => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        let groups = groups_of(attributes);
        let point = |of: &Type, value: Value<'_>| KnownPoint {
            of: type_words(of),
            value: value.words(),
            groups: groups.clone(),
        };
        if !has_attribute(attributes, "datapoints") {
            return vec![point(of, value)];
        }
        let (Some(of), Value::Expression(list)) = (element_type(of), value) else {
            return Vec::new();
        };
        elements(list)
            .iter()
            .map(|element| point(of, Value::Expression(element)))
            .collect()
    }

    /// Returns whether a parameter of this type, with points of a group or of all, gets this value
    /// from it.
    pub(super) fn gives(&self, of: &str, value: &str, group: Option<&str>) -> bool {
        let is_meant = group.is_none_or(|group| self.groups.iter().any(|own| own == group));
        let words = parse_part::<Type>(of).map(|of| type_words(&of));
        // What methods were called on is the body of a function.
        let block = parse_part::<Expr>(value).map(|value| match &value {
            Expr::Block(block) => body(&block.block).words(),
            value => Value::Expression(value).words(),
        });
        is_meant
            && words.is_ok_and(|words| words == self.of)
            && block.is_ok_and(|words| words == self.value)
    }
}

/// What a data point is: an expression, or the statements that lead to it.
enum Value<'v> {
    Expression(&'v Expr),
    Block(&'v Block),
}

impl Value<'_> {
    fn words(&self) -> String {
        match self {
            Value::Expression(expression) => words(expression),
            Value::Block(block) => block.stmts.iter().map(words).collect(),
        }
    }
}

fn plain(value: &Expr) -> Value<'_> {
    Value::Expression(value)
}

fn body(block: &Block) -> Value<'_> {
    match block.stmts.as_slice() {
        [Stmt::Expr(value, None)] => Value::Expression(value),
        _ => Value::Block(block),
    }
}

/// Returns the text of tokens without spaces, and without the commas that formatting adds.
fn words(tokens: &impl ToTokens) -> String {
    let text = tokens
        .to_token_stream()
        .to_string()
        .replace([' ', '\n'], "");
    [",]", ",)", ",}"]
        .iter()
        .fold(text, |text, end| text.replace(end, &end[1..]))
}

fn type_words(of: &Type) -> String {
    words(of).replace("'static", "")
}

/// Returns what a list holds.
fn element_type(of: &Type) -> Option<&Type> {
    match of {
        Type::Array(array) => Some(&array.elem),
        Type::Slice(slice) => Some(&slice.elem),
        Type::Reference(reference) => element_type(&reference.elem),
        Type::Path(path) => {
            let last = path
                .path
                .segments
                .last()
                .filter(|last| last.ident == "Vec")?;
            let PathArguments::AngleBracketed(arguments) = &last.arguments else {
                return None;
            };
            arguments.args.iter().find_map(|argument| match argument {
                GenericArgument::Type(of) => Some(of),
                _ => None,
            })
        }
        _ => None,
    }
}

/// Returns the elements of a list that is written out.
fn elements(list: &Expr) -> Vec<Expr> {
    match list {
        Expr::Reference(reference) => elements(&reference.expr),
        Expr::Array(array) => array.elems.iter().cloned().collect(),
        Expr::Macro(call) if call.mac.path.is_ident("vec") => {
            let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
            parse_tokens_with(parser, call.mac.tokens.clone())
                .map(|all| all.into_iter().collect())
                .unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

fn groups_of(attributes: &[Attribute]) -> Vec<String> {
    let named = attributes.iter().filter(|attribute| {
        attribute
            .path()
            .segments
            .last()
            .is_some_and(|last| last.ident == "datapoint" || last.ident == "datapoints")
    });
    let parser = Punctuated::<syn::LitStr, Token![,]>::parse_terminated;
    named
        .filter_map(|attribute| attribute.parse_args_with(parser).ok())
        .flat_map(|groups| groups.iter().map(syn::LitStr::value).collect::<Vec<_>>())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::KnownPoint;

    #[track_caller]
    fn check(text: &str, of: &str, value: &str, group: Option<&str>, expected: bool) {
        let given = KnownPoint::all_in(text)
            .iter()
            .any(|point| point.gives(of, value, group));
        assert_eq!(given, expected, "{value}: {of} in {text}");
    }

    #[test]
    fn a_value_is_known_however_its_data_point_is_written() {
        check(
            "#[datapoint] const A: &str = \"\";",
            "&str",
            "\"\"",
            None,
            true,
        );
        check(
            "#[datapoint] const A: &'static str = \"\";",
            "&str",
            "\"\"",
            None,
            true,
        );
        check("#[datapoint] const A: u8 = 0;", "u16", "0", None, false);
        check(
            "#[datapoint] fn a() -> Level {\n    Level::new(\n        1,\n        2,\n    )\n}",
            "Level",
            "Level::new(1, 2)",
            None,
            true,
        );
        let made = "{ let mut made = Stack::new(); made.push(1); made }";
        let written = "#[datapoint]\nfn a() -> Stack {\n    let mut made = Stack::new();\n    made.push(1);\n    made\n}";
        check(written, "Stack", made, None, true);
        check(
            written,
            "Stack",
            "{ let mut made = Stack::new(); made.push(2); made }",
            None,
            false,
        );
        check(
            "#[datapoints] const A: [&str; 2] = [\"a\", \"b\"];",
            "&str",
            "\"b\"",
            None,
            true,
        );
        check(
            "#[situ::datapoints] fn a() -> Vec<u8> { vec![1, 2] }",
            "u8",
            "2",
            None,
            true,
        );
        check(
            "#[datapoints] fn a() -> Vec<u8> { (0..9).collect() }",
            "u8",
            "2",
            None,
            false,
        );
    }

    #[test]
    fn a_parameter_with_a_group_takes_points_of_that_group() {
        let point = "#[datapoint(\"small\", \"odd\")] const A: u8 = 1;";
        check(point, "u8", "1", Some("odd"), true);
        check(point, "u8", "1", Some("even"), false);
        check(point, "u8", "1", None, true);
    }
}
