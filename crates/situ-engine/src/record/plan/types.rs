//! Generates `Capture` implementations just after each struct and enum of a crate.

use super::slice_makers::SliceMaker;
use super::{Insertion, Planner};
use crate::source::{SourceFile, byte_range};
use quote::ToTokens;
use situ_recorder::secret::Secrecy;
use std::fmt::Write as _;
use syn::visit::{self, Visit};
use syn::{
    Attribute, Fields, GenericParam, Generics, Ident, ItemEnum, ItemMod, ItemStruct, ItemTrait,
    ItemUnion, WhereClause,
};

/// Fields whose value names the contents of a following field.
const KEYS: [&str; 4] = ["name", "key", "header", "variable"];
const VALUES: [&str; 4] = ["value", "val", "content", "text"];

/// Plans the implementations for a file's types, including those inside functions and tests.
pub(super) fn plan_types(planner: &mut Planner<'_>, file: &SourceFile) {
    let mut walk = Types { planner, file };
    walk.visit_file(&file.tree);
}

struct Types<'t, 'p> {
    planner: &'t mut Planner<'p>,
    file: &'t SourceFile,
}

impl<'ast> Visit<'ast> for Types<'_, '_> {
    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        let body = format!(
            "{}let {} = self; {}",
            if matches!(item.fields, Fields::Unit) {
                ""
            } else {
                "#[allow(unused_variables)] "
            },
            pattern(&item.ident.to_string(), &item.fields),
            self.fields("", &item.fields)
        );
        self.implement(
            byte_range(item),
            &item.ident,
            &item.generics,
            &item.attrs,
            &body,
        );
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        let mut body = "match *self { ".to_owned();
        if !item.variants.is_empty() {
            body = "match self { ".to_owned();
        }
        for variant in &item.variants {
            let conditions = conditions_of(&variant.attrs);
            let name = format!("{}::{}", item.ident, variant.ident);
            let fields = self.fields(&variant.ident.to_string(), &variant.fields);
            let _ = write!(
                body,
                "{conditions}{} => {{ {fields} }} ",
                pattern(&name, &variant.fields)
            );
        }
        body.push('}');
        self.implement(
            byte_range(item),
            &item.ident,
            &item.generics,
            &item.attrs,
            &body,
        );
    }

    fn visit_item_union(&mut self, item: &'ast ItemUnion) {
        self.implement(
            byte_range(item),
            &item.ident,
            &item.generics,
            &item.attrs,
            "",
        );
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        self.supertrait(item);
        visit::visit_item_trait(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        visit::visit_item_mod(self, item);
    }
}

impl Types<'_, '_> {
    /// Adds a supertrait that requires every implementor of a trait to be capturable, so that
    /// generic code over the trait can be captured.
    fn supertrait(&mut self, item: &ItemTrait) {
        let is_generic = self
            .planner
            .generically_implemented
            .contains(&item.ident.to_string());
        if !self.planner.wanted.through_traits || is_generic {
            return;
        }
        let path = self.file.module.join("::");
        let piece = self
            .planner
            .piece(format!("trait {path}::{}", item.ident), None, None);
        let name = byte_range(&item.ident);
        let end = match (&item.colon_token, item.generics.gt_token) {
            (Some(colon), _) => byte_range(colon).end,
            (None, Some(close)) => byte_range(&close).end,
            (None, None) => name.end,
        };
        let text = match (&item.colon_token, item.supertraits.is_empty()) {
            (Some(_), false) => " ::situ_recorder::Capture +",
            (Some(_), true) => " ::situ_recorder::Capture",
            (None, _) => ": ::situ_recorder::Capture",
        };
        self.planner
            .insertions
            .push(Insertion::after(&(name.start..end), 0, text, piece));
    }

    fn implement(
        &mut self,
        item: std::ops::Range<usize>,
        name: &Ident,
        generics: &Generics,
        attributes: &[Attribute],
        by_fields: &str,
    ) {
        let path = self.file.module.join("::");
        // Functions may declare types of the same name.
        let id = self.planner.identity(&path, &format!("type {name}"));
        let piece = self
            .planner
            .piece(format!("type {path}::{name} {id:x}"), None, None);
        let name_text = name.to_string();
        let opaque = "w.opaque(::situ_recorder::capture::type_name_of(self), ::situ_recorder::value::BY_HAND); ";
        let face = "{ use ::situ_recorder::capture::{Elements as _, KnownElements as _, KnownEntries as _, NoFace as _, \
                    Parses as _}; if (&&&&&::situ_recorder::capture::Fallback(self)).face(w) { return; } } ";
        let secrecy = self.planner.names.secrecy_of_type(&name_text);
        let body = if self.planner.by_hand.directly.contains(&name_text) {
            let maker = self
                .planner
                .slice_makers
                .get(&name_text)
                .map(SliceMaker::statement)
                .unwrap_or_default();
            format!("{face}{maker}{opaque}")
        } else if self.planner.by_hand.through_others.contains(&name_text) {
            format!("{face}{by_fields}")
        } else {
            by_fields.to_owned()
        };
        let body = match secrecy {
            Secrecy::None => body,
            _ => format!(
                "w.secret_part(::situ_recorder::secret::Secrecy::Always, |w| {{ {body} }});"
            ),
        };
        let clause = generics
            .where_clause
            .as_ref()
            .map(|clause| self.clause(clause))
            .unwrap_or_default();
        let implementation = |of_trait: &str, method: &str, bound: &str| {
            let (parameters, arguments) = with_bound(generics, bound);
            format!(
                " {}#[allow(warnings)] impl{parameters} ::situ_recorder::capture::{of_trait} for {name}{arguments} {clause} {{ \
                 fn {method}(&self, w: &mut ::situ_recorder::Writer) {{ {body} }} }}",
                conditions_of(attributes)
            )
        };
        let text = implementation("Capture", "capture", "::situ_recorder::Capture");
        self.planner
            .insertions
            .push(Insertion::statement_after(&item, text, piece));
        if generics.type_params().next().is_some() {
            let loose = self.planner.piece(
                format!("loose type {path}::{name} {id:x}"),
                Some(piece),
                None,
            );
            let text = implementation("CaptureLoosely", "capture_loosely", "");
            self.planner
                .insertions
                .push(Insertion::statement_after(&item, text, loose));
        }
    }

