//! Facts about a crate's types and traits, collected from their declarations before planning.

use crate::source::SourceFile;
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::Visit;
use syn::{Field, Ident, ItemEnum, ItemStruct, ItemUnion, Type};

/// Types whose fields cannot be interpreted, by name.
#[derive(Debug, Default)]
pub(super) struct ByHand {
    /// Types with raw pointers, uninitialised memory or unions.
    pub directly: BTreeSet<String>,
    /// Types that contain such types.
    pub through_others: BTreeSet<String>,
}

/// Identifiers in the type of a field that indicate memory managed by hand.
const RAW: &[&str] = &[
    "MaybeUninit",
    "NonNull",
    "UnsafeCell",
    "ManuallyDrop",
    "AtomicPtr",
];

/// Returns the types of the crate that manage memory by hand.
pub(super) fn held_by_hand(files: &[SourceFile]) -> ByHand {
    let mut fields = FieldTypes::default();
    files.iter().for_each(|file| fields.visit_file(&file.tree));
    let mut by_hand = ByHand {
        directly: fields.unions,
        through_others: BTreeSet::new(),
    };
    for (name, words, raw) in &fields.found {
        if *raw || words.iter().any(|word| RAW.contains(&word.as_str())) {
            by_hand.directly.insert(name.clone());
        }
    }
    loop {
        let known = by_hand.through_others.len();
        for (name, words, _) in &fields.found {
            let holds = |word: &String| {
                by_hand.directly.contains(word) || by_hand.through_others.contains(word)
            };
            if !by_hand.directly.contains(name) && words.iter().any(holds) {
                by_hand.through_others.insert(name.clone());
            }
        }
        if by_hand.through_others.len() == known {
            return by_hand;
        }
    }
}

/// Returns the fields of the crate whose type contains a mutable reference, or a type parameter
/// that may.
pub(super) fn referring_fields(files: &[SourceFile]) -> BTreeSet<String> {
    #[derive(Default)]
    struct Search {
        parameters: Vec<String>,
        found: BTreeSet<String>,
    }
    impl<'ast> Visit<'ast> for Search {
        fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
            self.parameters = item
                .generics
                .type_params()
                .map(|parameter| parameter.ident.to_string())
                .collect();
            for (number, field) in item.fields.iter().enumerate() {
                let mut names = Vec::new();
                crate::source::targets::names_in(field.ty.to_token_stream(), &mut names);
                let words: Vec<String> = names.iter().map(ToString::to_string).collect();
                if words
                    .iter()
                    .any(|word| word == "mut" || self.parameters.contains(word))
                {
                    self.found.insert(
                        field
                            .ident
                            .as_ref()
                            .map_or_else(|| number.to_string(), super::types::plain),
                    );
                }
            }
        }
    }
    let mut search = Search::default();
    files.iter().for_each(|file| search.visit_file(&file.tree));
    search.found
}

/// Field whose type is a parameter of its struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GenericField {
    /// Name or index.
    pub name: String,
    /// Index of the type parameter.
    pub parameter: usize,
    /// Whether the type is `&mut`.
    pub is_borrowed: bool,
}

/// Returns the fields whose type is a type parameter, by the name of the struct. Omits structs that
/// share a name, because the name would be ambiguous.
pub(super) fn generic_fields(files: &[SourceFile]) -> BTreeMap<String, Vec<GenericField>> {
    struct Search(BTreeMap<String, Option<Vec<GenericField>>>);
    impl<'ast> Visit<'ast> for Search {
        fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
            let fields = item
                .fields
                .iter()
                .enumerate()
                .filter_map(|(number, field)| {
                    let (of_type, is_borrowed) = match &field.ty {
                        Type::Reference(reference) if reference.mutability.is_some() => {
                            (&*reference.elem, true)
                        }
                        other => (other, false),
                    };
                    let Type::Path(path) = of_type else {
                        return None;
                    };
                    let parameter = item
                        .generics
                        .type_params()
                        .position(|own| path.path.is_ident(&own.ident))?;
                    let name = field
                        .ident
                        .as_ref()
                        .map_or_else(|| number.to_string(), super::types::plain);
                    Some(GenericField {
                        name,
                        parameter,
                        is_borrowed,
                    })
                });
            let fields = fields.collect();
            self.0
                .entry(item.ident.to_string())
                .and_modify(|known| *known = None)
                .or_insert(Some(fields));
        }
    }
    let mut search = Search(BTreeMap::new());
    files.iter().for_each(|file| search.visit_file(&file.tree));
    search
        .0
        .into_iter()
        .filter_map(|(name, fields)| Some((name, fields?)))
        .collect()
}

/// Returns the traits that the crate implements for types with type parameters, or for such a
/// parameter. Not all of these types can be captured for every argument.
pub(super) fn generically_implemented(files: &[SourceFile]) -> BTreeSet<String> {
    struct Search(BTreeSet<String>);
    impl<'ast> Visit<'ast> for Search {
        fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
            let Some((implemented, _)) = &item.trait_ else {
                return;
            };
            if item.generics.type_params().next().is_some() {
                self.0.extend(
                    implemented
                        .segments
                        .last()
                        .map(|last| last.ident.to_string()),
                );
            }
        }
    }
    let mut search = Search(BTreeSet::new());
    files.iter().for_each(|file| search.visit_file(&file.tree));
    search.0
}

#[derive(Default)]
struct FieldTypes {
    /// Name of each type, the identifiers in the types of its fields, and whether there is a raw
    /// pointer among them.
    found: Vec<(String, Vec<String>, bool)>,
    unions: BTreeSet<String>,
}

impl FieldTypes {
    fn add<'f>(&mut self, name: &Ident, fields: impl Iterator<Item = &'f Field>) {
        let mut words = Vec::new();
        let mut raw = false;
        for field in fields {
            let mut names = Vec::new();
            crate::source::targets::names_in(field.ty.to_token_stream(), &mut names);
            words.extend(names.iter().map(ToString::to_string));
            raw |= has_raw_pointer(&field.ty);
        }
        self.found.push((name.to_string(), words, raw));
    }
}

fn has_raw_pointer(of_type: &Type) -> bool {
    struct Search(bool);
    impl<'ast> Visit<'ast> for Search {
        fn visit_type_ptr(&mut self, _: &'ast syn::TypePtr) {
            self.0 = true;
        }
    }
    let mut search = Search(false);
    search.visit_type(of_type);
    search.0
}

impl<'ast> Visit<'ast> for FieldTypes {
    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.add(&item.ident, item.fields.iter());
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.add(
            &item.ident,
            item.variants.iter().flat_map(|variant| &variant.fields),
        );
    }

    fn visit_item_union(&mut self, item: &'ast ItemUnion) {
        self.unions.insert(item.ident.to_string());
    }
}
