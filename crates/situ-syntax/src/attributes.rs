//! Attributes: where the parser stores them, and tests for those that every part of Situ looks for.

use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Item, Meta, Stmt, Token};

/// Returns the attributes in front of an expression.
///
/// The parser keeps those of `#[cfg(unix)] a = b;` at `a`: of an assignment, a binary operation and a cast these are
/// the attributes of the leftmost operand.
pub fn attributes_of(expression: &Expr) -> &[Attribute] {
    let own = own_attributes(expression);
    let leftmost = match expression {
        Expr::Assign(node) => &node.left,
        Expr::Binary(node) => &node.left,
        Expr::Cast(node) => &node.expr,
        _ => return own,
    };
    if own.is_empty() {
        attributes_of(leftmost)
    } else {
        own
    }
}

fn own_attributes(expression: &Expr) -> &[Attribute] {
    match expression {
        Expr::Array(node) => &node.attrs,
        Expr::Assign(node) => &node.attrs,
        Expr::Async(node) => &node.attrs,
        Expr::Await(node) => &node.attrs,
        Expr::Binary(node) => &node.attrs,
        Expr::Block(node) => &node.attrs,
        Expr::Break(node) => &node.attrs,
        Expr::Call(node) => &node.attrs,
        Expr::Cast(node) => &node.attrs,
        Expr::Closure(node) => &node.attrs,
        Expr::Const(node) => &node.attrs,
        Expr::Continue(node) => &node.attrs,
        Expr::Field(node) => &node.attrs,
        Expr::ForLoop(node) => &node.attrs,
        Expr::Group(node) => &node.attrs,
        Expr::If(node) => &node.attrs,
        Expr::Index(node) => &node.attrs,
        Expr::Infer(node) => &node.attrs,
        Expr::Let(node) => &node.attrs,
        Expr::Lit(node) => &node.attrs,
        Expr::Loop(node) => &node.attrs,
        Expr::Macro(node) => &node.attrs,
        Expr::Match(node) => &node.attrs,
        Expr::MethodCall(node) => &node.attrs,
        Expr::Paren(node) => &node.attrs,
        Expr::Path(node) => &node.attrs,
        Expr::Range(node) => &node.attrs,
        Expr::RawAddr(node) => &node.attrs,
        Expr::Reference(node) => &node.attrs,
        Expr::Repeat(node) => &node.attrs,
        Expr::Return(node) => &node.attrs,
        Expr::Struct(node) => &node.attrs,
        Expr::Try(node) => &node.attrs,
        Expr::TryBlock(node) => &node.attrs,
        Expr::Tuple(node) => &node.attrs,
        Expr::Unary(node) => &node.attrs,
        Expr::Unsafe(node) => &node.attrs,
        Expr::While(node) => &node.attrs,
        Expr::Yield(node) => &node.attrs,
        _ => &[],
    }
}

/// Returns the attributes in front of a statement.
pub fn attributes_of_statement(statement: &Stmt) -> &[Attribute] {
    match statement {
        Stmt::Local(local) => &local.attrs,
        Stmt::Macro(call) => &call.attrs,
        Stmt::Item(item) => attributes_of_item(item),
        Stmt::Expr(expression, _) => attributes_of(expression),
    }
}

/// Returns the attributes of an item.
pub fn attributes_of_item(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(node) => &node.attrs,
        Item::Enum(node) => &node.attrs,
        Item::ExternCrate(node) => &node.attrs,
        Item::Fn(node) => &node.attrs,
        Item::ForeignMod(node) => &node.attrs,
        Item::Impl(node) => &node.attrs,
        Item::Macro(node) => &node.attrs,
        Item::Mod(node) => &node.attrs,
        Item::Static(node) => &node.attrs,
        Item::Struct(node) => &node.attrs,
        Item::Trait(node) => &node.attrs,
        Item::TraitAlias(node) => &node.attrs,
        Item::Type(node) => &node.attrs,
        Item::Union(node) => &node.attrs,
        Item::Use(node) => &node.attrs,
        _ => &[],
    }
}

/// Returns the attributes of an item that the parser knows, to change them.
pub fn attributes_of_item_mut(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    Some(match item {
        Item::Const(node) => &mut node.attrs,
        Item::Enum(node) => &mut node.attrs,
        Item::ExternCrate(node) => &mut node.attrs,
        Item::Fn(node) => &mut node.attrs,
        Item::ForeignMod(node) => &mut node.attrs,
        Item::Impl(node) => &mut node.attrs,
        Item::Macro(node) => &mut node.attrs,
        Item::Mod(node) => &mut node.attrs,
        Item::Static(node) => &mut node.attrs,
        Item::Struct(node) => &mut node.attrs,
        Item::Trait(node) => &mut node.attrs,
        Item::TraitAlias(node) => &mut node.attrs,
        Item::Type(node) => &mut node.attrs,
        Item::Union(node) => &mut node.attrs,
        Item::Use(node) => &mut node.attrs,
        _ => return None,
    })
}