    fn clause(&self, clause: &WhereClause) -> String {
        self.file.text[byte_range(clause)].replace('\n', " ")
    }

    /// Returns the calls that write the fields of a struct or variant.
    fn fields(&self, variant: &str, fields: &Fields) -> String {
        let shape = match fields {
            Fields::Unit => "Unit",
            Fields::Unnamed(_) => "Tuple",
            Fields::Named(_) => "Named",
        };
        let mut text = format!(
            "w.structure(::situ_recorder::capture::type_name_of(self), {variant:?}, ::situ_recorder::Shape::{shape}); "
        );
        let has = |names: &[&str]| {
            fields.iter().any(|field| {
                field
                    .ident
                    .as_ref()
                    .is_some_and(|name| names.contains(&plain(name).as_str()))
            })
        };
        let is_pair = has(&KEYS) && has(&VALUES);
        if is_pair {
            text.push_str("let mut __behind = ::situ_recorder::secret::Secrecy::None; ");
        }
        for (number, field) in fields.iter().enumerate() {
            let name = field
                .ident
                .as_ref()
                .map_or_else(|| number.to_string(), plain);
            let write = format!("::situ_recorder::cap_field!(w, __f{number});");
            let write = match self.planner.secrecy(&name) {
                Secrecy::None if is_pair && KEYS.contains(&name.as_str()) => {
                    format!(
                        "__behind = w.part(::situ_recorder::secret::Secrecy::None, |w| {{ {write} }});"
                    )
                }
                Secrecy::None if is_pair && VALUES.contains(&name.as_str()) => {
                    format!("w.part(__behind, |w| {{ {write} }});")
                }
                Secrecy::None => write,
                secrecy => format!(
                    "w.secret_part(::situ_recorder::secret::Secrecy::{secrecy:?}, |w| {{ {write} }});"
                ),
            };
            let _ = write!(
                text,
                "{}{{ w.field({name:?}); {write} }} ",
                conditions_of(&field.attrs)
            );
        }
        text.push_str("w.end(); ");
        text
    }
}

/// Returns the generics of an `impl` with one more bound for each type, and the matching arguments.
/// Drops defaults.
fn with_bound(generics: &Generics, bound: &str) -> (String, String) {
    if generics.params.is_empty() {
        return (String::new(), String::new());
    }
    let mut parameters = Vec::new();
    let mut arguments = Vec::new();
    for parameter in &generics.params {
        match parameter {
            GenericParam::Lifetime(lifetime) => {
                parameters.push(lifetime.to_token_stream().to_string());
                arguments.push(lifetime.lifetime.to_string());
            }
            GenericParam::Type(parameter) => {
                let bounds = parameter.bounds.to_token_stream().to_string();
                let plus = if bounds.is_empty() || bound.is_empty() {
                    ""
                } else {
                    " + "
                };
                parameters.push(format!("{}: {bounds}{plus}{bound}", parameter.ident));
                arguments.push(parameter.ident.to_string());
            }
            GenericParam::Const(parameter) => {
                parameters.push(format!(
                    "const {}: {}",
                    parameter.ident,
                    parameter.ty.to_token_stream()
                ));
                arguments.push(parameter.ident.to_string());
            }
        }
    }
    (
        format!("<{}>", parameters.join(", ")),
        format!("<{}>", arguments.join(", ")),
    )
}

/// Returns a pattern that binds the fields to `__f0`, `__f1`, …
fn pattern(name: &str, fields: &Fields) -> String {
    match fields {
        Fields::Unit => name.to_owned(),
        Fields::Unnamed(fields) => {
            let parts: Vec<String> = fields
                .unnamed
                .iter()
                .enumerate()
                .map(|(number, field)| format!("{}__f{number}", conditions_of(&field.attrs)))
                .collect();
            format!("{name}({})", parts.join(", "))
        }
        Fields::Named(fields) => {
            let parts: Vec<String> = fields
                .named
                .iter()
                .enumerate()
                .filter_map(|(number, field)| {
                    Some(format!(
                        "{}{}: __f{number}",
                        conditions_of(&field.attrs),
                        field.ident.as_ref()?
                    ))
                })
                .collect();
            format!("{name} {{ {} }}", parts.join(", "))
        }
    }
}

/// Returns a name without the prefix `r#`.
pub(super) fn plain(name: &Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

/// Returns the `#[cfg(…)]` attributes as source.
pub(super) fn conditions_of(attributes: &[Attribute]) -> String {
    let conditions = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("cfg"));
    conditions
        .map(|attribute| format!("{} ", attribute.to_token_stream()))
        .collect()
}
