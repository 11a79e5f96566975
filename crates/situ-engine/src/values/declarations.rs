//! Declarations in the sources of a workspace. Only declared structs, variants and functions are
//! used to rebuild a recorded value.
//!
//! A recording may come from anybody. So a struct with fields, a variant or a function is written
//! only if the sources declare it under that name. A mere name, such as a type's, executes nothing.

use crate::source::SourceFile;
use situ_recorder::value::{Shape, Value};
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Fields, ImplItem, ItemEnum, ItemFn, ItemImpl, ItemStruct, Type};

/// Functions of the standard library that are allowed as values: they have no side effects.
const STD_FUNCTIONS: [&str; 10] = [
    "alloc::string::String::new",
    "core::char::convert::from_u32",
    "core::cmp::max",
    "core::cmp::min",
    "core::convert::identity",
    "core::mem::drop",
    "core::mem::replace",
    "core::mem::swap",
    "core::mem::take",
    "core::str::converts::from_utf8",
];

/// Structs of the standard library that the recorder captures by field, with their fields.
const STD_STRUCTS: [(&str, &[&str]); 4] = [
    ("std::ops::Range", &["start", "end"]),
    ("std::ops::RangeFrom", &["start"]),
    ("std::ops::RangeTo", &["end"]),
    ("std::ops::RangeToInclusive", &["end"]),
];

/// Structs, enums and methods of all crates of a workspace, by crate and name. The module is
/// ignored, because the compiler and the sources may use different paths for it.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    types: HashMap<(String, String), Vec<Declared>>,
    methods: HashSet<(String, String, String)>,
    functions: HashSet<(String, String)>,
}

/// Declared struct, or variant of an enum.
#[derive(Clone, Debug)]
struct Declared {
    variant: Option<String>,
    shape: Shape,
    fields: Vec<String>,
}

impl Declarations {
    /// Adds the declarations in the files of a crate, including those inside functions.
    pub fn add(&mut self, krate: &str, files: &[SourceFile]) {
        let mut walk = Walk {
            krate,
            declarations: self,
        };
        files.iter().for_each(|file| walk.visit_file(&file.tree));
    }

    pub fn extend(&mut self, others: &Declarations) {
        for (key, declared) in &others.types {
            self.types
                .entry(key.clone())
                .or_default()
                .extend(declared.iter().cloned());
        }
        self.methods.extend(others.methods.iter().cloned());
        self.functions.extend(others.functions.iter().cloned());
    }

    /// Returns whether a struct or variant is declared with exactly the fields of `value`.
    pub fn have(&self, path: &str, value: &Value) -> bool {
        let Value::Struct {
            variant,
            shape,
            fields,
            ..
        } = value
        else {
            return false;
        };
        let is_std = STD_STRUCTS.iter().any(|(own, names)| {
            *own == path
                && variant.is_none()
                && fields
                    .iter()
                    .all(|(field, _)| names.contains(&field.as_str()))
        });
        let of_name = key(path).and_then(|key| self.types.get(&key));
        let is_it = |declared: &Declared| {
            declared.variant == *variant
                && declared.shape == *shape
                && fields
                    .iter()
                    .all(|(field, _)| declared.fields.contains(field))
        };
        is_std || of_name.is_some_and(|all| all.iter().any(is_it))
    }

    /// Returns whether a path names a function, free or associated.
    pub fn have_function_path(&self, path: &str) -> bool {
        let of_type = path
            .rsplit_once("::")
            .is_some_and(|(of_type, name)| self.have_function(of_type, name));
        of_type || key(path).is_some_and(|key| self.functions.contains(&key))
    }

    /// Returns whether a type has an inherent or trait function of this name.
    pub fn have_function(&self, path: &str, function: &str) -> bool {
        key(path)
            .is_some_and(|(krate, name)| self.methods.contains(&(krate, name, plain(function))))
    }
}

/// Returns whether a function of the standard library is allowed as a value.
pub(super) fn is_std_function(path: &str) -> bool {
    STD_FUNCTIONS.contains(&path)
}

/// Returns whether a path can only name a variant or a constant, which executes nothing.
pub(super) fn names_no_function(path: &str, variant: &str) -> bool {
    let is_type = path
        .rsplit("::")
        .next()
        .is_some_and(|last| last.starts_with(char::is_uppercase));
    is_type && path.contains("::") && variant.starts_with(char::is_uppercase)
}

/// Returns the crate and the last segment of a path.
fn key(path: &str) -> Option<(String, String)> {
    let (krate, rest) = path.split_once("::")?;
    let last = rest.rsplit("::").next().unwrap_or(rest);
    Some((krate.to_owned(), plain(last)))
}

/// Returns a name without the prefix `r#`.
fn plain(name: &str) -> String {
    name.trim_start_matches("r#").to_owned()
}