/// Returns whether the last part of an attribute's path is this name: `#[situ]` and `#[situ::situ]` are named `situ`.
pub fn is_named(attribute: &Attribute, name: &str) -> bool {
    attribute
        .path()
        .segments
        .last()
        .is_some_and(|last| last.ident == name)
}

/// Returns whether an attribute is `#[situ]` or `#[situ(name)]`.
pub fn is_situ(attribute: &Attribute) -> bool {
    is_named(attribute, "situ")
}

/// Returns the `#[situ]` among some attributes.
pub fn situ_attribute(attributes: &[Attribute]) -> Option<&Attribute> {
    attributes.iter().find(|attribute| is_situ(attribute))
}

/// Returns whether an attribute is `#[cfg(…)]`.
pub fn is_cfg(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
}

/// Returns whether code with these attributes may be missing from a build: `#[cfg(…)]`, or a `#[cfg_attr(…)]` that may
/// hold one.
pub fn is_conditional(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|attribute| is_cfg(attribute) || attribute.path().is_ident("cfg_attr"))
}

/// Returns whether an attribute is a `#[cfg(…)]` that only test builds can meet: `test`, `all(test, …)`, or an `any(…)`
/// of such predicates.
pub fn requires_test(attribute: &Attribute) -> bool {
    is_cfg(attribute)
        && inner_metas(&attribute.meta)
            .iter()
            .any(predicate_requires_test)
}

fn predicate_requires_test(predicate: &Meta) -> bool {
    let inner = inner_metas(predicate);
    match predicate
        .path()
        .get_ident()
        .map(ToString::to_string)
        .as_deref()
    {
        Some("test") => matches!(predicate, Meta::Path(_)),
        Some("all") => inner.iter().any(predicate_requires_test),
        Some("any") => !inner.is_empty() && inner.iter().all(predicate_requires_test),
        _ => false,
    }
}

/// Returns the items between the parentheses of `name(…, …)`, if it is a list of attributes or
/// predicates.
pub(crate) fn inner_metas(meta: &Meta) -> Punctuated<Meta, Token![,]> {
    match meta {
        Meta::List(list) => list
            .parse_args_with(Punctuated::parse_terminated)
            .unwrap_or_default(),
        _ => Punctuated::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_attributes_of_every_kind_of_statement_are_found() {
        let statements = [
            "[1];",
            "a = b;",
            "a.b = c;",
            "a[0] += 1;",
            "async {};",
            "a.await;",
            "{}",
            "break;",
            "f();",
            "1 as u8;",
            "|| 1;",
            "const {}",
            "continue;",
            "a.b;",
            "for _ in a {}",
            "if a {}",
            "a[0];",
            "_ = b;",
            "1;",
            "loop {}",
            "m!();",
            "m! {}",
            "m!() + 1;",
            "match a {}",
            "a.b();",
            "(a);",
            "a;",
            "a..b;",
            "&raw const a;",
            "&a;",
            "[1; 2];",
            "return;",
            "S {};",
            "a?;",
            "(a, b);",
            "!a;",
            "unsafe {}",
            "while a {}",
            "let a = 1;",
            "use a::b;",
            "fn f() {}",
            "struct S;",
            "a += b as u8;",
            "a as u8 as u16;",
        ];
        for statement in statements {
            let parsed: Stmt =
                syn::parse_str::<syn::Block>(&format!("{{ #[cfg(unix)] {statement} }}"))
                    .unwrap()
                    .stmts
                    .remove(0);
            assert!(
                is_conditional(attributes_of_statement(&parsed)),
                "{statement}"
            );
            let bare: Stmt = syn::parse_str::<syn::Block>(&format!("{{ {statement} }}"))
                .unwrap()
                .stmts
                .remove(0);
            assert!(attributes_of_statement(&bare).is_empty(), "{statement}");
        }
    }

    #[test]
    fn test_code_is_told_from_code_that_tests_have_too() {
        let requires = |text: &str| {
            let item: Item = syn::parse_str(&format!("{text} fn f() {{}}")).unwrap();
            attributes_of_item(&item).iter().any(requires_test)
        };
        for text in [
            "#[cfg(test)]",
            "#[cfg(all(test, feature = \"x\"))]",
            "#[cfg(all(not(miri), test))]",
            "#[cfg(any(test, all(test, x)))]",
        ] {
            assert!(requires(text), "{text}");
        }
        for text in [
            "#[cfg(any(test, feature = \"x\"))]",
            "#[cfg(not(test))]",
            "#[cfg(any())]",
            "#[cfg(all())]",
            "#[cfg_attr(test, inline)]",
        ] {
            assert!(!requires(text), "{text}");
        }
    }
}
