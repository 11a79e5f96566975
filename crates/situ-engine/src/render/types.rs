//! What a crate's sources say about its types: which fields are visible where, and which functions build them.

use crate::source::SourceFile;
use std::collections::{HashMap, HashSet};
use syn::{Expr, FnArg, ImplItem, Item, Member, Pat, ReturnType, Stmt, Type, Visibility};

/// Where something can be seen from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Visible {
    /// Anywhere in the crate.
    Everywhere,
    /// In this module and below.
    Below(String),
}

#[derive(Clone, Debug, Default)]
struct Known {
    fields: Vec<Visible>,
    constructors: Vec<Constructor>,
}

#[derive(Clone, Debug)]
struct Constructor {
    name: String,
    visible: Visible,
    /// The field that each parameter goes to.
    fields: Vec<String>,
}

/// The types of a crate, by their full path.
#[derive(Clone, Debug, Default)]
pub struct TypeTable {
    types: HashMap<String, Known>,
    functions: HashSet<String>,
}

impl TypeTable {
    /// Reads the types of a crate with this name.
    pub fn of(krate: &str, files: &[SourceFile]) -> TypeTable {
        let mut table = TypeTable::default();
        for file in files {
            table.structs(krate, &file.module.join("::"), &file.tree.items);
        }
        for file in files {
            table.constructors(krate, &file.module.join("::"), &file.tree.items);
        }
        table
    }

    /// Are all fields of the type visible in this module? Types that are not of the crate have no visible fields,
    /// except those of the standard library, which are never written by field.
    pub fn all_visible(&self, path: &str, module: &str) -> bool {
        let Some(known) = self.types.get(path) else { return true };
        known.fields.iter().all(|visible| is_visible(visible, module))
    }

    /// Is the type declared inside a function, where nobody else can name it?
    pub fn is_inside_a_function(&self, path: &str) -> bool {
        path.match_indices("::").any(|(at, _)| self.functions.contains(&path[..at]))
    }

    /// A function that builds the type from its fields, with the fields in the order of its parameters.
    pub fn constructor(&self, path: &str, module: &str) -> Option<(&str, &[String])> {
        let known = self.types.get(path)?;
        let found = known.constructors.iter().find(|constructor| is_visible(&constructor.visible, module))?;
        Some((&found.name, &found.fields))
    }

    fn structs(&mut self, krate: &str, module: &str, items: &[Item]) {
        for item in items {
            match item {
                Item::Struct(item) => {
                    let fields = item.fields.iter().map(|field| visibility(&field.vis, module)).collect();
                    let known = Known { fields, constructors: Vec::new() };
                    self.types.insert(full_path(krate, module, &item.ident.to_string()), known);
                }
                Item::Fn(item) => {
                    self.functions.insert(full_path(krate, module, &item.sig.ident.to_string()));
                }
                Item::Impl(item) => {
                    let Type::Path(path) = &*item.self_ty else { continue };
                    let Some(name) = path.path.segments.last().map(|last| last.ident.to_string()) else { continue };
                    let own = full_path(krate, module, &name);
                    self.functions.extend(item.items.iter().filter_map(|item| match item {
                        ImplItem::Fn(function) => Some(format!("{own}::{}", function.sig.ident)),
                        _ => None,
                    }));
                }
                Item::Mod(inner) => {
                    // A module and a function may share a name.
                    self.functions.remove(&full_path(krate, module, &inner.ident.to_string()));
                    if let Some((_, items)) = &inner.content {
                        self.structs(krate, &joined(module, &inner.ident.to_string()), items);
                    }
                }
                _ => {}
            }
        }
    }

