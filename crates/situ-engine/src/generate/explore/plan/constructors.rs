//! Functions of a type that return it.

use super::argument::Argument;
use super::declared::{Block, OwnType};
use super::head::Head;
use super::sight::Sight;
use super::way::{Call, Kind, Known, Way};
use super::{Planning, conditions};
use crate::source::Gives;
use syn::{ImplItem, ImplItemFn, Visibility};

impl Planning<'_> {
    /// Returns the constructors of a type.
    pub(super) fn constructors(&self, of: &OwnType<'_>) -> Vec<Known> {
        let functions = || self.functions_of(&of.key);
        let gives = |block: &Block<'_>, function: &ImplItemFn| {
            let given =
                self.declared
                    .names
                    .constructed(&function.sig, block.place.module, Some(&of.key));
            given
                .filter(|given| given.of == of.key)
                .map(|given| given.gives)
        };
        let all: Vec<_> = functions()
            .filter_map(|(block, function)| Some((block, function, gives(block, function)?)))
            .collect();
        let has_open = all.iter().any(|(_, function, _)| !is_private(function));
        let known = |(block, function, gives): &(&Block<'_>, &ImplItemFn, Gives)| {
            // If public constructors exist, private ones are left to the type's own functions.
            let is_meant = !has_open || !is_private(function);
            let way = is_meant
                .then(|| self.constructor(of, block, function, *gives))
                .flatten();
            let is_guard = !function.sig.inputs.is_empty() || *gives != Gives::Itself;
            Known { way, is_guard }
        };
        all.iter().map(known).collect()
    }

    fn constructor(
        &self,
        of: &OwnType<'_>,
        block: &Block<'_>,
        function: &ImplItemFn,
        gives: Gives,
    ) -> Option<Way> {
        if gives == Gives::Inside || !self.may_be_called(of, function) {
            return None;
        }
        let name = function.sig.ident.to_string();
        let call = Call::new(
            format!("Self::{name}"),
            format!("{{}}::{name}"),
            Argument::all(&function.sig)?,
            gives,
        );
        let sight = Sight::of(&function.vis, block.place.module);
        Some(Way::new(
            Kind::Constructor,
            name,
            &block.place,
            Head::of_block(block.item)?,
            sight,
            call,
        ))
    }

    /// Returns the functions of a type, each with its block.
    pub(super) fn functions_of<'p>(
        &'p self,
        key: &'p str,
    ) -> impl Iterator<Item = (&'p Block<'p>, &'p ImplItemFn)> {
        let blocks = self
            .declared
            .blocks_of(key)
            .filter(|block| block.item.trait_.is_none());
        blocks.flat_map(|block| {
            block.item.items.iter().filter_map(move |item| match item {
                ImplItem::Fn(function) => Some((block, function)),
                _ => None,
            })
        })
    }

    /// Returns whether a function may be called with any arguments and has no effects outside the
    /// program.
    pub(super) fn may_be_called(&self, of: &OwnType<'_>, function: &ImplItemFn) -> bool {
        let signature = &function.sig;
        let type_name = of.key.rsplit("::").next().unwrap_or(&of.key);
        let name = signature.ident.to_string();
        signature.asyncness.is_none()
            && !matches!(signature.safety, syn::Safety::Unsafe(_))
            && conditions(&function.attrs).is_empty()
            // The callers of these have obligations.
            && !name.contains("unchecked")
            && self.effects.of_function(Some(type_name), &name).is_none()
    }
}

/// Returns whether only the module around it may call a function.
pub(super) fn is_private(function: &ImplItemFn) -> bool {
    matches!(function.vis, Visibility::Inherited)
}
