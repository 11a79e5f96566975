//! Other functions that return a type: methods of builders, and free functions.

use super::Planning;
use super::argument::Argument;
use super::declared::{Block, Declared, OwnType};
use super::head::Head;
use super::sight::Sight;
use super::way::{Call, Kind, Known, MODULE, Way};
use crate::source::{Given, Gives};
use syn::{ImplItem, ImplItemFn, Type};

/// The names of a builder's last step.
const LAST_STEPS: [&str; 6] = ["build", "try_build", "finish", "create", "make", "done"];

impl Planning<'_> {
    /// Returns the last steps of builders of a type.
    pub(super) fn builders(&self, of: &OwnType<'_>) -> Vec<Known> {
        let blocks = self
            .declared
            .blocks
            .iter()
            .filter(|block| block.of != of.key && block.item.trait_.is_none());
        let steps = blocks.flat_map(|block| {
            block.item.items.iter().filter_map(move |item| match item {
                ImplItem::Fn(function) => Some((block, function)),
                _ => None,
            })
        });
        let known = |(block, function): (&Block<'_>, &ImplItemFn)| {
            let name = function.sig.ident.to_string();
            let is_builder = block.of.ends_with("Builder") || LAST_STEPS.contains(&name.as_str());
            function.sig.receiver().filter(|_| is_builder)?;
            let given =
                self.declared
                    .names
                    .given(&function.sig, block.place.module, Some(&block.of))?;
            if given.of != of.key || given.gives == Gives::Inside {
                return None;
            }
            Some(Known {
                way: self.last_step(of, block, function, &given),
                is_guard: true,
            })
        };
        steps.filter_map(known).collect()
    }

    fn last_step(
        &self,
        of: &OwnType<'_>,
        block: &Block<'_>,
        function: &ImplItemFn,
        given: &Given,
    ) -> Option<Way> {
        let builder = self.declared.types.iter().find(|one| one.key == block.of)?;
        if !self.may_be_called(builder, function) {
            return None;
        }
        let mut arguments = vec![Argument::Owned(Head::of_block(block.item)?.of)];
        arguments.extend(Argument::all(&function.sig)?);
        let name = function.sig.ident.to_string();
        let call = Call {
            has_receiver: true,
            ..Call::new(name.clone(), name.clone(), arguments, given.gives)
        };
        let sight = Sight::of(&function.vis, block.place.module);
        let head = self.head_at(of, given)?.under(&block.item.attrs);
        Some(Way::new(
            Kind::Builder,
            format!("{}::{name}", block.of),
            &block.place,
            head,
            sight,
            call,
        ))
    }

    /// Returns the functions of the crate that return a type.
    pub(super) fn functions(&self, of: &OwnType<'_>) -> Vec<Known> {
        let known = |function: &super::declared::Function<'_>| {
            let (item, place) = (function.item, &function.place);
            let given = self
                .declared
                .names
                .constructed(&item.sig, place.module, None)?;
            let is_meant =
                given.of == of.key && given.gives != Gives::Inside && item.attrs.iter().all(is_doc);
            let is_callable =
                item.sig.asyncness.is_none() && !matches!(item.sig.safety, syn::Safety::Unsafe(_));
            let name = item.sig.ident.to_string();
            let has_effects = self.effects.of_function(None, &name).is_some();
            let way = || {
                let arguments = Argument::all(&item.sig).filter(|_| is_callable && !has_effects)?;
                // How the function is named elsewhere, the compiler's name for its module tells.
                let call = Call {
                    shown: format!("‹{{}}::{name}›"),
                    subject: MODULE,
                    ..Call::new(name.clone(), String::new(), arguments, given.gives)
                };
                let head = self.head_at(of, &given)?;
                let sight = Sight::of(&item.vis, place.module);
                Some(Way::new(
                    Kind::Function,
                    format!("fn {name}"),
                    place,
                    head,
                    sight,
                    call,
                ))
            };
            is_meant.then(|| Known {
                way: way(),
                is_guard: true,
            })
        };
        self.declared.functions.iter().filter_map(known).collect()
    }

    /// Returns the head of a block for a type that a function elsewhere gives.
    fn head_at(&self, of: &OwnType<'_>, given: &Given) -> Option<Head> {
        match &given.written {
            Some(written) => Head::of_type(written),
            None => {
                let Declared::Struct(item) = of.declared else {
                    return None;
                };
                let path: Type = crate::source::parse_part(&format!("crate::{}", of.key)).ok()?;
                Head::of_type(&path).filter(|_| item.generics.params.is_empty())
            }
        }
    }
}

fn is_doc(attribute: &syn::Attribute) -> bool {
    ["doc", "must_use", "inline", "allow", "track_caller"]
        .iter()
        .any(|name| attribute.path().is_ident(name))
}