struct Walk<'w> {
    krate: &'w str,
    declarations: &'w mut Declarations,
}

impl Walk<'_> {
    fn add(&mut self, name: &syn::Ident, variant: Option<&syn::Ident>, fields: &Fields) {
        let shape = match fields {
            Fields::Unit => Shape::Unit,
            Fields::Unnamed(_) => Shape::Tuple,
            Fields::Named(_) => Shape::Named,
        };
        let named = |(at, field): (usize, &syn::Field)| {
            field
                .ident
                .as_ref()
                .map_or_else(|| at.to_string(), |name| plain(&name.to_string()))
        };
        let declared = Declared {
            variant: variant.map(|variant| plain(&variant.to_string())),
            shape,
            fields: fields.iter().enumerate().map(named).collect(),
        };
        let key = (self.krate.to_owned(), plain(&name.to_string()));
        self.declarations
            .types
            .entry(key)
            .or_default()
            .push(declared);
    }
}

impl<'ast> Visit<'ast> for Walk<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.declarations
            .functions
            .insert((self.krate.to_owned(), plain(&item.sig.ident.to_string())));
        visit::visit_item_fn(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.add(&item.ident, None, &item.fields);
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        item.variants
            .iter()
            .for_each(|variant| self.add(&item.ident, Some(&variant.ident), &variant.fields));
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        if let Type::Path(of_type) = &*item.self_ty
            && let Some(last) = of_type.path.segments.last()
        {
            let functions = item.items.iter().filter_map(|item| match item {
                ImplItem::Fn(function) => Some(plain(&function.sig.ident.to_string())),
                _ => None,
            });
            let name = plain(&last.ident.to_string());
            let own = functions.map(|function| (self.krate.to_owned(), name.clone(), function));
            self.declarations.methods.extend(own);
        }
        visit::visit_item_impl(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(path: &str, variant: Option<&str>, shape: Shape, fields: &[&str]) -> bool {
        let source = "struct Point { x: u8, r#type: u8 } mod inner { pub enum Shade { Dark, Light(u8), Deep { by: u8 } } } \
                      struct Unit; fn f() { struct Local(u8); } impl Point { fn make(x: u8) -> Point { todo!() } }";
        let mut declarations = Declarations::default();
        declarations.add("mine", &[SourceFile::root(source)]);
        let fields = fields
            .iter()
            .map(|field| ((*field).to_owned(), Value::Unit))
            .collect();
        let variant = variant.map(str::to_owned);
        declarations.have(
            path,
            &Value::Struct {
                type_name: path.to_owned(),
                variant,
                shape,
                fields,
            },
        )
    }

    #[test]
    fn only_what_the_sources_declare_is_built() {
        assert!(declared("mine::Point", None, Shape::Named, &["x", "type"]));
        assert!(declared(
            "mine::inner::Shade",
            Some("Dark"),
            Shape::Unit,
            &[]
        ));
        assert!(declared(
            "mine::inner::Shade",
            Some("Light"),
            Shape::Tuple,
            &["0"]
        ));
        assert!(declared(
            "mine::inner::Shade",
            Some("Deep"),
            Shape::Named,
            &["by"]
        ));
        assert!(declared("mine::f::Local", None, Shape::Tuple, &["0"]));
        assert!(declared("mine::Unit", None, Shape::Unit, &[]));
        assert!(declared(
            "std::ops::Range",
            None,
            Shape::Named,
            &["start", "end"]
        ));
        // Functions of the workspace, of other crates and of the standard library, with arguments
        // from a recording.
        assert!(!declared("mine::Point", Some("make"), Shape::Tuple, &["0"]));
        assert!(!declared("mine::f", None, Shape::Tuple, &["0"]));
        assert!(!declared(
            "std::fs::remove_dir_all",
            None,
            Shape::Tuple,
            &["0"]
        ));
        assert!(!declared(
            "std::process::Command",
            Some("new"),
            Shape::Tuple,
            &["0"]
        ));
        assert!(!declared("far::Point", None, Shape::Named, &["x"]));
        assert!(!declared("mine::Point", None, Shape::Named, &["other"]));
        assert!(!declared("mine::Point", None, Shape::Tuple, &["0"]));
        assert!(!declared(
            "mine::inner::Shade",
            Some("Other"),
            Shape::Unit,
            &[]
        ));
        assert!(!declared("Point", None, Shape::Named, &["x"]));
    }

    #[test]
    fn a_name_in_large_letters_runs_nothing() {
        assert!(names_no_function("pad::Alignment", "Left"));
        assert!(
            !names_no_function("std::fs", "File")
                && !names_no_function("std::process::Command", "new")
        );
        assert!(!names_no_function("Alignment", "Left"));
    }
}