    fn constructors(&mut self, krate: &str, module: &str, items: &[Item]) {
        for item in items {
            match item {
                Item::Impl(item) if item.trait_.is_none() => {
                    let Type::Path(path) = &*item.self_ty else { continue };
                    let Some(name) = path.path.segments.last().map(|last| last.ident.to_string()) else { continue };
                    let own = full_path(krate, module, &name);
                    let suffix = format!("::{name}");
                    let mut elsewhere = self.types.keys().filter(|path| path.ends_with(&suffix));
                    let key = if self.types.contains_key(&own) { Some(own) } else { elsewhere.next().cloned() };
                    let Some(known) = key.and_then(|key| self.types.get_mut(&key)) else { continue };
                    known.constructors.extend(item.items.iter().filter_map(|item| constructor_of(item, &name, module)));
                }
                Item::Mod(inner) => {
                    if let Some((_, items)) = &inner.content {
                        self.constructors(krate, &joined(module, &inner.ident.to_string()), items);
                    }
                }
                _ => {}
            }
        }
    }
}

fn joined(module: &str, name: &str) -> String {
    if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") }
}

fn full_path(krate: &str, module: &str, name: &str) -> String {
    joined(&joined(krate, module), name).replace("::::", "::")
}

fn visibility(visibility: &Visibility, module: &str) -> Visible {
    match visibility {
        Visibility::Public(_) => Visible::Everywhere,
        Visibility::Restricted(restricted) if restricted.path.is_ident("crate") => Visible::Everywhere,
        Visibility::Restricted(restricted) if restricted.path.is_ident("super") => {
            Visible::Below(module.rsplit_once("::").map_or(String::new(), |(outer, _)| outer.to_owned()))
        }
        _ => Visible::Below(module.to_owned()),
    }
}

fn is_visible(visible: &Visible, module: &str) -> bool {
    match visible {
        Visible::Everywhere => true,
        Visible::Below(outer) => {
            outer.is_empty() || module == outer || module.strip_prefix(outer).is_some_and(|rest| rest.starts_with("::"))
        }
    }
}

/// A function without receiver whose whole body puts its parameters into the fields.
fn constructor_of(item: &ImplItem, type_name: &str, module: &str) -> Option<Constructor> {
    let ImplItem::Fn(function) = item else { return None };
    let ReturnType::Type(_, returned) = &function.sig.output else { return None };
    let Type::Path(returned) = &**returned else { return None };
    let returned = returned.path.segments.last()?.ident.to_string();
    if returned != "Self" && returned != type_name {
        return None;
    }
    let mut parameters = Vec::new();
    for input in &function.sig.inputs {
        let FnArg::Typed(typed) = input else { return None };
        let Pat::Ident(name) = &*typed.pat else { return None };
        parameters.push(name.ident.to_string());
    }
    let [Stmt::Expr(body, None)] = function.block.stmts.as_slice() else { return None };
    let placed = placed_fields(body)?;
    let fields = parameters
        .iter()
        .map(|parameter| placed.iter().find(|(_, value)| value == parameter).map(|(field, _)| field.clone()));
    let fields: Vec<String> = fields.collect::<Option<_>>()?;
    (fields.len() == placed.len()).then(|| Constructor {
        name: function.sig.ident.to_string(),
        visible: visibility(&function.vis, module),
        fields,
    })
}

/// `Self { a, b: c }` or `Self(a, b)` as fields and the variables that go there.
fn placed_fields(body: &Expr) -> Option<Vec<(String, String)>> {
    let variable = |value: &Expr| match value {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        _ => None,
    };
    match body {
        Expr::Struct(literal) if literal.dot2_token.is_none() => {
            let fields = literal.fields.iter().map(|field| match &field.member {
                Member::Named(name) => Some((name.to_string(), variable(&field.expr)?)),
                Member::Unnamed(index) => Some((index.index.to_string(), variable(&field.expr)?)),
            });
            fields.collect()
        }
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else { return None };
            let named = path.path.segments.last()?.ident.to_string();
            let is_type = named == "Self" || named.starts_with(char::is_uppercase);
            let fields = call.args.iter().enumerate();
            let fields = fields.map(|(number, value)| Some((number.to_string(), variable(value)?)));
            if is_type { fields.collect() } else { None }
        }
        _ => None,
    }
}
