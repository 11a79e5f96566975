//! Traits that construct a type: `Default`, `FromStr`, `From`, `TryFrom`, `FromIterator`.

use super::Planning;
use super::argument::{Argument, Parameters};
use super::declared::{Declared, OwnType};
use super::head::Head;
use super::sight::Sight;
use super::way::{Call, Kind, Known, Way};
use crate::source::Gives;
use quote::ToTokens as _;
use syn::{GenericArgument, PathArguments, Type};

/// Types whose values are plain literals: if several convert, a literal is ambiguous.
const LITERAL_TYPES: [&str; 14] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32",
    "f64",
];

impl Planning<'_> {
    /// Returns what the traits of a type make.
    pub(super) fn conversions(&self, of: &OwnType<'_>) -> Vec<Known> {
        let mut all: Vec<Known> = self.default(of).into_iter().collect();
        all.extend(self.parsing(of));
        all.extend(self.from(of, "From", Gives::Itself));
        all.extend(self.from(of, "TryFrom", Gives::Result));
        all.extend(self.from(of, "FromIterator", Gives::Itself));
        all
    }

    fn default(&self, of: &OwnType<'_>) -> Option<Known> {
        let code = "<Self as ::core::default::Default>::default".to_owned();
        let call = Call::new(code, "{}::default".to_owned(), Vec::new(), Gives::Itself);
        let known = |way| {
            Some(Known {
                way,
                is_guard: false,
            })
        };
        if let Some((block, _)) = self.declared.implementations(&of.key, "Default").next() {
            let way = Head::of_block(block.item).map(|head| {
                Way::new(
                    Kind::Default,
                    "default".to_owned(),
                    &block.place,
                    head,
                    Sight::Everywhere,
                    call,
                )
            });
            return known(way);
        }
        let Declared::Struct(item) = of.declared else {
            return None;
        };
        if !of.derives("Default") {
            return None;
        }
        let head = Head::of_declared(&item.ident, &item.generics, "::core::default::Default");
        let head = head.map(|head| head.under(&item.attrs));
        known(head.map(|head| {
            Way::new(
                Kind::Default,
                "default".to_owned(),
                &of.place,
                head,
                Sight::Everywhere,
                call,
            )
        }))
    }

    fn parsing(&self, of: &OwnType<'_>) -> Option<Known> {
        let (block, _) = self.declared.implementations(&of.key, "FromStr").next()?;
        let code = "<Self as ::core::str::FromStr>::from_str".to_owned();
        let arguments = vec![Argument::Text { borrowed: true }];
        let call = Call {
            ending: Some(".parse::<{}>()".to_owned()),
            ..Call::new(code, String::new(), arguments, Gives::Result)
        };
        let way = Head::of_block(block.item).map(|head| {
            Way::new(
                Kind::FromStr,
                "from_str".to_owned(),
                &block.place,
                head,
                Sight::Everywhere,
                call,
            )
        });
        Some(Known {
            way,
            is_guard: true,
        })
    }

    fn from(&self, of: &OwnType<'_>, name: &str, gives: Gives) -> Vec<Known> {
        let function = match name {
            "From" => "from",
            "TryFrom" => "try_from",
            _ => "from_iter",
        };
        let path = if name == "FromIterator" {
            "::core::iter"
        } else {
            "::core::convert"
        };
        let blocks: Vec<_> = self.declared.implementations(&of.key, name).collect();
        let count = blocks.len();
        let one = |(block, segment): (&super::declared::Block<'_>, &syn::PathSegment)| {
            let source = source_of(segment)?;
            let argument = Argument::of(source, &Parameters::default())?;
            let argument = match (&argument, name) {
                (Argument::Owned(of), "FromIterator") => {
                    Argument::Owned(format!("::situ_explore::standard::vec::Vec<{of}>"))
                }
                _ => argument,
            };
            let literal = source.to_token_stream().to_string();
            let is_vague = count > 1 && LITERAL_TYPES.contains(&literal.as_str());
            let shown = if is_vague {
                format!("<{{}} as {name}<{literal}>>::{function}")
            } else {
                format!("{{}}::{function}")
            };
            let code = format!("<Self as {path}::{name}<_>>::{function}");
            let call = Call::new(code, shown, vec![argument], gives);
            let key = format!("{function} {literal}");
            Some(Way::new(
                Kind::From,
                key,
                &block.place,
                Head::of_block(block.item)?,
                Sight::Everywhere,
                call,
            ))
        };
        blocks
            .into_iter()
            .map(|found| Known {
                way: one(found),
                is_guard: true,
            })
            .collect()
    }
}

/// Returns what a type is made from: the argument of the trait.
fn source_of(segment: &syn::PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(of) => Some(of),
        _ => None,
    })
}
