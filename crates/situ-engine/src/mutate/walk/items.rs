//! Visits items: functions, and what contains them.

use super::Walk;
use super::attributes::{is_dull, type_name};
use crate::mutate::mutant::Function;
use crate::mutate::operators::{BlockKind, Node};
use crate::source::byte_range;
use situ_syntax::TestAttribute;
use std::ops::Range;
use syn::{
    Attribute, Block, Expr, ImplItem, Item, ItemImpl, ItemTrait, ReturnType, Signature, TraitItem,
};

impl Walk<'_> {
    pub(super) fn item(&mut self, item: &Item) {
        match item {
            Item::Fn(function) => self.function(
                &function.attrs,
                &function.sig,
                &function.block,
                byte_range(function),
            ),
            Item::Mod(module) => {
                let Some((_, items)) = &module.content else {
                    return;
                };
                self.under(&module.attrs, |walk| {
                    items.iter().for_each(|item| walk.item(item))
                });
            }
            Item::Impl(block) => self.implementation(block),
            Item::Trait(declared) => self.declaration(declared),
            Item::Const(constant) => self.constant_item(&constant.attrs, &constant.expr),
            Item::Static(constant) => self.constant_item(&constant.attrs, &constant.expr),
            _ => {}
        }
    }

    fn constant_item(&mut self, attributes: &[Attribute], value: &Expr) {
        if !attributes
            .iter()
            .any(|attribute| TestAttribute::of(attribute).is_some())
        {
            self.under(attributes, |walk| {
                walk.constant(|walk| walk.expression(value))
            });
        }
    }

    fn implementation(&mut self, block: &ItemImpl) {
        if block.trait_.as_ref().is_some_and(|(path, _)| is_dull(path))
            || self.allocators.is_implementation(block)
        {
            return;
        }
        let owner = type_name(&block.self_ty);
        self.under(&block.attrs, |walk| {
            let outer = std::mem::replace(&mut walk.owner, owner);
            for item in &block.items {
                match item {
                    ImplItem::Fn(method) => {
                        walk.function(
                            &method.attrs,
                            &method.sig,
                            &method.block,
                            byte_range(method),
                        );
                    }
                    ImplItem::Const(constant) => {
                        walk.constant_item(&constant.attrs, &constant.expr)
                    }
                    _ => {}
                }
            }
            walk.owner = outer;
        });
    }

    fn declaration(&mut self, declared: &ItemTrait) {
        self.under(&declared.attrs, |walk| {
            let outer = walk.owner.replace(declared.ident.to_string());
            for item in &declared.items {
                if let TraitItem::Fn(method) = item
                    && let Some(block) = &method.default
                {
                    walk.function(&method.attrs, &method.sig, block, byte_range(method));
                }
            }
            walk.owner = outer;
        });
    }

    fn function(
        &mut self,
        attributes: &[Attribute],
        signature: &Signature,
        block: &Block,
        range: Range<usize>,
    ) {
        if attributes
            .iter()
            .any(|attribute| TestAttribute::of(attribute).is_some())
        {
            return;
        }
        let is_left = matches!(
            signature.ident.to_string().as_str(),
            "size_hint" | "with_capacity" | "reserve" | "capacity"
        );
        if is_left || self.allocators.holds(signature) {
            return;
        }
        self.under(attributes, |walk| {
            let name = match &walk.owner {
                Some(owner) => format!("{owner}::{}", signature.ident),
                None => signature.ident.to_string(),
            };
            let const_token = signature.constness.as_ref().map(byte_range);
            walk.functions.push(Function {
                name,
                range,
                const_token,
                is_generated: false,
            });
            let outer = (
                walk.function.replace(walk.functions.len() - 1),
                std::mem::take(&mut walk.around),
            );
            let full = std::mem::take(&mut walk.full);
            let (constant, owner) = (std::mem::take(&mut walk.constant), walk.owner.take());
            let returned = match &signature.output {
                ReturnType::Default => None,
                ReturnType::Type(_, returned) => Some((**returned).clone()),
            };
            walk.returns.push((returned, true));
            // The body of a generated test is not the user's code.
            let is_test =
                walk.expanded.is_some() && signature.ident.to_string().starts_with("__situ");
            if !is_test {
                walk.offer(&Node::Body { signature, block });
            }
            walk.block(
                block,
                if is_test {
                    BlockKind::Plain
                } else {
                    BlockKind::Function
                },
            );
            walk.returns.pop();
            (walk.function, walk.around) = outer;
            walk.full = full;
            (walk.constant, walk.owner) = (constant, owner);
        });
    }
}
